"""Which passages a lead asks for, as an address says it."""

from dataclasses import dataclass
from urllib.parse import urlencode

from annotator.domain.passages import PassageKind
from annotator.domain.screening import SCREENING_REASONS

MOST_ANSWERS = 1000  # of one passage, or discards, that can be asked for
KINDS = {
    PassageKind.WORK: "work",
    PassageKind.TEST: "test",
    PassageKind.PRACTICE: "practice",
    PassageKind.CONTROL: "control",
}
SCREENED = {
    "none": "not screened",
    "accepted": "accepted",
    "refused": "refused",
    **{key: f"refused: {label.lower()}" for key, label in SCREENING_REASONS.items()},
}


@dataclass(frozen=True)
class PassageFilter:
    """What is asked for in the address; empty leaves everything that is not archived."""

    search: str = ""
    kind: str = ""
    screening: str = ""  # of SCREENED
    answers: int | None = None  # just so many that count
    split: str = ""
    group: str = ""
    questions: bool = False
    discarded: int | None = None  # by so many at least
    reason: str = ""  # of DISCARD_REASONS: why somebody discarded it
    archived: bool = False

    def as_query(self) -> str:
        given = {
            "search": self.search,
            "kind": self.kind,
            "screening": self.screening,
            "answers": self.answers,
            "split": self.split,
            "group": self.group,
            "questions": "yes" if self.questions else "",
            "discarded": self.discarded,
            "reason": self.reason,
            "archived": "yes" if self.archived else "",
        }
        return urlencode({name: value for name, value in given.items() if value not in ("", None)})

    @property
    def asks_of_work(self) -> bool:
        """Whether it tells what people did."""
        return self.answers is not None or self.questions or self.discarded is not None or self.reason != ""
