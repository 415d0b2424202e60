"""Pairwise F1 of spans: exact, and overlapping by a largest one-to-one matching (method.md 6)."""

from collections.abc import Mapping, Sequence
from typing import Any

from annotator.domain.tokens import Span


def exact_f1(detection: Mapping[tuple[int, int], int]) -> float | None:
    """Pooled over passages, from the pair's histogram {(intersection, union): passages}: 2|a ∩ b| / (|a| + |b|)."""
    common = sum(both * times for (both, _), times in detection.items())
    return overlapping_f1(common, detection)


def overlapping_f1(matched: int, detection: Mapping[tuple[int, int], int]) -> float | None:
    marks = sum((both + either) * times for (both, either), times in detection.items())
    return 2 * matched / marks if marks else None


def largest_matching(one: Sequence[Span], two: Sequence[Span]) -> int:
    """How many spans of one person can be paired with overlapping spans of the other, each at most once."""
    reach = [[n for n, other in enumerate(two) if span == other or overlap(*span, *other)] for span in one]
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


def overlap(start: Any, end: Any, other_start: Any, other_end: Any) -> Any:
    """Of two different spans, or of arrays of them: one character in common; an empty span overlaps what it stands
    strictly inside of."""
    return (start < other_end) & (other_start < end)
