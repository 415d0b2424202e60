"""Pairwise agreement PA_det and PA_sug (Wang et al. 2023, 3.4; method.md 6).

What is divided are whole numbers: for each pair a histogram {(intersection, union): how many}, one over passages
(spans) and one over shared spans (substitutes). Division comes last and is exact.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

Pair = tuple[str, str]
Histogram = Counter[tuple[int, int]]


class BothEmpty(StrEnum):
    """What a passage in which neither marked anything counts as."""

    ONE = "1"
    ZERO = "0"
    SKIP = "skip"


@dataclass
class PairCounts:
    """All that agreement needs of one pair. `lengths` is {(shorter, longer): how many} over shared spans, `matched` the
    spans that can be paired with overlapping ones of the other, `types` {(first's, second's): shared spans}."""

    detection: Histogram = field(default_factory=Counter)
    suggestion: Histogram = field(default_factory=Counter)
    lengths: Histogram = field(default_factory=Counter)
    matched: int = 0
    types: Counter[tuple[int, int]] = field(default_factory=Counter)


@dataclass(frozen=True)
class PairAgreement:
    """None where there is nothing to divide by; `n` passages, `m` shared spans."""

    pa_det: float | None
    n: int
    pa_sug: float | None
    m: int


@dataclass(frozen=True)
class Agreement:
    pa_det: float | None
    pa_sug: float | None
    pa_det_w: float | None
    pa_sug_w: float | None
    pairs: Mapping[Pair, PairAgreement]


def agreement(counts: Mapping[Pair, PairCounts], *, both_empty: BothEmpty = BothEmpty.ONE) -> Agreement:
    return over_pairs({pair: _of_pair(found, both_empty) for pair, found in sorted(counts.items())})


def over_pairs(pairs: Mapping[Pair, PairAgreement]) -> Agreement:
    """The unweighted mean over pairs, as the paper has it; beside it weighted by n and m."""
    det = [(found.pa_det, found.n) for found in pairs.values() if found.pa_det is not None]
    sug = [(found.pa_sug, found.m) for found in pairs.values() if found.pa_sug is not None]
    return Agreement(
        pa_det=mean([value for value, _ in det]),
        pa_sug=mean([value for value, _ in sug]),
        pa_det_w=_weighted(det),
        pa_sug_w=_weighted(sug),
        pairs=pairs,
    )


def _of_pair(counts: PairCounts, both_empty: BothEmpty) -> PairAgreement:
    detection = dict(counts.detection)
    empty = detection.pop((0, 0), 0)
    n = sum(detection.values()) + (0 if both_empty == BothEmpty.SKIP else empty)
    agreed = empty if both_empty == BothEmpty.ONE else 0
    m = sum(counts.suggestion.values())
    return PairAgreement(ratio_mean(detection, n, agreed), n, ratio_mean(counts.suggestion, m), m)


def ratio_mean(histogram: Mapping[tuple[int, int], int], count: int, agreed: int = 0) -> float | None:
    """The mean of first over second. Exact: the sum is a fraction until the last step, so no order of adding matters.
    Two empty sets agree in nothing here; `agreed` is what they count for."""
    if not count:
        return None
    total = sum((Fraction(first * times, second) for (first, second), times in histogram.items() if second), Fraction())
    return float((total + agreed) / count)


def mean(values: Iterable[float | None]) -> float | None:
    """Of those that are defined. fsum rounds once, at the end: no order of adding matters."""
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known else None


def _weighted(values: list[tuple[float, int]]) -> float | None:
    weight = sum(count for _, count in values)
    return math.fsum(value * count for value, count in values) / weight if weight else None
