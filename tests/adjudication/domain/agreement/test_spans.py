"""Span F1: exact from the histogram, overlapping by a largest matching."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudication.domain.agreement.spans import exact_f1, largest_matching, overlapping_f1

Span = tuple[int, int]
spans = st.lists(
    st.tuples(st.integers(0, 8), st.integers(0, 4)).map(lambda pair: (pair[0], pair[0] + pair[1])),
    max_size=5,
    unique=True,
)


def overlap(one: Span, two: Span) -> bool:
    shared = set(range(*one)) & set(range(*two))
    inside = any(a[0] == a[1] and b[0] < a[0] < b[1] for a, b in ((one, two), (two, one)))
    return bool(shared) or one == two or inside


def by_trying_all(one: list[Span], two: list[Span]) -> int:
    short, long = sorted([one, two], key=len)
    return max(
        sum(overlap(a, b) for a, b in zip(short, order, strict=True)) for order in permutations(long, len(short))
    )


@given(spans, spans)
def test_no_other_matching_is_larger(one: list[Span], two: list[Span]) -> None:
    assert largest_matching(one, two) == by_trying_all(one, two) == largest_matching(two, one)


def test_the_nearest_partner_is_given_up_where_that_helps() -> None:
    assert largest_matching([(0, 10), (0, 2)], [(0, 3), (8, 9)]) == 2


def test_f1_is_pooled_over_passages() -> None:
    detection = {(1, 3): 2, (0, 2): 1}  # twice one of three in common, once none of two

    assert exact_f1(detection) == pytest.approx(2 * 2 / 10)
    assert overlapping_f1(3, detection) == pytest.approx(2 * 3 / 10)
    assert exact_f1({(0, 0): 5}) is None
