"""Types on shared spans: who ties says nothing; Cohen's kappa by hand."""

from collections import Counter

import pytest

from adjudication.domain.agreement.types import Said, cohens_kappa, count_types, own_type, type_agreement
from annotator.domain.answers import Substitute


def said(types: dict[tuple[int, int], str]) -> Said:
    """A substitute of each type named, by letter."""
    return {span: {str(n): Substitute(str(n), type) for n, type in enumerate(own)} for span, own in types.items()}


def test_whose_own_substitutes_tie_is_left_out() -> None:
    one = said({(0, 1): "RRD", (2, 3): "RD", (4, 5): "D"})
    two = said({(0, 1): "D", (2, 3): "R", (8, 9): "R"})

    assert (own_type(["R", "D"]), own_type([])) == (None, None)
    assert count_types(one, two) == Counter({("R", "D"): 1})


def test_kappa_by_hand() -> None:
    """20 times both R, 15 both D, 5 and 10 apart: 0.7 observed, 0.5 by chance."""
    counts = {("R", "R"): 20, ("R", "D"): 5, ("D", "R"): 10, ("D", "D"): 15}

    assert type_agreement(counts) == pytest.approx(0.7)
    assert cohens_kappa(counts) == pytest.approx(0.4)


def test_nothing_to_divide_by_is_none() -> None:
    assert (type_agreement({}), cohens_kappa({}), cohens_kappa({("R", "R"): 5})) == (None, None, None)
