"""Files that a lead looks at before they are taken in. A look changes nothing of the project."""

import time
from collections.abc import Mapping
from functools import partial
from typing import Any, BinaryIO

from django.db import transaction

from annotator import uploads
from annotator.actions.importing.answers import _check_names, answers_options
from annotator.actions.importing.arrivals import begin_arrival
from annotator.actions.importing.keeping import _check_waits, _forget_waiting, _gone, _Waiting
from annotator.actions.importing.passages import _known_passages, passages_options
from annotator.actions.importing.voices import _Plan
from annotator.actions.jobs import _enqueue, cancel_job
from annotator.actions.log import locked, write
from annotator.actions.running import Result, Run
from annotator.domain.arrivals import ArrivalKind
from annotator.domain.errors import Conflict, Invalid, Refused
from annotator.domain.formats.columns import Columns, columns_from
from annotator.domain.formats.looking import Known, holds_answers, keeps_out, look_at_answers, look_at_passages
from annotator.domain.formats.passages import AnyTable, format_of
from annotator.domain.formats.reading import counted
from annotator.domain.jobs import JobKind, JobState
from annotator.domain.lengths import MAX_FILE_NAME_LENGTH
from annotator.domain.passages import PassageKind
from annotator.models import Arrival, Preview, Project, Upload, User
from annotator.permissions import check_can_grow, check_can_import


def begin_preview(project: Project, *, by: User, file: uploads.KeptFile, name: str) -> Preview:
    """A job looks at the file. One file at a time of each person: what they looked at before goes."""
    try:
        check_can_import(by, project)
        format_of(name)
        with transaction.atomic():
            project = locked(project)
            check_can_grow(project)
            for old in project.previews.filter(by=by):
                _forget(old, by=by)
            upload = Upload.objects.create(uuid=file.uuid, size=file.size)
            preview = Preview.objects.create(
                project=project,
                upload=upload,
                kind=ArrivalKind.PASSAGES,
                name=name[-MAX_FILE_NAME_LENGTH:],
                sha256=file.sha256,
                by=by,
            )
            _ask(preview, by=by)
            return preview
    except BaseException:
        file.discard()
        raise


@transaction.atomic
def look_again(preview: Preview, *, by: User | None, options: Mapping[str, Any]) -> Preview:
    """The same file read otherwise. `options`, those that change: kind, sheet, columns, chosen, has_header, is_sparse,
    names_differ."""
    check_can_import(by, preview.project)
    locked(preview.project)
    preview = Preview.objects.select_related("job", "project", "upload").get(pk=preview.pk)
    _check_waits(preview.upload)
    columns_from(options.get("columns"))  # Invalid where they make no passage
    _stop(preview, by=by)
    Preview.objects.filter(pk=preview.pk).update(options={**preview.options, **options}, result=None)
    _ask(preview, by=by)
    return preview


def take_in(preview: Preview, *, by: User | None) -> Arrival:
    """What was seen comes in as it was seen: rows that are wrong stay out."""
    check_can_import(by, preview.project)
    preview = Preview.objects.select_related("job", "project", "upload").get(pk=preview.pk)
    upload = _check_waits(preview.upload)
    result = preview.result
    if result is None:
        raise Conflict("Nobody has seen yet what is in the file. Look at it first.", code="not_looked_at")
    if why := keeps_out(result):
        raise Conflict(why, code="nothing_to_take")
    arrival = begin_arrival(
        preview.project,
        by=by,
        kind=ArrivalKind(preview.kind),
        file=_Waiting(upload, preview.sha256),
        name=preview.name,
        options=_options_of(preview, result),
    )
    with transaction.atomic():
        _forget(preview, by=by)
    return arrival


@transaction.atomic
def give_up_preview(preview: Preview, *, by: User | None) -> None:
    check_can_import(by, preview.project)
    project = locked(preview.project)
    _forget(preview, by=by)
    write(project, "preview.given_up", by=by, payload={"sha256": preview.sha256})


def _options_of(preview: Preview, result: Mapping[str, Any]) -> dict[str, Any]:
    given = preview.options
    sheet = given.get("sheet") or None
    if preview.kind == ArrivalKind.ANSWERS:
        names_differ = bool(given.get("names_differ"))
        return answers_options(is_sparse=given.get("is_sparse"), names_differ=names_differ, sheet=sheet)
    columns = _seen_columns(result) if result["is_table"] else None
    return passages_options(sheet=sheet, table=AnyTable(columns=columns))


def _seen_columns(result: Mapping[str, Any]) -> Columns:
    return Columns(tuple(column["role"] for column in result["columns"]), result["has_header"])


def _ask(preview: Preview, *, by: User | None) -> None:
    job = _enqueue(LOOK_AT_FILE.name, by=by, project=preview.project, params={"preview": str(preview.uuid)})
    Preview.objects.filter(pk=preview.pk).update(job=job)
    preview.job = job


def _stop(preview: Preview, *, by: User | None) -> None:
    if preview.job is not None and not preview.job.is_over:
        cancel_job(preview.job, by=by)


def _forget(preview: Preview, *, by: User | None) -> None:
    """With its file, unless an arrival has that now."""
    _stop(preview, by=by)
    upload = Upload.objects.filter(preview=preview).first()
    Preview.objects.filter(pk=preview.pk).delete()
    _forget_waiting(upload)


def _look_at_file(run: Run) -> Result:
    """The job. Whatever it finds is kept with the preview, while that still waits for this job."""
    preview = Preview.objects.select_related("project", "upload").filter(uuid=run.job.params["preview"]).first()
    if preview is None or preview.job_id != run.job.pk:
        return {}
    if preview.upload is None:
        raise _gone()
    begun = time.monotonic()
    try:
        with uploads.path_of(preview.upload.uuid).open("rb") as source:
            kind, result = _looked_at(preview, source)
    except FileNotFoundError:
        raise _gone() from None
    result["seconds"] = max(0.1, round(time.monotonic() - begun, 1))
    with run.step(done=1, total=1):
        Preview.objects.filter(pk=preview.pk, job=run.job).update(kind=kind, result=result)
    return {"rows": result["counts"]["rows"], "errors": result["counts"]["errors"], "found": result["counts"]["found"]}


def _looked_at(preview: Preview, source: BinaryIO) -> tuple[ArrivalKind, dict[str, Any]]:
    given, project = preview.options, preview.project
    sheet = given.get("sheet") or None
    is_said, is_answers = given.get("kind"), given.get("kind") == ArrivalKind.ANSWERS
    if is_answers or (not is_said and holds_answers(source, name=preview.name, sheet=sheet)):
        return ArrivalKind.ANSWERS, _answers(preview, source, sheet)
    chosen = {int(place): role for place, role in (given.get("chosen") or {}).items()}
    table = AnyTable(columns_from(given.get("columns")), given.get("has_header"), chosen)
    rows = project.passages.order_by("-pk").values_list("text_digest", "external_id")  # the first of each stays
    known = Known(partial(_known_passages, project), dict(rows), project.language)
    result = look_at_passages(source, name=preview.name, sheet=sheet, table=table, kind=PassageKind.WORK, known=known)
    return ArrivalKind.PASSAGES, result


def _answers(preview: Preview, source: BinaryIO, sheet: str | None) -> dict[str, Any]:
    project, given = preview.project, preview.options
    texts = dict(project.passages.work().values_list("external_id", "text"))
    result, found = look_at_answers(source, name=preview.name, sheet=sheet, texts=texts, protocol=project.protocol)
    result["conflict"] = None
    if not result["counts"]["errors"] and not result["broken"]:
        plan = _Plan(project, found.answers, is_sparse=given.get("is_sparse"))
        result["counts"] |= {"fresh": plan.fresh, "already": plan.already, "empty": plan.empty}
        try:
            if not given.get("names_differ"):
                _check_names(project, found.answers)
            plan.check()
        except Refused as refusal:
            message = refusal.problems[0].message if isinstance(refusal, Invalid) else refusal.message
            result["conflict"] = {"code": refusal.code, "message": message}
    return result


def _says(state: JobState, result: Mapping[str, Any]) -> str:
    if state != JobState.DONE or "rows" not in result:
        return ""
    return (
        f"{counted(result['rows'], 'row')}, {counted(result['errors'], 'error')}, "
        f"{counted(result['found'], 'row')} with a finding."
    )


LOOK_AT_FILE = JobKind("look_at_file", "Look at a file", _look_at_file, _says)
