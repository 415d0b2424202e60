"""A whole project from a file of Assay JSONL: its people become voices under their pseudonyms."""

from datetime import UTC, datetime
from typing import BinaryIO

from django.db import transaction

from annotator.actions.accounts import user_for
from annotator.actions.assigning import BATCH
from annotator.actions.log import write
from annotator.actions.projects import create_project
from annotator.domain.answers import count_answer
from annotator.domain.canonical import sha256_of
from annotator.domain.formats.assay_jsonl import ReadAssignment, ReadProject, read_assay_jsonl
from annotator.models import Assignment, Membership, Passage, Project, Submission, User


def import_project(*, slug: str, lead: str, source: BinaryIO) -> tuple[Project, User, bool]:
    """For an operator: a new project, its lead (by e-mail), and whether the lead's account is new; whole or not at all.
    BadFile names every bad line; the file is read before anything is locked."""
    read = read_assay_jsonl(source, instant=_instant)
    by = None
    with transaction.atomic():
        user, is_new = user_for(lead, by=by)
        values = read.values
        project = create_project(
            by=by,
            slug=slug,
            preset=read.protocol.preset,
            lead=user,
            name=values["name"],
            language=values["language"],
            time_zone=values["time_zone"],
            guidelines=values["guidelines"],
            look_up_policy=values["look_up_policy"],
            reserved=read.annotators,
        )
        changes = {"protocol_data": read.protocol.as_dict(), "guidelines_version": values["guidelines_version"]}
        payload = {"passages": len(read.passages), "assignments": len(read.assignments)}
        write(project, "project.imported", by=by, payload=payload, changes=changes)
        _fill(project, read, by=by)
    return project, user, is_new


def _instant(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    if found.tzinfo is None or not 1970 <= found.year <= 2200:
        raise ValueError("no time zone, or no time of ours")
    return found.astimezone(UTC)


def _fill(project: Project, read: ReadProject, *, by: User | None) -> None:
    passages = [
        Passage(project=project, external_id=external_id, **{key: item for key, item in values.items() if key != "id"})
        for external_id, values in read.passages.items()
    ]
    voices = [Membership(project=project, pseudonym=name, is_annotator=True) for name in read.annotators]
    passage_of = {row.external_id: row for row in Passage.objects.bulk_create(passages, batch_size=BATCH)}
    voice_of = {row.pseudonym: row for row in Membership.objects.bulk_create(voices, batch_size=BATCH)}
    rows = [_assignment(item, voice_of[item.annotator], passage_of[item.passage]) for item in read.assignments]
    Assignment.objects.bulk_create(rows, batch_size=BATCH)
    submissions = [
        Submission(
            assignment=row, number=number, answer=found.answer.as_dict(), sha256=sha256_of(found.answer.as_dict()),
            at=found.at,
        )
        for row, item in zip(rows, read.assignments, strict=True)
        for number, found in enumerate(item.submissions, start=1)
    ]  # fmt: skip
    Submission.objects.bulk_create(submissions, batch_size=BATCH)
    for voice in voices:
        write(voice, "voice.imported", by=by)


def _assignment(item: ReadAssignment, voice: Membership, passage: Passage) -> Assignment:
    counts = count_answer(item.draft)
    return Assignment(
        membership=voice,
        passage=passage,
        **item.values,
        draft=item.draft.as_dict(),
        submissions_made=len(item.submissions),
        marks=counts.marks,
        substitutes=counts.substitutes,
        substitutes_by_type=counts.substitutes_by_type,
    )
