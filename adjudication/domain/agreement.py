"""Pairwise agreement PA_det and PA_sug (Wang et al. 2023, 3.4; method.md 6).

What is added up over passages are whole numbers: for each pair a histogram {(intersection, union): how many}, one over
passages (spans) and one over shared spans (substitutes). Shards add; division comes last. Sets are bit masks: within a
passage each span has a bit, within a span each substitute has one.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Masks = NDArray[np.uint64]
Pair = tuple[str, str]
Histogram = Counter[tuple[int, int]]
CHUNK = 4096  # passages at a time: what is needed at once stays small
_WORD = 64  # bits in a mask


class BothEmpty(StrEnum):
    """What a passage in which neither marked anything counts as."""

    ONE = "1"
    ZERO = "0"
    SKIP = "skip"


@dataclass(frozen=True)
class Marks:
    """Raw marks in arrays. A mark: its passage, span (any number that tells spans of a passage apart) and annotator. A
    substitute: its mark's row and its key's number. `submitted[p, a]`: annotator a has submitted passage p."""

    annotators: tuple[str, ...]
    submitted: NDArray[np.bool_]
    mark_passage: Ints  # rising
    mark_span: Ints
    mark_annotator: Ints
    substitute_mark: Ints  # rising
    substitute_key: Ints


@dataclass
class PairCounts:
    """All that agreement needs of one pair."""

    detection: Histogram = field(default_factory=Counter)
    suggestion: Histogram = field(default_factory=Counter)

    def add(self, other: "PairCounts") -> None:
        self.detection.update(other.detection)
        self.suggestion.update(other.suggestion)


def count_pairs(marks: Marks) -> dict[Pair, PairCounts]:
    """The histograms of every pair of annotators."""
    counts = {pair: PairCounts() for pair in combinations(marks.annotators, 2)}
    for chunk in _chunks(marks):
        _count_chunk(chunk, marks.annotators, counts)
    return counts


@dataclass(frozen=True)
class _Chunk:
    submitted: NDArray[np.bool_]
    passage: Ints  # from 0
    span: Ints
    annotator: Ints
    sub_mark: Ints  # row in this chunk
    sub_key: Ints


def _chunks(marks: Marks) -> Iterator[_Chunk]:
    for first in range(0, len(marks.submitted), CHUNK):
        last = min(first + CHUNK, len(marks.submitted))
        start, end = np.searchsorted(marks.mark_passage, [first, last])
        sub_start, sub_end = np.searchsorted(marks.substitute_mark, [start, end])
        yield _Chunk(
            marks.submitted[first:last],
            marks.mark_passage[start:end] - first,
            marks.mark_span[start:end],
            marks.mark_annotator[start:end],
            marks.substitute_mark[sub_start:sub_end] - start,
            marks.substitute_key[sub_start:sub_end],
        )


def _count_chunk(chunk: _Chunk, annotators: tuple[str, ...], counts: dict[Pair, PairCounts]) -> None:
    targets = _Groups.of(chunk.passage, chunk.span)
    by_passage = targets.masks(chunk.annotator, len(annotators), len(chunk.submitted))
    suggestions = _Groups.of(targets.member[chunk.sub_mark], chunk.sub_key)
    by_target = suggestions.masks(chunk.annotator[chunk.sub_mark], len(annotators), targets.count)
    submitted = np.ascontiguousarray(chunk.submitted.T)
    # What somebody marked in a passage they have not submitted is no mark.
    marked = np.zeros((len(annotators), targets.count), dtype=bool)
    marked[chunk.annotator, targets.member] = submitted[chunk.annotator, chunk.passage]
    for (i, one), (j, two) in combinations(enumerate(annotators), 2):
        both = np.flatnonzero(submitted[i] & submitted[j])
        shared = np.flatnonzero(marked[i] & marked[j])
        counts[one, two].detection.update(_histogram(by_passage[i][both], by_passage[j][both]))
        counts[one, two].suggestion.update(_histogram(by_target[i][shared], by_target[j][shared]))


@dataclass(frozen=True)
class _Groups:
    """The distinct (group, item) pairs among rows: `count` of them. For each row: `member`, the number of its pair;
    `group`; `place`, the number of its item within the group, which takes `words` masks to hold."""

    count: int
    member: Ints
    group: Ints
    place: Ints
    words: int

    @classmethod
    def of(cls, group: Ints, item: Ints) -> "_Groups":
        if not len(group):
            nothing = np.zeros(0, dtype=np.int64)
            return cls(0, nothing, nothing, nothing, words=1)
        size = int(item.max()) + 1
        distinct, member = np.unique(group * size + item, return_inverse=True)
        group_of = distinct // size
        begins = np.flatnonzero(np.r_[True, group_of[1:] != group_of[:-1]])
        place = np.arange(len(distinct)) - np.repeat(begins, np.diff(np.r_[begins, len(distinct)]))
        words = int(place.max()) // _WORD + 1
        return cls(len(distinct), member, group, place[member], words)

    def masks(self, annotator: Ints, annotators: int, groups: int) -> Masks:
        """[annotator, group, word]: one bit for each item of the group that the annotator has."""
        masks = np.zeros(annotators * groups * self.words, dtype=np.uint64)
        bits = np.left_shift(np.uint64(1), (self.place % _WORD).astype(np.uint64))
        rows = (annotator * groups + self.group) * self.words + self.place // _WORD
        np.bitwise_or.at(masks, rows, bits)
        return masks.reshape(annotators, groups, self.words)


def _histogram(one: Masks, two: Masks) -> Histogram:
    """How often (|a ∩ b|, |a ∪ b|) occurs among the rows."""
    common, either = _sizes(one & two), _sizes(one | two)
    width = int(either.max(initial=0)) + 1
    found = np.bincount(common * width + either)
    return Counter({divmod(int(code), width): int(found[code]) for code in np.flatnonzero(found)})


def _sizes(masks: Masks) -> Ints:
    counted = np.bitwise_count(masks)
    return counted[:, 0].astype(np.int64) if masks.shape[1] == 1 else counted.sum(axis=1, dtype=np.int64)


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
    left_out_det: int
    left_out_sug: int

    def as_dict(self) -> dict[str, Any]:
        pairs = [
            {"a": a, "b": b, "pa_det": found.pa_det, "n": found.n, "pa_sug": found.pa_sug, "m": found.m}
            for (a, b), found in sorted(self.pairs.items())
        ]
        names = ("pa_det", "pa_sug", "pa_det_w", "pa_sug_w", "left_out_det", "left_out_sug")
        return {**{name: getattr(self, name) for name in names}, "pairs": pairs}


def add_up(shards: Iterable[Mapping[Pair, PairCounts]]) -> dict[Pair, PairCounts]:
    total: dict[Pair, PairCounts] = {}
    for shard in shards:
        for pair, counts in shard.items():
            total.setdefault(pair, PairCounts()).add(counts)
    return total


def agreement(counts: Mapping[Pair, PairCounts], *, both_empty: BothEmpty = BothEmpty.ONE) -> Agreement:
    """The unweighted mean over pairs, as the paper has it; beside it weighted by n and m."""
    pairs = {pair: _of_pair(found, both_empty) for pair, found in sorted(counts.items())}
    det = [(found.pa_det, found.n) for found in pairs.values() if found.pa_det is not None]
    sug = [(found.pa_sug, found.m) for found in pairs.values() if found.pa_sug is not None]
    return Agreement(
        pa_det=_mean([value for value, _ in det]),
        pa_sug=_mean([value for value, _ in sug]),
        pa_det_w=_weighted(det),
        pa_sug_w=_weighted(sug),
        pairs=pairs,
        left_out_det=len(pairs) - len(det),
        left_out_sug=len(pairs) - len(sug),
    )


def _of_pair(counts: PairCounts, both_empty: BothEmpty) -> PairAgreement:
    detection = dict(counts.detection)
    empty = detection.pop((0, 0), 0)
    n = sum(detection.values()) + (0 if both_empty == BothEmpty.SKIP else empty)
    agreed = empty if both_empty == BothEmpty.ONE else 0
    m = sum(counts.suggestion.values())
    return PairAgreement(_jaccard_mean(detection, n, agreed), n, _jaccard_mean(counts.suggestion, m, 0), m)


def _jaccard_mean(histogram: Mapping[tuple[int, int], int], count: int, agreed: int) -> float | None:
    """Exact: the sum is a fraction until the last step, so no order of adding matters. Two empty sets agree in nothing
    here; `agreed` is what they count for."""
    if not count:
        return None
    total = sum(
        (Fraction(common * times, either) for (common, either), times in histogram.items() if either), Fraction()
    )
    return float((total + agreed) / count)


def _mean(values: list[float]) -> float | None:
    return math.fsum(sorted(values)) / len(values) if values else None


def _weighted(values: list[tuple[float, int]]) -> float | None:
    weight = sum(count for _, count in values)
    return math.fsum(sorted(value * count for value, count in values)) / weight if weight else None
