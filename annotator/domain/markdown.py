"""A safe part of Markdown: headings, paragraphs, lists, quotes, tables, emphasis, code, links to the web.

Text is read once and escaped as it is written; what is built is never read again. Nothing else of Markdown or HTML
means anything.
"""

import html
import re
from collections.abc import Iterator

_HEADING = re.compile(r"(#{1,4})\s+(.+)")
_BULLET = re.compile(r"[-*]\s+(.*)")
_RULER = re.compile(r"\|(?:\s*:?-++:?\s*\|)++")  # between the head of a table and its rows
# Wider than a phone it slides, by keyboard too.
_SCROLL = '<div class="scroll" role="group" aria-label="Table" tabindex="0">'
_NUMBER = re.compile(r"\d{1,3}[.)]\s+(.*)")
# Code binds before links, links before emphasis: `**` inside a code or an address is no emphasis. Nothing here gives
# back what it took (++), so that the time is in proportion to the text.
_CODE = r"`[^`]++`"
_LABEL = rf"(?>[^\]\[`]++|{_CODE}|`)++"
_ADDRESS = r"https?://[^\s()<>]++"
_RUN = rf"(?>[^*`\[]++|{_CODE}|\[{_LABEL}\]\({_ADDRESS}\)|[`\[])++"
_INLINE = re.compile(
    rf"`(?P<code>[^`]++)`|\[(?P<label>{_LABEL})\]\((?P<address>{_ADDRESS})\)"
    rf"|\*\*(?=\S)(?P<strong>\*?{_RUN}\*?)(?<=\S)\*\*"
    rf"|(?<![\w*])\*(?=\S)(?P<em>{_RUN})(?<=\S)\*(?![\w*])"
)


def to_html(text: str) -> str:
    return "\n".join(_blocks(text.replace("\r\n", "\n").split("\n")))


def _blocks(lines: list[str]) -> Iterator[str]:
    at = 0
    while at < len(lines):
        line = lines[at].strip()
        kind = "table" if _begins_table(lines, at) else _kind(line)
        end = at + 1
        if kind == "table":
            while end < len(lines) and lines[end].strip().startswith("|"):
                end += 1
        if kind in ("p", "ul", "ol", "quote"):
            while end < len(lines) and lines[end].strip() and _kind(lines[end].strip()) in (kind, "p"):
                end += 1
        if kind:
            yield _block(kind, [lines[n].strip() for n in range(at, end)])
        at = end


def _begins_table(lines: list[str], at: int) -> bool:
    is_row = lines[at].strip().startswith("|") and at + 1 < len(lines)
    return is_row and _RULER.fullmatch(lines[at + 1].strip()) is not None


def _kind(line: str) -> str:
    if not line:
        return ""
    if _HEADING.fullmatch(line):
        return "heading"
    if _BULLET.fullmatch(line):
        return "ul"
    if _NUMBER.fullmatch(line):
        return "ol"
    return "quote" if line.startswith(">") else "p"


def _block(kind: str, lines: list[str]) -> str:
    if kind == "heading":
        found = _HEADING.fullmatch(lines[0])
        assert found is not None
        level = len(found.group(1)) + 1  # the page has its own h1
        return f"<h{level}>{_inline(found.group(2))}</h{level}>"
    if kind == "quote":
        return f"<blockquote><p>{_inline(' '.join(line.removeprefix('>').strip() for line in lines))}</p></blockquote>"
    if kind == "table":
        return _table(lines)
    if kind == "p":
        return f"<p>{_inline(' '.join(lines))}</p>"
    pattern = _BULLET if kind == "ul" else _NUMBER
    items: list[list[str]] = []
    for line in lines:
        found = pattern.fullmatch(line)
        if found:
            items.append([found.group(1)])
        else:
            items[-1].append(line)  # a long item goes on
    return f"<{kind}>" + "".join(f"<li>{_inline(' '.join(item))}</li>" for item in items) + f"</{kind}>"


def _table(lines: list[str]) -> str:
    """At most as many columns as its head has; what a ruler ends with a colon are figures. A short row stays short:
    many of them under a wide head make no long page."""
    head, ruler, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    figures = ([cell.endswith(":") for cell in ruler] + [False] * len(head))[: len(head)]

    def row(cells: list[str], tag: str) -> str:
        shown = (_cell(tag, cell, is_figure) for cell, is_figure in zip(cells, figures, strict=False))
        return f"<tr>{''.join(shown)}</tr>"

    body = "".join(row(cells, "td") for cells in rows)
    return f"{_SCROLL}<table><thead>{row(head, 'th')}</thead><tbody>{body}</tbody></table></div>"


def _cell(tag: str, text: str, is_figure: bool) -> str:
    kind = ' class="num"' if is_figure else ""
    tag = tag if text else "td"  # nothing heads no column
    return f"<{tag}{kind}>{_inline(text)}</{tag}>"


def _inline(text: str) -> str:
    parts, at = [], 0
    for found in _INLINE.finditer(text):
        parts += [html.escape(text[at : found.start()]), _built(found)]
        at = found.end()
    return "".join(parts) + html.escape(text[at:])


def _built(found: re.Match[str]) -> str:
    if found["code"]:
        return f"<code>{html.escape(found['code'])}</code>"
    if found["address"]:
        return f'<a href="{html.escape(found["address"])}" rel="noopener noreferrer">{_inline(found["label"])}</a>'
    tag = "strong" if found["strong"] else "em"
    return f"<{tag}>{_inline(found[tag])}</{tag}>"
