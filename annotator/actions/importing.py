"""What comes from files: passages, and the answers of voices. A file is taken whole or not at all."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import BinaryIO

from django.db import transaction
from django.db.models import F, Max

from annotator.actions.assigning import BATCH
from annotator.actions.log import locked, write
from annotator.actions.people import _free_pseudonym
from annotator.actions.projects import NewPassage, add_passages
from annotator.actions.qualifying import set_key
from annotator.domain.answers import Answer, count_answer, parse_answer, submit_problems
from annotator.domain.canonical import sha256_of
from annotator.domain.errors import Conflict, Invalid, Problem
from annotator.domain.formats.annotations import read_annotations, table_format
from annotator.domain.formats.passages import ReadPassage, read_passages
from annotator.domain.formats.reading import BadFile, clip
from annotator.domain.states import AssignmentState
from annotator.models import Assignment, Membership, Passage, Project, Submission, User
from annotator.permissions import check_can_grow, check_can_lead

Progress = Callable[[int, int], None]
FIELDS = ("text", "group", "lang", "context_before", "context_after", "source_text", "tokens")
MOST_NAMED = 10  # conflicts named in one message


@dataclass(frozen=True)
class Imported:
    """`already`: what stood there before, word for word the same."""

    made: int
    already: int
    voices: int = 0
    repeated: int = 0


def import_passages(project: Project, *, by: User | None, source: BinaryIO, name: str, kind: str = "work") -> Imported:
    """BadFile names every line that is wrong; the same id with another text is one of them."""
    check_can_lead(by, project)
    if kind not in Passage.Kind.values:
        raise Invalid.of(
            "kind", f"There is no kind “{kind}” of passage: take {', '.join(Passage.Kind.values)}.", "kind"
        )
    passages, report = read_passages(source, name=name)
    known = {row[0]: row[1:] for row in project.passages.values_list("external_id", *FIELDS)}
    for passage in passages:
        for field, there in zip(FIELDS, known.get(passage.id, ()), strict=False):
            given = getattr(passage, field)
            given = [list(token) for token in given] if field == "tokens" and given is not None else given
            if given != there:
                report.add(passage.line, f"The id “{clip(passage.id)}” stands already for another {field}.")
                break
    if report:
        raise BadFile(report)
    made = add_passages(project, by=by, passages=[_new(passage, kind) for passage in passages])
    return Imported(made=len(made), already=len(passages) - len(made))


def _new(passage: ReadPassage, kind: str) -> NewPassage:
    return NewPassage(
        external_id=passage.id,
        text=passage.text,
        group=passage.group,
        lang=passage.lang,
        context_before=passage.context_before,
        context_after=passage.context_after,
        source_text=passage.source_text,
        tokens=passage.tokens,
        kind=kind,
    )


def import_keys(project: Project, *, by: User | None, source: BinaryIO, name: str) -> int:
    """The keys of test passages from an annotation table by one annotator; how many keys."""
    check_can_lead(by, project)
    tests = {row.external_id: row for row in project.passages.of_kinds([Passage.Kind.TEST])}
    texts = {external_id: row.text for external_id, row in tests.items()}
    found, report = read_annotations(source, format=table_format(name), texts=texts, protocol=project.protocol)
    if not report and len(found.answers) != 1:
        report.add(2, f"A key is by one annotator, and the table names {len(found.answers)}.")
    if report:
        raise BadFile(report)
    [answers] = found.answers.values()
    with transaction.atomic():
        for external_id, answer in answers.items():
            set_key(tests[external_id], by=by, answer=answer.as_dict())
    return len(answers)


def import_annotations(
    project: Project,
    *,
    by: User | None,
    source: BinaryIO,
    name: str,
    is_sparse: bool = False,
    progress: Progress = lambda done, total: None,
) -> Imported:
    """The answers of an annotation table, each annotator named in it a voice."""
    check_can_lead(by, project)
    format_ = table_format(name)
    texts = dict(project.passages.work().values_list("external_id", "text"))
    found, report = read_annotations(source, format=format_, texts=texts, protocol=project.protocol)
    if report:
        raise BadFile(report)
    done = add_voices(project, by=by, answers=found.answers, is_sparse=is_sparse, progress=progress)
    return replace(done, repeated=found.repeated)


@transaction.atomic
def add_voices(
    project: Project,
    *,
    by: User | None,
    answers: Mapping[str, Mapping[str, Answer]],
    is_sparse: bool = False,
    progress: Progress = lambda done, total: None,
) -> Imported:
    """Voices: people without an account whose finished answers come from elsewhere, by name and passage id. Who has no
    answer to a work passage has submitted that there is nothing to improve; sparse: has not been asked. What stands
    there already must be the same, else nothing is written."""
    check_can_lead(by, project)
    project = locked(project)
    check_can_grow(project)
    work = {row.external_id: row for row in project.passages.work().order_by("pk")}
    if strange := [name for given in answers.values() for name in given if name not in work]:
        raise Invalid([Problem("external_id", f"There is no passage “{name}”.", name) for name in strange[:MOST_NAMED]])
    nothing = Answer(none=True)
    made = already = new_voices = 0
    conflicts: list[str] = []
    for done, (name, given) in enumerate(sorted(answers.items())):
        progress(done, len(answers))
        voice, is_new = _voice(project, name, by=by, reserved=answers)
        stored = {} if is_new else _stored_hashes(voice)  # "": given to them, and not submitted
        wanted = given if is_sparse else {external_id: given.get(external_id, nothing) for external_id in work}
        fresh: dict[Passage, Answer] = {}
        for external_id, answer in wanted.items():
            if external_id not in stored:
                fresh[work[external_id]] = answer
            elif stored[external_id] == sha256_of(answer.as_dict()):
                already += 1
            else:
                conflicts.append(f"{name} has answered {external_id} otherwise")
        made += _submit(voice, fresh, by=by)
        new_voices += is_new
    if conflicts:
        raise _conflict(conflicts)
    progress(len(answers), len(answers))
    return Imported(made=made, already=already, voices=new_voices)


def _conflict(found: list[str]) -> Conflict:
    more = f", and {len(found) - MOST_NAMED:,} more" if len(found) > MOST_NAMED else ""
    named = "; ".join(found[:MOST_NAMED])
    return Conflict(f"Nothing was imported, because answers stand there already: {named}{more}.", code="answered")


def _voice(project: Project, name: str, *, by: User | None, reserved: Collection[str]) -> tuple[Membership, bool]:
    """The file's names stay. Who has never annotated gives way: nobody knows any work by their pseudonym."""
    there = project.memberships.filter(pseudonym=name).first()
    if there and not there.is_voice and not there.is_annotator and not there.assignments.exists():
        write(there, "member.renamed", by=by, changes={"pseudonym": _free_pseudonym(project, reserved)})
        there = None
    if there is None:
        return Membership.objects.create(project=project, pseudonym=name, is_annotator=True), True
    if not there.is_voice:
        raise Conflict(f"“{name}” is the pseudonym of somebody who works in this project.", code="voice_taken")
    return there, False


def _stored_hashes(voice: Membership) -> dict[str, str]:
    newest = Submission.objects.filter(assignment__membership=voice, number=F("assignment__submissions_made"))
    given = dict.fromkeys(voice.assignments.values_list("passage__external_id", flat=True), "")
    return given | dict(newest.values_list("assignment__passage__external_id", "sha256"))


def _submit(voice: Membership, answers: Mapping[Passage, Answer], *, by: User | None) -> int:
    if not answers:
        return 0
    last = voice.assignments.aggregate(last=Max("number"))["last"] or 0
    protocol = voice.project.protocol
    assignments, submissions = [], []
    for number, (passage, answer) in enumerate(answers.items(), start=last + 1):
        parsed = parse_answer(answer.as_dict(), text=passage.text, protocol=protocol)
        if problems := submit_problems(parsed, protocol):
            raise Invalid([Problem(p.code, p.message, f"{passage.external_id}: {p.path}") for p in problems])
        counts, stored = count_answer(parsed), parsed.as_dict()
        assignment = Assignment(
            membership=voice,
            passage=passage,
            number=number,
            state=AssignmentState.SUBMITTED,
            draft=stored,
            submissions_made=1,
            marks=counts.marks,
            substitutes=counts.substitutes,
            substitutes_by_type=counts.substitutes_by_type,
        )
        assignments.append(assignment)
        submissions.append(Submission(assignment=assignment, number=1, answer=stored, sha256=sha256_of(stored)))
    Assignment.objects.bulk_create(assignments, batch_size=BATCH)
    Submission.objects.bulk_create(submissions, batch_size=BATCH)
    write(voice, "voice.imported", by=by, payload={"answers": len(assignments)})
    return len(assignments)
