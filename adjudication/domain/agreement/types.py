"""Agreement on the type of what both marked: the share, the matrix, Cohen's kappa (method.md 6)."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import TypeVar

Type = TypeVar("Type", int, str)


def type_agreement(counts: Mapping[tuple[Type, Type], int]) -> float | None:
    total = sum(counts.values())
    return sum(times for (one, two), times in counts.items() if one == two) / total if total else None


def cohens_kappa(counts: Mapping[tuple[Type, Type], int]) -> float | None:
    """None where there is nothing, or where both always say the same one type."""
    total = sum(counts.values())
    if not total:
        return None
    first: Counter[Type] = Counter()
    second: Counter[Type] = Counter()
    for (one, two), times in counts.items():
        first[one] += times
        second[two] += times
    agreed = Fraction(sum(times for (one, two), times in counts.items() if one == two), total)
    by_chance = Fraction(sum(first[type_] * second[type_] for type_ in first), total**2)
    return None if by_chance == 1 else float((agreed - by_chance) / (1 - by_chance))
