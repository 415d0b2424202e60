"""Two systems on the same sentences: figures are the scorer's, draws are the same everywhere."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudication.domain.scoring.sws import Counts, GoldTarget, PredictedSentence, count_sentence, scores
from exports.domain.bootstrap import SUMMED, figures_of, paired, row_of

WORDS = ("large", "huge", "had", "threw", "none")
spans = st.tuples(st.integers(0, 5), st.integers(1, 3)).map(lambda pair: (pair[0], sum(pair)))
targets = st.dictionaries(
    spans, st.dictionaries(st.sampled_from(WORDS[:4]), st.integers(1, 5), min_size=1, max_size=4), max_size=4
)
offers = st.dictionaries(spans, st.lists(st.sampled_from(WORDS), max_size=4), max_size=4)
sentences = st.lists(st.tuples(targets, offers, offers), min_size=1, max_size=6)


def counted(gold: dict, offer: dict) -> Counts:
    return count_sentence(
        [GoldTarget(span, suggestions, 1 + span[0] % 2) for span, suggestions in gold.items()],
        PredictedSentence(9, list(offer.items())),
    )


def rows(counts: list[Counts]) -> np.ndarray:
    return np.array([row_of(item) for item in counts], dtype=np.int64).reshape(len(counts), len(SUMMED))


@given(sentences)
def test_the_figures_are_the_scorers(data: list) -> None:
    ones, twos = ([counted(gold, offer) for gold, *both in data for offer in [both[side]]] for side in (0, 1))
    totals = []
    for side in (ones, twos):
        total = Counts()
        for item in side:
            total.add(item)
        totals.append(scores(total))

    found = paired(rows(ones), rows(twos), draws=20)

    for key, difference in found.items():
        for value, expected in zip((difference.one, difference.two), (total[key] for total in totals), strict=True):
            assert (value is None) == (expected is None), key
            assert value is None or value == pytest.approx(expected, abs=1e-8), key


def some(seed: int, count: int, luck: float) -> list[Counts]:
    draw = random.Random(seed)
    found = []
    for _ in range(count):
        gold = {(place, place + 1): {"large": draw.randint(1, 5), "huge": 1} for place in range(4)}
        offer = {span: ["large" if draw.random() < luck else "none"] for span in gold if draw.random() < 0.8}
        found.append(counted(gold, offer))
    return found


def test_it_is_what_drawing_sentence_by_sentence_gives() -> None:
    """The same draws, one after another and summed by hand."""
    one, two = rows(some(1, 7, 0.9)), rows(some(2, 7, 0.2))
    places = np.random.Generator(np.random.PCG64(7)).integers(0, 7, size=(50, 7))
    by_hand = [
        float(figures_of(one[drawn].sum(axis=0))["f_e2e_05"] - figures_of(two[drawn].sum(axis=0))["f_e2e_05"])
        for drawn in places
    ]

    found = paired(one, two, draws=50)["f_e2e_05"]

    assert found.interval == pytest.approx(tuple(np.percentile(by_hand, [2.5, 97.5])), abs=1e-12)
    mean = sum(by_hand) / len(by_hand)
    as_much = sum(abs(value - mean) >= abs(found.difference or 0.0) for value in by_hand)
    assert found.p == pytest.approx((as_much + 1) / 51)


def test_a_system_beside_itself_differs_in_nothing() -> None:
    same = rows(some(3, 30, 0.5))

    for key, found in paired(same, same, draws=200).items():
        assert found.difference == 0.0, key
        assert (found.interval, found.p) == ((0.0, 0.0), 1.0), key


def test_turned_round_the_difference_turns_its_sign() -> None:
    one, two = rows(some(4, 40, 0.8)), rows(some(5, 40, 0.3))

    there, back = paired(one, two, draws=500)["acc_recommendation"], paired(two, one, draws=500)["acc_recommendation"]

    assert there.difference is not None
    assert there.interval is not None
    assert back.interval == pytest.approx(tuple(-end for end in reversed(there.interval)))
    assert (back.difference, back.p) == (pytest.approx(-there.difference), there.p)
    assert there.p < 0.05


def test_chance_alone_is_rarely_taken_for_a_difference() -> None:
    """Two systems as good as each other: p under .05 in about one of twenty comparisons."""
    found = [
        paired(rows(some(seed, 40, 0.5)), rows(some(seed + 1000, 40, 0.5)), draws=300)["acc_recommendation"].p
        for seed in range(60)
    ]

    assert sum(p < 0.05 for p in found if p is not None) <= 9


def test_of_one_sentence_there_is_no_interval_and_of_nothing_no_figure() -> None:
    one = rows(some(6, 1, 0.5))
    nothing = rows([counted({(0, 1): {"large": 1}}, {})])

    assert paired(one, one)["f_e2e_05"].interval is None
    assert paired(nothing, nothing)["p_detection"].one is None
    assert paired(nothing, nothing)["p_detection"].difference is None


def test_draws_in_which_a_figure_is_not_defined_are_counted() -> None:
    """One of two sentences has no span: half of half of the draws take it twice."""
    data = rows([counted({(0, 1): {"large": 1}}, {(0, 1): ["large"]}), counted({(0, 1): {"large": 1}}, {})])

    found = paired(data, data, draws=4000)["acc_recommendation"]

    assert 800 < found.left_out < 1200
