"""Doing background work: claimed by one UPDATE, kept by a lease, ended once. Any task may be delivered twice."""

import contextlib
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import F
from django.db.models.functions import Coalesce, Now

from annotator.actions.bell import ring
from annotator.actions.jobs import LET_GO, _locked_job, _move_job, _stop_parts
from annotator.bulk import wait_for_no_disk
from annotator.domain.errors import Conflict, Refused
from annotator.domain.jobs import HEARTBEAT, LEASE, LONGEST_STEP, JobState
from annotator.models import Job
from annotator.models.jobs import JobQuerySet

logger = logging.getLogger(__name__)
Result = dict[str, Any] | None


class Cancelled(Exception):
    """Somebody asked for an end."""


class Lost(Exception):
    """The lease ran out, and the job is somebody else's now: write nothing more."""


class Divided(Exception):
    """The job waits for its parts now, and nobody holds it."""


@dataclass(frozen=True)
class Part:
    params: dict[str, Any]
    total: int


class Run:
    """One claim of one job. The work calls `step` for each batch it writes, or `progress` where it writes nothing."""

    def __init__(self, job: Job, holder: UUID) -> None:
        self.job, self.holder = job, holder
        self.heard_at = time.monotonic()
        self.watch: Callable[[int, int], None] = lambda done, total: None  # who looks on, at a terminal

    @contextlib.contextmanager
    def step(self, *, done: int, total: int, can_be_lost: bool = False) -> Iterator[None]:
        """A transaction that counts only while the job is still this run's: its row is held until the end.

        `can_be_lost`: should a power cut take it, whoever takes the job up does it again, and nobody was told of it. So
        PostgreSQL need not wait for the disk; once a later step is on the disk, all before it are, too."""
        with transaction.atomic():
            if can_be_lost:
                wait_for_no_disk()
            self.progress(done=done, total=total)
            yield
            if time.monotonic() - self.heard_at > HEARTBEAT:  # while the step held the row, none came through
                self._mine().update(lease_until=_lease())

    def progress(self, *, done: int, total: int) -> None:
        """Where the work stands; raises Cancelled or Lost where it must not go on."""
        self.heard_at = time.monotonic()
        mine = self._mine()
        if mine.filter(is_cancel_asked=False).update(done=done, total=total, lease_until=_lease()):
            self.job.done, self.job.total = done, total
            self.watch(done, total)
            return
        raise Cancelled if mine.exists() else Lost

    def keep(self, result: dict[str, Any]) -> None:
        """What has come of it so far, in the same transaction as the step: a crash loses neither without the other."""
        self._mine().update(result=result)
        self.job.result = result

    def _mine(self) -> JobQuerySet:
        return Job.objects.held_by(self.holder).filter(pk=self.job.pk)

    @contextlib.contextmanager
    def kept_alive(self) -> Iterator[None]:
        """A sign of life every few seconds, until the work has not been heard of for too long: then it hangs."""
        is_over = threading.Event()

        def beat() -> None:
            while not is_over.wait(HEARTBEAT) and time.monotonic() - self.heard_at < LONGEST_STEP:
                try:
                    self._mine().update(lease_until=_lease())
                except Exception as error:
                    logger.warning("No heartbeat for job %s: %s.", self.job.uuid, type(error).__name__)
                finally:
                    connection.close()

        thread = threading.Thread(target=beat, name="heartbeat", daemon=True)
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join(HEARTBEAT)


def _lease() -> Any:
    return Now() + timedelta(seconds=LEASE)


def claim(pk: int, *, worker: str) -> Run | None:
    """None where there is nothing to do: taken, over, or a ring that came twice."""
    holder = uuid4()
    free = Job.objects.waiting().due().filter(pk=pk, is_cancel_asked=False)
    claimed = free.move(
        "claim",
        holder=holder,
        worker=worker,
        lease_until=_lease(),
        attempts=F("attempts") + 1,
        started_at=Coalesce("started_at", Now()),
    )
    return Run(Job.objects.select_related("project", "parent").get(pk=pk), holder) if claimed else None


def work_on(pk: int, work: Callable[[Run], Result], *, worker: str) -> None:
    """Do a job whole. What it returns is its result; what it refuses is its message."""
    run = claim(pk, worker=worker)
    if run is None:
        return
    try:
        _do(run, work)
    except Cancelled:
        pass
    except Divided:
        pass
    except Lost:
        logger.warning("Job %s was taken from this worker.", run.job.uuid)
    except (OperationalError, InterfaceError):
        raise
    except Refused:
        pass  # its message stands on the job
    except Exception:
        logger.exception("Job %s failed.", run.job.uuid)


def work_here(
    pk: int, work: Callable[[Run], Result], *, watch: Callable[[int, int], None] = lambda done, total: None
) -> None:
    """The same in the process of a command, which is told what went wrong."""
    run = claim(pk, worker=f"command:{os.getpid()}")
    if run is None:
        raise Conflict("Somebody else is doing this just now.", code="busy")
    run.watch = watch
    try:
        _do(run, work)
    except Divided:
        _do_parts_here(pk, work, watch)
    except Cancelled:
        raise Conflict("This was cancelled meanwhile.", code="cancelled") from None
    except Lost:
        raise Conflict("A worker has taken this over: `manage.py jobs` shows how far it is.", code="busy") from None


def _do_parts_here(pk: int, work: Callable[[Run], Result], watch: Callable[[int, int], None]) -> None:
    """All parts, and then the sum; workers that hear of them do some of it meanwhile."""
    while True:
        whole: Any = Job.objects.with_progress().get(pk=pk)
        watch(whole.parts_sum_done, whole.parts_sum_total)
        if whole.is_over:
            break
        is_sum = whole.state == JobState.WAITING
        waiting = whole.pk if is_sum else whole.parts.waiting().order_by("part").values_list("pk", flat=True).first()
        run = claim(waiting, worker=f"command:{os.getpid()}") if waiting else None
        if run is None:
            time.sleep(0.1)  # somebody else does the rest
            continue
        with contextlib.suppress(Cancelled, Lost):
            _do(run, work)
    if whole.state != JobState.DONE:
        raise Conflict(whole.message or "This was cancelled meanwhile.", code=str(whole.state))


def _do(run: Run, work: Callable[[Run], Result]) -> None:
    """Work, and the end of the job whichever way it went; what was raised goes on to the caller."""
    with run.kept_alive():
        try:
            result = work(run)
            _end(run, "finish", result=result)
        except Cancelled:
            _end(run, "cancel")
            raise
        except (Divided, Lost):
            raise
        except Refused as refusal:
            _end(run, "fail", message=refusal.message)
            raise
        except (OperationalError, InterfaceError):
            raise  # the database is gone: there is nowhere to write this, so the lease runs out
        except Exception as error:
            _end(run, "fail", message=f"Something went wrong ({type(error).__name__}). The worker's log says more.")
            raise
        except BaseException:  # told to stop, from the keyboard or by a signal: that is no crash
            with contextlib.suppress(Exception):
                _give_back_run(run)
            raise


@transaction.atomic
def _give_back_run(run: Run) -> None:
    _let_go(_held(run))


def in_parts(
    *,
    plan: Callable[[Run], list[Part]],
    part: Callable[[Run], Result],
    add_up: Callable[[Run, list[Result]], Result],
) -> Callable[[Run], Result]:
    """Work in parts: the first claim plans them, each is a job of its own, the last one done calls for the sum."""

    def work(run: Run) -> Result:
        if run.job.parent_id:
            return part(run)
        parts = run.job.parts.order_by("part")
        if not parts.exists():
            if planned := plan(run):
                _split(run, planned)
                raise Divided
            return add_up(run, [])
        return add_up(run, list(parts.values_list("result", flat=True)))

    return work


@transaction.atomic
def _split(run: Run, parts: list[Part]) -> None:
    job = _held(run)
    if job.is_cancel_asked:
        raise Cancelled
    rows = [
        Job(
            parent=job, part=number, kind=job.kind, project=job.project, asked_by=job.asked_by,
            params=planned.params, total=planned.total,
        )
        for number, planned in enumerate(parts)
    ]  # fmt: skip
    made = Job.objects.bulk_create(rows, batch_size=500)
    _move_job(job, "split", payload={"parts": len(rows)}, **LET_GO)
    for row in made:
        ring(row.kind, row.pk)


def _held(run: Run) -> Job:
    """The job as it stands, locked (its whole before it), while it is this run's."""
    if run.job.parent_id:
        _locked_job(run.job.parent_id)
    job = _locked_job(run.job.pk)
    if job.holder != run.holder or job.state != JobState.RUNNING:
        raise Lost
    return job


@transaction.atomic
def _end(run: Run, act: str, *, result: Result = None, message: str = "") -> None:
    try:
        job = _held(run)
        if act == "cancel" and not job.is_cancel_asked:
            _let_go(job)  # tried again by hand in the meantime
        else:
            _end_job(job, act, result=result, message=message)
    except Lost:
        logger.warning("Job %s was taken from this worker; its end counts for nothing.", run.job.uuid)


def _end_job(job: Job, act: str, *, result: Result = None, message: str = "") -> None:
    """Over, once; `job` is locked. The whole of a part follows: it fails with it, or adds up when all are done."""
    changes: dict[str, Any] = {"message": message, "ended_at": Now(), **LET_GO}
    if act == "finish":
        changes["result"] = result
    if act == "finish" and job.total:
        changes["done"] = job.total
    _move_job(job, act, **changes)
    if job.parent is None:
        return
    whole = _locked_job(job.parent.pk)
    if whole.state != JobState.DIVIDED:
        return
    if act == "finish":
        if not whole.parts.exclude(state=JobState.DONE).exists():
            _call_for_sum(whole)
        return
    _stop_parts(whole)
    _move_job(whole, act, message=message, ended_at=Now())


def _let_go(job: Job) -> None:
    """Back to waiting, which is no crash; `job` is locked. Not rung for here, where a worker that is stopping would
    hear it: the next sweep of any other does."""
    long_ago = Now() - timedelta(seconds=LEASE)
    Job.objects.filter(pk=job.pk).move("give back", attempts=F("attempts") - 1, rung_at=long_ago, **LET_GO)


def _call_for_sum(whole: Job) -> None:
    _move_job(whole, "parts done", attempts=0)
    ring(whole.kind, whole.pk)
