"""A whole project from a file of Assay JSONL: its people become voices under their pseudonyms."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any, BinaryIO

from django.db.models import QuerySet

from annotator.actions.accounts import user_for
from annotator.actions.importing.arrivals import (
    Progress,
    _arrive,
    _brings,
    _check_on_the_way,
    _goes_before_passages,
    _import_here,
)
from annotator.actions.log import write
from annotator.actions.people import _add_member
from annotator.actions.projects import _new_project
from annotator.actions.running import Run
from annotator.bulk import BATCH
from annotator.domain.answers import count_answer
from annotator.domain.arrivals import ArrivalKind
from annotator.domain.canonical import sha256_of
from annotator.domain.formats.assay_jsonl import PROJECT_FIELDS, ReadAssignment, ReadProject, read_assay_jsonl
from annotator.domain.formats.reading import counted
from annotator.domain.jobs import load_kinds
from annotator.models import Arrival, Assignment, Membership, Passage, Project, Question, Submission, User
from annotator.permissions import check_is_operator


@dataclass(frozen=True)
class ImportedProject:
    project: Project
    lead: User
    is_lead_new: bool
    passages: int


def import_project(
    *, by: User | None, slug: str, lead: str, source: BinaryIO, progress: Progress = lambda done, total: None
) -> ImportedProject:
    """For an operator: a new project, and its lead by e-mail; whole or not at all. BadFile names every bad line."""
    check_is_operator(by)
    options = {"slug": slug, "lead": lead}
    arrival = _import_here(
        None, by=by, kind=ArrivalKind.PROJECT, source=source, name=f"{slug}.jsonl", options=options, progress=progress
    )
    result, project = arrival.result or {}, arrival.project
    assert project is not None
    user = User.objects.get(pk=result["lead"])
    return ImportedProject(project, user, result["is_lead_new"], result["passages"])


@_brings(ArrivalKind.PROJECT)
def _bring_project(run: Run, arrival: Arrival, source: BinaryIO) -> dict[str, Any]:
    load_kinds()  # other apps say with them what they read and bring
    read = read_assay_jsonl(source, instant=_instant)
    project = arrival.project or _made_project(run, arrival, read)
    told: dict[str, Any] = {"passages": len(read.passages), "assignments": len(read.assignments)}
    told["says"] = f"{counted(len(read.passages), 'passage')} imported."
    people = len(read.annotators) + len(read.adjudicators)
    total = len(read.passages) + people + len(read.assignments) + len(read.questions) + len(read.others)
    done = 0
    for insert, rows in _all_batches(project, arrival, read):
        done += len(rows)
        if done <= run.job.done:
            continue  # written by a worker that was killed
        with run.step(done=done, total=total):
            _check_on_the_way(arrival)
            insert(rows)

    def settle() -> None:
        user, told["is_lead_new"] = user_for(arrival.options["lead"], by=arrival.by)
        told["lead"] = user.pk
        reserved = {*read.annotators, *read.adjudicators}
        _add_member(project, user=user, by=arrival.by, roles={"lead"}, reserved=reserved)
        payload = {"passages": told["passages"], "assignments": told["assignments"]}
        write(project, "project.imported", by=arrival.by, payload=payload)

    return _arrive(run, arrival, told, rows=len(read.assignments), last=settle)


def _made_project(run: Run, arrival: Arrival, read: ReadProject) -> Project:
    values = {name: read.values[name] for name in PROJECT_FIELDS}
    with run.step(done=0, total=0):
        _check_on_the_way(arrival)
        project = _new_project(slug=arrival.options["slug"], protocol=read.protocol, arrival=arrival, **values)
        Arrival.objects.filter(pk=arrival.pk).update(project=project)
    arrival.project = project
    return project


@dataclass(frozen=True)
class Brought:
    """What another app keeps about a project: its rows in batches, how one is written, and what has to go before the
    passages where the import is called off."""

    batches: Callable[[Arrival, ReadProject], Iterator[Sequence[Any]]]
    insert: Callable[[Sequence[Any]], None]
    tables: Callable[[Arrival], list[QuerySet[Any]]]


_ALSO: list[Brought] = []


def also_brings(
    batches: Callable[[Arrival, ReadProject], Iterator[Sequence[Any]]],
    insert: Callable[[Sequence[Any]], None],
    tables: Callable[[Arrival], list[QuerySet[Any]]],
) -> None:
    """For another app, where its kinds of jobs are loaded."""
    _ALSO.append(Brought(batches, insert, tables))
    _goes_before_passages(tables)


def _all_batches(
    project: Project, arrival: Arrival, read: ReadProject
) -> Iterator[tuple[Callable[[Any], None], Sequence[Any]]]:
    for rows in _batches(project, arrival, read):
        yield _insert, rows
    for also in _ALSO:
        for others in also.batches(arrival, read):
            yield also.insert, others


Batch = Sequence[Passage | Membership | tuple[Assignment, list[Submission]] | Question]


def _batches(project: Project, arrival: Arrival, read: ReadProject) -> Iterator[Batch]:
    """Of one table each, in the file's order. What an earlier batch has written is looked up by its name."""
    passages = (
        Passage(project=project, arrival=arrival, external_id=values["id"], **_without(values, "id"))
        for values in read.passages.values()
    )
    yield from _batched(passages)
    annotators = ((name, {"is_annotator": True}) for name in read.annotators)
    adjudicators = ((name, {"is_adjudicator": True, "has_seen_all": True}) for name in read.adjudicators)
    voices = (
        Membership(project=project, arrival=arrival, pseudonym=name, **role)
        for name, role in (*annotators, *adjudicators)
    )
    yield from _batched(voices)
    of_passage = dict(Passage.all_rows.filter(arrival=arrival).values_list("external_id", "pk"))
    of_voice = dict(Membership.all_rows.filter(arrival=arrival).values_list("pseudonym", "pk"))
    batch: list[tuple[Assignment, list[Submission]]] = []
    size = 0
    for item in read.assignments:
        if batch and size + 1 + len(item.submissions) > BATCH:
            yield batch
            batch, size = [], 0
        row = _assignment(item, of_voice[item.annotator], of_passage[item.passage], arrival)
        batch.append((row, _submissions(item, row)))
        size += 1 + len(item.submissions)
    if batch:
        yield batch
    yield from _batched(_questions(read, of_voice, arrival))


def _questions(read: ReadProject, of_voice: Mapping[str, int], arrival: Arrival) -> Iterator[Question]:
    """After the assignments were written. Who answered is nobody here."""
    rows = Assignment.all_rows.filter(arrival=arrival) if read.questions else Assignment.all_rows.none()
    numbers = {item.number for item in read.questions}
    of_number = {
        (voice, number): pk
        for voice, number, pk in rows.values_list("membership_id", "number", "pk").iterator()
        if number in numbers
    }
    for item in read.questions:
        yield Question(assignment_id=of_number[of_voice[item.annotator], item.number], **item.values)


def _batched(rows: Iterator[Any]) -> Iterator[list[Any]]:
    while batch := list(islice(rows, BATCH)):
        yield batch


def _without(values: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: item for key, item in values.items() if key != name}


def _insert(rows: Batch) -> None:
    Passage.all_rows.bulk_create([row for row in rows if isinstance(row, Passage)])
    Membership.all_rows.bulk_create([row for row in rows if isinstance(row, Membership)])
    Question.objects.bulk_create([row for row in rows if isinstance(row, Question)])
    pairs = [row for row in rows if isinstance(row, tuple)]
    Assignment.all_rows.bulk_create([row for row, _ in pairs])
    for row, submissions in pairs:
        for submission in submissions:
            submission.assignment_id = row.pk
    Submission.objects.bulk_create([submission for _, submissions in pairs for submission in submissions])


def _submissions(item: ReadAssignment, row: Assignment) -> list[Submission]:
    found = []
    for number, given in enumerate(item.submissions, start=1):
        answer = given.answer.as_dict()
        found.append(Submission(assignment=row, number=number, answer=answer, sha256=sha256_of(answer), at=given.at))
    return found


def _assignment(item: ReadAssignment, voice: int, passage: int, arrival: Arrival) -> Assignment:
    counts = count_answer(item.draft)
    return Assignment(
        membership_id=voice,
        passage_id=passage,
        arrival=arrival,
        **item.values,
        draft=item.draft.as_dict(),
        submissions_made=len(item.submissions),
        marks=counts.marks,
        substitutes=counts.substitutes,
        substitutes_by_type=counts.substitutes_by_type,
    )


def _instant(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    if found.tzinfo is None or not 1970 <= found.year <= 2200:
        raise ValueError("no time zone, or no time of ours")
    return found.astimezone(UTC)
