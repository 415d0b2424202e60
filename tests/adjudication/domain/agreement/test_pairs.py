"""Agreement: by hand, against plain sets, and the laws of adding up."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudication.domain.agreement.pairs import BothEmpty, PairCounts, agreement
from tests.adjudication.domain.agreement import sets as module
from tests.adjudication.domain.agreement.sets import Raw, add, counted, plain_agreement


def spans(**given: str) -> dict[str, frozenset[str]]:
    return {span: frozenset(texts.split()) for span, texts in given.items()}


PAPER = {  # Wang et al. 2023, 3.2: the two answers of the merge example
    "a": {"s": spans(happy="glad merry", possible="likely")},
    "b": {"s": spans(help="aid", possible="likely probable")},
}


def test_one_passage_by_hand() -> None:
    found = agreement(counted(PAPER))

    assert (found.pa_det, found.pa_sug) == (1 / 3, 1 / 2)
    assert found.pairs["a", "b"].n == found.pairs["a", "b"].m == 1


def test_it_is_the_mean_over_passages_not_the_pooled_number() -> None:
    raw = {
        "a": {"s": spans(x="p"), "t": spans(x="p", y="p", z="p")},
        "b": {"s": spans(x="p"), "t": spans(w="p")},
    }

    assert agreement(counted(raw)).pa_det == 0.5  # pooled: 1 / 5


def test_a_passage_that_one_did_not_submit_does_not_count() -> None:
    raw = {"a": {"s": spans(x="p"), "t": spans(x="p")}, "b": {"s": spans(x="p")}, "c": {}}

    found = agreement(counted(raw))

    assert (found.pairs["a", "b"].pa_det, found.pairs["a", "b"].n) == (1.0, 1)
    assert list(found.pairs) == [("a", "b")]  # pairs that never met are none


@pytest.mark.parametrize(("rule", "expected", "n"), [("1", 0.5, 2), ("0", 0.0, 2), ("skip", 0.0, 1)])
def test_both_empty(rule: str, expected: float, n: int) -> None:
    raw = {"a": {"s": spans(x="p"), "t": {}}, "b": {"s": spans(y="p"), "t": {}}}

    [pair] = agreement(counted(raw), both_empty=BothEmpty(rule)).pairs.values()

    assert (pair.pa_det, pair.n, pair.pa_sug) == (expected, n, None)


def test_weighted_means_stand_beside_the_plain_ones() -> None:
    raw = {
        "a": {"s": spans(x="p"), "t": spans(x="p"), "u": spans(x="p")},
        "b": {"s": spans(x="p"), "t": spans(x="p"), "u": spans(x="p")},
        "c": {"s": spans(y="p")},
    }

    found = agreement(counted(raw))

    assert found.pa_det == pytest.approx(1 / 3)
    assert found.pa_det_w == pytest.approx(3 / 5)


def test_more_spans_and_substitutes_than_a_mask_has_bits() -> None:
    many = {n: frozenset(f"w{m}" for m in range(n % 150)) | {"x"} for n in range(200)}
    raw = {"a": {"s": many}, "b": {"s": dict(list(many.items())[::2])}}

    assert_equal(raw)


def assert_equal(raw: Raw) -> None:
    for rule, plain in (("1", 1.0), ("0", 0.0), ("skip", None)):
        found = agreement(counted(raw), both_empty=BothEmpty(rule))
        for pair, expected in plain_agreement(raw, plain).items():
            if pair not in found.pairs:
                assert expected == (None, 0, None, 0)
                continue
            one = found.pairs[pair]
            assert (one.n, one.m) == (expected[1], expected[3])
            for value, wanted in ((one.pa_det, expected[0]), (one.pa_sug, expected[2])):
                assert value == (None if wanted is None else pytest.approx(wanted, abs=1e-12))


answers = st.dictionaries(
    st.sampled_from("vwxyz"), st.frozensets(st.sampled_from("pqrst"), min_size=1, max_size=4), max_size=4
)
people = st.dictionaries(st.sampled_from("stu"), answers, max_size=3)
crowds = st.fixed_dictionaries(dict.fromkeys("abcd", people))


@given(crowds)
def test_the_fast_one_is_the_plain_one(raw: Raw) -> None:
    assert_equal(raw)


@given(crowds, st.randoms(use_true_random=False))
@settings(max_examples=50)
def test_the_order_of_annotators_and_shards_does_not_matter(raw: Raw, chance: random.Random) -> None:
    whole = agreement(counted(raw))
    shards = [counted({who: {p: raw[who][p]} if p in raw[who] else {} for who in raw}) for p in "stu"]
    chance.shuffle(shards)
    total: dict[tuple[str, str], PairCounts] = {}
    for shard in shards:
        for pair, counts in shard.items():
            add(total.setdefault(pair, PairCounts()), counts)

    assert agreement(total) == whole


@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_size_of_chunks_does_not_matter(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    raw = {"a": {f"p{n}": spans(x="p", y="q") for n in range(7)}, "b": {f"p{n}": spans(x="p") for n in range(2, 7)}}
    whole = agreement(counted(raw))
    monkeypatch.setattr(module, "CHUNK", size)

    assert agreement(counted(raw)) == whole


def test_nothing_at_all() -> None:
    found = agreement(counted({"a": {}, "b": {}}))

    assert (found.pa_det, found.pa_sug) == (None, None)
