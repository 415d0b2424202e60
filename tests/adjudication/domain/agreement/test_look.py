"""Who stands out: each reason by itself, and nobody where nothing can be said."""

from collections.abc import Sequence
from typing import Any

import pytest

from adjudication.domain.agreement.drift import Window
from adjudication.domain.agreement.look import Person, look

OUTSIDE, INSIDE = Window(1, 50, 0.1, 0.2, 0.4), Window(1, 50, 0.3, 0.2, 0.4)


def person(name: str, windows: Sequence[Window] = (), **given: Any) -> Person:
    usual = {"pa_det": 0.2, "passages": 100, "marks": 600, "discards": 1, "seconds": 90.0}
    return Person(name, **{**usual, **given}, windows=windows)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"pa_det": 0.10}, "agrees less"),
        ({"marks": 1180}, "marks 2.0 times as much"),
        ({"marks": 100}, "marks 0.2 times as much"),
        ({"seconds": 30.0}, "3.0 times as fast"),
        ({"discards": 12}, "discards 12 passages"),
        ({"windows": [OUTSIDE] * 5 + [INSIDE] * 15}, "5 of 20 windows"),
    ],
)
def test_each_reason(given: dict[str, Any], reason: str) -> None:
    found = look([person("A01"), person("A02"), person("A03"), person("A07", **given)])

    assert list(found) == ["A07"]
    assert reason in found["A07"][0]


@pytest.mark.parametrize(
    "given",
    [
        {"pa_det": 0.15},
        {"pa_det": None},
        {"marks": 900},
        {"seconds": None},
        {"discards": 4},
        {"windows": [OUTSIDE] * 4 + [INSIDE] * 16},
        {"passages": 5, "pa_det": 0.01},
    ],
)
def test_who_does_not_stand_out(given: dict[str, Any]) -> None:
    assert look([person("A01"), person("A02"), person("A03"), person("A07", **given)]) == {}


def test_two_people_have_no_middle() -> None:
    assert look([person("A01"), person("A02", pa_det=0.01)]) == {}
