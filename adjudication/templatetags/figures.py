"""Figures as people read them."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from adjudication.domain.agreement.resampling import is_hint

register = template.Library()


@register.filter
def percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


@register.filter
def plain(value: float | None) -> str:
    """Per cent in a table whose head says so."""
    return "–" if value is None else f"{100 * value:.1f}"


@register.filter
def whole_percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f} %"


@register.filter
def figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


@register.filter
def whole(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"


@register.filter
def interval(value: Sequence[float] | None) -> str:
    return "–" if value is None else f"{100 * value[0]:.1f}\u00a0–\u00a0{100 * value[1]:.1f}"


@register.filter
def share(value: Mapping[str, Any]) -> str:
    return f"{percent(value['share'])} ({value['count']:,} of {value['of']:,})"


@register.simple_tag
def over(around: Sequence[float] | None, units: int | None) -> str:
    """What an interval rests on."""
    return whole(units) + ("*" if is_hint(around, units) else "")


@register.simple_tag
def hint(around: Sequence[float] | None, units: int | None) -> SafeString:
    return SafeString(', <b class="warn">a hint</b>' if is_hint(around, units) else "")


@register.simple_tag
def heat(matrix: Sequence[Any], slug: str, query: str, behind: Mapping[str, str]) -> SafeString:
    """The rows of the matrix. Written here: a template takes half a second for sixty people. `behind`: the names to be
    shown with pseudonyms; on no printed page."""
    tail = f"?{query}" if query else ""
    rows = []
    for name, cells in matrix:
        shown = format_html_join("", "{}", ((_cell(cell, slug, tail),) for cell in cells))
        real = format_html(' <span class="real no-print">{}</span>', behind[name]) if name in behind else ""
        title = head_title(behind, name)
        rows.append((format_html('<tr><th scope="row" title="{}">{}{}</th>{}</tr>', title, name, real, shown),))
    return format_html_join("\n", "{}", rows)


@register.filter
def head_title(behind: Mapping[str, str], name: str) -> str:
    return f"{name}, {behind[name]}" if name in behind else name


def _cell(cell: Any, slug: str, tail: str) -> SafeString:
    if cell is None:
        return SafeString('<td class="diag"></td>')
    kind = f"l{cell.level}{' few' if cell.is_few else ''}{' low' if cell.is_low else ''}"
    address = reverse("agreement_pair", args=[slug, cell.a, cell.b]) + tail
    return format_html('<td class="{}"><a href="{}" title="{}">{}</a></td>', kind, address, cell.title, cell.percent)


@register.filter
def entry(found: Mapping[str, Any], key: str) -> Any:
    return found.get(key, "")


@register.filter
def thousandths(value: int | None) -> str:
    return "–" if value is None else f"{value / 10:.1f} %"
