"""Guidelines as a page: what is markup, and that nothing else ever is."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.markdown import to_html


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
        ("", ""),
    ],
)
def test_examples(text: str, expected: str) -> None:
    assert to_html(text) == expected


ALLOWED = {"h2", "h3", "h4", "h5", "p", "ul", "ol", "li", "blockquote", "em", "strong", "code", "a"}


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@given(st.text(st.sampled_from("<>\"'&*`#-[]()!>1. \nahtps:/javscript=onerror")))
def test_nothing_gets_through(text: str) -> None:
    tags = Tags()
    tags.feed(to_html(text))

    for tag, attributes in tags.found:
        assert tag in ALLOWED
        assert set(attributes) <= {"href", "rel"}
        assert (attributes.get("href") or "https://").startswith(("https://", "http://"))
