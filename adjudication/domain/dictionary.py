"""A passage's targets as the paper prints them: {possible: {likely: 2, probable: 1}} (Wang et al. 2023, 3.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from adjudication.domain.merge import Suggestion
from annotator.domain.tokens import Span


@dataclass(frozen=True)
class Entry:
    """`occurrence`: which one, where the quote stands in the text more than once; 0 where it stands once."""

    span: Span
    quote: str
    occurrence: int
    annotators: int
    of: int
    type: str
    is_kept: bool
    suggestions: tuple[Suggestion, ...]

    @property
    def name(self) -> str:
        return f"{self.quote} ({self.occurrence})" if self.occurrence else self.quote

    @property
    def votes(self) -> dict[str, int]:
        return {item.text: item.votes for item in self.suggestions}


def occurrence_of(text: str, start: int, quote: str) -> int:
    """1 for the first place in the text where the quote stands, 2 for the next; 0 where there is just one."""
    places, at = [], text.find(quote)
    while at >= 0 and quote:
        places.append(at)
        at = text.find(quote, at + 1)
    return places.index(start) + 1 if len(places) > 1 and start in places else 0


def as_json(entries: Sequence[Entry]) -> dict[str, Any]:
    """By name what is kept, and apart from it what was dropped."""
    return {
        "targets": {entry.name: entry.votes for entry in entries if entry.is_kept},
        "dropped": {entry.name: entry.votes for entry in entries if not entry.is_kept},
    }
