"""Asking for background work, cancelling it, trying it again. The work itself is in actions/running.py."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from annotator.actions.bell import ring
from annotator.actions.log import write
from annotator.domain.jobs import JOB_MOVES, JobState
from annotator.domain.states import move
from annotator.models import Job, Project, User
from annotator.permissions import check_can_lead

# What a job that nobody holds looks like.
LET_GO: dict[str, Any] = {"holder": None, "lease_until": None}
AFRESH: dict[str, Any] = {**LET_GO, "attempts": 0, "is_cancel_asked": False, "message": "", "ended_at": None}


@transaction.atomic
def enqueue(kind: str, *, by: User | None, project: Project | None = None, params: dict[str, Any] | None = None) -> Job:
    """The job's row, in the transaction of whatever asks for it; rung for when that commits. One that waits already
    for the same and was never begun is taken instead; it is held until the commit, so that it begins after it."""
    params = params or {}
    waiting = Job.objects.waiting().whole().filter(kind=kind, project=project, started_at=None)
    waiting = waiting.select_for_update(of=("self",), no_key=True, skip_locked=True)
    if same := next((job for job in waiting if job.params == params), None):
        return same
    job = Job.objects.create(kind=kind, project=project, params=params, asked_by=by)
    write(job, "job.asked", by=by)
    ring(kind, job.pk)
    return job


@transaction.atomic
def cancel_job(job: Job, *, by: User | None) -> Job:
    """At once where nobody works on it; otherwise its worker stops at the next step."""
    _check_may_steer(job, by)
    job = locked_job(job.pk)
    state = move(JOB_MOVES, JobState(job.state), "cancel", noun="job")
    if job.state == JobState.RUNNING:
        write(job, "job.cancel_asked", by=by, changes={"is_cancel_asked": True})
    else:
        stop_parts(job)
        write(job, "job.cancelled", by=by, changes={"state": state, "ended_at": Now(), **LET_GO})
        job.refresh_from_db()
    return job


@transaction.atomic
def retry_job(job: Job, *, by: User | None) -> Job:
    """Takes up a failed or cancelled job where it stopped; parts that are done stay done."""
    _check_may_steer(job, by)
    job = locked_job(job.pk)
    state = move(JOB_MOVES, JobState(job.state), "retry", noun="job")
    parts = job.parts.exclude(state=JobState.DONE)
    unfinished = list(parts.values_list("pk", flat=True))
    if unfinished:
        state = JobState.DIVIDED
        parts.exclude(state=JobState.RUNNING).update(state=JobState.WAITING, **AFRESH)
        parts.filter(state=JobState.RUNNING).update(is_cancel_asked=False)
    write(job, "job.retried", by=by, changes={"state": state, **AFRESH})
    for pk in unfinished or [job.pk]:
        ring(job.kind, pk)
    return job


def _check_may_steer(job: Job, by: User | None) -> None:
    if job.project is not None:
        check_can_lead(by, job.project)


def locked_job(pk: int) -> Job:
    """Held until the transaction ends. Of a job in parts, the whole is always locked before a part."""
    return _locked().get(pk=pk)


def locked_if_free(pk: int) -> Job | None:
    """None where somebody holds it just now: whoever that is lives."""
    return _locked(skip_locked=True).filter(pk=pk).first()


def _locked(**options: bool) -> QuerySet[Job]:
    rows = Job.objects.select_for_update(of=("self",), no_key=True, **options)
    return rows.select_related("project", "parent")


def stop_parts(job: Job) -> None:
    """Whose whole is not wanted any more."""
    parts: QuerySet[Job] = job.parts.all()
    parts.filter(state=JobState.WAITING).update(state=JobState.CANCELLED, ended_at=Now())
    parts.filter(state=JobState.RUNNING).update(is_cancel_asked=True)
