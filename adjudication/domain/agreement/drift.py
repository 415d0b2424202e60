"""Whether somebody agrees with the rest as they did at first: windows of their own submissions, and the band that
chance alone gives (method.md 6)."""

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudication.domain.agreement.marks import Ints
from adjudication.domain.agreement.pairs import BothEmpty
from adjudication.domain.agreement.table import PairTable

WINDOW = 50  # own submissions
PERMUTATIONS = 200
PERCENTILES = (2.5, 97.5)
DECIMALS = 4
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Window:
    """Submissions number `first` to `last` of somebody's own, their mean agreement with the others, and the band."""

    first: int
    last: int
    value: float
    low: float
    high: float

    @property
    def is_outside(self) -> bool:
        return not self.low <= self.value <= self.high


def agreement_by_passage(table: PairTable, annotator: int, both_empty: BothEmpty) -> Floats:
    """Of each passage the mean agreement of this annotator with the others who submitted it; NaN where there is no
    other."""
    total, met = np.zeros(table.passages), np.zeros(table.passages)
    for number in np.flatnonzero((table.pairs == annotator).any(axis=1)).tolist():
        columns = table.rows(number).columns
        either = columns["either"].astype(np.int64)
        value = columns["common"] / np.maximum(either, 1)
        counts = np.ones(len(either))
        if both_empty == BothEmpty.SKIP:
            counts = (either > 0).astype(np.float64)
        else:
            value = np.where(either == 0, float(both_empty == BothEmpty.ONE), value)
        total += np.bincount(columns["passage"], weights=value * counts, minlength=table.passages)
        met += np.bincount(columns["passage"], weights=counts, minlength=table.passages)
    found: Floats = np.divide(total, met, out=np.full(table.passages, np.nan), where=met > 0)
    return found


def drift(values: Floats, *, seed: str) -> list[Window]:
    """`values`: of somebody's own submissions in the order they were made. Fewer than two windows tell nothing."""
    bounds = _bounds(len(values))
    if len(bounds) < 3:
        return []
    sizes = np.diff(bounds)
    band = np.empty((PERMUTATIONS, len(sizes)))
    for number in range(PERMUTATIONS):
        band[number] = np.add.reduceat(values[_shuffled(len(values), f"{seed}\x1f{number}")], bounds[:-1]) / sizes
    low, high = np.percentile(band, PERCENTILES, axis=0, method="linear")
    means = np.add.reduceat(values, bounds[:-1]) / sizes
    columns = (column.tolist() for column in (bounds[:-1] + 1, bounds[1:], means, low, high))
    return [
        Window(first, last, *(round(value, DECIMALS) for value in rest))
        for first, last, *rest in zip(*columns, strict=True)
    ]


def _bounds(count: int) -> Ints:
    """Every fifty; the last window takes the rest, so that none is shorter."""
    return np.append(np.arange(max(count // WINDOW, 1)) * WINDOW, count)


def _shuffled(count: int, seed: str) -> Ints:
    """Philox's raw bits are the same in every version of NumPy; its shuffling may change."""
    digest = hashlib.sha256(seed.encode()).digest()
    return np.argsort(np.random.Philox(key=int.from_bytes(digest[:16], "little")).random_raw(count))
