"""A piece of the work list: what one part of a job is given, as bytes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Self

import numpy as np

from adjudication.domain.agreement.marks import Ints, before
from adjudication.domain.packing import pack_arrays, unpack_arrays


@dataclass(frozen=True)
class Shard:
    """Some passages by id, the first of which has the number `first` in the whole; their answers in order, each with
    its submission and its annotator's number in `names`; and who discarded them."""

    first: int
    names: tuple[str, ...]
    passages: Ints
    answers_of: Ints
    submission: Ints
    annotator: Ints
    active_ms: Ints
    discard_place: Ints
    discard_annotator: Ints

    def as_bytes(self) -> bytes:
        head = {"first": self.first, "names": self.names}
        return pack_arrays(head, {name: getattr(self, name) for name in _COLUMNS})

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        head, columns = unpack_arrays(data)
        return cls(first=head["first"], names=tuple(head["names"]), **columns)

    @property
    def first_answer_of(self) -> Ints:
        return before(self.answers_of)

    @property
    def answer_place(self) -> Ints:
        return np.repeat(np.arange(len(self.passages)), self.answers_of)

    def submissions(self, first: int, last: int) -> list[int]:
        """Of the passages from the one place to the other."""
        ends = np.append(self.first_answer_of, len(self.submission))
        found: list[int] = self.submission[ends[first] : ends[last]].tolist()
        return found

    def without_times(self) -> "Shard":
        return replace(self, active_ms=np.zeros_like(self.active_ms))

    def only(self, places: Ints) -> "Shard":
        """These passages alone, without their discards."""
        answers = np.flatnonzero(np.isin(self.answer_place, places))
        none = np.zeros(0, dtype=np.int64)
        return Shard(
            first=0,
            names=self.names,
            passages=self.passages[places],
            answers_of=self.answers_of[places],
            **{name: getattr(self, name)[answers] for name in _OF_ANSWERS},
            discard_place=none,
            discard_annotator=none,
        )

    def cut(self, size: int) -> "Iterator[Shard]":
        """Into pieces of so many passages; at least one, though it be empty."""
        ends = np.append(self.first_answer_of, len(self.submission))
        for first in range(0, max(len(self.passages), 1), size):
            last = min(first + size, len(self.passages))
            answers = slice(ends[first], ends[last])
            gone = (self.discard_place >= first) & (self.discard_place < last)
            yield Shard(
                first=self.first + first,
                names=self.names,
                passages=self.passages[first:last],
                answers_of=self.answers_of[first:last],
                **{name: getattr(self, name)[answers] for name in _OF_ANSWERS},
                discard_place=self.discard_place[gone] - first,
                discard_annotator=self.discard_annotator[gone],
            )


_OF_ANSWERS = ("submission", "annotator", "active_ms")
_COLUMNS = tuple(field.name for field in fields(Shard) if field.name not in ("first", "names"))


def joined(shards: Sequence[Shard]) -> Shard:
    """The whole again."""
    columns = {name: np.concatenate([getattr(shard, name) for shard in shards]) for name in _COLUMNS}
    columns["discard_place"] = np.concatenate([shard.discard_place + shard.first for shard in shards])
    return Shard(first=0, names=shards[0].names, **columns)
