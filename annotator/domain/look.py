"""One mark of an answer as the rules of findings look at it, and what a rule may say of it."""

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

from annotator.domain.answers import MAX_SUBSTITUTES, Mark, Substitute
from annotator.domain.language import is_english
from annotator.domain.lengths import MAX_SUBSTITUTE_LENGTH
from annotator.domain.protocols import Protocol
from annotator.domain.text import substitute_key
from annotator.domain.wording import Phrase

MAX_WORDS = 20  # a longer quote is looked at as a whole only
MAX_QUOTE = 3 * MAX_SUBSTITUTE_LENGTH  # code points, likewise: no substitute says as much


class Severity(StrEnum):
    INFO = "info"
    WARNING = "warning"


@dataclass(frozen=True)
class Fix:
    """One key away: `mark` in place of the one at fault."""

    label: str
    mark: Mark

    def as_dict(self) -> dict[str, Any]:
        return {"label": self.label, "mark": self.mark.as_dict()}


@dataclass(frozen=True)
class Found:
    """What a rule says; `substitute` is the index of the one at fault, None for the mark or the answer."""

    message: str
    substitute: int | None = None
    fix: Fix | None = None
    severity: Severity | None = None  # where it is not the rule's own


@dataclass(frozen=True)
class Look:
    """One mark of an answer, and where it stands."""

    text: str
    lang: str
    protocol: Protocol
    mark: Mark

    @cached_property
    def is_english(self) -> bool:
        return is_english(self.lang)

    @cached_property
    def quote(self) -> Phrase:
        return Phrase(self.mark.quote)

    @cached_property
    def is_long(self) -> bool:
        """Too long to be looked at word by word."""
        return len(self.mark.quote) > MAX_QUOTE or len(self.quote.spans) > MAX_WORDS

    @cached_property
    def keys(self) -> list[str]:
        return [self.key(item.text) for item in self.mark.substitutes]

    def key(self, text: str) -> str:
        return substitute_key(text, folds=self.protocol.folds_substitutes)

    def fix(self, label: str, index: int, *texts: str) -> Fix | None:
        """The mark with other texts in place of one substitute, none twice; None where it could not be saved."""
        given, keys = list(self.mark.substitutes), list(self.keys)
        given[index : index + 1] = [replace(given[index], text=text) for text in texts]
        keys[index : index + 1] = [self.key(text) for text in texts]
        once: dict[str, Substitute] = {}
        for key, item in zip(keys, given, strict=True):
            once.setdefault(key, item)
        if len(once) > MAX_SUBSTITUTES or max(map(len, texts)) > MAX_SUBSTITUTE_LENGTH:
            return None
        return Fix(label, replace(self.mark, substitutes=tuple(once.values())))

    def cut(self, start: int, end: int, texts: list[str] | None = None) -> Mark:
        """A smaller mark inside this one; `start` and `end` count from its beginning."""
        given = self.mark.substitutes
        if texts is not None:
            given = tuple(replace(item, text=text) for item, text in zip(given, texts, strict=True))
        first = self.mark.start + start
        return replace(
            self.mark, start=first, end=self.mark.start + end, quote=self.mark.quote[start:end], substitutes=given
        )
