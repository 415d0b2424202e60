"""Of answers: drafts and submissions alike."""

import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from django.db.models import Count, Max

from annotator.bulk import read_rows
from annotator.domain.answers import Counts, count_answer, count_stored, parse_answer
from annotator.domain.errors import Refused
from annotator.domain.formats.assay_jsonl import canonical_reader
from annotator.domain.protocols import Protocol
from annotator.models import Assignment, Passage, Project, Submission
from exports.queries.examining.examined import CHUNK, Examined

# Most people's counts are among a few hundred.
_read_counts = lru_cache(maxsize=10_000)(msgspec.json.decode)


class _Stored(NamedTuple):
    """An assignment's row as far as it is looked at."""

    pk: int
    passage: int
    draft: str
    marks: int
    substitutes: int
    by_type: str


def examine_answers(found: Examined) -> Iterator[str]:
    """Spans inside the text, quotes equal, hashes true; drafts and submissions alike. What is as its hash says was
    checked whole when it was submitted: then only the quotes are looked at. Read by ids, some at a time: row by row
    through the ORM took twice as long as looking at it."""
    ids = list(found.rows(Assignment.objects.order_by("pk"), "passage__project").values_list("pk", flat=True))
    look = _Look()
    for start in range(0, len(ids), CHUNK):
        yield from look.at(ids[start : start + CHUNK], found)


class _Said(NamedTuple):
    """An answer as it is stored. `counts`: None where it does not fit its passage, or cannot be counted."""

    answer: Any
    sha256: str
    counts: Counts | None


class _Look:
    """At assignments with their submissions, some at a time."""

    def __init__(self) -> None:
        self.read = canonical_reader()
        self.protocols: dict[int, Protocol] = {}

    def at(self, ids: Sequence[int], found: Examined) -> Iterator[str]:
        submissions: dict[int, list[tuple[int, str, str]]] = {}
        columns = "assignment_id, number, sha256, CAST(answer AS text)"
        for pk, number, said, text in read_rows(Submission, columns, ids, key="assignment_id"):
            submissions.setdefault(pk, []).append((number, said, text))
        columns = "id, passage_id, CAST(draft AS text), marks, substitutes, CAST(substitutes_by_type AS text)"
        rows = sorted(map(_Stored._make, read_rows(Assignment, columns, ids)))
        read = read_rows(Passage, "id, project_id, text", sorted({row.passage for row in rows}))
        passages = {pk: (project, text) for pk, project, text in read}
        for row in rows:
            if row.passage in passages:  # else it was taken back between two statements
                own = sorted(submissions.get(row.pk, ()))
                found.looked_at += 1 + len(own)
                yield from self._one(row, own, *passages[row.passage])

    def _one(self, row: _Stored, own: Sequence[tuple[int, str, str]], project: int, passage: str) -> Iterator[str]:
        """What was submitted last mostly is the draft, to the letter."""
        answers = {text: self._said(text, passage) for text in {row.draft, *(text for *_, text in own)}}
        for number, said, text in own:
            name, answer = f"submission {number} of assignment {row.pk}", answers[text]
            is_true = said == answer.sha256
            if not is_true:
                yield f"{name} is not what its hash says"
            if not is_true or answer.counts is None:
                try:
                    self._counted(answer, project, passage)
                except Refused as refusal:
                    yield f"{name}: {refusal.message}"
        draft = answers[row.draft]
        is_submitted = bool(own) and own[-1][1] == draft.sha256
        try:
            counts = draft.counts if is_submitted and draft.counts else self._counted(draft, project, passage)
        except Refused as refusal:
            yield f"the draft of assignment {row.pk}: {refusal.message}"
            return
        stored = Counts(row.marks, row.substitutes, _read_counts(row.by_type))
        if stored != counts:
            yield f"assignment {row.pk} counts its draft wrong"

    def _said(self, text: str, passage: str) -> _Said:
        answer, canonical = self.read(text)
        sha256 = hashlib.sha256(canonical.encode()).hexdigest()
        try:
            fits = all(passage[mark["start"] : mark["end"]] == mark["quote"] for mark in answer.get("marks", ()))
            return _Said(answer, sha256, count_stored(answer) if fits else None)
        except (KeyError, TypeError, AttributeError):
            return _Said(answer, sha256, None)

    def _counted(self, said: _Said, project: int, passage: str) -> Counts:
        """Checked whole."""
        if project not in self.protocols:
            self.protocols[project] = Project.objects.get(pk=project).protocol
        protocol = self.protocols[project]
        return count_answer(parse_answer(said.answer, text=passage, protocol=protocol, is_old=True))


def examine_submissions(found: Examined) -> Iterator[str]:
    """Numbered without a gap, and as many as the assignment says."""
    rows = found.rows(Assignment.objects.all(), "passage__project").annotate(
        made=Count("submissions"), last=Max("submissions__number")
    )
    for pk, said, made, last in rows.values_list("pk", "submissions_made", "made", "last").iterator(chunk_size=CHUNK):
        found.looked_at += 1
        if not said == made == (last or 0):
            yield f"assignment {pk} says {said} submissions, and there are {made}"
