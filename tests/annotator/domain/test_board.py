"""Who stands out on the board, and when the work will be done."""

import pytest

from annotator.domain.board import Figures, days_to_go, listed, look
from annotator.domain.checks import Checks


@pytest.mark.parametrize(
    ("to_go", "pace", "days"), [(2033, 108.0, 19), (100, 10.0, 10), (1, 10.0, 1), (0, 0.0, 0), (5, 0.0, None)]
)
def test_how_many_days_are_left_at_this_pace(to_go: int, pace: float, days: int | None) -> None:
    assert days_to_go(to_go, pace) == days


def person(name: str, *, each: float = 6, seconds: float | None = 90, **checks: float) -> Figures:
    told = Checks(**{"controls": 10, "met": 9, "repeats": 10, "spans": 0.6, **checks})  # type: ignore[arg-type]
    return Figures(name, 100, round(100 * each), seconds, told)


OTHERS = [person("A01", seconds=87), person("A02", seconds=129, each=5), person("A03", seconds=69, each=7)]


@pytest.mark.parametrize(
    ("odd", "reason"),
    [
        (person("A07", seconds=31), "takes 31 s where the others take 69 to 129"),
        (person("A07", each=11.8), "marks 11.8 a passage where the others mark 5.0 to 7.0"),
        (person("A07", each=1.2), "marks 1.2 a passage where the others mark 5.0 to 7.0"),
        (person("A07", controls=17, met=8), "met 8 of 17 controls"),
        (person("A07", spans=0.34), "agrees with itself on 34 %"),
    ],
)
def test_who_stands_out_is_named_with_the_reason(odd: Figures, reason: str) -> None:
    assert look([*OTHERS, odd]) == {"A07": [reason]}


@pytest.mark.parametrize(
    "like_the_rest",
    [
        person("A07"),
        person("A07", seconds=None),
        person("A07", controls=4, met=0),
        person("A07", repeats=4, spans=0.1),
        Figures("A07", 9, 900, 1, Checks()),
        Figures("A07", 0, 0, None, Checks()),
    ],
)
def test_who_does_not_or_has_done_too_little_is_left_alone(like_the_rest: Figures) -> None:
    assert look([*OTHERS, like_the_rest]) == {}


def test_two_people_have_no_middle() -> None:
    assert look([person("A01"), person("A07", seconds=1)]) == {}


@pytest.mark.parametrize(("reasons", "said"), [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b, and c")])
def test_reasons_are_said_in_one_sentence(reasons: list[str], said: str) -> None:
    assert listed(reasons) == said
