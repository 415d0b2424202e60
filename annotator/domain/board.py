"""What a lead reads off a project's counters: when the work will be done, and whose work to look at."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from annotator.domain.checks import Checks

LEAST_PEOPLE = 3  # below it there is no middle to stand out from
LEAST_PASSAGES = 10
LEAST_CHECKS = 5  # controls, and repeats
FASTER = 0.5  # of the middle annotator's time
MARKS_MORE, MARKS_FEWER = 1.6, 0.6
MET_LESS = 0.6  # of one's controls
AGREES_LESS = 0.7  # with oneself, of the middle


def middle_said(*, passages: int, people: int) -> str:
    all_of_them = f"The middle is the median of all with {passages} passages or more"
    return f"{all_of_them}; below {people} such people nobody is marked."


MIDDLE = middle_said(passages=LEAST_PASSAGES, people=LEAST_PEOPLE)
RULES = (
    f"seconds per passage below {FASTER:g} × the middle",
    f"marks per passage above {MARKS_MORE:g} × or below {MARKS_FEWER:g} × the middle",
    f"fewer than {100 * MET_LESS:g} % of the controls met, of {LEAST_CHECKS} at least",
    f"agreement with oneself below {AGREES_LESS:g} × the middle, over {LEAST_CHECKS} repeats at least",
)


def days_to_go(to_go: int, pace: float) -> int | None:
    """Whole days at this pace; None where nobody works."""
    if to_go <= 0:
        return 0
    return math.ceil(to_go / pace) if pace > 0 else None


@dataclass(frozen=True)
class Figures:
    """Of one person. `seconds`: per passage."""

    name: str
    passages: int
    marks: int
    seconds: float | None
    checks: Checks

    @property
    def each(self) -> float | None:
        """Marks per passage."""
        return self.marks / self.passages if self.passages else None


def look(people: Sequence[Figures]) -> dict[str, list[str]]:
    """{name: reasons} of those who stand out. The middle is the median of all who have done enough to be judged."""
    judged = [person for person in people if person.passages >= LEAST_PASSAGES]
    if len(judged) < LEAST_PEOPLE:
        return {}
    found = {}
    for person in judged:
        others = [other for other in judged if other is not person]
        if reasons := [
            *_faster(person, others),
            *_marks(person, others),
            *_controls(person),
            *_oneself(person, others),
        ]:
            found[person.name] = reasons
    return found


def _faster(person: Figures, others: Sequence[Figures]) -> list[str]:
    theirs = _known(other.seconds for other in others)
    if not person.seconds or not theirs or person.seconds >= FASTER * median([*theirs, person.seconds]):
        return []
    return [f"takes {person.seconds:.0f} s where the others take {_from_to(theirs, '.0f')}"]


def _marks(person: Figures, others: Sequence[Figures]) -> list[str]:
    theirs, own = _known(other.each for other in others), person.each or 0.0
    middle = median([*theirs, own])
    if not middle or MARKS_FEWER * middle <= own <= MARKS_MORE * middle:
        return []
    return [f"marks {own:.1f} a passage where the others mark {_from_to(theirs, '.1f')}"]


def _controls(person: Figures) -> list[str]:
    checks = person.checks
    if checks.controls < LEAST_CHECKS or checks.met >= MET_LESS * checks.controls:
        return []
    return [f"met {checks.met} of {checks.controls} controls"]


def _oneself(person: Figures, others: Sequence[Figures]) -> list[str]:
    own = person.checks.spans
    theirs = _known(other.checks.spans for other in others if other.checks.repeats >= LEAST_CHECKS)
    if own is None or person.checks.repeats < LEAST_CHECKS or not theirs:
        return []
    return [f"agrees with itself on {100 * own:.0f} %"] if own < AGREES_LESS * median([*theirs, own]) else []


def _known(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def _from_to(values: Sequence[float], form: str) -> str:
    low, high = format(min(values), form), format(max(values), form)
    return low if low == high else f"{low} to {high}"


def listed(reasons: Sequence[str]) -> str:
    """takes 31 s …, met 8 of 17 controls, and agrees with itself on 34 %"""
    if len(reasons) < 3:
        return " and ".join(reasons)
    return f"{', '.join(reasons[:-1])}, and {reasons[-1]}"
