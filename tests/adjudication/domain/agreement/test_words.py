"""Alpha and kappa on words: by hand, and against the definitions written out."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudication.domain.agreement.counting import AgreementSettings
from adjudication.domain.agreement.words import alpha, fleiss_kappa
from tests.adjudication.domain.agreement.plain import count_arrays
from tests.adjudication.domain.crowds import SETTINGS, mark, passage


def test_a_word_is_marked_by_any_mark_that_overlaps_it() -> None:
    said = passage({"A01": [mark(0, 7, "x")], "A02": [mark(2, 3, "y")], "A03": []})

    found = count_arrays([said], ["A01", "A02", "A03"], AgreementSettings(merge=SETTINGS)).tallies["words"]

    # One (two of three), two (one of three), and four words that nobody marked; the comma and the dot are no words.
    assert found == {"3 2": 1, "3 1": 1, "3 0": 4}


def plain_alpha(units: list[list[int]]) -> Fraction | None:
    """Krippendorff's alpha from the matrix of coincidences, as in the textbook."""
    coincidences: Counter[tuple[int, int]] = Counter()
    for values in units:
        for one, two in permutations(range(len(values)), 2):
            coincidences[values[one], values[two]] += Fraction(1, len(values) - 1)  # type: ignore[assignment]
    totals = {value: sum(coincidences[value, other] for other in (0, 1)) for value in (0, 1)}
    n = sum(totals.values())
    expected = 2 * totals[0] * totals[1]
    if not expected:
        return None
    return 1 - (n - 1) * Fraction(coincidences[0, 1] + coincidences[1, 0]) / expected


@given(st.lists(st.lists(st.integers(0, 1), min_size=1, max_size=6), max_size=12))
def test_alpha_is_the_textbooks(units: list[list[int]]) -> None:
    found = alpha(Counter((len(values), sum(values)) for values in units))
    expected = plain_alpha([values for values in units if len(values) > 1])

    assert found == (None if expected is None else pytest.approx(float(expected)))


def test_alpha_by_hand() -> None:
    """Krippendorff (2011), example A: two raters, ten units, binary: alpha is 0.095."""
    one = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    two = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]

    found = alpha(Counter((2, a + b) for a, b in zip(one, two, strict=True)))

    assert found == pytest.approx(0.095, abs=5e-4)


def test_kappa_is_none_where_somebody_is_missing() -> None:
    assert fleiss_kappa({(3, 2): 4, (2, 1): 1}, 3) is None
    assert fleiss_kappa({(3, 0): 4}, 3) is None  # all say the same: chance explains everything
    assert fleiss_kappa({}, 3) is None


def test_kappa_by_hand() -> None:
    """Two words, three raters: (3 of 3) and (1 of 3). Observed (1 + 1/3) / 2; by chance (4/6)² + (2/6)²."""
    assert fleiss_kappa({(3, 3): 1, (3, 1): 1}, 3) == pytest.approx((2 / 3 - 5 / 9) / (4 / 9))
