"""The meetings of every pair, pair by pair, put together from what the shards have counted."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from adjudication.domain.agreement.comparing import Columns
from adjudication.domain.agreement.marks import Ints, before, order_of, spread
from adjudication.domain.agreement.pairs import Histogram, Pair, PairCounts

# What is kept of a pair with the report: a record for each passage both have submitted.
KEPT = np.dtype([("passage", "<u4"), *((name, "<u2") for name in ("common", "either", "shared", "retyped"))])
_ROWS = ("passage", "common", "either", "shared", "retyped", "matched")
_SPANS = ("span_common", "span_either", "span_shorter", "span_types")


@dataclass(frozen=True)
class PairRows:
    """One pair: a row for each passage, and the common spans of all of them, as in Meetings."""

    pair: Pair
    columns: Columns

    def counts(self) -> PairCounts:
        either, shorter = self.columns["span_either"].astype(np.int64), self.columns["span_shorter"].astype(np.int64)
        longer = either + self.columns["span_common"] - shorter
        types = self.columns["span_types"]
        typed = types[(types >= 0).all(axis=1)].astype(np.int64)
        return PairCounts(
            detection=_histogram(self.columns["common"], self.columns["either"]),
            suggestion=_histogram(self.columns["span_common"], either),
            lengths=_histogram(shorter, longer),
            matched=int(self.columns["matched"].sum(dtype=np.int64)),
            types=_histogram(typed[:, 0], typed[:, 1]),
        )

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
        """`annotators` in order of names, shards in order of passages. Takes the columns out of the shards: of a large
        project they are there once."""
        first, second = (_taken(shards, name).astype(np.int64) for name in ("first", "second"))
        code = first * len(annotators) + second
        order = order_of(code)
        times = np.bincount(code)
        pairs = np.flatnonzero(times)
        begins = before(times[pairs])
        common = _joined(shards, "common").astype(np.int64)
        starts = before(common)
        _, span_order = spread(starts[order], (starts + common)[order])
        columns = {name: _taken(shards, name)[order] for name in _ROWS}
        columns |= {name: _taken(shards, name)[span_order] for name in _SPANS}
        ends = np.append(begins, len(order))
        spans = np.append(before(columns["common"].astype(np.int64)), len(span_order))
        numbers = np.stack(np.divmod(pairs, max(len(annotators), 1)), axis=1)
        return cls(tuple(annotators), passages, numbers, ends, spans[ends], columns)

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
        return {rows.pair: rows.counts() for rows in self}


def _joined(shards: Sequence[Columns], name: str) -> NDArray[Any]:
    return np.concatenate([shard[name] for shard in shards])


def _taken(shards: Sequence[Columns], name: str) -> NDArray[Any]:
    joined = _joined(shards, name)
    for shard in shards:
        del shard[name]
    return joined


def _histogram(first: NDArray[Any], second: NDArray[Any]) -> Histogram:
    """How often each two values stand together."""
    width = int(second.max(initial=0)) + 1
    found = np.bincount(first.astype(np.int64) * width + second)
    return Counter({divmod(int(code), width): int(found[code]) for code in np.flatnonzero(found)})
