"""Who stands out and should be looked at, and why, in words. One rule, its thresholds shown beside it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from adjudication.domain.agreement.drift import Window
from annotator.domain.board import middle_said

LEAST_PEOPLE = 3  # below it there is no middle to stand out from
LEAST_PASSAGES = 10
AGREES_LESS = 0.7  # of the middle annotator's PA_det
MARKS_MORE, MARKS_FEWER = 1.6, 0.6
FASTER = 0.5
DISCARDS_MORE, LEAST_DISCARDS = 3.0, 5
BY_CHANCE = 0.01  # how likely so many windows outside the band may be at the most

RULES = (
    f"PA_det against the rest below {AGREES_LESS:g} × that of the middle annotator",
    f"marks per passage above {MARKS_MORE:g} × or below {MARKS_FEWER:g} × the middle",
    f"seconds per passage below {FASTER:g} × the middle",
    f"discards above {DISCARDS_MORE:g} × the middle, and {LEAST_DISCARDS} at least",
    f"more windows outside the band than chance gives once in {1 / BY_CHANCE:g} times",
)
MIDDLE = middle_said(passages=LEAST_PASSAGES, people=LEAST_PEOPLE)


@dataclass(frozen=True)
class Person:
    name: str
    pa_det: float | None
    passages: int
    marks: int
    discards: int
    seconds: float | None  # per passage
    windows: Sequence[Window]


def look(people: Sequence[Person]) -> dict[str, list[str]]:
    """{name: reasons} of those who stand out. The middle is the median of all who have done enough to be judged."""
    judged = [person for person in people if person.passages >= LEAST_PASSAGES]
    if len(judged) < LEAST_PEOPLE:
        return {}
    agree = _middle([person.pa_det for person in judged])
    marks = _middle([person.marks / person.passages for person in judged])
    pace = _middle([person.seconds for person in judged])
    discards = _middle([person.discards for person in judged])
    found = {}
    for person in judged:
        reasons = [
            *_less_agreement(person, agree),
            *_more_or_fewer_marks(person, marks),
            *_faster(person, pace),
            *_more_discards(person, discards),
            *_drifting(person),
        ]
        if reasons:
            found[person.name] = reasons
    return found


def _middle(values: Sequence[float | None]) -> float:
    known = [value for value in values if value is not None]
    return median(known) if known else 0.0


def low_below(values: Sequence[float | None]) -> float:
    """Of pairs: what is low beside the middle one, by the rule for people."""
    return AGREES_LESS * _middle(values)


def _less_agreement(person: Person, middle: float) -> list[str]:
    if person.pa_det is None or person.pa_det >= AGREES_LESS * middle:
        return []
    return [f"agrees less with the rest: {100 * person.pa_det:.1f} %, the middle is {100 * middle:.1f} %"]


def _more_or_fewer_marks(person: Person, middle: float) -> list[str]:
    each = person.marks / person.passages
    if not middle or MARKS_FEWER * middle <= each <= MARKS_MORE * middle:
        return []
    return [f"marks {each / middle:.1f} times as much as the middle: {each:.1f} a passage"]


def _faster(person: Person, middle: float) -> list[str]:
    if not person.seconds or not middle or person.seconds >= FASTER * middle:
        return []
    return [f"is {middle / person.seconds:.1f} times as fast as the middle: {person.seconds:.0f} s a passage"]


def _more_discards(person: Person, middle: float) -> list[str]:
    if person.discards < LEAST_DISCARDS or person.discards <= DISCARDS_MORE * middle:
        return []
    return [f"discards {person.discards} passages, the middle is {middle:g}"]


def _drifting(person: Person) -> list[str]:
    outside = sum(window.is_outside for window in person.windows)
    if not outside or _at_least(outside, len(person.windows)) >= BY_CHANCE:
        return []
    return [f"drifts: {outside} of {len(person.windows)} windows of 50 lie outside the band that chance gives"]


def _at_least(count: int, of: int, share: float = 0.05) -> float:
    """How likely `count` or more windows of `of` are outside a 95 % band by chance."""
    below = [math.comb(of, k) * share**k * (1 - share) ** (of - k) for k in range(count)]
    return 1 - math.fsum(below)
