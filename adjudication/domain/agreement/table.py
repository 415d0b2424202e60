"""The meetings of every pair, pair by pair, put together from what the shards have counted."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from adjudication.domain.agreement.comparing import COLUMNS, Columns
from adjudication.domain.agreement.marks import Ints, before, order_of, spread
from adjudication.domain.agreement.pairs import Histogram, Pair, PairCounts

# What is kept of a pair with the report: a record for each passage both have submitted.
KEPT = np.dtype([("passage", "<u4"), *((name, "<u2") for name in ("common", "either", "shared", "retyped"))])
_ROWS = ("passage", "common", "either", "shared", "retyped", "matched")
FEW_CODES = 4_000_000  # up to so many a table of all of them is faster than sorting
_SPANS = ("span_common", "span_either", "span_shorter", "span_types")


@dataclass(frozen=True)
class PairRows:
    """One pair: a row for each passage, and the common spans of all of them, as in Meetings."""

    pair: Pair
    columns: Columns

    def counts(self) -> PairCounts:
        none = np.zeros(1, dtype=np.int64)
        rows, spans = (np.repeat(none, len(self.columns[name])) for name in ("passage", "span_either"))
        return counted(1, rows, spans, self.columns)[0]

    def kept(self) -> bytes:
        rows = np.empty(len(self.columns["passage"]), dtype=KEPT)
        for name in KEPT.names or ():
            rows[name] = self.columns[name]
        return rows.tobytes()


@dataclass(frozen=True)
class PairTable:
    """`passages`: how many there are in all. Pairs in order of names; a pair that has met nowhere is not among them."""

    annotators: tuple[str, ...]
    passages: int
    pairs: Ints  # [pair, 2] by number
    begins: Ints  # the first row of each pair, and the end of the last
    span_begins: Ints  # likewise of their common spans
    columns: Columns

    @classmethod
    def of(cls, annotators: Sequence[str], passages: int, shards: Sequence[Columns]) -> Self:
        """`annotators` in order of names, shards in order of passages."""
        making = TableMaking(annotators, passages)
        for shard in shards:
            making.count(shard)
        for shard in shards:
            making.place(shard)
        return cls(**vars(making.table()))

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[PairRows]:
        for number in range(len(self)):
            yield self.rows(number)

    def rows(self, number: int) -> PairRows:
        one, two = self.pairs[number].tolist()
        rows = slice(self.begins[number], self.begins[number + 1])
        spans = slice(self.span_begins[number], self.span_begins[number + 1])
        columns = {name: self.columns[name][rows] for name in _ROWS}
        columns |= {name: self.columns[name][spans] for name in _SPANS}
        return PairRows((self.annotators[one], self.annotators[two]), columns)

    def counts(self) -> dict[Pair, PairCounts]:
        rows, spans = (np.repeat(np.arange(len(self)), np.diff(ends)) for ends in (self.begins, self.span_begins))
        found = counted(len(self), rows, spans, self.columns)
        names = [(self.annotators[one], self.annotators[two]) for one, two in self.pairs.tolist()]
        return dict(zip(names, found, strict=True))


class TableMaking:
    """The table, from shards that are looked at twice, one at a time and in order of passages: first all are counted,
    then each is put where it belongs. So of a large project everything is there once, beside one shard."""

    def __init__(self, annotators: Sequence[str], passages: int) -> None:
        self.annotators, self.passages = tuple(annotators), passages
        self.counted: list[tuple[Ints, Ints, Ints]] = []  # of each shard: its pairs, their rows, their common spans
        self.pairs: Ints | None = None

    def count(self, shard: Columns) -> None:
        code, common = self._codes(shard), shard["common"]
        if len(self.annotators) ** 2 <= FEW_CODES:
            times = np.bincount(code)
            pairs = np.flatnonzero(times)
            sums = _sums(code, common, len(times))
            self.counted.append((pairs, times[pairs], sums[pairs]))
        else:
            pairs, place = np.unique(code, return_inverse=True)
            self.counted.append((pairs, np.bincount(place), _sums(place, common, len(pairs))))

    def place(self, shard: Columns) -> None:
        if self.pairs is None:
            self._make_room()
        assert self.pairs is not None
        place = np.searchsorted(self.pairs, self._codes(shard))
        common = shard["common"].astype(np.int64)
        order, starts = order_of(place), before(common)
        _, span_order = spread(starts[order], (starts + common)[order])
        times = np.bincount(place, minlength=len(self.pairs))
        span_times = _sums(place, common, len(self.pairs))
        for names, own, counts, free in (
            (_ROWS, order, times, self.free),
            (_SPANS, span_order, span_times, self.span_free),
        ):
            to = np.arange(len(own)) + np.repeat(free - before(counts), counts)
            for name in names:
                self.columns[name][to] = shard[name][own]
            free += counts

    def _make_room(self) -> None:
        self.pairs = np.unique(np.concatenate([pairs for pairs, _, _ in self.counted]))
        rows, spans = np.zeros((2, len(self.pairs)), dtype=np.int64)
        for pairs, times, span_times in self.counted:
            place = np.searchsorted(self.pairs, pairs)
            rows[place] += times
            spans[place] += span_times
        self.begins, self.span_begins = (np.append(before(sizes), sizes.sum()) for sizes in (rows, spans))
        self.free, self.span_free = self.begins[:-1].copy(), self.span_begins[:-1].copy()  # where the next one goes
        self.columns: Columns = {name: np.empty(int(rows.sum()), dtype=COLUMNS[name]) for name in _ROWS}
        ends = {"span_types": (2,)}
        self.columns |= {
            name: np.empty((int(spans.sum()), *ends.get(name, ())), dtype=COLUMNS[name]) for name in _SPANS
        }

    def table(self) -> PairTable:
        assert self.pairs is not None
        numbers = np.stack(np.divmod(self.pairs, max(len(self.annotators), 1)), axis=1)
        return PairTable(self.annotators, self.passages, numbers, self.begins, self.span_begins, self.columns)

    def _codes(self, shard: Columns) -> Ints:
        """Of each row its pair, as one number."""
        return shard["first"].astype(np.int64) * len(self.annotators) + shard["second"]


def _sums(place: Ints, values: NDArray[Any], places: int) -> Ints:
    return np.bincount(place, weights=values, minlength=places).astype(np.int64)


def counted(pairs: int, row: Ints, span: Ints, columns: Columns) -> list[PairCounts]:
    """The histograms of so many pairs; `row`, `span`: of each row, and of each common span, the number of its pair."""
    either, shorter = columns["span_either"].astype(np.int64), columns["span_shorter"].astype(np.int64)
    longer = either + columns["span_common"] - shorter
    types = columns["span_types"]
    is_typed = (types >= 0).all(axis=1)
    typed = types[is_typed].astype(np.int64)
    matched = _sums(row, columns["matched"], pairs).tolist()
    found = zip(
        _histograms(pairs, row, columns["common"], columns["either"]),
        _histograms(pairs, span, columns["span_common"], either),
        _histograms(pairs, span, shorter, longer),
        matched,
        _histograms(pairs, span[is_typed], typed[:, 0], typed[:, 1]),
        strict=True,
    )
    names = ("detection", "suggestion", "lengths", "matched", "types")
    return [PairCounts(**dict(zip(names, values, strict=True))) for values in found]


def _histograms(pairs: int, pair: Ints, first: NDArray[Any], second: NDArray[Any]) -> list[Histogram]:
    """Of each pair, how often each two values stand together."""
    width, height = int(second.max(initial=0)) + 1, int(first.max(initial=0)) + 1
    code = (pair * height + first) * width + second
    if pairs * height * width <= FEW_CODES:
        times = np.bincount(code)
        codes = np.flatnonzero(times)
        times = times[codes]
    else:
        codes, times = np.unique(code, return_counts=True)
    found: list[Histogram] = [Counter() for _ in range(pairs)]
    values, owner = codes % (height * width), codes // (height * width)
    rows = zip(owner.tolist(), (values // width).tolist(), (values % width).tolist(), times.tolist(), strict=True)
    for number, one, two, count in rows:
        found[number][one, two] = count
    return found
