"""Types on shared spans: who ties says nothing; Cohen's kappa by hand."""

from collections import Counter

import pytest

from adjudication.domain.agreement.types import cohens_kappa, count_types, own_type, type_agreement


def test_whose_own_substitutes_tie_is_left_out() -> None:
    one = {(0, 1): {"a": "R", "b": "R", "c": "D"}, (2, 3): {"a": "R", "b": "D"}, (4, 5): {"a": "D"}}
    two = {(0, 1): {"x": "D"}, (2, 3): {"x": "R"}, (8, 9): {"x": "R"}}

    assert (own_type(["R", "D"]), own_type([])) == (None, None)
    assert count_types(one, two) == Counter({("R", "D"): 1})


def test_kappa_by_hand() -> None:
    """20 times both R, 15 both D, 5 and 10 apart: 0.7 observed, 0.5 by chance."""
    counts = {("R", "R"): 20, ("R", "D"): 5, ("D", "R"): 10, ("D", "D"): 15}

    assert type_agreement(counts) == pytest.approx(0.7)
    assert cohens_kappa(counts) == pytest.approx(0.4)


def test_nothing_to_divide_by_is_none() -> None:
    assert (type_agreement({}), cohens_kappa({}), cohens_kappa({("R", "R"): 5})) == (None, None, None)
