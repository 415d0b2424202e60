"""Jobs and real transactions: what holds a row, what waits for it, and what does not."""

import threading
import time
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.db.models.functions import Now

from annotator.actions import running
from annotator.actions.jobs import enqueue
from annotator.actions.running import Run, claim, work_on
from annotator.actions.sweeping import sweep
from annotator.domain.jobs import JobState
from annotator.models import Job
from tests.annotator.jobs import ask
from tests.annotator.test_saving_parallel import at_once
from tests.factories import Cast


def test_ten_deliveries_at_once_are_one_claim(cast_committed: Cast) -> None:
    job = enqueue("test", by=None, project=cast_committed.project)

    runs = at_once([lambda: claim(job.pk, worker="w") for _ in range(10)])

    assert sum(run is not None for run in runs) == 1


def test_a_job_that_is_taken_for_an_asker_begins_after_the_asker_has_committed(cast_committed: Cast) -> None:
    """Or it would not see what it was asked for."""
    job = enqueue("test", by=None, project=cast_committed.project)
    is_taken = threading.Event()

    def ask_slowly() -> float:
        with transaction.atomic():
            assert enqueue("test", by=None, project=cast_committed.project) == job
            is_taken.set()
            time.sleep(0.6)
            return time.monotonic()

    def begin() -> float:
        is_taken.wait(5)
        assert claim(job.pk, worker="w") is not None
        return time.monotonic()

    committed, begun = at_once([ask_slowly, begin])

    assert begun >= committed


def test_a_long_step_neither_stops_the_sweep_nor_loses_its_job(cast_committed: Cast) -> None:
    job = enqueue("test", by=None, project=cast_committed.project)
    run = claim(job.pk, worker="w")
    assert run is not None
    is_in_step = threading.Event()
    # The step's own renewal is not seen by others before it ends: to them the lease has run out.
    Job.objects.filter(pk=job.pk).update(lease_until=Now() - timedelta(seconds=1))

    def step() -> None:
        with run.step(done=1, total=2):
            is_in_step.set()
            time.sleep(0.8)

    def sweep_meanwhile() -> float:
        is_in_step.wait(5)
        began = time.monotonic()
        sweep()
        return time.monotonic() - began

    _, took = at_once([step, sweep_meanwhile])
    sweep()

    assert Job.objects.get(pk=job.pk).state == JobState.RUNNING
    # SQLite has one writer at a time, so there it waits for the step.
    assert took < 0.6 or connection.vendor == "sqlite"


def test_only_what_is_done_again_after_a_power_cut_waits_for_no_disk(cast_committed: Cast) -> None:
    asked = "SHOW synchronous_commit" if connection.vendor == "postgresql" else "PRAGMA synchronous"
    found = []

    def look() -> None:
        with connection.cursor() as cursor:
            cursor.execute(asked)
            found.append(str(cursor.fetchone()[0]))

    def work(run: Run) -> None:
        for can_be_lost in (False, True, False):
            with run.step(done=0, total=1, can_be_lost=can_be_lost):
                look()

    work_on(ask(cast_committed).pk, work, worker="w")

    assert found == (["on", "off", "on"] if connection.vendor == "postgresql" else ["2"] * 3)


def test_a_step_that_took_long_ends_with_a_fresh_lease(cast_committed: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it held the row, no heartbeat came through."""
    job, leases = ask(cast_committed), []
    monkeypatch.setattr(running, "HEARTBEAT", 0.2)

    def work(run: Run) -> None:
        for seconds in (0.0, 0.3):
            with run.step(done=0, total=1):
                before = Job.objects.get(pk=job.pk).lease_until
                time.sleep(seconds)
            leases.append(Job.objects.get(pk=job.pk).lease_until - before)

    run = claim(job.pk, worker="w")
    assert run is not None
    work(run)

    assert leases[0] == timedelta(0)
    assert leases[1] >= timedelta(seconds=0.2)
