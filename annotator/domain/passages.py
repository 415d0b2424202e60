"""What a passage is, to everything that reads, stores or writes one: its fields stand here, and in the table."""

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from annotator.domain.tokens import StoredTokens


class PassageKind(StrEnum):
    WORK = "work"
    TEST = "test"  # of the qualification
    PRACTICE = "practice"  # counts for nothing
    CONTROL = "control"  # among the work, its key known, and not to be told from it by its annotator


# What an annotator takes for work: of their own passages nothing may tell these apart.
LOOK_LIKE_WORK = (PassageKind.WORK, PassageKind.CONTROL)


def kind_shown(kind: str) -> str:
    """The kind as its annotator sees it."""
    return PassageKind.WORK if kind in LOOK_LIKE_WORK else kind


@dataclass(frozen=True)
class NewPassage:
    """A passage on its way in. `tokens`, where they were given: [start, end], and the token itself where the text says
    it otherwise."""

    external_id: str
    text: str
    group: str = ""
    lang: str = ""
    context_before: str = ""
    context_after: str = ""
    source_text: str = ""
    tokens: StoredTokens | None = None
    kind: str = PassageKind.WORK

    def stored(self) -> dict[str, Any]:
        """PASSAGE_FIELDS as the table has them."""
        tokens = None if self.tokens is None else [list(token) for token in self.tokens]
        return {name: tokens if name == "tokens" else getattr(self, name) for name in PASSAGE_FIELDS}


# All that a file says of a passage beside its id; and of that what goes with the text.
PASSAGE_FIELDS = tuple(field.name for field in fields(NewPassage) if field.name not in ("external_id", "kind"))
PASSAGE_TEXTS = tuple(name for name in PASSAGE_FIELDS if name not in ("text", "tokens"))
