"""Agreement on the type of what both marked: the share, the matrix, Cohen's kappa (method.md 6)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction

from adjudication.domain.merge import leader
from annotator.domain.answers import Substitute
from annotator.domain.tokens import Span

TypeCounts = Counter[tuple[str, str]]


Said = Mapping[Span, Mapping[str, Substitute]]


def own_type(types: Iterable[str]) -> str | None:
    """One annotator's type for a target: the majority of their own substitutes; None at a tie."""
    return leader(Counter(types))


def count_types(one: Said, two: Said) -> TypeCounts:
    """{(first's type, second's type): spans} over the spans both marked; ties are left out."""
    counts: TypeCounts = Counter()
    for span in one.keys() & two.keys():
        first, second = (own_type([item.type for item in own[span].values()]) for own in (one, two))
        if first is not None and second is not None:
            counts[first, second] += 1
    return counts


def type_agreement(counts: Mapping[tuple[str, str], int]) -> float | None:
    total = sum(counts.values())
    return sum(times for (one, two), times in counts.items() if one == two) / total if total else None


def cohens_kappa(counts: Mapping[tuple[str, str], int]) -> float | None:
    """None where there is nothing, or where both always say the same one type."""
    total = sum(counts.values())
    if not total:
        return None
    first: Counter[str] = Counter()
    second: Counter[str] = Counter()
    for (one, two), times in counts.items():
        first[one] += times
        second[two] += times
    agreed = Fraction(sum(times for (one, two), times in counts.items() if one == two), total)
    by_chance = Fraction(sum(first[type_] * second[type_] for type_ in first), total**2)
    return None if by_chance == 1 else float((agreed - by_chance) / (1 - by_chance))
