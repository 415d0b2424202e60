"""Background work: claimed once, kept by a lease, ended once, whatever crashes. Real workers are in tests/workers."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db.models.functions import Now
from django.utils import timezone

from annotator.actions import sweeping
from annotator.actions.jobs import _enqueue, cancel_job, retry_job
from annotator.actions.running import Run, claim, work_on
from annotator.actions.sweeping import give_back, say_alive, sweep
from annotator.domain.errors import Conflict, NotAllowed
from annotator.domain.jobs import _KINDS, MOST_CRASHES, JobState, label_of, load_kinds, sentence_of
from annotator.models import Assignment, Event, Job, Worker
from annotator.queries.jobs import job_line
from tests.annotator.jobs import ask, crash, let_the_lease_run_out
from tests.factories import Cast


def test_a_job_is_done_and_says_so(cast: Cast) -> None:
    job = ask(cast)

    def work(run: Run) -> dict[str, Any]:
        run.progress(done=1, total=4)
        assert job_line(job).percent == 25
        return {"sum": 7}

    work_on(job.pk, work, worker="w")

    job.refresh_from_db()
    assert (job.state, job.result, job.done, job.holder) == (JobState.DONE, {"sum": 7}, 4, None)
    assert [event.kind for event in Event.objects.of(job)] == ["job.asked", "job.done"]
    assert job_line(job).percent == 100


def test_a_second_delivery_finds_nothing_to_do(cast: Cast) -> None:
    """T23."""
    job, times = ask(cast), []
    for _ in range(2):
        work_on(job.pk, lambda run: times.append(1), worker="w")

    assert times == [1]


def test_a_running_job_cannot_be_claimed_again(cast: Cast) -> None:
    job = ask(cast)

    assert claim(job.pk, worker="one") is not None
    assert claim(job.pk, worker="two") is None


def test_the_same_is_not_asked_for_twice_while_it_waits(cast: Cast) -> None:
    assert ask(cast, a=1) == ask(cast, a=1) != ask(cast, a=2)


def test_what_is_refused_is_the_message_at_once(cast: Cast) -> None:
    job = ask(cast)

    def work(run: Run) -> None:
        raise Conflict("There is nothing to merge.")

    work_on(job.pk, work, worker="w")

    job.refresh_from_db()
    assert (job.state, job.message, job.attempts) == (JobState.FAILED, "There is nothing to merge.", 1)


def test_an_unforeseen_error_fails_at_once_and_shows_no_inside(cast: Cast) -> None:
    job = ask(cast)

    work_on(job.pk, lambda run: {"x": 1 // 0}, worker="w")

    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "ZeroDivisionError" in job.message
    assert "Traceback" not in job.message


def test_a_lost_job_waits_again_and_after_three_crashes_fails(cast: Cast) -> None:
    job = ask(cast)
    for n in range(1, MOST_CRASHES):
        crash(job)
        job.refresh_from_db()
        assert (job.state, job.attempts) == (JobState.WAITING, n)

    crash(job)

    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "three" in job.message.replace("3", "three")


def test_a_worker_that_comes_back_from_the_dead_writes_nothing(cast: Cast) -> None:
    job = ask(cast)
    before = Assignment.objects.count()

    def work(run: Run) -> dict[str, Any]:
        let_the_lease_run_out(job)
        sweep()
        with run.step(done=1, total=1):
            Assignment.objects.filter(membership__user=cast.ann).delete()
        return {"late": True}

    work_on(job.pk, work, worker="w")

    job.refresh_from_db()
    assert (job.state, job.result) == (JobState.WAITING, None)
    assert Assignment.objects.count() == before


def test_a_late_end_counts_for_nothing(cast: Cast) -> None:
    job = ask(cast)

    def work(run: Run) -> dict[str, Any]:
        let_the_lease_run_out(job)
        sweep()
        work_on(job.pk, lambda run: {"by": "second"}, worker="two")
        return {"by": "first"}

    work_on(job.pk, work, worker="one")

    job.refresh_from_db()
    assert (job.state, job.result) == (JobState.DONE, {"by": "second"})


def test_a_live_job_is_not_swept_away(cast: Cast) -> None:
    job = ask(cast)
    claim(job.pk, worker="w")

    sweep()

    job.refresh_from_db()
    assert job.state == JobState.RUNNING


def test_cancelling_a_waiting_job_ends_it_and_a_running_one_at_the_next_step(cast: Cast) -> None:
    waiting, running = ask(cast, a=1), ask(cast, a=2)
    steps = []

    def work(run: Run) -> None:
        for n in range(5):
            run.progress(done=n, total=5)
            steps.append(n)
            if n == 2:
                cancel_job(running, by=cast.lead)

    cancel_job(waiting, by=cast.lead)
    work_on(waiting.pk, lambda run: steps.append("never"), worker="w")
    work_on(running.pk, work, worker="w")

    states = list(Job.objects.filter(kind="test").values_list("state", flat=True))
    assert states == [JobState.CANCELLED] * 2
    assert steps == [0, 1, 2]


def test_a_cancelled_job_whose_worker_died_ends(cast: Cast) -> None:
    job = ask(cast)
    claim(job.pk, worker="w")
    cancel_job(job, by=cast.lead)
    let_the_lease_run_out(job)

    sweep()

    job.refresh_from_db()
    assert job.state == JobState.CANCELLED


def test_a_failed_job_is_tried_again_and_a_done_one_is_not(cast: Cast) -> None:
    job = ask(cast)
    work_on(job.pk, lambda run: {"x": 1 // 0}, worker="w")

    retry_job(job, by=cast.lead)
    work_on(job.pk, lambda run: {"x": 1}, worker="w")

    job.refresh_from_db()
    assert (job.state, job.message, job.attempts) == (JobState.DONE, "", 1)
    with pytest.raises(Conflict, match="is done"):
        retry_job(job, by=cast.lead)
    with pytest.raises(Conflict, match="is done"):
        cancel_job(job, by=cast.lead)


def test_only_leads_steer_a_job(cast: Cast) -> None:
    job = ask(cast)
    for name in ("ann", "adjudicator", "other_lead"):
        with pytest.raises(NotAllowed):
            cancel_job(job, by=cast.person(name))


def test_a_stopping_worker_gives_its_jobs_back_without_a_crash(cast: Cast) -> None:
    job, other = ask(cast, a=1), ask(cast, a=2)
    say_alive(worker="w", slots=1)
    claim(job.pk, worker="w")
    claim(other.pk, worker="another")

    give_back(worker="w")

    job.refresh_from_db()
    other.refresh_from_db()
    assert (job.state, job.attempts) == (JobState.WAITING, 0)
    assert other.state == JobState.RUNNING
    assert not Worker.objects.exists()


def test_all_that_waits_is_rung_for_again_beside_an_idle_worker(
    cast: Cast, django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A broker that lost its memory has lost the rings for every part of a job: one a sweep would take minutes."""

    def rings() -> int:
        Job.objects.update(rung_at=Now() - timedelta(minutes=1))
        with django_capture_on_commit_callbacks() as called:
            sweep()
        return len(called)

    job, busy = ask(cast, a=1), ask(cast, a=2)
    ask(cast, a=3)
    assert rings() == 0  # nobody is there to hear it
    say_alive(worker="w", slots=1)
    assert rings() == Job.objects.waiting().count() > 2  # it has heard of none of them
    monkeypatch.setattr(sweeping, "RUNG_TOGETHER", 2)
    assert rings() == 2
    claim(busy.pk, worker="w")
    assert rings() == 0
    assert claim(job.pk, worker="w") is not None


def test_the_page_says_when_nobody_works(cast: Cast) -> None:
    job = ask(cast)
    assert "No worker is running" in job_line(job).says
    say_alive(worker="w", slots=1)
    assert job_line(job).says == "Waiting for a worker."

    Worker.objects.update(seen_at=Now() - timedelta(seconds=16))
    assert "No worker is running" in job_line(job).says

    claim(job.pk, worker="w")
    job.refresh_from_db()
    assert "No worker is running" in job_line(job).says

    say_alive(worker="another", slots=1)
    assert job_line(job).says == ""
    let_the_lease_run_out(job)
    assert "stopped answering" in job_line(job).says
    cancel_job(job, by=cast.lead)
    job.refresh_from_db()
    assert "it ends within a minute" in job_line(job).says


def test_a_cancelled_job_of_a_stopping_worker_ends(cast: Cast) -> None:
    job = ask(cast)
    claim(job.pk, worker="w")
    cancel_job(job, by=cast.lead)

    give_back(worker="w")

    assert Job.objects.get(pk=job.pk).state == JobState.CANCELLED


def test_a_waiting_job_that_nobody_wants_is_swept_away(cast: Cast) -> None:
    job = ask(cast)
    Job.objects.filter(pk=job.pk).update(is_cancel_asked=True)

    sweep()

    assert Job.objects.get(pk=job.pk).state == JobState.CANCELLED


def test_a_job_that_was_begun_is_not_taken_for_a_new_one(cast: Cast) -> None:
    job = ask(cast)
    claim(job.pk, worker="w")
    give_back(worker="w")

    assert Job.objects.get(pk=job.pk).state == JobState.WAITING
    assert ask(cast) != job


def test_a_job_that_is_due_later_waits_for_its_time(cast: Cast) -> None:
    later = _enqueue("test", by=cast.lead, project=cast.project, due_at=timezone.now() + timedelta(hours=1))
    Worker.objects.create(name="w", slots=9, seen_at=Now())  # enough for all that waits
    Job.objects.update(rung_at=timezone.now() - timedelta(minutes=5))

    assert claim(later.pk, worker="w") is None
    sweep()
    assert Job.objects.get(pk=later.pk).rung_at < timezone.now() - timedelta(minutes=4)
    Job.objects.filter(pk=later.pk).update(due_at=timezone.now() - timedelta(seconds=1))
    sweep()

    assert Job.objects.get(pk=later.pk).rung_at > timezone.now() - timedelta(minutes=1)
    assert claim(later.pk, worker="w") is not None


def test_kinds_of_jobs_bring_their_own_words() -> None:
    text = Path("annotator/domain/jobs.py").read_text(encoding="utf-8")

    assert label_of("assign_everyone") == "Hand out work"
    assert sentence_of("assign_everyone", JobState.DONE, {"assignments": 3}) == "3 assignments made."
    assert label_of("no such kind") == "no such kind"
    load_kinds()
    assert len(_KINDS) > 10
    assert not [kind for kind in _KINDS if f'"{kind}"' in text]
