"""The SWS scorer: the paper's examples, and the figures that only gold made here can have."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudication.domain.scoring.sws import (
    Counts,
    GoldTarget,
    PredictedSentence,
    count_sentence,
    discounted,
    f_score,
    ndcg,
    scores,
)


def ndcg_of(offer: list[str], votes: dict[str, int], *, cut: int) -> float:
    gains = discounted([votes.get(text, 0) for text in offer])
    return ndcg(gains[-1], discounted(sorted(votes.values(), reverse=True)), cut)


def test_appendix_d() -> None:
    """Wang et al. 2023, D: from rounded summands the paper has 86.3 %; exactly it is 0.8326."""
    votes = {"respond to": 3, "respond": 2, "response": 1, "reply to": 1}
    offer = ["respond", "respond to", "tell", "response", "solution"]

    assert ndcg_of(offer, votes, cut=5) == pytest.approx(0.8326, abs=5e-5)


VOTES = {"a": 4, "b": 2, "c": 1}
# log2(rank + 1) at ranks 2, 4 and 5; at ranks 1 and 3 it is 1 and 2.
R2, R4, R5 = 1.584962500721156, 2.321928094887362, 2.584962500721156


@pytest.mark.parametrize(
    ("offer", "cut", "gained", "ideal", "expected"),
    [
        ("abc", 3, 4 + 2 / R2 + 1 / 2, 4 + 2 / R2 + 1 / 2, 1.0),  # 5.761860 of 5.761860
        ("ba", 2, 2 + 4 / R2, 4 + 2 / R2, 0.859719),  # 4.523719 of 5.261860
        ("cab", 3, 1 + 4 / R2 + 2 / 2, 4 + 2 / R2 + 1 / 2, 0.785114),  # 4.523719 of 5.761860
        ("xayc", 4, 4 / R2 + 1 / R4, 4 + 2 / R2 + 1 / 2, 0.512750),  # 2.954396 of 5.761860: three are all there are
        ("xyzwa", 5, 4 / R5, 4 + 2 / R2 + 1 / 2, 0.268561),  # 1.547411 of 5.761860
        ("a", 1, 4, 4, 1.0),
        ("b", 1, 2, 4, 0.5),
        ("a", 4, 4, 4 + 2 / R2 + 1 / 2, 0.694220),  # NDCG_4 of a shorter list: the ideal is cut at 4 all the same
        ("aa", 2, 4 + 4 / R2, 4 + 2 / R2, 1.239812),  # 6.523719 of 5.261860: a repetition gains each time
        ("xy", 2, 0, 4 + 2 / R2, 0.0),
        ("", 0, 0, 1, 0.0),
    ],
)
def test_ndcg_by_hand(offer: str, cut: int, gained: float, ideal: float, expected: float) -> None:
    """method.md 7: gain / log2(rank + 1), over that of the best list of `cut`."""
    found = ndcg_of(list(offer), VOTES, cut=cut)

    assert found == pytest.approx(gained / ideal, abs=1e-12)
    assert found == pytest.approx(expected, abs=1e-6)


def test_the_official_ndcg_cuts_the_ideal_at_the_lists_length_and_ndcg_m_at_m() -> None:
    gold = [GoldTarget((0, 1), VOTES, 1), GoldTarget((1, 2), VOTES, 1), GoldTarget((2, 3), VOTES, 1)]
    offered = PredictedSentence(9, [((0, 1), ["b", "a"]), ((1, 2), ["a"])])

    found = scores(count_sentence(gold, offered))

    # The mean is over the targets found. ba of two 0.859719, a of one 1; of three 4.523719 and 4 of 5.761860.
    assert found["ndcg_recommendation"] == pytest.approx((0.859719 + 1) / 2, abs=1e-6)
    assert found["ndcg_1"] == pytest.approx((0.5 + 1) / 2, abs=1e-12)
    assert found["ndcg_3"] == pytest.approx((0.785114 + 0.694220) / 2, abs=1e-6)


@pytest.mark.parametrize(
    ("precision", "recall", "beta", "expected"),
    [(0.5, 0.25, 0.5, 0.4166666), (1.0, 1.0, 1.0, 1.0), (0.0, 0.0, 1.0, 0.0), (None, 0.5, 1.0, None)],
)
def test_f(precision: float | None, recall: float | None, beta: float, expected: float | None) -> None:
    found = f_score(precision, recall, beta=beta)

    assert found == (None if expected is None else pytest.approx(expected, abs=1e-6))


def test_by_persons_where_the_gold_tells_how_many_they_were() -> None:
    gold = [GoldTarget((0, 1), {"x": 5}, 1, annotators=4), GoldTarget((1, 2), {"y": 1}, 2, annotators=2)]

    found = scores(count_sentence(gold, PredictedSentence(4, [((0, 1), ["x"])])))

    assert found["weighted_acc_detection"] == 5 / 6
    assert found["weighted_acc_detection_annotators"] == 4 / 6
    assert found["r_detection_by_annotators"] == {"2": 0.0, "4": 1.0}
    foreign = [*gold, GoldTarget((2, 3), {"z": 1}, 1)]
    assert scores(count_sentence(foreign, PredictedSentence(4, [])))["r_detection_by_annotators"] is None


THREE_TYPES = [
    GoldTarget((0, 1), {"x": 2}, 1),
    GoldTarget((1, 2), {"y": 2}, 3),
    GoldTarget((2, 3), {"z": 2}, 3),
]


def test_figures_by_type_are_labelled_and_the_official_lists_stay_two_long() -> None:
    offered = PredictedSentence(9, [((1, 2), ["y"]), ((2, 3), ["wrong"])])

    found = scores(count_sentence(THREE_TYPES, offered), {3: "third", 1: "first", 2: "second"})

    assert found["by_type"] == {
        "first": {"targets": 1, "r_detection": 0.0, "acc_recommendation": None, "r_e2e": 0.0},
        "second": {"targets": 0, "r_detection": None, "acc_recommendation": None, "r_e2e": None},
        "third": {"targets": 2, "r_detection": 1.0, "acc_recommendation": 0.5, "r_e2e": 0.5},
    }
    assert list(found["by_type"]) == ["first", "second", "third"]
    assert (found["r_detection_type"], found["r_detection"]) == ([0.0, None], 2 / 3)


def test_types_without_names_are_called_by_their_numbers() -> None:
    found = scores(count_sentence(THREE_TYPES, PredictedSentence(9, [])))

    assert {name: figures["targets"] for name, figures in found["by_type"].items()} == {"1": 1, "3": 2}


def test_a_target_without_a_suggestion_is_no_target() -> None:
    found = scores(count_sentence([GoldTarget((0, 1), {}, 1)], PredictedSentence(4, [((0, 1), ["x"])])))

    assert (found["p_detection"], found["r_detection"]) == (0.0, None)


spans = st.tuples(st.integers(0, 3), st.integers(4, 6))
golds = st.lists(
    st.builds(
        GoldTarget,
        span=spans,
        suggestions=st.dictionaries(st.sampled_from("xyz"), st.integers(1, 5), max_size=3),
        type=st.sampled_from([1, 2]),
        annotators=st.just(2),
    ),
    max_size=3,
)
predictions = st.builds(
    PredictedSentence,
    words=st.integers(1, 9),
    spans=st.lists(st.tuples(spans, st.lists(st.sampled_from("xyzw"), max_size=3)), max_size=3),
)


@given(st.lists(st.tuples(golds, predictions), max_size=5), st.randoms(use_true_random=False))
def test_the_order_of_sentences_does_not_matter(sentences: list, chance) -> None:
    def total(items: list) -> dict:
        counts = Counts()
        for gold, predicted in items:
            counts.add(count_sentence(gold, predicted))
        return scores(counts)

    assert total(chance.sample(sentences, len(sentences))) == total(sentences)
