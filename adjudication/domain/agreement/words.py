"""Agreement on words: is it marked or not? Krippendorff's alpha and Fleiss' kappa in closed form (method.md 6).

Counted is {(raters, of them marking it): words}, which adds up over passages.
"""

from collections.abc import Mapping
from fractions import Fraction


def alpha(counts: Mapping[tuple[int, int], int]) -> float | None:
    """Krippendorff's alpha, nominal, two values: 1 − observed / expected disagreement. Words that fewer than two
    judged are not pairable and are left out; None where all values are the same."""
    pairable = {key: times for key, times in counts.items() if key[0] >= 2}
    marked = sum(yes * times for (_, yes), times in pairable.items())
    values = sum(raters * times for (raters, _), times in pairable.items())
    if not marked or marked == values:
        return None
    observed = sum(
        (Fraction(2 * yes * (raters - yes) * times, raters - 1) for (raters, yes), times in pairable.items()),
        Fraction(),
    )
    expected = Fraction(2 * marked * (values - marked), values - 1)
    return float(1 - observed / expected)


def fleiss_kappa(counts: Mapping[tuple[int, int], int], raters: int) -> float | None:
    """Only where every word was judged by all `raters`, else None."""
    words = sum(counts.values())
    if raters < 2 or not words or any(count != raters for count, _ in counts):
        return None
    agreeing = sum(
        (yes * (yes - 1) + (raters - yes) * (raters - yes - 1)) * times for (_, yes), times in counts.items()
    )
    observed = Fraction(agreeing, raters * (raters - 1) * words)
    share = Fraction(sum(yes * times for (_, yes), times in counts.items()), raters * words)
    by_chance = share**2 + (1 - share) ** 2
    return None if by_chance == 1 else float((observed - by_chance) / (1 - by_chance))
