"""The qualification test by hand."""

from fractions import Fraction

import pytest

from annotator.domain.answers import Answer, Mark, Substitute
from annotator.domain.protocols import SWS
from annotator.domain.qualification import assess


def answer(**marks: str) -> Answer:
    """a1="x y": the span [1, 2) with the substitutes x and y."""
    found = [
        Mark(int(name[1:]), int(name[1:]) + 1, "?", tuple(Substitute(text, "refine-usage") for text in texts.split()))
        for name, texts in marks.items()
    ]
    return Answer(tuple(found)) if found else Answer(none=True)


KEY = answer(a1="glad merry", a2="aid")


@pytest.mark.parametrize(
    ("own", "f05", "shared", "is_passed"),
    [
        (answer(a1="Glad", a2="aid"), Fraction(1), 2, True),
        (answer(a1="happy", a2="aid"), Fraction(1), 1, True),  # half of the hits share one
        (answer(a1="happy", a2="help"), Fraction(1), 0, False),
        (answer(a1="glad"), Fraction(5, 6), 1, True),  # P 1, R 1/2
        (answer(a1="glad", a3="x", a4="x", a5="x"), Fraction(5, 18), 1, False),  # P 1/4, R 1/2
        (answer(a3="x"), Fraction(0), 0, False),
        (answer(), Fraction(0), 0, False),
    ],
)
def test_one_passage(own: Answer, f05: Fraction, shared: int, is_passed: bool) -> None:
    found = assess([(KEY, own)], SWS)

    assert (found.f05, found.shared, found.is_passed) == (f05, shared, is_passed)


def test_what_was_found_of_the_key_and_what_is_not_in_it_is_counted() -> None:
    found = assess([(KEY, answer(a1="glad", a3="x")), (answer(), answer(a4="x"))], SWS)

    assert (found.hit, found.wanted, found.beyond) == (1, 2, 2)


def test_the_mean_over_passages_counts() -> None:
    assert assess([(KEY, KEY), (KEY, answer())], SWS).is_passed  # exactly one half
    assert not assess([(KEY, KEY), (KEY, answer()), (KEY, answer())], SWS).is_passed


def test_nothing_to_find_and_nothing_found_is_right() -> None:
    assert assess([(answer(), answer())], SWS).f05 == 1


def test_no_test_is_not_passed() -> None:
    assert not assess([], SWS).is_passed
