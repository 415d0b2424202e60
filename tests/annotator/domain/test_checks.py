"""What controls and repeats tell of one person."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.answers import Answer, Mark, Substitute
from annotator.domain.checks import Checks, Twice, compared, is_met, summed
from annotator.domain.protocols import SWS


def said(**marks):
    """big="large; huge" marks the word and offers these; places follow from the word."""
    places = {"big": (0, 3), "nice": (4, 8), "old": (9, 12)}
    return Answer(
        tuple(
            Mark(*places[word], word, tuple(Substitute(text, "refine-usage") for text in texts.split("; ")))
            for word, texts in marks.items()
        )
    )


@pytest.mark.parametrize(
    ("own", "met"),
    [
        (said(big="large", nice="tasty"), True),
        (said(big="Large"), True),  # F0.5 is 0.83
        (said(big="tall", nice="fine"), False),  # both found, no substitute in common
        (said(big="large", nice="fine"), True),  # one of two
        (said(old="aged"), False),
        (Answer(none=True), False),
    ],
)
def test_a_control_is_met_by_the_rule_of_the_test(own, met):
    key = said(big="large; huge", nice="tasty")

    assert is_met(key, own, SWS) is met


def test_the_rule_is_the_projects():
    key, own = said(big="large", nice="tasty"), said(big="large", nice="fine")

    assert not is_met(key, own, replace(SWS, qualify_shared="0.6"))


def test_two_answers_are_compared_by_spans_and_by_substitutes_of_those_marked_twice():
    found = compared(said(big="large; huge", nice="tasty"), said(big="Huge; vast", old="aged"), folds=True)

    assert found == Twice(spans_shared=1, spans_either=3, words=((1, 3),))


def test_figures_are_those_between_two_people():
    """The mean over repeats of shared spans; of substitutes the mean over all spans marked twice, pooled."""
    found = summed([True, False, True], [Twice(1, 3, ((1, 3),)), Twice(2, 2, ((1, 1), (0, 2)))])

    assert (found.controls, found.met, found.repeats) == (3, 2, 2)
    assert found.spans == pytest.approx((1 / 3 + 1) / 2)
    assert found.words == pytest.approx((1 / 3 + 1 + 0) / 3)


def test_nothing_twice_is_full_agreement_and_nothing_at_all_has_no_figure():
    assert summed([], [compared(Answer(none=True), Answer(none=True), folds=True)]) == Checks(
        repeats=1, spans=1.0, words=None
    )
    assert summed([], []) == Checks()


ANSWERS = st.dictionaries(st.sampled_from(["big", "nice", "old"]), st.sampled_from(["a", "b", "a; b"])).map(
    lambda marks: said(**marks)
)


@given(ANSWERS, ANSWERS)
def test_which_answer_came_first_does_not_matter_and_the_same_again_agrees_wholly(one, other):
    same = compared(one, one, folds=True)

    assert compared(one, other, folds=True) == compared(other, one, folds=True)
    assert same.spans_shared == same.spans_either
    assert all(shared == either for shared, either in same.words)
