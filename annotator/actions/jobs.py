"""Asking for background work, cancelling it, trying it again. The work itself is in actions/running.py."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from annotator.actions.bell import ring
from annotator.actions.log import write
from annotator.domain.errors import Conflict
from annotator.domain.jobs import JOB_MOVES, JobState, can_be_cancelled, follow_cancel_of
from annotator.domain.states import move
from annotator.models import Job, Project, User
from annotator.permissions import check_can_ask_for_jobs, check_can_steer

# What a job that nobody holds looks like.
LET_GO: dict[str, Any] = {"holder": None, "lease_until": None}
AFRESH: dict[str, Any] = {**LET_GO, "attempts": 0, "is_cancel_asked": False, "message": "", "ended_at": None}


def _move_job(
    job: Job, act: str, *, by: User | None = None, payload: dict[str, Any] | None = None, **changes: Any
) -> None:
    """The one way a job's state changes and is told: by the table of moves, with an event. `job` is locked."""
    state = move(JOB_MOVES, JobState(job.state), act, noun="job")
    told = {"split": "split", "parts done": "parts_done", "retry": "retried", "retry parts": "retried"}
    write(job, f"job.{told.get(act, state)}", by=by, payload=payload, changes={"state": state, **changes})
    if act == "cancel":
        follow_cancel_of(job.kind, job)


def enqueue(kind: str, *, by: User | None, project: Project | None = None, params: dict[str, Any] | None = None) -> Job:
    """A job for the project's lead, or for the operator where it is the whole house's."""
    check_can_ask_for_jobs(by, project)
    return _enqueue(kind, by=by, project=project, params=params)


@transaction.atomic
def _enqueue(
    kind: str,
    *,
    by: User | None,
    project: Project | None = None,
    params: dict[str, Any] | None = None,
    due_at: datetime | None = None,
    is_rung: bool = True,
) -> Job:
    """The job's row, in the transaction of whatever asks for it; rung for when that commits. One that waits already
    for the same and was never begun is taken instead; it is held until the commit, so that it begins after it. What is
    due later is rung for by a sweep. `is_rung` false: its asker means to do it itself, at once; else a sweep rings."""
    params = params or {}
    waiting = Job.objects.waiting().whole().filter(kind=kind, project=project, started_at=None, due_at=due_at)
    waiting = waiting.select_for_update(of=("self",), no_key=True, skip_locked=True)
    if is_rung and (same := next((job for job in waiting if job.params == params), None)):
        return same
    job = Job.objects.create(kind=kind, project=project, params=params, asked_by=by, due_at=due_at)
    write(job, "job.asked", by=by)
    if is_rung and due_at is None:
        ring(kind, job.pk)
    return job


@transaction.atomic
def cancel_job(job: Job, *, by: User | None) -> Job:
    """At once where nobody works on it; otherwise its worker stops at the next step."""
    check_can_steer(by, job)
    job = _locked_job(job.pk)
    move(JOB_MOVES, JobState(job.state), "cancel", noun="job")
    if not can_be_cancelled(job.kind):
        raise Conflict("This cannot be cancelled: it puts things in order.", code="not_cancellable")
    if job.state == JobState.RUNNING:
        write(job, "job.cancel_asked", by=by, changes={"is_cancel_asked": True})
    else:
        _stop_parts(job)
        _move_job(job, "cancel", by=by, ended_at=Now(), **LET_GO)
        job.refresh_from_db()
    return job


@transaction.atomic
def retry_job(job: Job, *, by: User | None) -> Job:
    """Takes up a failed or cancelled job where it stopped; parts that are done stay done."""
    check_can_steer(by, job)
    job = _locked_job(job.pk)
    parts = Job.objects.filter(parent=job).exclude(state=JobState.DONE)
    unfinished = list(parts.values_list("pk", flat=True))
    _move_job(job, "retry parts" if unfinished else "retry", by=by, **AFRESH)
    parts.move("retry", **AFRESH)
    parts.running().update(is_cancel_asked=False)
    for pk in unfinished or [job.pk]:
        ring(job.kind, pk)
    return job


def _locked_job(pk: int) -> Job:
    """Held until the transaction ends. Of a job in parts, the whole is always locked before a part."""
    return _locked().get(pk=pk)


def _locked_if_free(pk: int) -> Job | None:
    """None where somebody holds it just now: whoever that is lives."""
    return _locked(skip_locked=True).filter(pk=pk).first()


def _locked(**options: bool) -> QuerySet[Job]:
    rows = Job.objects.select_for_update(of=("self",), no_key=True, **options)
    return rows.select_related("project", "parent")


def _stop_parts(job: Job) -> None:
    """Whose whole is not wanted any more."""
    parts = Job.objects.filter(parent=job)
    parts.waiting().move("cancel", ended_at=Now())
    parts.running().update(is_cancel_asked=True)
