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

import numpy as np
from numpy.typing import NDArray

from adjudication.domain.agreement.marks import Ints, Marks

Masks = NDArray[np.uint64]
Pair = tuple[str, str]
Histogram = Counter[tuple[int, int]]
_WORD = 64  # bits in a mask


class BothEmpty(StrEnum):
    """What a passage in which neither marked anything counts as."""

    ONE = "1"
    ZERO = "0"
    SKIP = "skip"


@dataclass
class PairCounts:
    """All that agreement needs of one pair. `lengths` is {(shorter, longer): how many} over shared spans."""

    detection: Histogram = field(default_factory=Counter)
    suggestion: Histogram = field(default_factory=Counter)
    lengths: Histogram = field(default_factory=Counter)

    def add(self, other: "PairCounts") -> None:
        self.detection.update(other.detection)
        self.suggestion.update(other.suggestion)
        self.lengths.update(other.lengths)


@dataclass(frozen=True)
class Compared:
    """Two annotators in one chunk: for each passage that both submitted the sizes of what both marked and of what
    either marked; for each span that both marked the same of its substitutes, and the lengths of the two lists."""

    pair: Pair
    passages: Ints
    common: Ints
    either: Ints
    shared_passages: Ints
    shared_common: Ints
    shared_either: Ints
    shorter: Ints
    longer: Ints


def count_pairs(marks: Marks) -> dict[Pair, PairCounts]:
    """The histograms of every pair of annotators."""
    counts = {pair: PairCounts() for pair in combinations(marks.annotators, 2)}
    for chunk in marks.chunks():
        for compared in compare(chunk):
            count_compared(compared, counts[compared.pair])
    return counts


def count_compared(compared: Compared, counts: PairCounts) -> None:
    counts.detection.update(_histogram(compared.common, compared.either))
    counts.suggestion.update(_histogram(compared.shared_common, compared.shared_either))
    counts.lengths.update(_histogram(compared.shorter, compared.longer))


def compare(chunk: Marks) -> Iterator[Compared]:
    """Every pair in the passages of one chunk."""
    annotators = len(chunk.annotators)
    targets = _Groups.of(chunk.mark_passage, chunk.mark_span)
    spans = _Sets.of(targets.masks(chunk.mark_annotator, annotators, len(chunk.submitted)))
    suggestions = _Groups.of(targets.member[chunk.substitute_mark], chunk.substitute_key)
    offers = _Sets.of(suggestions.masks(chunk.mark_annotator[chunk.substitute_mark], annotators, targets.count))
    submitted = np.ascontiguousarray(chunk.submitted.T)
    # What somebody marked in a passage they have not submitted is no mark.
    marked = np.zeros((annotators, targets.count), dtype=bool)
    marked[chunk.mark_annotator, targets.member] = submitted[chunk.mark_annotator, chunk.mark_passage]
    passage_of = np.zeros(targets.count, dtype=np.int64)
    passage_of[targets.member] = chunk.mark_passage
    for (i, one), (j, two) in combinations(enumerate(chunk.annotators), 2):
        both = np.flatnonzero(submitted[i] & submitted[j])
        shared = np.flatnonzero(marked[i] & marked[j])
        first, second = offers.sizes[i][shared], offers.sizes[j][shared]
        yield Compared(
            (one, two),
            both,
            *spans.compare(i, j, both),
            passage_of[shared],
            *offers.compare(i, j, shared),
            np.minimum(first, second),
            np.maximum(first, second),
        )


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


@dataclass(frozen=True)
class _Sets:
    """Sets as masks [annotator, group, word], and their sizes [annotator, group]."""

    masks: Masks
    sizes: Ints

    @classmethod
    def of(cls, masks: Masks) -> "_Sets":
        return cls(masks, _count_bits(masks))

    def compare(self, i: int, j: int, groups: Ints) -> tuple[Ints, Ints]:
        """|a ∩ b| and |a ∪ b| of two annotators' sets in these groups."""
        common = _count_bits(self.masks[i][groups] & self.masks[j][groups])
        return common, self.sizes[i][groups] + self.sizes[j][groups] - common


def _count_bits(masks: Masks) -> Ints:
    counted = np.bitwise_count(masks)
    is_single = masks.shape[-1] == 1
    return counted[..., 0].astype(np.int64) if is_single else counted.sum(axis=-1, dtype=np.int64)


def _histogram(first: Ints, second: Ints) -> Histogram:
    """How often each two values stand together."""
    width = int(second.max(initial=0)) + 1
    found = np.bincount(first * width + second)
    return Counter({divmod(int(code), width): int(found[code]) for code in np.flatnonzero(found)})


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

    def without(self, annotator: str) -> "Agreement":
        """As if this annotator had not been there."""
        return over_pairs({pair: found for pair, found in self.pairs.items() if annotator not in pair})

    def only(self, annotator: str) -> "Agreement":
        """This annotator against the rest."""
        return over_pairs({pair: found for pair, found in self.pairs.items() if annotator in pair})


def add_up(shards: Iterable[Mapping[Pair, PairCounts]]) -> dict[Pair, PairCounts]:
    total: dict[Pair, PairCounts] = {}
    for shard in shards:
        for pair, counts in shard.items():
            total.setdefault(pair, PairCounts()).add(counts)
    return total


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
    """Of those that are defined; no order of adding matters."""
    known = sorted(value for value in values if value is not None)
    return math.fsum(known) / len(known) if known else None


def _weighted(values: list[tuple[float, int]]) -> float | None:
    weight = sum(count for _, count in values)
    return math.fsum(sorted(value * count for value, count in values)) / weight if weight else None
