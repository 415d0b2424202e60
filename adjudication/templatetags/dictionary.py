"""A passage's targets as the paper prints them. Written here: a page of gold has hundreds, and a template takes ten
times as long."""

from collections.abc import Mapping, Sequence
from html import escape

from django import template
from django.utils.safestring import SafeString

from adjudication.domain.dictionary import Entry

register = template.Library()


@register.simple_tag
def dictionary(entries: Sequence[Entry]) -> SafeString:
    """{possible: {likely: 2, probable: 1}}; what was dropped is struck through."""
    shown = ", ".join((_kept(entry) if entry.is_kept else _dropped(entry)) + _before(entry) for entry in entries)
    return SafeString(f'<p class="dictionary" dir="auto">{{{shown}}}</p>')


def _kept(entry: Entry) -> str:
    return f'<span title="{_index(entry)}">{_said(entry)}</span>'


def _dropped(entry: Entry) -> str:
    return f'<del title="dropped: {_index(entry)}"><span class="visually-hidden">dropped: </span>{_said(entry)}</del>'


def _index(entry: Entry) -> str:
    return f"voting index {entry.annotators} of {entry.of}"


def _before(entry: Entry) -> str:
    """Of a target that has changed since the merge before."""
    if entry.before is None:
        return ""
    types = f", {entry.before.type}, now {entry.type or 'none'}" if entry.before.type not in ("", entry.type) else ""
    said = f"before, of {entry.before.annotators}: {{{_votes(entry.before.votes)}}}{escape(types)}"
    return f' <small class="dim">{said}</small>'


def _votes(votes: Mapping[str, int]) -> str:
    return ", ".join(f"{escape(text)}: {times}" for text, times in votes.items())


def _said(entry: Entry) -> str:
    remarks = "".join(f' <span class="badge">{escape(remark)}</span>' for remark in entry.remarks)
    return f"<b>{escape(entry.name)}</b>: {{{_votes(entry.votes)}}}{remarks}"
