"""Two who settled the same passages: hand-worked figures, and which passages are drawn."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudication.domain.doubles import Twice, drawn, twice
from adjudication.domain.gold import Fate, GoldPassage, GoldSuggestion, GoldTarget, Origin


def target(start: int, *texts: str, type_: str = "one", is_kept: bool = True, fate: Fate = Fate.DECIDED) -> GoldTarget:
    said = tuple(GoldSuggestion(text, text, ("A1",), Origin.MERGED) for text in texts)
    return GoldTarget(start, start + 3, "abc", ("A1", "A2"), 3, said, type_, False, is_kept, fate)


def gold(*targets: GoldTarget, is_gold: bool = True) -> GoldPassage:
    return GoldPassage(is_gold, 3, tuple(targets))


ONE = gold(target(0, "a", "b"), target(4, "c"), target(8, "d"), target(12, "e", is_kept=False))
TWO = gold(target(0, "a", "c"), target(4, "c", type_="two"), target(8, "d", is_kept=False), target(20, "f"))


def test_a_hand_worked_passage() -> None:
    found = twice(ONE, TWO, touched=[(0, 3), (8, 11)])

    # Spans 0, 4: both keep; 8: kept and dropped; 12: dropped by one, not there for the other; 20: added by the second.
    assert found.verdicts == {
        ("kept", "kept"): 2,
        ("kept", "dropped"): 1,
        ("dropped", "dropped"): 1,
        ("dropped", "kept"): 1,
    }
    assert found.verdict == pytest.approx(3 / 5)
    # By chance 3/5 · 3/5 + 2/5 · 2/5 = 13/25: (15/25 - 13/25) / (12/25).
    assert found.verdict_kappa == pytest.approx(2 / 12)
    assert found.verdict_touched == pytest.approx(1 / 2)
    assert found.types == {("one", "one"): 1, ("one", "two"): 1}
    assert (found.type, found.kept_by_both) == (0.5, 2)
    # {a, b} and {a, c} share one of three; {c} and {c} are the same.
    assert found.suggestion == float((Fraction(1, 3) + 1) / 2)
    assert found.suggestion_same == 0.5
    assert (found.passages, found.same_passages) == (1, 1)


def test_what_is_moved_is_a_verdict_of_its_own_and_a_discard_is_no_gold() -> None:
    found = twice(gold(target(0, is_kept=False, fate=Fate.MOVED)), gold(target(0, "a"), is_gold=False))

    assert found.verdicts == {("moved", "kept"): 1}
    assert (found.passages, found.same_passages) == (1, 0)


def test_nothing_settled_has_no_figures() -> None:
    nothing = Twice()

    assert {nothing.verdict, nothing.verdict_kappa, nothing.type, nothing.suggestion, nothing.suggestion_same} == {None}


targets_ = st.lists(
    st.builds(
        target,
        st.integers(0, 5).map(lambda n: 4 * n),
        st.sampled_from("abc"),
        type_=st.sampled_from(["one", "two"]),
        is_kept=st.booleans(),
    ),
    unique_by=lambda item: item.start,
)
golds = targets_.map(lambda found: gold(*found))


@given(st.lists(st.tuples(golds, golds), max_size=5))
def test_passages_add_up_in_any_order_and_who_is_first_does_not_matter(
    pairs: list[tuple[GoldPassage, GoldPassage]],
) -> None:
    there = sum((twice(one, two) for one, two in pairs), Twice())
    back = sum((twice(two, one) for one, two in reversed(pairs)), Twice())

    for name in ("verdict", "verdict_kappa", "type", "type_kappa", "suggestion", "suggestion_same", "targets"):
        assert getattr(there, name) == getattr(back, name)


@given(golds)
def test_whoever_agrees_with_themself_agrees_wholly(found: GoldPassage) -> None:
    same = twice(found, found)

    assert {same.verdict, same.type, same.suggestion, same.suggestion_same} <= {1.0, None}


@given(st.sets(st.uuids().map(str)), st.integers(0, 20), st.integers(0, 20))
def test_asking_for_more_adds(names: set[str], few: int, more: int) -> None:
    fewer, all_ = drawn(sorted(names), few, seed="s"), drawn(sorted(names, reverse=True), few + more, seed="s")

    assert all_[: len(fewer)] == fewer
    assert len(all_) == min(few + more, len(names))
