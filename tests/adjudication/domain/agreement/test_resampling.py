"""Intervals: weights that belong to a group and not to a shard, and quotients over them."""

import math

import numpy as np
import pytest

from adjudication.domain.agreement.counting import AgreementSettings, count_passages
from adjudication.domain.agreement.pairs import BothEmpty
from adjudication.domain.agreement.resampling import unit_of, weights_of
from tests.adjudication.domain.crowds import SETTINGS, mark, passage


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

    assert _interval(together) == [0.5, 0.5]
    low, high = _interval(alone)
    assert 0.1 < low < 0.4 < 0.6 < high < 0.9


def _interval(passages: list, **given: object) -> list[float]:
    counts = count_passages(passages, ["A01", "A02"], settings(**given))
    found: list[float] = counts.resamples.intervals()["pa_det"]
    return found


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

    low, high = _interval(passages)

    assert [low, high] == pytest.approx(np.percentile(drawn, [2.5, 97.5]), abs=0.025)
