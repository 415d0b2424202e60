"""Intervals: weights that belong to a group and not to a shard, and quotients over them."""

import math
from typing import Any

import numpy as np
import pytest

from adjudication.domain.agreement import resampling
from adjudication.domain.agreement.counting import AgreementSettings
from adjudication.domain.agreement.pairs import BothEmpty
from adjudication.domain.agreement.resampling import unit_of, weights_of
from tests.adjudication.domain.agreement.plain import report_of
from tests.adjudication.domain.answered import AnsweredPassage
from tests.adjudication.domain.crowds import PEOPLE, SETTINGS, mark, passage


def settings(**given: object) -> AgreementSettings:
    return AgreementSettings(merge=SETTINGS, **given)  # type: ignore[arg-type]


def test_weights_are_drawn_from_poisson() -> None:
    drawn = np.concatenate([weights_of(f"unit {n}", seed="s", resamples=1000) for n in range(200)])

    for value in range(5):
        assert np.mean(drawn == value) == pytest.approx(math.exp(-1) / math.factorial(value), abs=0.004)
    assert np.mean(drawn) == pytest.approx(1, abs=0.01)
    assert np.var(drawn) == pytest.approx(1, abs=0.02)


def test_weights_are_the_same_for_ever() -> None:
    """A change here changes every interval ever printed: raise METHOD_VERSION with it."""
    assert weights_of("group:a", seed="assay", resamples=10).tolist() == [0, 0, 0, 0, 2, 1, 2, 2, 1, 2]


def test_more_resamples_begin_with_the_fewer() -> None:
    assert weights_of("x", seed="s", resamples=7).tolist() == weights_of("x", seed="s", resamples=1000)[:7].tolist()
    assert weights_of("x", seed="s", resamples=9).tolist() != weights_of("x", seed="t", resamples=9).tolist()


def test_a_group_and_a_passage_of_the_same_name_are_two_units() -> None:
    assert unit_of("x", "p") != unit_of("", "x")


def test_passages_of_one_group_are_drawn_together() -> None:
    """In one group of all passages every resample has the same mean; apart they differ."""
    agreeing = {"A01": [mark(0, 3, "x")], "A02": [mark(0, 3, "x")]}
    apart = {"A01": [mark(0, 3, "x")], "A02": [mark(4, 7, "x")]}
    together = [passage(said, id=f"p{n}", group="g") for n, said in enumerate([agreeing, apart] * 5)]
    alone = [passage(said, id=f"p{n}") for n, said in enumerate([agreeing, apart] * 5)]

    assert _interval(together) is None  # one unit tells nothing
    low, high = _interval(alone) or (0, 0)
    assert 0.1 < low < 0.4 < 0.6 < high < 0.9


def _found(passages: list[AnsweredPassage], **given: object) -> dict[str, Any]:
    return report_of(passages, ["A01", "A02"], settings(**given))


def _interval(passages: list[AnsweredPassage], **given: object) -> list[float] | None:
    found: list[float] | None = _found(passages, **given)["intervals"]["pa_det"]
    return found


def test_an_interval_says_what_it_is_of_and_how_many() -> None:
    """Method.md 6: under two units there is none, under 30 a warning; one shared span gives none of PA_sug."""
    agreeing = {"A01": [mark(0, 3, "x")], "A02": [mark(0, 3, "x")]}
    apart = {"A01": [mark(0, 3, "x")], "A02": [mark(4, 7, "x")]}
    passages = [passage(agreeing, id="p0"), *(passage(apart, id=f"p{n}", group=f"g{n % 2}") for n in (1, 2, 3, 4))]

    found = _found(passages)

    assert found["units"] == {
        **{"are": "groups and passages", "count": 3, "is_few": True},
        **{"pa_det": 3, "pa_det_w": 3, "pa_sug": 1, "pa_sug_w": 1},
    }
    assert (found["pairs"][0]["units"], found["pairs"][0]["m"]) == (3, 1)
    assert found["pairs"][0]["pa_det_interval"] is not None
    assert found["pairs"][0]["pa_sug_interval"] is None
    assert "units:3 groups and passages" in found["signature"]


@pytest.mark.parametrize(("rule", "expected"), [("1", [1, 1]), ("0", [0, 0]), ("skip", None)])
def test_both_empty_counts_in_the_resamples_as_in_the_figure(rule: str, expected: list[float] | None) -> None:
    empty = [passage({"A01": [], "A02": []}, id=f"p{n}") for n in range(5)]

    assert _interval(empty, both_empty=BothEmpty(rule)) == expected


def test_the_interval_is_near_that_of_drawing_with_replacement() -> None:
    chance = np.random.default_rng(7)
    values = chance.random(120) < 0.4
    passages = [
        passage({"A01": [mark(0, 3, "x")], "A02": [mark(0 if value else 4, 3 if value else 7, "x")]}, id=f"p{n}")
        for n, value in enumerate(values)
    ]
    drawn = [chance.choice(values, len(values)).mean() for _ in range(4000)]

    low, high = _interval(passages) or (0, 0)

    assert [low, high] == pytest.approx(np.percentile(drawn, [2.5, 97.5]), abs=0.025)


def test_neither_blocks_of_pairs_nor_of_units_change_an_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    """All sums are exact: dense or sparse, in one block or many, kept or drawn again."""
    chance = np.random.default_rng(3)
    spans = [mark(0, 3, "x", "y"), mark(4, 7, "z"), mark(8, 13, "x")]
    passages = [
        passage(
            {name: [m for m in spans if chance.random() < 0.6] for name in PEOPLE if chance.random() < 0.7}, id=f"{n}"
        )
        for n in range(30)
    ]
    whole = report_of(passages, PEOPLE, settings())

    for pairs, units, kept in ((2, 7, 0), (1, 3, 10**9), (256, 5, 0)):
        monkeypatch.setattr(resampling, "PAIRS", pairs)
        monkeypatch.setattr(resampling, "UNITS", units)
        monkeypatch.setattr(resampling, "REMEMBERED", kept)
        assert report_of(passages, PEOPLE, settings()) == whole
