"""Types on shared spans: who ties says nothing; Cohen's kappa by hand."""

import pytest

from adjudication.domain.agreement.counting import AgreementSettings
from adjudication.domain.agreement.types import cohens_kappa, type_agreement
from tests.adjudication.domain.agreement.plain import report_of
from tests.adjudication.domain.crowds import SETTINGS, mark, passage

OTHER = "diversify-expression"


def test_whose_own_substitutes_tie_is_left_out() -> None:
    both = {"A01": [mark(0, 3, "a", "b"), mark(0, 3, "c", type=OTHER), mark(4, 7, "a"), mark(4, 7, "b", type=OTHER)]}
    both |= {"A02": [mark(0, 3, "x", type=OTHER), mark(4, 7, "x")]}

    found = report_of([passage(both)], ["A01", "A02"], AgreementSettings(merge=SETTINGS, resamples=0))

    assert found["types"]["matrix"] == [[0, 1], [1, 0]]


def test_kappa_by_hand() -> None:
    """20 times both R, 15 both D, 5 and 10 apart: 0.7 observed, 0.5 by chance."""
    counts = {("R", "R"): 20, ("R", "D"): 5, ("D", "R"): 10, ("D", "D"): 15}

    assert type_agreement(counts) == pytest.approx(0.7)
    assert cohens_kappa(counts) == pytest.approx(0.4)


def test_nothing_to_divide_by_is_none() -> None:
    assert (type_agreement({}), cohens_kappa({}), cohens_kappa({("R", "R"): 5})) == (None, None, None)
