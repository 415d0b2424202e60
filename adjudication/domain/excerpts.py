"""A few words around a place in a text."""

from dataclasses import dataclass

from annotator.domain.tokens import Span

AROUND = 28  # code points on either side, about


@dataclass(frozen=True)
class Excerpt:
    before: str
    quote: str
    after: str


def excerpt_of(text: str, span: Span) -> Excerpt:
    """Whole words where that is possible; an ellipsis where something is left out."""
    start, end = span
    first, last = max(0, start - AROUND), min(len(text), end + AROUND)
    before, after = text[first:start], text[end:last]
    if first > 0:
        before = "…" + (before.partition(" ")[2] or before)
    if last < len(text):
        after = (after.rpartition(" ")[0] or after) + "…"
    return Excerpt(before, text[start:end], after)
