"""The housekeeping of background work, done every few seconds by the parent process of every worker."""

import logging
from datetime import timedelta

from django.db import transaction
from django.db.models import Sum
from django.db.models.functions import Now

from annotator.actions.bell import ring
from annotator.actions.jobs import LET_GO, _locked_if_free, _locked_job, _move_job
from annotator.actions.running import _end_job, _let_go
from annotator.domain.jobs import HEARTBEAT, MOST_CRASHES, JobState
from annotator.models import Job, Worker

logger = logging.getLogger(__name__)
FORGET_WORKERS_AFTER = timedelta(days=1)
RUNG_TOGETHER = 100  # waiting jobs, in one sweep
STOPPED_TOO_OFTEN = (
    f"The worker stopped {MOST_CRASHES} times while working on this. Its log says more; you can try again."
)


def say_alive(*, worker: str, slots: int) -> None:
    if not Worker.objects.filter(name=worker).update(seen_at=Now(), slots=slots):
        Worker.objects.update_or_create(name=worker, defaults={"seen_at": Now(), "slots": slots})
    Worker.objects.filter(seen_at__lt=Now() - FORGET_WORKERS_AFTER).delete()


def sweep() -> None:
    """Free what dead workers held, and ring for what waits though somebody is idle. Any number may sweep at once."""
    for pk, parent_id in Job.objects.lost().values_list("pk", "parent_id"):
        try:
            _free_lost(pk, parent_id)
        except Exception:
            logger.exception("Job %s cannot be freed.", pk)
    for pk in Job.objects.waiting().filter(is_cancel_asked=True).values_list("pk", flat=True):
        _end_unwanted(pk)
    _ring_again()


@transaction.atomic
def _free_lost(pk: int, parent_id: int | None) -> None:
    if parent_id and _locked_if_free(parent_id) is None:
        return
    job = _locked_if_free(pk)
    if job is None or not Job.objects.lost().filter(pk=pk).exists():
        return  # in the middle of a step, another sweep was first, or the worker lives after all
    if job.is_cancel_asked:
        _end_job(job, "cancel")
    elif job.attempts >= MOST_CRASHES:
        _end_job(job, "fail", message=STOPPED_TOO_OFTEN)
    else:
        Job.objects.filter(pk=pk).move("crash", rung_at=Now(), **LET_GO)
        ring(job.kind, pk)


@transaction.atomic
def _end_unwanted(pk: int) -> None:
    job = _locked_if_free(pk)
    if job is not None and job.state == JobState.WAITING and job.is_cancel_asked:
        _move_job(job, "cancel", ended_at=Now())


def _ring_again() -> None:
    """Waiting jobs beside an idle worker, which has heard of none of them: their rings were lost, or the broker was
    down. All at once, for one in every sweep would let the parts of a job trickle; a ring too many finds nothing."""
    slots = Worker.objects.alive().aggregate(sum=Sum("slots", default=0))["sum"]
    idle = slots - Job.objects.running().count()
    if idle <= 0:
        return
    unheard = (
        Job.objects.waiting().due().filter(is_cancel_asked=False, rung_at__lt=Now() - timedelta(seconds=HEARTBEAT))
    )
    for pk, kind in unheard.order_by("rung_at", "pk").values_list("pk", "kind")[:RUNG_TOGETHER]:
        if unheard.filter(pk=pk).update(rung_at=Now()):
            ring(kind, pk)


def give_back(*, worker: str) -> None:
    """A worker that is told to stop lets go of what it holds: that is no crash, and the next one goes on at once."""
    for pk, parent_id in Job.objects.running().filter(worker=worker).values_list("pk", "parent_id"):
        _give_back_one(pk, parent_id, worker)
    Worker.objects.filter(name=worker).delete()


@transaction.atomic
def _give_back_one(pk: int, parent_id: int | None, worker: str) -> None:
    if parent_id:
        _locked_job(parent_id)
    job = _locked_job(pk)
    if (job.state, job.worker) != (JobState.RUNNING, worker):
        return
    if job.is_cancel_asked:
        _end_job(job, "cancel")
    else:
        _let_go(job)
