"""Finished answers from an annotation table: every annotator named in it is a voice."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

from django.db import transaction
from django.db.models import F, Max

from annotator.actions.assigning import BATCH
from annotator.actions.importing.arrivals import Progress, _arrive, _brings, _check_on_the_way, _import_here
from annotator.actions.log import locked, write
from annotator.actions.people import _free_pseudonym
from annotator.actions.qualifying import set_key
from annotator.actions.running import Run
from annotator.domain.answers import Answer, count_answer, parse_answer, submit_problems
from annotator.domain.arrivals import ArrivalKind
from annotator.domain.canonical import sha256_of
from annotator.domain.errors import Conflict, Invalid, Problem
from annotator.domain.formats.annotations import likely_same, read_answers
from annotator.domain.formats.reading import BadFile, counted
from annotator.domain.passages import PassageKind
from annotator.domain.states import AssignmentState
from annotator.models import Arrival, Assignment, Membership, Passage, Project, Submission, User
from annotator.permissions import check_can_grow, check_can_import, check_can_lead

MOST_NAMED = 10  # conflicts named in one message
MOST_AT_ONCE = 5_000  # answers that are no file: all in one transaction
MOST_ASSUMED = 3  # where more than one in so many answers would be taken as empty, neither is assumed
STEP = BATCH // 2  # answers: each is an assignment and its submission
NOTHING = Answer(none=True)


@dataclass(frozen=True)
class ImportedAnswers:
    """`already`: what was there before; `empty`: made from no row, as “nothing to improve”; `repeated`: substitutes
    dropped because they were given twice."""

    arrival: Arrival
    made: int
    already: int
    voices: int
    empty: int
    repeated: int
    warnings: int
    says: str


def import_annotations(
    project: Project,
    *,
    by: User | None,
    source: BinaryIO,
    name: str,
    is_sparse: bool | None = None,
    names_differ: bool = False,
    sheet: str | None = None,
    progress: Progress = lambda done, total: None,
) -> ImportedAnswers:
    """In this process. `is_sparse`: no row means not asked; else nothing to improve; None: Conflict asks which, where
    it matters."""
    check_can_import(by, project)
    options = {"is_sparse": is_sparse, "names_differ": names_differ, "sheet": sheet}
    arrival = _import_here(
        project, by=by, kind=ArrivalKind.ANSWERS, source=source, name=name, options=options, progress=progress
    )
    return ImportedAnswers(arrival=arrival, **(arrival.result or {}))


def import_keys(project: Project, *, by: User | None, source: BinaryIO, name: str, sheet: str | None = None) -> int:
    """The keys of test passages from an annotation table by one annotator; how many keys."""
    check_can_lead(by, project)
    tests = {row.external_id: row for row in project.passages.of_kinds([PassageKind.TEST])}
    texts = {external_id: row.text for external_id, row in tests.items()}
    found, report = read_answers(source, name=name, texts=texts, protocol=project.protocol, sheet=sheet)
    if not report and len(found.answers) != 1:
        report.add(2, f"A key is by one annotator, and the table names {len(found.answers)}.")
    if report:
        raise BadFile(report)
    [answers] = found.answers.values()
    with transaction.atomic():
        for external_id, answer in answers.items():
            set_key(tests[external_id], by=by, answer=answer.as_dict())
    return len(answers)


@transaction.atomic
def add_voices(project: Project, *, by: User | None, answers: Mapping[str, Mapping[str, Answer]]) -> int:
    """A few answers of voices at once, by name and passage id; how many. Who has no answer to a work passage has
    submitted that there is nothing to improve."""
    check_can_lead(by, project)
    project = locked(project)
    check_can_grow(project)
    plan = _Plan(project, answers, is_sparse=False)
    plan.check()
    if plan.fresh > MOST_AT_ONCE:
        raise Invalid.of("too_many", f"{plan.fresh:,} answers: {MOST_AT_ONCE:,} are the most at once. Import a file.")
    voices = plan.make_voices(None)
    for name in plan.names:
        rows = [_rows(item, project.protocol) for item in plan.items_of(name, voices[name])]
        _insert(rows)
    plan.rename(voices, by=by)
    for name in plan.new_names:
        write(voices[name], "voice.imported", by=by)
    return plan.fresh


@_brings(ArrivalKind.ANSWERS)
def _bring_answers(run: Run, arrival: Arrival, source: BinaryIO) -> dict[str, Any]:
    project, options = arrival.project, arrival.options
    assert project is not None
    texts = dict(project.passages.work().values_list("external_id", "text"))
    protocol = project.protocol
    found, report = read_answers(source, name=arrival.name, texts=texts, protocol=protocol, sheet=options["sheet"])
    if report:
        raise BadFile(report)
    if not options["names_differ"]:
        _check_names(project, found.answers)
    plan = _Plan(project, found.answers, is_sparse=options["is_sparse"])
    plan.check()
    with run.step(done=run.job.done, total=max(run.job.done, plan.fresh)):
        _check_on_the_way(arrival)
        voices = plan.make_voices(arrival)
    _write_all(run, arrival, plan, voices)
    result: dict[str, Any] = {
        "made": plan.fresh,
        "already": plan.already,
        "voices": len(plan.new_names),
        "empty": plan.empty,
        "repeated": found.repeated,
        "warnings": len(report.warnings) + report.more_warnings,
    }
    result["says"] = _says(result)
    return _arrive(
        run, arrival, result, rows=found.rows, report=report, last=lambda: plan.rename(voices, by=arrival.by)
    )


def _says(result: dict[str, Any]) -> str:
    said = [f"{counted(result['made'], 'answer')} imported, {counted(result['voices'], 'new voice')}."]
    if result["empty"]:
        verb = "was" if result["empty"] == 1 else "were"
        said.append(f"{counted(result['empty'], 'answer')} without a row {verb} taken as “nothing to improve”.")
    if result["already"]:
        verb = "was" if result["already"] == 1 else "were"
        said.append(f"{counted(result['already'], 'answer')} {verb} there already.")
    if result["repeated"]:
        said.append(f"{counted(result['repeated'], 'repeated substitute')} dropped.")
    if result["warnings"]:
        said.append(f"{counted(result['warnings'], 'warning')} in the report.")
    return " ".join(said)


def _check_names(project: Project, names: Collection[str]) -> None:
    voices = project.memberships.filter(user=None).values_list("pseudonym", flat=True)
    if alike := likely_same([*names, *voices]):
        named = "; ".join(" and ".join(f"“{name}”" for name in group) for group in alike[:MOST_NAMED])
        raise Conflict(
            f"Likely one person each: {named}. Nothing was imported: make the names equal, or say that they are "
            "different people (--names-differ).",
            code="names_alike",
        )


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
        self.empty = 0 if is_sparse else sum(cells.values())
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
                "no row means “not asked” (--sparse) or “nothing to improve” (--everyone).",
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
            if external_id in stored or (self.is_sparse and external_id not in given):
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


def _write_all(run: Run, arrival: Arrival, plan: _Plan, voices: Mapping[str, Membership]) -> None:
    """In short steps, their rows made before each begins. What a killed worker has written is passed over."""
    done = Assignment.all_rows.filter(arrival=arrival).count()
    batch: list[tuple[Assignment, Submission]] = []

    def flush() -> None:
        nonlocal done
        done += len(batch)
        with run.step(done=done, total=plan.fresh):
            _check_on_the_way(arrival)
            _insert(batch)
        batch.clear()

    for name in plan.names:
        voice = voices[name]
        begun = set(Assignment.all_rows.filter(arrival=arrival, membership=voice).values_list("passage_id", flat=True))
        for item in plan.items_of(name, voice, arrival):
            if item.passage in begun:
                continue
            batch.append(_rows(item, None))
            if len(batch) == STEP:
                flush()
    if batch:
        flush()


def _rows(item: _Item, protocol: Any) -> tuple[Assignment, Submission]:
    """With a protocol, the answer is held to it first; those of a file were when it was read."""
    answer = item.answer
    if protocol is not None:
        text = Passage.all_rows.only("text").get(pk=item.passage).text
        answer = parse_answer(answer.as_dict(), text=text, protocol=protocol)
        if problems := submit_problems(answer, protocol):
            raise Invalid(problems)
    counts, stored = count_answer(answer), answer.as_dict()
    assignment = Assignment(
        membership=item.voice,
        passage_id=item.passage,
        number=item.number,
        state=AssignmentState.SUBMITTED,
        draft=stored,
        submissions_made=1,
        marks=counts.marks,
        substitutes=counts.substitutes,
        substitutes_by_type=counts.substitutes_by_type,
        arrival=item.arrival,
    )
    return assignment, Submission(assignment=assignment, number=1, answer=stored, sha256=sha256_of(stored))


def _insert(rows: list[tuple[Assignment, Submission]]) -> None:
    Assignment.all_rows.bulk_create([assignment for assignment, _ in rows])
    for assignment, submission in rows:
        submission.assignment_id = assignment.pk
    Submission.objects.bulk_create([submission for _, submission in rows])
