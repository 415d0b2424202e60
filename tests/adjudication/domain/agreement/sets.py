"""Agreement by plain sets, as one would write it beside the paper: the reference for the fast one."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np

from adjudication.domain.agreement.marks import Marks

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


def as_sets(marks: Marks) -> dict[str, dict[int, dict[int, frozenset[int]]]]:
    """The way back from arrays, in plain Python."""
    raw: dict[str, dict[int, dict[int, set[int]]]] = {name: {} for name in marks.annotators}
    for passage, row in enumerate(marks.submitted.tolist()):
        for name, has_submitted in zip(marks.annotators, row, strict=True):
            if has_submitted:
                raw[name][passage] = {}
    offers: list[set[int]] = []
    rows = zip(marks.mark_passage.tolist(), marks.mark_span.tolist(), marks.mark_annotator.tolist(), strict=True)
    for passage, span, annotator in rows:
        offers.append(raw[marks.annotators[annotator]][passage].setdefault(span, set()))
    for mark, key in zip(marks.substitute_mark.tolist(), marks.substitute_key.tolist(), strict=True):
        offers[mark].add(key)
    return raw  # type: ignore[return-value]


def as_arrays(raw: Raw) -> Marks:
    annotators = tuple(sorted(raw))
    passages = sorted({passage for answers in raw.values() for passage in answers})
    spans: dict[Any, int] = {}
    keys: dict[str, int] = {}
    marks, substitutes = [], []
    submitted = np.zeros((len(passages), len(annotators)), dtype=bool)
    for number, passage in enumerate(passages):
        for who, annotator in enumerate(annotators):
            if passage not in raw[annotator]:
                continue
            submitted[number, who] = True
            for span, texts in raw[annotator][passage].items():
                substitutes += [(len(marks), keys.setdefault(text, len(keys))) for text in sorted(texts)]
                marks.append((number, spans.setdefault(span, len(spans)), who))
    mark_rows = np.array(marks, dtype=np.int64).reshape(-1, 3)
    sub_rows = np.array(substitutes, dtype=np.int64).reshape(-1, 2)
    return Marks(annotators, submitted, *mark_rows.T, *sub_rows.T)
