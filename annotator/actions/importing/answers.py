"""Finished answers from an annotation table: every annotator named in it is a voice."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

from django.db import transaction

from annotator.actions.importing.arrivals import Progress, _arrive, _brings, _check_on_the_way, _import_here
from annotator.actions.importing.voices import MOST_NAMED, _checked, _Plan, _Rows
from annotator.actions.log import locked, write
from annotator.actions.qualifying import set_key
from annotator.actions.running import Run
from annotator.bulk import BATCH
from annotator.domain.answers import Answer
from annotator.domain.arrivals import ArrivalKind
from annotator.domain.errors import Conflict, Invalid
from annotator.domain.formats.annotations import likely_same, read_answers
from annotator.domain.formats.reading import BadFile, counted
from annotator.domain.passages import PassageKind
from annotator.models import Arrival, Assignment, Membership, Project, User
from annotator.permissions import check_can_grow, check_can_import, check_can_lead

MOST_AT_ONCE = 5_000  # answers that are no file: all in one transaction
STEP = BATCH // 2  # answers: each is an assignment and its submission


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
    options = answers_options(is_sparse=is_sparse, names_differ=names_differ, sheet=sheet)
    arrival = _import_here(
        project, by=by, kind=ArrivalKind.ANSWERS, source=source, name=name, options=options, progress=progress
    )
    return ImportedAnswers(arrival=arrival, **(arrival.result or {}))


def answers_options(
    *, is_sparse: bool | None = None, names_differ: bool = False, sheet: str | None = None
) -> dict[str, Any]:
    return {"is_sparse": is_sparse, "names_differ": names_differ, "sheet": sheet}


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
    voices, protocol, rows = plan.make_voices(None), project.protocol, _Rows(None)
    for name in plan.names:
        for item in plan.items_of(name, voices[name]):
            rows.add(_checked(item, protocol))
    rows.insert()
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
            "different people.",
            code="names_alike",
        )


def _write_all(run: Run, arrival: Arrival, plan: _Plan, voices: Mapping[str, Membership]) -> None:
    """In short steps, their rows made before each begins. What a killed worker has written is passed over."""
    done = Assignment.all_rows.filter(arrival=arrival).count()
    rows = _Rows(arrival)

    def flush() -> None:
        nonlocal done
        done += len(rows)
        with run.step(done=done, total=plan.fresh, can_be_lost=True):
            _check_on_the_way(arrival)
            rows.insert()

    for name in plan.names:
        voice = voices[name]
        begun = set(Assignment.all_rows.filter(arrival=arrival, membership=voice).values_list("passage_id", flat=True))
        for item in plan.items_of(name, voice, arrival):
            if item.passage not in begun:
                rows.add(item)
            if len(rows) == STEP:
                flush()
    if len(rows):
        flush()
