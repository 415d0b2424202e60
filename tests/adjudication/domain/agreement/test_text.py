"""The report at a terminal: every group of figures, and what is said where a figure is missing or stands on little."""

from typing import Any

import pytest

from adjudication.domain.agreement.text import in_words
from tests.adjudication.domain.agreement.test_report import TWO, report
from tests.adjudication.domain.answered import AnsweredPassage
from tests.adjudication.domain.crowds import mark, passage

PEOPLE = ["A01", "A02", "A03"]


def told(found: dict[str, Any], *, with_pairs: bool = False) -> list[str]:
    return in_words({"checks": [], **found}, with_pairs=with_pairs).splitlines()


def line(found: dict[str, Any], begin: str, **given: Any) -> str:
    [said] = [said for said in told(found, **given) if said.strip().startswith(begin)]
    return said.strip()


def apart(passages: int, shared: int) -> list[AnsweredPassage]:
    """Two people: they mark the same word in so many passages, and different ones in the others."""
    return [
        passage(
            {"A01": [mark(0, 3, "x")], "A02": [mark(0, 3, "x")] if number < shared else [mark(4, 7, "x")]},
            id=f"p{number}",
        )
        for number in range(passages)
    ]


@pytest.mark.parametrize(
    ("passages", "shared", "says"),
    [
        (40, 40, "Intervals by resampling 40 passages."),
        (40, 35, "Intervals by resampling 40 passages, 35 of them for PA_sug."),
        (40, 5, "40 passages, 5 of them for PA_sug; fewer than 30 for PA_sug: take its interval as a hint."),
        (
            20,
            5,
            "20 passages, 5 of them for PA_sug; fewer than 30 for PA_det and PA_sug: take their intervals as a hint.",
        ),
        (40, 1, "40 passages, 1 of them for PA_sug."),  # which has no interval at all
    ],
)
def test_an_interval_on_few_units_is_a_hint_whichever_figure_it_is_of(passages: int, shared: int, says: str) -> None:
    found = report(apart(passages, shared), PEOPLE[:2])

    assert line(found, "Intervals by").endswith(says)
    assert (found["intervals"]["pa_sug"] is None) == (shared < 2)


@pytest.mark.parametrize(
    ("given", "says"),
    [({"resamples": 0}, "No intervals: none were asked for."), ({}, "No intervals: too few to resample, 1 passage.")],
)
def test_without_intervals_the_reason_is_said(given: dict[str, Any], says: str) -> None:
    assert says in told(report(apart(1, 1), PEOPLE[:2], **given))


def test_pairs_say_what_their_intervals_are_drawn_over() -> None:
    shown = told(report(apart(40, 5), PEOPLE[:2]), with_pairs=True)

    head = next(number for number, said in enumerate(shown) if said.startswith("pair "))
    assert shown[head - 1] == "Units are the passages that an interval is drawn over; * fewer than 30: a hint."
    words = shown[head + 1].split()
    assert words[:3] == ["A01", "–", "A02"]
    assert (words[5:7], words[9:]) == (["40", "40"], ["5*", "5"])
    assert "--pairs lists them all." in told(report(apart(40, 5), PEOPLE[:2]))


def test_what_is_left_out_and_what_is_not_defined_is_counted() -> None:
    found = report(TWO, PEOPLE)

    assert "3 pairs over 2 passages; left out: 0 of PA_det, 2 of PA_sug; 3 with few passages in common" in told(found)
    assert line(found, "Neither marked").startswith("Neither marked anything: 0.0000 (0 of 4)")
    assert "kappa is not defined for 3 pairs" in line(found, "Type agreement")
    empty = report([passage({"A01": [], "A02": []}, id="p1")], PEOPLE[:2])
    assert line(empty, "Neither marked").startswith("Neither marked anything: 1.0000 (1 of 1)")


def test_words_and_letters_are_told_apart() -> None:
    assert " words" in line(report(TWO, PEOPLE), "Alpha")
    assert " letters" in line({**report(TWO, PEOPLE), "words_are": "letters"}, "Alpha")


def test_a_person_against_the_rest_has_a_row_with_the_filter_and_one_without() -> None:
    same = {name: [mark(0, 3, "x"), mark(4, 7, name)] for name in (*PEOPLE, "A04")}
    found = report([passage(same, id="p1")], [*PEOPLE, "A04"])

    human = found["human_performance"]
    for key, label in (("with_filter", "with single votes dropped"), ("without_filter", "with all votes")):
        figures = line(found, label).removeprefix(label).split()
        row = human[key]
        names = ("p_detection", "r_detection", "f_detection_05", "acc_recommendation", "f_e2e_05", "improvable_ratio")
        assert figures == [f"{row[name]:.4f}" for name in names]
    assert line(report(apart(3, 3), PEOPLE[:2]), "with single votes").split()[-6:] == ["–"] * 6


def test_somebody_who_drifts_has_a_line_of_windows() -> None:
    found = report(TWO, PEOPLE)
    assert not any("per 50" in said for said in told(found))
    windows = [
        {"first": 1, "last": 50, "value": 0.51, "low": 0.4, "high": 0.6},
        {"first": 51, "last": 100, "value": 0.2, "low": 0.4, "high": 0.6},
    ]
    found["annotators"][1]["windows"] = windows

    assert line(found, "per 50 own submissions") == "per 50 own submissions: 0.510 0.200*"
    assert "PA_det per 50 own submissions; * outside the band that chance gives." in told(found)


def test_controls_and_repeats_stand_beside_the_report_where_there_are_any() -> None:
    found = report(apart(40, 40), PEOPLE[:2])
    assert not [said for said in told(found) if "Controls" in said]

    rows = [
        {"name": "A01", "controls": 3, "met": 2, "repeats": 4, "pa_det": 0.75, "pa_sug": None},
        {"name": "A02", "controls": 0, "met": 0, "repeats": 1, "pa_det": 1.0, "pa_sug": 0.5},
    ]
    said = told({**found, "checks": rows})

    at = next(number for number, text in enumerate(said) if text.startswith("Controls met, and agreement with oneself"))
    assert [text.split() for text in said[at + 1 : at + 4]] == [
        ["annotator", "met", "controls", "repeats", "PA_det", "PA_sug"],
        ["A01", "66", "%", "3", "4", "0.7500", "–"],
        ["A02", "–", "0", "1", "1.0000", "0.5000"],
    ]
