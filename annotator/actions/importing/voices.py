"""Voices and their answers: which of them are new, and the rows made of them. What is wrong is said before any is
written."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

from django.db import connection
from django.db.models import F, Max

from annotator.actions.log import write
from annotator.actions.people import _free_pseudonym
from annotator.bulk import as_stored, insert_rows, next_ids
from annotator.domain.answers import Answer, count_answer, parse_answer, submit_problems
from annotator.domain.canonical import canonical_json, sha256_of
from annotator.domain.errors import Conflict, Invalid, Problem
from annotator.domain.protocols import Protocol
from annotator.domain.states import AssignmentState
from annotator.models import Arrival, Assignment, Membership, Passage, Project, Submission, User

MOST_NAMED = 10  # conflicts named in one message
MOST_ASSUMED = 3  # where more than one in so many answers would be taken as empty, neither is assumed
NOTHING = Answer(none=True)


@dataclass(frozen=True)
class _Item:
    """One answer on its way to a row."""

    voice: Membership
    passage: int
    number: int
    answer: Answer
    arrival: Arrival | None = None


class _Plan:
    """Whose answers to what are new. What a voice has answered before must be the same; what a table does not mention
    is left as it is."""

    def __init__(
        self, project: Project, answers: Mapping[str, Mapping[str, Answer]], *, is_sparse: bool | None
    ) -> None:
        self.project, self.answers = project, answers
        self.names = sorted(answers)
        self.work = dict(project.passages.work().order_by("pk").values_list("external_id", "pk"))
        self.there = {row.pseudonym: row for row in project.memberships.filter(pseudonym__in=self.names)}
        self.giving_way = {name for name, row in self.there.items() if _gives_way(row)}
        self.new_names = [name for name in self.names if name not in self.there or name in self.giving_way]
        self.stored = {name: {} if name in self.new_names else _stored_hashes(self.there[name]) for name in self.names}
        self.given = self.already = 0
        self.conflicts: list[str] = []
        for name in self.names:
            self._count(name)
        cells = {name: len(self.work.keys() - self.stored[name].keys() - answers[name].keys()) for name in self.names}
        # A table that brings nothing new assumes nothing either: passages may have come since it was imported first.
        brings_nothing = is_sparse is None and not self.given
        self.empty = 0 if is_sparse or brings_nothing else sum(cells.values())
        self.is_sparse = is_sparse

    def _count(self, name: str) -> None:
        given, stored = self.answers[name], self.stored[name]
        for external_id in given.keys() & stored.keys():
            if stored[external_id] == sha256_of(given[external_id].as_dict()):
                self.already += 1
            else:
                self.conflicts.append(f"{name} has answered {external_id} otherwise")
        self.given += len(given.keys() - stored.keys())

    @property
    def fresh(self) -> int:
        return self.given + self.empty

    def check(self) -> None:
        strange = [name for given in self.answers.values() for name in given if name not in self.work]
        if strange:
            problems = [Problem("external_id", f"There is no passage “{name}”.", name) for name in strange[:MOST_NAMED]]
            raise Invalid(problems)
        for name, row in self.there.items():
            if not row.is_voice and name not in self.giving_way:
                raise Conflict(f"“{name}” is the pseudonym of somebody who works in this project.", code="voice_taken")
        if found := sorted(self.conflicts):
            more = f", and {len(found) - MOST_NAMED:,} more" if len(found) > MOST_NAMED else ""
            named = "; ".join(found[:MOST_NAMED])
            raise Conflict(f"Nothing was imported, because answers are there already: {named}{more}.", code="answered")
        if self.is_sparse is None and self.empty * MOST_ASSUMED > self.fresh:
            raise Conflict(
                f"{self.empty:,} of {self.fresh:,} answers have no row in the table. Nothing was imported: say whether "
                "no row means “not asked” or “nothing to improve”.",
                code="dense_or_sparse",
            )

    def make_voices(self, arrival: Arrival | None) -> dict[str, Membership]:
        """By name, the new ones made. Who gives way keeps the name until the last step, and their voice waits under
        another."""
        before = Membership.all_rows.filter(project=self.project, arrival=arrival) if arrival else ()
        begun = {row.pseudonym: row for row in before}  # by a worker that was killed
        voices = {name: row for name, row in self.there.items() if name not in self.giving_way}
        for name in self.new_names:
            waiting = f"{name[:60]} (arriving {sha256_of(name)[:16]})" if name in self.giving_way else name
            voices[name] = begun.get(waiting) or Membership.all_rows.create(
                project=self.project, pseudonym=waiting, is_annotator=True, arrival=arrival
            )
        return voices

    def rename(self, voices: Mapping[str, Membership], *, by: User | None) -> None:
        """The file's names stay. Who has never annotated gives way: nobody knows any work by their pseudonym."""
        for name in sorted(self.giving_way):
            there = self.project.memberships.get(pk=self.there[name].pk)
            if not _gives_way(there):
                raise Conflict(f"“{name}” is the pseudonym of somebody who works in this project.", code="voice_taken")
            free = _free_pseudonym(self.project, self.answers)
            write(there, "member.renamed", by=by, changes={"pseudonym": free})
            Membership.all_rows.filter(pk=voices[name].pk).update(pseudonym=name)

    def items_of(self, name: str, voice: Membership, arrival: Arrival | None = None) -> Iterator[_Item]:
        given, stored = self.answers[name], self.stored[name]
        own = Assignment.all_rows.filter(membership=voice)
        own = own if arrival is None else own.exclude(arrival=arrival)
        number = own.aggregate(last=Max("number"))["last"] or 0
        for external_id, pk in self.work.items():
            if external_id in stored or (not self.empty and external_id not in given):
                continue
            number += 1
            yield _Item(voice, pk, number, given.get(external_id, NOTHING), arrival)


def _gives_way(row: Membership) -> bool:
    return not row.is_voice and not row.is_annotator and not row.assignments.exists()


def _stored_hashes(voice: Membership) -> dict[str, str]:
    """By passage, "" where it was given to them and not submitted."""
    newest = Submission.objects.filter(assignment__membership=voice, number=F("assignment__submissions_made"))
    given = dict.fromkeys(voice.assignments.values_list("passage__external_id", flat=True), "")
    return given | dict(newest.values_list("assignment__passage__external_id", "sha256"))


def _checked(item: _Item, protocol: Protocol) -> _Item:
    """An answer that comes from nowhere but the caller, held to the protocol."""
    text = Passage.all_rows.only("text").get(pk=item.passage).text
    answer = parse_answer(item.answer.as_dict(), text=text, protocol=protocol)
    if problems := submit_problems(answer, protocol):
        raise Invalid(problems)
    return replace(item, answer=answer)


class _Rows:
    """Assignments with their one submission, made one by one and written together."""

    def __init__(self, arrival: Arrival | None) -> None:
        state = {"state": AssignmentState.SUBMITTED, "submissions_made": 1, "arrival": arrival}
        template = as_stored(Assignment, {"number": 1, **state})
        self.names = list(template)
        self.defaults = list(template.values())
        self.place = {name: index for index, name in enumerate(self.names)}
        self.at = template["assigned_at"]
        self.assignments: list[list[Any]] = []
        self.submissions: list[tuple[Any, ...]] = []

    def __len__(self) -> int:
        return len(self.assignments)

    def add(self, item: _Item) -> None:
        counts = count_answer(item.answer)
        text = canonical_json(item.answer.as_dict())
        stored = text.decode()
        row = list(self.defaults)
        for name, value in (
            ("uuid", Assignment._meta.get_field("uuid").get_db_prep_save(uuid4(), connection)),
            ("membership_id", item.voice.pk),
            ("passage_id", item.passage),
            ("number", item.number),
            ("draft", stored),
            ("marks", counts.marks),
            ("substitutes", counts.substitutes),
            ("substitutes_by_type", json.dumps(counts.substitutes_by_type)),
        ):
            row[self.place[name]] = value
        self.assignments.append(row)
        sealed = hashlib.sha256(text).hexdigest()
        self.submissions.append((1, stored, sealed, self.at))

    def insert(self) -> None:
        ids = next_ids(Assignment, len(self.assignments))
        assignments = [[pk, *row] for pk, row in zip(ids, self.assignments, strict=True)]
        submissions = [(pk, *row) for pk, row in zip(ids, self.submissions, strict=True)]
        insert_rows(Assignment, ["id", *self.names], assignments)
        insert_rows(Submission, ["assignment_id", "number", "answer", "sha256", "at"], submissions)
        self.assignments, self.submissions = [], []
