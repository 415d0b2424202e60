"""Intervals by resampling groups of passages; annotators are fixed (method.md 6).

Each unit (a group, or a passage that has none) has its own Poisson weights, drawn from its name and the seed. A pair's
values are summed by unit first; then many pairs are weighted at once.
"""

import hashlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from adjudication.domain.agreement.marks import Ints
from adjudication.domain.agreement.pairs import BothEmpty, Pair
from adjudication.domain.agreement.table import PairRows, PairTable

Floats = NDArray[np.float64]
PERCENTILES = (2.5, 97.5)
DECIMALS = 3  # what a thousand resamples can tell
LEAST_UNITS = 2  # below it there is no interval
FEW_UNITS = 30  # below it an interval is a hint
PAIRS = 256  # pairs weighted at once
UNITS = 2048  # units at a time
REMEMBERED = 100_000_000  # weights kept where they are needed again
_STEPS = 1 << 16
# Ratios are taken to this fraction: then all sums over up to eight million passages are exact, and no order of adding,
# no number of shards and no processor changes an interval.
_GRAIN = 2.0**-30


def is_hint(interval: Sequence[float] | None, units: int | None) -> bool:
    """Whether an interval is there and rests on too few units to be more than a hint."""
    return interval is not None and units is not None and units < FEW_UNITS


def _poisson_table() -> NDArray[np.uint8]:
    """Sixteen random bits → a draw from Poisson(1)."""
    shares = np.cumsum([math.exp(-1) / math.factorial(k) for k in range(9)])
    return np.searchsorted(np.round(shares * _STEPS), np.arange(_STEPS), side="right").astype(np.uint8)


_POISSON = _poisson_table()


def weights_of(unit: str, *, seed: str, resamples: int) -> NDArray[np.uint8]:
    """How often this unit is drawn in each resample. Philox's raw bits are the same in every version of NumPy."""
    digest = hashlib.sha256(f"{seed}\x1f{unit}".encode()).digest()
    bits = np.random.Philox(key=int.from_bytes(digest[:16], "little")).random_raw(-(-resamples // 4))
    drawn: NDArray[np.uint8] = _POISSON[bits.astype("<u8").view("<u2")[:resamples]]
    return drawn


def unit_of(group: str, passage: str) -> str:
    return f"group:{group}" if group else f"passage:{passage}"


@dataclass(frozen=True)
class Units:
    """What is drawn: of each passage the number of its unit."""

    names: tuple[str, ...]
    of_passage: Ints

    @classmethod
    def of(cls, passages: Sequence[tuple[str, str]]) -> Self:
        """`passages`: (group, id) of each, in order."""
        numbers: dict[str, int] = {}
        of_passage = [numbers.setdefault(unit_of(group, name), len(numbers)) for group, name in passages]
        return cls(tuple(numbers), np.array(of_passage, dtype=np.int64))

    @property
    def kind(self) -> str:
        kinds = {name.partition(":")[0] for name in self.names}
        return {"group": "groups", "passage": "passages"}[kinds.pop()] if len(kinds) == 1 else "groups and passages"

    def weights(self, first: int, last: int, *, seed: str, resamples: int) -> NDArray[np.uint8]:
        """[unit, resample]"""
        drawn = [weights_of(name, seed=seed, resamples=resamples) for name in self.names[first:last]]
        return np.array(drawn, dtype=np.uint8).reshape(-1, resamples)


@dataclass(frozen=True)
class _Weighed:
    """A pair's values by unit: [sum of ratios, how many] of PA_det, then of PA_sug."""

    units: Ints
    values: Floats  # [4, unit]

    @classmethod
    def of(cls, rows: PairRows, of_passage: Ints, both_empty: BothEmpty) -> Self:
        common, either = rows.columns["common"].astype(np.int64), rows.columns["either"].astype(np.int64)
        is_empty = either == 0
        for_empty = 1.0 if both_empty == BothEmpty.ONE else 0.0
        det = np.where(is_empty, for_empty, _ratios(common, either))
        counts = ~is_empty if both_empty == BothEmpty.SKIP else np.ones(len(common))
        unit = of_passage[rows.columns["passage"]]
        of_span = np.repeat(unit, common)
        sug = _ratios(rows.columns["span_common"].astype(np.int64), rows.columns["span_either"].astype(np.int64))
        units, places = np.unique(unit, return_inverse=True)
        span_places = np.searchsorted(units, of_span)
        size = len(units)
        values = [
            np.bincount(places, weights=det, minlength=size),
            np.bincount(places, weights=counts, minlength=size),
            np.bincount(span_places, weights=sug, minlength=size),
            np.bincount(span_places, minlength=size),
        ]
        return cls(units, np.stack(values).astype(np.float64))

    def units_with(self, count: int) -> int:
        return int(np.count_nonzero(self.values[count]))


@dataclass(frozen=True)
class Interval:
    """None where fewer than two units have anything to say; `units`: how many have."""

    range: list[float] | None
    units: int


@dataclass(frozen=True)
class Intervals:
    overall: dict[str, Interval]
    pairs: dict[Pair, dict[str, Interval]]


def intervals(table: PairTable, units: Units, *, both_empty: BothEmpty, seed: str, resamples: int) -> Intervals:
    """The 95 % interval of PA_det and PA_sug, plain and weighted, and of each pair."""
    draws = _Draws(units, seed, resamples, is_again=len(table) > PAIRS)
    means, known = np.zeros((2, resamples)), np.zeros((2, resamples))
    sums = np.zeros((4, resamples))
    heard = np.zeros((2, len(units.names)), dtype=bool)
    pairs: dict[Pair, dict[str, Interval]] = {}
    for first in range(0, len(table), PAIRS):
        block = [table.rows(number) for number in range(first, min(first + PAIRS, len(table)))]
        weighed = [_Weighed.of(rows, units.of_passage, both_empty) for rows in block]
        drawn = draws.weigh(weighed)  # [pair, 4, resample]
        sums += drawn.sum(axis=0)
        quotients = [_quotient(drawn[:, 0], drawn[:, 1]), _quotient(drawn[:, 2], drawn[:, 3])]
        for kind, values in enumerate(quotients):
            is_known = ~np.isnan(values)
            means[kind] += np.where(is_known, values, 0).sum(axis=0)
            known[kind] += is_known.sum(axis=0)
            for found in weighed:
                heard[kind, found.units[found.values[2 * kind + 1] > 0]] = True
        ranges = [_ranges(values) for values in quotients]
        for number, (rows, found) in enumerate(zip(block, weighed, strict=True)):
            pairs[rows.pair] = {
                "pa_det": _interval(ranges[0][number], found.units_with(1)),
                "pa_sug": _interval(ranges[1][number], found.units_with(3)),
            }
    counts = [int(kind.sum()) for kind in heard]
    overall = {
        "pa_det": (_quotient(means[0], known[0]), counts[0]),
        "pa_sug": (_quotient(means[1], known[1]), counts[1]),
        "pa_det_w": (_quotient(sums[0], sums[1]), counts[0]),
        "pa_sug_w": (_quotient(sums[2], sums[3]), counts[1]),
    }
    return Intervals(
        {name: _interval(_ranges(values[None])[0], count) for name, (values, count) in overall.items()}, pairs
    )


@dataclass
class _Draws:
    """Weights as they are needed, chunk by chunk; kept where more than one block of pairs needs them."""

    units: Units
    seed: str
    resamples: int
    is_again: bool

    def __post_init__(self) -> None:
        self._kept: dict[int, NDArray[np.uint8]] = {}

    def weigh(self, pairs: Sequence[_Weighed]) -> Floats:
        """[pair, 4, resample]. All sums are exact, so it makes no difference how they are taken."""
        total = np.zeros((len(pairs), 4, self.resamples))
        for first, weights in self._chunks():
            size = len(weights)
            dense: list[int] = []
            filled = np.zeros((len(pairs), 4, size))
            for number, pair in enumerate(pairs):
                start, end = np.searchsorted(pair.units, [first, first + size])
                places = pair.units[start:end] - first
                if 4 * len(places) > size:
                    filled[len(dense)][:, places] = pair.values[:, start:end]
                    dense.append(number)
                elif len(places):
                    total[number] += pair.values[:, start:end] @ weights[places]
            if dense:
                found = filled[: len(dense)].reshape(-1, size) @ weights
                total[dense] += found.reshape(len(dense), 4, self.resamples)
        return total

    def _chunks(self) -> Iterator[tuple[int, Floats]]:
        count = len(self.units.names)
        keeps = self.is_again and count * self.resamples <= REMEMBERED
        for first in range(0, count, UNITS):
            drawn = self._kept.get(first)
            if drawn is None:
                last = min(first + UNITS, count)
                drawn = self.units.weights(first, last, seed=self.seed, resamples=self.resamples)
            if keeps:
                self._kept[first] = drawn
            yield first, drawn.astype(np.float64)


def _ratios(above: Ints, below: Ints) -> Floats:
    found: Floats = np.round(above / np.maximum(below, 1) / _GRAIN) * _GRAIN
    return found


def _quotient(above: Floats, below: Floats) -> Floats:
    return np.divide(above, below, out=np.full_like(above, np.nan), where=below > 0)


def _ranges(values: Floats) -> list[list[float] | None]:
    """Of each row the two percentiles, over the resamples in which it is defined."""
    has_gaps = np.isnan(values).any(axis=1)
    found: list[list[float] | None] = [None] * len(values)
    whole = np.flatnonzero(~has_gaps)
    if len(whole) and values.shape[1]:
        low, high = np.percentile(values[whole], PERCENTILES, axis=1, method="linear")
        for number, ends in zip(whole.tolist(), zip(low.tolist(), high.tolist(), strict=True), strict=True):
            found[number] = [round(end, DECIMALS) for end in ends]
    for number in np.flatnonzero(has_gaps).tolist():
        known = values[number][~np.isnan(values[number])]
        if len(known):
            ends = np.percentile(known, PERCENTILES, method="linear").tolist()
            found[number] = [round(end, DECIMALS) for end in ends]
    return found


def _interval(range_: list[float] | None, units: int) -> Interval:
    return Interval(range_ if units >= LEAST_UNITS else None, units)
