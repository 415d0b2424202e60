"""Guidelines as a page: what is markup, and that nothing else ever is."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.markdown import to_html
from tests.annotator.domain.clock import cpu_seconds


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "# Title\nSome *fine* **bold** `code`.",
            "<h2>Title</h2>\n<p>Some <em>fine</em> <strong>bold</strong> <code>code</code>.</p>",
        ),
        ("one\ntwo\n\nthree", "<p>one two</p>\n<p>three</p>"),
        ("- a\n- b\n  goes on\n\n1. x\n2) y", "<ul><li>a</li><li>b goes on</li></ul>\n<ol><li>x</li><li>y</li></ol>"),
        ("> said\n> so", "<blockquote><p>said so</p></blockquote>"),
        (
            "see [here](https://example.org/a?b=1)",
            '<p>see <a href="https://example.org/a?b=1" rel="noopener noreferrer">here</a></p>',
        ),
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"),
        ("<script>alert(1)</script> & “quotes”", "<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp; “quotes”</p>"),
        ("2 * 3 * 4 and snake_case", "<p>2 * 3 * 4 and snake_case</p>"),
        (
            '[x](https://a.b/**c**) [y](https://a.b/*c*?d="1")',
            '<p><a href="https://a.b/**c**" rel="noopener noreferrer">x</a> '
            '<a href="https://a.b/*c*?d=&quot;1&quot;" rel="noopener noreferrer">y</a></p>',
        ),
        (
            "**[*x*](https://a.b/*c*)** and [`a[0]`](https://a.b)",
            '<p><strong><a href="https://a.b/*c*" rel="noopener noreferrer"><em>x</em></a></strong> and '
            '<a href="https://a.b" rel="noopener noreferrer"><code>a[0]</code></a></p>',
        ),
        ("`**a**` and `[x](https://a.b)`", "<p><code>**a**</code> and <code>[x](https://a.b)</code></p>"),
        ("***both***, **a `b` c**", "<p><strong><em>both</em></strong>, <strong>a <code>b</code> c</strong></p>"),
        ("*a `b* c`", "<p>*a <code>b* c</code></p>"),
        (
            "| split | *n* |\n| --- | ---: |\n| test | 8 | more |\n| <b> |\n\nafter",
            '<div class="scroll" role="group" aria-label="Table" tabindex="0">'
            '<table><thead><tr><th>split</th><th class="num"><em>n</em></th></tr></thead><tbody>'
            '<tr><td>test</td><td class="num">8</td></tr><tr><td>&lt;b&gt;</td></tr></tbody>'
            "</table></div>\n<p>after</p>",
        ),
        ("| no | table |\nat all", "<p>| no | table | at all</p>"),
        ("", ""),
    ],
)
def test_examples(text: str, expected: str) -> None:
    assert to_html(text) == expected


ALLOWED = {"h2", "h3", "h4", "h5", "p", "ul", "ol", "li", "blockquote", "em", "strong", "code", "a"} | {
    *("div", "table", "thead", "tbody", "tr", "th", "td")
}


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@given(st.text(st.sampled_from("<>\"'&*`#-[]()!>1. \nahtps:/javscript=onerror|")))
def test_nothing_gets_through(text: str) -> None:
    tags = Tags()
    tags.feed(to_html(text))

    for tag, attributes in tags.found:
        assert tag in ALLOWED
        assert set(attributes) <= {"href", "rel"} or attributes in (
            {"class": "num"},
            {"class": "scroll", "role": "group", "aria-label": "Table", "tabindex": "0"},
        )
        assert (attributes.get("href") or "https://").startswith(("https://", "http://"))
    assert tags.open == []


PIECES = [
    "|",
    "|\n|-:|\n",
    "*",
    "**",
    "`",
    "[",
    "]",
    "x](https://a.b/*c*)",
    "[y](https://a.b/**c**)",
    "a",
    " ",
    "<",
    "\n",
]


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_what_is_built_is_closed_and_is_not_read_again(text: str) -> None:
    tags = Tags()
    tags.feed(to_html(text))

    assert tags.open == []
    addresses = {attributes["href"] for tag, attributes in tags.found if tag == "a"}
    assert addresses <= {"https://a.b/*c*", "https://a.b/**c**"}


@pytest.mark.parametrize(
    "text",
    [
        *("*", "[", "`", "*[", "*`", "[`", "**a", "***a ", "**`*`"),
        *(
            "[x](https://a.b/",
            "[x](https://**",
            "*a [b* c](x",
            "- a\nb\n",
            "1. ",
            "> *\n",
            "# #",
            "|a|\n|-|\n",
            "|-",
            "|:-:|\n|a",
            "|-|\n|",
        ),
    ],
)
def test_the_time_is_in_proportion_to_the_text(text: str) -> None:
    """The worst of these takes about 40 ms; what is quadratic takes seconds."""
    for long in ((text * 100_000)[:100_000], f"- {text}\n" + "b\n" * 49_000, f"`[{text * 10_000}"):
        assert cpu_seconds(lambda long=long: to_html(long), enough=0.1) < 0.1
