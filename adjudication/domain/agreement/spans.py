"""Pairwise F1 of spans: exact, and overlapping by a largest one-to-one matching (method.md 6)."""

from collections.abc import Mapping, Sequence

Span = tuple[int, int]


def exact_f1(detection: Mapping[tuple[int, int], int]) -> float | None:
    """Pooled over passages, from the pair's histogram {(intersection, union): passages}: 2|a ∩ b| / (|a| + |b|)."""
    common = sum(both * times for (both, _), times in detection.items())
    marks = sum((both + either) * times for (both, either), times in detection.items())
    return 2 * common / marks if marks else None


def overlapping_f1(matched: int, detection: Mapping[tuple[int, int], int]) -> float | None:
    marks = sum((both + either) * times for (both, either), times in detection.items())
    return 2 * matched / marks if marks else None


def largest_matching(one: Sequence[Span], two: Sequence[Span]) -> int:
    """How many spans of one person can be paired with overlapping spans of the other, each at most once."""
    reach = [[n for n, other in enumerate(two) if _overlap(span, other)] for span in one]
    taken: dict[int, int] = {}
    return sum(_augment(number, reach, taken, set()) for number in range(len(one)))


def _augment(number: int, reach: Sequence[Sequence[int]], taken: dict[int, int], tried: set[int]) -> bool:
    """Find a partner for this span, moving others to their next one where needed (Kuhn's algorithm)."""
    for partner in reach[number]:
        if partner in tried:
            continue
        tried.add(partner)
        if partner not in taken or _augment(taken[partner], reach, taken, tried):
            taken[partner] = number
            return True
    return False


def _overlap(one: Span, two: Span) -> bool:
    """One character in common; an empty span overlaps its equal, and what it stands strictly inside of."""
    return max(one[0], two[0]) < min(one[1], two[1]) or one == two or _is_inside(one, two) or _is_inside(two, one)


def _is_inside(empty: Span, other: Span) -> bool:
    return empty[0] == empty[1] and other[0] < empty[0] < other[1]
