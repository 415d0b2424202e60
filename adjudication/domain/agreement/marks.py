"""Answers as arrays: what the fast counting of pairs reads."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudication.domain.answered import AnsweredPassage
from annotator.domain.answers import united
from annotator.domain.lengths import MAX_PASSAGE_LENGTH

Ints = NDArray[np.int64]
CHUNK = 4096  # passages at a time: what is needed at once stays small


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

    def chunks(self) -> Iterator["Marks"]:
        for first in range(0, len(self.submitted), CHUNK):
            last = min(first + CHUNK, len(self.submitted))
            start, end = np.searchsorted(self.mark_passage, [first, last])
            sub_start, sub_end = np.searchsorted(self.substitute_mark, [start, end])
            yield Marks(
                self.annotators,
                self.submitted[first:last],
                self.mark_passage[start:end] - first,
                self.mark_span[start:end],
                self.mark_annotator[start:end],
                self.substitute_mark[sub_start:sub_end] - start,
                self.substitute_key[sub_start:sub_end],
            )


def marks_of(passages: Sequence[AnsweredPassage], annotators: tuple[str, ...], *, folds: bool = True) -> Marks:
    submitted = np.zeros((len(passages), len(annotators)), dtype=bool)
    keys: dict[str, int] = {}
    marks: list[tuple[int, int, int]] = []
    substitutes: list[tuple[int, int]] = []
    for number, passage in enumerate(passages):
        for who, annotator in enumerate(annotators):
            answer = passage.answers.get(annotator)
            if answer is None:
                continue
            submitted[number, who] = True
            for (start, end), offered in united(answer, folds=folds).items():
                substitutes += [(len(marks), keys.setdefault(key, len(keys))) for key in offered]
                marks.append((number, start * (MAX_PASSAGE_LENGTH + 1) + end, who))
    mark_rows = np.array(marks, dtype=np.int64).reshape(-1, 3)
    substitute_rows = np.array(substitutes, dtype=np.int64).reshape(-1, 2)
    return Marks(annotators, submitted, *mark_rows.T, *substitute_rows.T)
