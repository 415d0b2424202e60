"""A passage's targets as the paper prints them: {possible: {likely: 2, probable: 1}} (Wang et al. 2023, 3.2)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from adjudication.domain.merge import Suggestion
from annotator.domain.formats.words import places_of
from annotator.domain.tokens import Span


@dataclass(frozen=True)
class Before:
    """What a target had in the merge before."""

    annotators: int
    votes: dict[str, int]
    type: str = ""


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
    remarks: tuple[str, ...] = ()  # what changed, and what asks for somebody
    before: Before | None = None  # where it changed, as far as that is known

    @property
    def name(self) -> str:
        return _numbered(self.quote, self.occurrence)

    @property
    def votes(self) -> dict[str, int]:
        return {item.text: item.votes for item in self.suggestions}


def occurrence_of(text: str, start: int, quote: str) -> int:
    """1 for the first place in the text where the quote stands by itself, 2 for the next, as in a table of answers; 0
    where there is just one, or it is a part of a word."""
    places = places_of(quote, text) if quote else []
    return places.index(start) + 1 if len(places) > 1 and start in places else 0


def name_of(text: str, span: Span) -> str:
    """The words of a span as an entry is called."""
    quote = text[slice(*span)]
    return _numbered(quote, occurrence_of(text, span[0], quote))


def _numbered(quote: str, occurrence: int) -> str:
    return f"{quote} ({occurrence})" if occurrence else quote


def as_json(entries: Sequence[Entry]) -> dict[str, Any]:
    """By name what is kept, and apart from it what was dropped. Parts of words may be called the same: then the span is
    part of the name."""
    times = Counter(entry.name for entry in entries)
    named = [
        (entry.name if times[entry.name] == 1 else f"{entry.name} [{entry.span[0]}, {entry.span[1]})", entry)
        for entry in entries
    ]
    return {
        "targets": {name: entry.votes for name, entry in named if entry.is_kept},
        "dropped": {name: entry.votes for name, entry in named if not entry.is_kept},
    }
