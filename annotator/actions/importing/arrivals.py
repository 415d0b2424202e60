"""The road every file takes: kept, read and checked whole, its rows written under an arrival in short steps, and seen
all at once. Called off at any point, it leaves nothing."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, BinaryIO

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from annotator import uploads
from annotator.actions.assigning import _assign_everyone
from annotator.actions.importing.keeping import _keep_for
from annotator.actions.jobs import _enqueue, cancel_job, retry_job
from annotator.actions.log import locked, write
from annotator.actions.running import Cancelled, Result, Run, work_here
from annotator.actions.sweeping import _free_lost
from annotator.actions.tokens import _ask_for_tokens
from annotator.bulk import BATCH, tell_planner
from annotator.domain.arrivals import ArrivalKind
from annotator.domain.errors import Conflict, Refused
from annotator.domain.formats.reading import BadFile, Report, counted
from annotator.domain.jobs import JobKind, JobState, load_kinds
from annotator.domain.lengths import MAX_FILE_NAME_LENGTH
from annotator.models import (
    Arrival,
    Assignment,
    Job,
    Membership,
    Passage,
    PassageTokens,
    Preview,
    Project,
    Question,
    Submission,
    Upload,
    User,
)
from annotator.permissions import check_can_grow, check_can_import

Progress = Callable[[int, int], None]
# What a kind of arrival does with its file: reads and checks it, writes rows by `run.step`, and says what came of it.
Bringer = Callable[[Run, Arrival, BinaryIO], dict[str, Any]]
UPLOADS_KEPT = timedelta(hours=24)
_BRINGERS: dict[ArrivalKind, Bringer] = {}


def _brings(kind: ArrivalKind) -> Callable[[Bringer], Bringer]:
    def put(bringer: Bringer) -> Bringer:
        _BRINGERS[kind] = bringer
        return bringer

    return put


def begin_arrival(
    project: Project | None,
    *,
    by: User | None,
    kind: ArrivalKind,
    file: uploads.KeptFile,
    name: str,
    options: dict[str, Any],
    is_rung: bool = True,
) -> Arrival:
    """A file on its way in. The same file again, while it is unfinished, goes on where it stopped. `is_rung` false: the
    caller does the job itself, at once."""
    try:
        check_can_import(by, project)
        _clear_leftovers(project, by=by, is_here=not is_rung)
        with transaction.atomic():
            if project is not None:
                project = locked(project)
                check_can_grow(project)
            if there := _unfinished(project, options):
                return _taken_up(there, kind=kind, file=file, options=options, by=by)
            short, sha256 = name[-MAX_FILE_NAME_LENGTH:], file.sha256
            arrival = Arrival.objects.create(
                project=project, kind=kind, name=short, sha256=sha256, options=options, by=by
            )
            job = _enqueue(IMPORT.name, by=by, project=project, params={"arrival": str(arrival.uuid)}, is_rung=is_rung)
            _keep_for(arrival, file)
            write(arrival, "arrival.begun", by=by, payload={"sha256": sha256, "job": job.pk}, changes={"job": job})
            return arrival
    except BaseException:
        file.discard()
        raise


def _unfinished(project: Project | None, options: dict[str, Any]) -> Arrival | None:
    """What is on its way into the project, or to become one of this address."""
    found = Arrival.objects.unfinished().select_related("job")
    if project is not None:
        return found.filter(project=project).first()
    return next((row for row in found.filter(kind=ArrivalKind.PROJECT) if row.options["slug"] == options["slug"]), None)


def _taken_up(
    there: Arrival, *, kind: ArrivalKind, file: uploads.KeptFile, options: dict[str, Any], by: User | None
) -> Arrival:
    """The unfinished arrival of the same file, ready to go on; Conflict where another file is on its way."""
    job = there.job
    assert job is not None
    if (there.kind, there.sha256, there.options) != (kind, file.sha256, options):
        raise Conflict(
            f"“{there.name}” is still being imported. Let it end, or cancel its job first.",
            code="arriving",
        )
    if job.state == JobState.RUNNING:
        _free_lost(job.pk, None)
        job.refresh_from_db()
    if job.state == JobState.RUNNING:
        raise Conflict(
            f"“{there.name}” is being imported just now. If its process was killed, try again in half a minute.",
            code="arriving",
        )
    if job.is_over:
        retry_job(job, by=by)
    if not Upload.objects.filter(arrival=there).exists():  # it was restored from a backup, or a day has passed
        _keep_for(there, file)
    else:
        file.discard()
    return there


def _import_here(
    project: Project | None,
    *,
    by: User | None,
    kind: ArrivalKind,
    source: BinaryIO,
    name: str,
    options: dict[str, Any],
    progress: Progress,
) -> Arrival:
    """The whole road in this process: no worker is needed. What is wrong with the file is raised."""
    file = uploads.keep(source)
    arrival = begin_arrival(project, by=by, kind=kind, file=file, name=name, options=options, is_rung=False)
    assert arrival.job is not None
    try:
        work_here(arrival.job.pk, IMPORT.work, watch=progress)
    except KeyboardInterrupt:
        if job := call_off_arrival(arrival, by=by):
            _clear_here(job)
        raise
    arrival.refresh_from_db()
    return arrival


def _work(run: Run) -> Result:
    arrival = Arrival.objects.select_related("project", "by").get(job=run.job)
    if arrival.done_at:
        return arrival.result  # it was killed after the last step
    if arrival.over_at:
        raise Conflict("This import was called off. Send the file again.", code="called_off")
    upload = Upload.objects.filter(arrival=arrival).first()
    try:
        if upload is None:
            raise FileNotFoundError
        with uploads.path_of(upload.uuid).open("rb") as source:
            result = _BRINGERS[ArrivalKind(arrival.kind)](run, arrival, source)
    except FileNotFoundError:
        _over(run, arrival, "arrival.refused")
        raise Conflict("The file is not here any more. Send it again.", code="file_gone") from None
    except BadFile as bad:
        _over(run, arrival, "arrival.refused", report=bad.report)
        raise
    except Refused:
        _over(run, arrival, "arrival.refused")
        raise
    _forget_upload(arrival)
    tell_planner(Passage, Membership, Assignment, Submission)
    return result


def _check_on_the_way(arrival: Arrival) -> None:
    """Inside a step: Cancelled where the arrival was called off meanwhile."""
    if not Arrival.objects.unfinished().filter(pk=arrival.pk).exists():
        raise Cancelled


def _arrive(
    run: Run,
    arrival: Arrival,
    result: dict[str, Any],
    *,
    rows: int,
    report: Report | None = None,
    last: Callable[[], None] = lambda: None,
) -> dict[str, Any]:
    """The last step: from here on everybody sees all of it. `last` is what must change at the same moment."""
    with run.step(done=run.job.done, total=run.job.total):
        _check_on_the_way(arrival)
        last()
        told = None if report is None else report.as_dict()
        changes = {"done_at": timezone.now(), "result": result, "report": told, "rows": rows, **_forgetting(arrival)}
        arrival.refresh_from_db(fields=["version", "chain_head"])
        for name, value in changes.items():
            setattr(arrival, name, value)  # an event of an arrived project names it
        payload = {name: value for name, value in result.items() if isinstance(value, int)}
        write(arrival, "arrival.done", by=arrival.by, payload=payload, changes=changes)
        if arrival.project is not None and arrival.kind == ArrivalKind.PASSAGES:
            project = locked(arrival.project)
            if project.is_open:
                _assign_everyone(project, by=arrival.by)
        if arrival.project is not None and arrival.kind != ArrivalKind.ANSWERS:
            _ask_for_tokens(arrival.project, by=arrival.by)
    return result


def _over(run: Run, arrival: Arrival, kind: str, report: Report | None = None) -> None:
    """Refused; rows that were written before (a conflict that came up late) go by a job of their own."""
    with run.step(done=run.job.done, total=run.job.total):
        arrival.refresh_from_db(fields=["version", "chain_head"])
        told = None if report is None else report.as_dict()
        changes = {"over_at": timezone.now(), "report": told, **_forgetting(arrival)}
        write(arrival, kind, by=arrival.by, changes=changes)
        if _rows(arrival):
            _ask_to_clear(arrival, by=arrival.by)
    _forget_upload(arrival)


def call_off_arrival(arrival: Arrival, *, by: User | None) -> Job | None:
    """Before it is done: what was written of it goes, in a job of its own (None where nothing was)."""
    check_can_import(by, arrival.project)
    with transaction.atomic():
        job = arrival.job
        if job is not None and not job.is_over:
            job = cancel_job(job, by=by)
        return _call_off(arrival, "arrival.cancelled", by=by)


def _call_off(arrival: Arrival, kind: str, *, by: User | None) -> Job | None:
    """One UPDATE, and its rows are nowhere; in the caller's transaction."""
    arrival.refresh_from_db()
    if arrival.over_at is not None:
        return _clearing(arrival)
    write(arrival, kind, by=by, changes={"done_at": None, "over_at": timezone.now(), **_forgetting(arrival)})
    _forget_upload(arrival)
    if not _rows(arrival):
        return None
    return _ask_to_clear(arrival, by=by)


def _forgetting(arrival: Arrival) -> dict[str, Any]:
    """Who was to lead a project is kept no longer than it takes: people can be erased."""
    return {"options": {name: value for name, value in arrival.options.items() if name != "lead"}}


def _ask_to_clear(arrival: Arrival, *, by: User | None) -> Job:
    """A project that never arrives leaves no job behind that names it."""
    project = None if arrival.kind == ArrivalKind.PROJECT else arrival.project
    return _enqueue(CLEAR.name, by=by, project=project, params={"arrival": str(arrival.uuid)})


def _cancelled(job: Job) -> None:
    """With the job, in its transaction: a worker that still writes stops at its next step."""
    arrival = Arrival.objects.filter(job=job).first()
    if arrival is not None and arrival.done_at is None:
        _call_off(arrival, "arrival.cancelled", by=job.asked_by)


_OF_OTHERS: list[Callable[[Arrival], list[QuerySet[Any]]]] = []


def _goes_before_passages(tables: Callable[[Arrival], list[QuerySet[Any]]]) -> None:
    _OF_OTHERS.append(tables)


# In this order: each row goes before what it refers to.
def _tables(arrival: Arrival) -> list[QuerySet[Any]]:
    if arrival.done_at is not None:
        raise Conflict("This import is done.", code="done")
    load_kinds()  # other apps say with them what they bring
    return [
        *(rows for tables in _OF_OTHERS for rows in tables(arrival)),
        Question.objects.filter(assignment__arrival=arrival),
        Submission.objects.filter(assignment__arrival=arrival),
        Assignment.all_rows.filter(arrival=arrival),
        Membership.all_rows.filter(arrival=arrival),
        PassageTokens.objects.filter(passage__arrival=arrival),
        Passage.all_rows.filter(arrival=arrival),
    ]


def _rows(arrival: Arrival) -> bool:
    if arrival.kind == ArrivalKind.PROJECT and arrival.project_id:
        return True
    return any(rows.exists() for rows in _tables(arrival))


def _clear(run: Run) -> Result:
    """Rows of an arrival that was called off, in short batches."""
    arrival = Arrival.objects.select_related("project").get(uuid=run.job.params["arrival"])
    tables = _tables(arrival)
    done = run.job.done
    total = done + sum(rows.count() for rows in tables)
    for rows in tables:
        while keys := list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH]):
            done += len(keys)
            with run.step(done=done, total=max(done, total)):
                _delete(rows, keys)
    project = arrival.project
    if arrival.kind == ArrivalKind.PROJECT and project is not None:
        with run.step(done=done, total=done):
            Arrival.objects.filter(pk=arrival.pk).update(project=None)
            Project.all_rows.filter(pk=project.pk).delete()
    return {"rows": done}


def _delete(rows: QuerySet[Any], keys: list[int]) -> None:
    """Without Django's look at every table that might refer to them: nothing refers to what never arrived."""
    found = rows.model._base_manager.filter(pk__in=keys)
    found._raw_delete(found.db)


def _clear_leftovers(project: Project | None, *, by: User | None, is_here: bool) -> None:
    """What is left of imports that are over must be gone before the next begins: done here, or by a worker."""
    for arrival in _left_over(project):
        with transaction.atomic():
            job = _clearing(arrival) or _ask_to_clear(arrival, by=by)
        if not is_here:
            raise Conflict("The rows of an import that was called off are still being removed.", code="clearing")
        _clear_here(job)


def _left_over(project: Project | None) -> list[Arrival]:
    if project is None:
        return list(Arrival.objects.filter(kind=ArrivalKind.PROJECT, over_at__isnull=False, project__isnull=False))
    found: set[int] = set()
    for rows in (
        Passage.all_rows.filter(project=project),
        Membership.all_rows.filter(project=project),
        Assignment.all_rows.filter(passage__project=project),
    ):
        found |= set(rows.filter(arrival__over_at__isnull=False).values_list("arrival_id", flat=True).distinct())
    return list(Arrival.objects.filter(pk__in=found))


def _clearing(arrival: Arrival) -> Job | None:
    return Job.objects.unfinished().filter(kind=CLEAR.name, params={"arrival": str(arrival.uuid)}).first()


def _clear_here(job: Job) -> None:
    if job.state == JobState.RUNNING:
        _free_lost(job.pk, None)  # of a process that was killed
    work_here(job.pk, CLEAR.work)


def _forget_upload(arrival: Arrival) -> None:
    for upload in Upload.objects.filter(arrival=arrival):
        uploads.forget(upload.uuid)
        upload.delete()


def forget_old_uploads() -> None:
    """With every sweep: what nobody used within a day, with what was seen of it; and what was left by a process that
    was killed between keeping a file and writing down what it is for."""
    Preview.objects.filter(at__lt=Now() - UPLOADS_KEPT).delete()
    for upload in Upload.objects.filter(at__lt=Now() - UPLOADS_KEPT):
        uploads.forget(upload.uuid)
        upload.delete()
    if old := uploads.older_than(UPLOADS_KEPT):
        known = set(Upload.objects.filter(uuid__in=old).values_list("uuid", flat=True))
        for uuid in old:
            if uuid not in known:
                uploads.forget(uuid)


def _says_import(state: JobState, result: Mapping[str, Any]) -> str:
    return str(result.get("says", "")) if state == JobState.DONE else ""


def _says_clear(state: JobState, result: Mapping[str, Any]) -> str:
    return f"{counted(result.get('rows', 0), 'row')} removed." if state == JobState.DONE else ""


IMPORT = JobKind("import", "Import a file", _work, _says_import, _cancelled)
CLEAR = JobKind("clear_arrival", "Remove an import", _clear, _says_clear, can_be_cancelled=False)
