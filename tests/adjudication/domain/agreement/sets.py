"""Agreement by plain sets, as one would write it beside the paper: the reference for the fast one."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from adjudication.domain.agreement.comparing import Columns, meetings_of
from adjudication.domain.agreement.marks import Marks, Suggestions, Targets
from adjudication.domain.agreement.pairs import Pair, PairCounts
from adjudication.domain.agreement.table import counted as histograms

# annotator → passage → span → substitute keys; a passage that is missing was not submitted.
Raw = Mapping[str, Mapping[Any, Mapping[Any, frozenset[Any]]]]


def plain_agreement(raw: Raw, both_empty: float | None = 1.0) -> dict[tuple[str, str], tuple[Any, int, Any, int]]:
    """(PA_det, N, PA_sug, M) of every pair; both_empty None leaves such passages out."""
    found = {}
    for one, two in combinations(sorted(raw), 2):
        det, sug = [], []
        for passage in sorted(set(raw[one]) & set(raw[two])):
            a, b = raw[one][passage], raw[two][passage]
            if a or b:
                det.append(len(set(a) & set(b)) / len(set(a) | set(b)))
            elif both_empty is not None:
                det.append(both_empty)
            sug += [len(a[span] & b[span]) / len(a[span] | b[span]) for span in set(a) & set(b)]
        mean = [sum(values) / len(values) if values else None for values in (det, sug)]
        found[one, two] = (mean[0], len(det), mean[1], len(sug))
    return found


def as_sets(marks: Marks, annotators: Sequence[str]) -> dict[str, dict[int, dict[int, frozenset[int]]]]:
    """The way back from arrays, in plain Python."""
    raw: dict[str, dict[int, dict[int, set[int]]]] = {name: {} for name in annotators}
    answers: list[dict[int, set[int]]] = []
    for passage, who in zip(marks.answer_passage.tolist(), marks.answer_annotator.tolist(), strict=True):
        answers.append(raw[annotators[who]].setdefault(passage, {}))
    offers = [
        answers[answer].setdefault(start, set())
        for answer, start in zip(marks.mark_answer.tolist(), marks.mark_start.tolist(), strict=True)
    ]
    for mark, key in zip(marks.substitute_mark.tolist(), marks.substitute_key.tolist(), strict=True):
        offers[mark].add(key)
    return raw  # type: ignore[return-value]


def as_arrays(raw: Raw) -> Marks:
    """Annotators by the order of their names; spans that do not overlap."""
    annotators = sorted(raw)
    passages = sorted({passage for answers in raw.values() for passage in answers})
    spans: dict[Any, int] = {}
    keys: dict[str, int] = {}
    answers, marks, substitutes = [], [], []
    for number, passage in enumerate(passages):
        for who, annotator in enumerate(annotators):
            if passage not in raw[annotator]:
                continue
            for span, texts in raw[annotator][passage].items():
                substitutes += [(len(marks), keys.setdefault(text, len(keys))) for text in sorted(texts)]
                marks.append((len(answers), spans.setdefault(span, len(spans))))
            answers.append((number, who))
    answer_rows = np.array(answers, dtype=np.int64).reshape(-1, 2)
    mark_rows = np.array(marks, dtype=np.int64).reshape(-1, 2)
    offered, key = np.array(substitutes, dtype=np.int64).reshape(-1, 2).T
    starts = 2 * mark_rows[:, 1]
    types = np.zeros(len(key), dtype=np.int64)
    return Marks(
        len(passages), *answer_rows.T, mark_rows[:, 0], starts, starts + 1, offered, key.astype(np.uint64), types
    )


def counted(raw: Raw) -> dict[Pair, PairCounts]:
    return count_pairs(as_arrays(raw), sorted(raw))


CHUNK = 2048  # passages at a time: what is needed at once stays small


def count_pairs(marks: Marks, annotators: Sequence[str]) -> dict[Pair, PairCounts]:
    """The histograms of every pair alone, a chunk of passages in memory at a time."""
    total: dict[Pair, PairCounts] = {}
    for chunk in _chunks(marks):
        meetings = count_meetings(chunk)
        code = meetings["first"].astype(np.int64) * len(annotators) + meetings["second"]
        pairs = np.flatnonzero(np.bincount(code))
        row = np.searchsorted(pairs, code)
        found = histograms(len(pairs), row, np.repeat(row, meetings["common"]), meetings)
        names = [(annotators[code // len(annotators)], annotators[code % len(annotators)]) for code in pairs.tolist()]
        for pair, counts in zip(names, found, strict=True):
            add(total.setdefault(pair, PairCounts()), counts)
    return total


def add(mine: PairCounts, theirs: PairCounts) -> None:
    for name in ("detection", "suggestion", "lengths"):
        getattr(mine, name).update(getattr(theirs, name))
    mine.matched += theirs.matched


def count_meetings(marks: Marks) -> Columns:
    """Without types."""
    targets = Targets.of(marks)
    untyped = np.full(len(marks.mark_answer), -1)
    return meetings_of(marks, targets, Suggestions.of(marks, targets), untyped).columns()


def _chunks(marks: Marks) -> Iterator[Marks]:
    for first in range(0, marks.passages, CHUNK):
        last = min(first + CHUNK, marks.passages)
        answers = slice(*np.searchsorted(marks.answer_passage, [first, last]))
        own = slice(*np.searchsorted(marks.mark_answer, [answers.start, answers.stop]))
        offers = slice(*np.searchsorted(marks.substitute_mark, [own.start, own.stop]))
        yield Marks(
            last - first,
            marks.answer_passage[answers] - first,
            marks.answer_annotator[answers],
            marks.mark_answer[own] - answers.start,
            marks.mark_start[own],
            marks.mark_end[own],
            marks.substitute_mark[offers] - own.start,
            marks.substitute_key[offers],
            marks.substitute_type[offers],
        )
