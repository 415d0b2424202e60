"""What a day's work adds up to. Counters are sums: what is counted as it happens and what is counted anew from all that
was submitted must be the same."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from annotator.domain.answers import Counts

NOTHING = Counts(0, 0, {})


@dataclass
class Sums:
    """Of one person on one day. `discarded` may be taken back, and what was submitted again may have fewer marks: so
    the marks of a day can be below nothing, though not those of all days together."""

    submitted: int = 0
    resubmitted: int = 0
    discarded: int = 0
    marks: int = 0
    substitutes: int = 0
    by_type: dict[str, int] = field(default_factory=dict)

    def add(self, other: "Sums") -> None:
        for name in COUNTERS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.by_type = added(self.by_type, other.by_type)

    def as_dict(self) -> dict[str, Any]:
        return {**{name: getattr(self, name) for name in COUNTERS}, "by_type": self.by_type}


COUNTERS = tuple(item.name for item in fields(Sums) if item.name != "by_type")


def of_submission(number: int, now: Counts, before: Counts = NOTHING) -> Sums:
    """What the submission of this number counts for: what it has more than the one before it."""
    return Sums(
        submitted=int(number == 1),
        resubmitted=int(number > 1),
        marks=now.marks - before.marks,
        substitutes=now.substitutes - before.substitutes,
        by_type=added(now.substitutes_by_type, before.substitutes_by_type, times=-1),
    )


def added(one: Mapping[str, int], other: Mapping[str, int], *, times: int = 1) -> dict[str, int]:
    """Types of which there are none are left out."""
    names = sorted({*one, *other})
    sums = {name: one.get(name, 0) + times * other.get(name, 0) for name in names}
    return {name: number for name, number in sums.items() if number}


def summed(sums: Iterable[Sums]) -> Sums:
    whole = Sums()
    for item in sums:
        whole.add(item)
    return whole
