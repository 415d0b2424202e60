"""Answers as arrays: what everything in an agreement report is counted from."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudication.domain.digest import RECORD, Digests, code_of_type
from annotator.domain.lengths import MAX_PASSAGE_LENGTH

Ints = NDArray[np.int64]
Keys = NDArray[np.uint64]
_WIDTH = MAX_PASSAGE_LENGTH + 1


@dataclass(frozen=True)
class Marks:
    """What was said about some passages. An answer: its passage and annotator, by number. A mark: its answer and span,
    each span of an answer once. A substitute: its mark, key and type (its number in the project's list, −1: none of
    these), each key of a mark once, in the order typed."""

    passages: int
    answer_passage: Ints  # rising
    answer_annotator: Ints  # rising within a passage
    mark_answer: Ints  # rising
    mark_start: Ints  # rising within an answer
    mark_end: Ints
    substitute_mark: Ints  # rising
    substitute_key: Keys
    substitute_type: Ints

    @cached_property
    def answers_of(self) -> Ints:
        """How many answers each passage has."""
        return np.bincount(self.answer_passage, minlength=self.passages)

    @cached_property
    def first_answer_of(self) -> Ints:
        return before(self.answers_of)

    @cached_property
    def mark_passage(self) -> Ints:
        return self.answer_passage[self.mark_answer]

    @cached_property
    def mark_annotator(self) -> Ints:
        return self.answer_annotator[self.mark_answer]

    @cached_property
    def offers_of(self) -> Ints:
        """How many substitutes each mark has."""
        return np.bincount(self.substitute_mark, minlength=len(self.mark_answer))


def marks_of(
    digests: Digests, *, passages: int, answer_passage: Ints, answer_annotator: Ints, types: Sequence[str]
) -> Marks:
    """Of each answer its digest, answers in order of passage and annotator."""
    records = np.frombuffer(digests.data, dtype="<u4").reshape(-1, 3)
    heads = before(digests.sizes // RECORD)
    marks, offers = (records[heads, column].astype(np.int64) for column in (0, 1))
    mark_answer, mark_rows = spread(heads + 1, heads + 1 + marks)
    _, offer_rows = spread(heads + 1 + marks, heads + 1 + marks + offers)
    spans, offered = records[mark_rows], records[offer_rows]
    keys = offered[:, 0].astype(np.uint64) | (offered[:, 1].astype(np.uint64) << np.uint64(32))
    return Marks(
        passages,
        answer_passage,
        answer_annotator,
        mark_answer,
        spans[:, 0].astype(np.int64),
        spans[:, 1].astype(np.int64),
        np.repeat(np.arange(len(spans)), spans[:, 2]),
        keys,
        _numbered(offered[:, 2], types),
    )


def _numbered(codes: NDArray[np.uint32], types: Sequence[str]) -> Ints:
    found = np.full(len(codes), -1, dtype=np.int64)
    for number, type_ in enumerate(types):
        found[codes == code_of_type(type_)] = number
    return found


def before(sizes: Ints) -> Ints:
    """Where each group begins, of groups of these sizes that follow each other."""
    return np.cumsum(sizes) - sizes


def spread(firsts: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """All numbers from each first up to its end, and for each of them the number of its range."""
    sizes = np.maximum(ends - firsts, 0)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    return owner, np.arange(len(owner)) - before(sizes)[owner] + firsts[owner]


def order_of(values: NDArray[Any], *, bits: int | None = None) -> Ints:
    """The order that sorts whole numbers from 0 on, equals as they stand: sixteen bits at a time, several times faster
    than comparing."""
    if bits is None:
        bits = int(values.max(initial=0)).bit_length()
    order: Ints | None = None
    for shift in range(0, max(bits, 1), 16):
        digits = (values >> np.array(shift, dtype=values.dtype)).astype(np.uint16)
        step = np.argsort(digits if order is None else digits[order], kind="stable")
        order = step if order is None else order[step]
    assert order is not None
    return order


def numbered(order: Ints, is_new: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """In a sorted order that starts anew where `is_new`: where each group's first member stands, and each member's
    group."""
    group = np.empty(len(order), dtype=np.int64)
    group[order] = np.cumsum(is_new) - 1
    return order[is_new], group


def _changes(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Where sorted values differ from the one before."""
    return np.concatenate([np.ones(min(len(values), 1), dtype=bool), values[1:] != values[:-1]])


def pairs_within(sizes: Ints) -> tuple[Ints, Ints, Ints]:
    """Every two members of each group, members numbered through: (first, second), and where each group's pairs begin.
    Groups in order, within a group in the order of members."""
    pairs = sizes * (sizes - 1) // 2
    begins, members = before(pairs), before(sizes)
    first = np.empty(int(pairs.sum()), dtype=np.int64)
    second = np.empty_like(first)
    for size in np.unique(sizes[sizes > 1]).tolist():
        one, two = np.triu_indices(size, 1)
        groups = np.flatnonzero(sizes == size)
        places = begins[groups, None] + np.arange(len(one))
        first[places] = members[groups, None] + one
        second[places] = members[groups, None] + two
    return first, second, begins


@dataclass(frozen=True)
class Targets:
    """The distinct spans of each passage, in order of passage and span."""

    passage: Ints
    start: Ints
    end: Ints
    of_mark: Ints  # each mark's target
    place: Ints  # its number within the passage

    @classmethod
    def of(cls, marks: Marks) -> "Targets":
        code = (marks.mark_passage * _WIDTH + marks.mark_start) * _WIDTH + marks.mark_end
        order = order_of(code)
        firsts, of_mark = numbered(order, _changes(code[order]))
        passage = marks.mark_passage[firsts]
        sizes = np.bincount(passage, minlength=marks.passages)
        place = np.arange(len(firsts)) - before(sizes)[passage]
        return cls(passage, marks.mark_start[firsts], marks.mark_end[firsts], of_mark, place)

    @property
    def count(self) -> int:
        return len(self.passage)

    @cached_property
    def annotators(self) -> Ints:
        """The voting index of each."""
        return np.bincount(self.of_mark, minlength=self.count)

    @cached_property
    def marks(self) -> Ints:
        """All marks, target by target, each target's in order of annotators."""
        return order_of(self.of_mark)


def _order_by(target: Ints, key: Keys) -> Ints:
    """By target, and equal keys of a target next to each other. Sorted by target and a few bits of the key first; where
    two keys share these bits and stand mixed, by all bits."""
    bits = max(8, 48 - int(target.max(initial=0)).bit_length())
    code = (target.astype(np.uint64) << np.uint64(bits)) | (key >> np.uint64(64 - bits))
    order = order_of(code)
    sorted_code, sorted_key = code[order], key[order]
    is_mixed = ~_changes(sorted_code) & _changes(sorted_key)
    return np.lexsort((key, target)) if is_mixed.any() else order


@dataclass(frozen=True)
class Suggestions:
    """The distinct keys of each target."""

    target: Ints
    of_substitute: Ints  # each substitute's suggestion
    place: Ints  # its number within the target

    @classmethod
    def of(cls, marks: Marks, targets: Targets) -> "Suggestions":
        target, key = targets.of_mark[marks.substitute_mark], marks.substitute_key
        order = _order_by(target, key)
        firsts, of_substitute = numbered(order, _changes(target[order]) | _changes(key[order]))
        target = target[firsts]
        sizes = np.bincount(target, minlength=targets.count)
        return cls(target, of_substitute, np.arange(len(firsts)) - before(sizes)[target])

    @cached_property
    def votes(self) -> Ints:
        return np.bincount(self.of_substitute, minlength=len(self.target))
