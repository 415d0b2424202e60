"""Intervals by resampling groups of passages; annotators are fixed (method.md 6).

Each group (or passage, where there are none) has its own Poisson weights, drawn from its name and the seed: whatever
shard it is counted in, they are the same, and what is summed under them adds up over shards.
"""

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudication.domain.agreement.marks import Ints
from adjudication.domain.agreement.pairs import BothEmpty, Compared, Pair

Floats = NDArray[np.float64]
PERCENTILES = (2.5, 97.5)
DECIMALS = 4
_STEPS = 1 << 16
# Ratios are taken to this fraction: then all sums over up to eight million passages are exact, and no order of adding,
# no number of shards and no processor changes an interval.
_GRAIN = 2.0**-30


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


def chunk_weights(units: Sequence[str], *, seed: str, resamples: int) -> Floats:
    """[passage, resample] of a chunk of passages, each by its unit."""
    drawn = {unit: weights_of(unit, seed=seed, resamples=resamples) for unit in set(units)}
    return np.array([drawn[unit] for unit in units], dtype=np.float64)


def unit_of(group: str, passage: str) -> str:
    return f"group:{group}" if group else f"passage:{passage}"


@dataclass
class Resamples:
    """For each pair and resample: the weighted sums and counts whose quotients are PA_det and PA_sug."""

    pairs: tuple[Pair, ...]
    det_sum: Floats
    det_count: Floats
    sug_sum: Floats
    sug_count: Floats

    @classmethod
    def empty(cls, pairs: Iterable[Pair], resamples: int) -> "Resamples":
        pairs = tuple(pairs)
        return cls(pairs, *(np.zeros((len(pairs), resamples)) for _ in range(4)))

    def add(self, other: "Resamples") -> None:
        for mine, theirs in zip(self._sums(), other._sums(), strict=True):
            mine += theirs

    def _sums(self) -> tuple[Floats, Floats, Floats, Floats]:
        return self.det_sum, self.det_count, self.sug_sum, self.sug_count

    def add_chunk(self, compared: Sequence[Compared], weights: NDArray[Any], both_empty: BothEmpty) -> None:
        """`weights`: [passage, resample] of the passages of this chunk."""
        size = len(weights)
        per_passage = [np.zeros((len(self.pairs), size)) for _ in range(4)]
        rows = {pair: row for row, pair in enumerate(self.pairs)}
        for found in compared:
            row = rows[found.pair]
            det_sum, det_count, sug_sum, sug_count = (values[row] for values in per_passage)
            is_empty = found.either == 0
            for_empty = 1.0 if both_empty == BothEmpty.ONE else 0.0
            det_sum[found.passages] = np.where(is_empty, for_empty, _ratios(found.common, found.either))
            det_count[found.passages] = ~is_empty if both_empty == BothEmpty.SKIP else 1
            ratios = _ratios(found.shared_common, found.shared_either)
            sug_sum += np.bincount(found.shared_passages, weights=ratios, minlength=size)
            sug_count += np.bincount(found.shared_passages, minlength=size)
        for total, values in zip(self._sums(), per_passage, strict=True):
            total += values @ weights

    def intervals(self) -> dict[str, Any]:
        """The 95 % interval of each figure, and of each pair; None where a figure is never defined."""
        det, sug = _quotient(self.det_sum, self.det_count), _quotient(self.sug_sum, self.sug_count)
        return {
            "pa_det": _interval(_mean_of_pairs(det)),
            "pa_sug": _interval(_mean_of_pairs(sug)),
            "pa_det_w": _interval(_quotient(self.det_sum.sum(axis=0), self.det_count.sum(axis=0))),
            "pa_sug_w": _interval(_quotient(self.sug_sum.sum(axis=0), self.sug_count.sum(axis=0))),
            "pairs": {
                pair: {"pa_det": _interval(det[row]), "pa_sug": _interval(sug[row])}
                for row, pair in enumerate(self.pairs)
            },
        }


def _ratios(above: Ints, below: Ints) -> Floats:
    found: Floats = np.round(above / np.maximum(below, 1) / _GRAIN) * _GRAIN
    return found


def _quotient(above: Floats, below: Floats) -> Floats:
    return np.divide(above, below, out=np.full_like(above, np.nan), where=below > 0)


def _mean_of_pairs(values: Floats) -> Floats:
    """Over the pairs that are defined in that resample."""
    known = ~np.isnan(values)
    return _quotient(np.where(known, values, 0).sum(axis=0), known.sum(axis=0).astype(np.float64))


def _interval(values: Floats) -> list[float] | None:
    known = values[~np.isnan(values)]
    if not len(known):
        return None
    low, high = np.percentile(known, PERCENTILES, method="linear")
    return [round(float(low), DECIMALS), round(float(high), DECIMALS)]
