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
    """`values`: of somebody's own submissions in the order they were made, NaN where nobody else submitted. Fewer than
    two windows tell nothing; neither does one of nothing but NaN, which is left out."""
    bounds = _bounds(len(values))
    if len(bounds) < 3:
        return []
    is_known = ~np.isnan(values)
    filled, weights = np.where(is_known, values, 0.0), is_known.astype(np.float64)
    means = _means(filled, weights, bounds)
    known = np.flatnonzero(~np.isnan(means))
    if len(known) < 2:
        return []
    shuffles = (_shuffled(len(values), f"{seed}\x1f{number}") for number in range(PERMUTATIONS))
    band = np.array([_means(filled[order], weights[order], bounds) for order in shuffles])
    found = []
    for number in known.tolist():
        column = band[:, number]
        low, high = np.percentile(column[~np.isnan(column)], PERCENTILES, method="linear").tolist()
        ends = int(bounds[number]) + 1, int(bounds[number + 1])
        found.append(Window(*ends, *(round(value, DECIMALS) for value in (float(means[number]), low, high))))
    return found


def _means(values: Floats, weights: Floats, bounds: Ints) -> Floats:
    """Of each window the mean over what is known, which weighs 1."""
    sums, known = np.add.reduceat(values, bounds[:-1]), np.add.reduceat(weights, bounds[:-1])
    means: Floats = np.divide(sums, known, out=np.full(len(sums), np.nan), where=known > 0)
    return means


def _bounds(count: int) -> Ints:
    """Every fifty; the last window takes the rest, so that none is shorter."""
    return np.append(np.arange(max(count // WINDOW, 1)) * WINDOW, count)


def _shuffled(count: int, seed: str) -> Ints:
    """Philox's raw bits are the same in every version of NumPy; its shuffling may change."""
    digest = hashlib.sha256(seed.encode()).digest()
    return np.argsort(np.random.Philox(key=int.from_bytes(digest[:16], "little")).random_raw(count))
