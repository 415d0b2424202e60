"""Background work: claimed once, kept by a lease, ended once, whatever crashes. Real workers are in tests/workers."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now

from annotator.actions.assigning import assign_everyone, assign_in_batches
from annotator.actions.jobs import cancel_job, enqueue, retry_job
from annotator.actions.projects import NewPassage, add_passages, change_project_state
from annotator.actions.running import Part, Run, claim, work_on, work_on_in_parts
from annotator.actions.sweeping import give_back, say_alive, sweep
from annotator.domain.errors import Conflict, NotAllowed
from annotator.domain.jobs import MOST_CRASHES, JobState, percent, spoken_time
from annotator.models import Assignment, Event, Job, Worker
from annotator.queries import job_line
from tests.factories import Cast


def ask(cast: Cast, **params: Any) -> Job:
    return enqueue("test", by=cast.lead, project=cast.project, params=params)


def let_the_lease_run_out(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(lease_until=Now() - timedelta(seconds=1))


def crash(job: Job) -> None:
    assert claim(job.pk, worker="w") is not None
    let_the_lease_run_out(job)
    sweep()


def test_a_job_is_done_and_says_so(cast: Cast) -> None:
    job = ask(cast)

    def work(run: Run) -> dict[str, Any]:
        run.progress(done=1, total=4)
        assert job_line(Job.objects.get()).percent == 25
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

    states = list(Job.objects.order_by("pk").values_list("state", flat=True))
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


def test_a_waiting_job_is_rung_for_again_only_beside_an_idle_worker(
    cast: Cast, django_capture_on_commit_callbacks: Any
) -> None:
    def rings() -> int:
        Job.objects.update(rung_at=Now() - timedelta(minutes=1))
        with django_capture_on_commit_callbacks() as called:
            sweep()
        return len(called)

    job, busy = ask(cast, a=1), ask(cast, a=2)
    ask(cast, a=3)
    assert rings() == 0  # nobody is there to hear it
    say_alive(worker="w", slots=1)
    assert rings() == 1  # as many as are idle
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


# --- in parts ---------------------------------------------------------------------------------------------------------


def in_parts(pk: int, *, part: Any = lambda run: {"n": run.job.params["n"]}, sizes: list[int] | None = None) -> None:
    work_on_in_parts(
        pk,
        plan=lambda run: [Part({"n": n}, total=n) for n in ([1, 2, 3] if sizes is None else sizes)],
        part=part,
        add_up=lambda run, results: {"sum": sum(r["n"] for r in results if r)},
        worker="w",
    )


def test_parts_add_up_once(cast: Cast) -> None:
    whole = ask(cast)
    in_parts(whole.pk)
    whole.refresh_from_db()
    assert whole.state == JobState.DIVIDED
    parts = list(whole.parts.order_by("part"))
    for part in [parts[2], parts[0]]:
        in_parts(part.pk)
        in_parts(whole.pk)  # rung too early: nothing to do
    assert job_line(whole).percent == 100 * 4 // 6

    in_parts(parts[1].pk)
    in_parts(whole.pk)
    in_parts(whole.pk)

    whole.refresh_from_db()
    assert (whole.state, whole.result) == (JobState.DONE, {"sum": 6})
    kinds = [event.kind for event in Event.objects.of(whole)]
    assert kinds == ["job.asked", "job.split", "job.parts_done", "job.done"]


def test_nothing_to_split_adds_up_to_nothing(cast: Cast) -> None:
    whole = ask(cast)
    in_parts(whole.pk, sizes=[])
    in_parts(whole.pk, sizes=[])

    whole.refresh_from_db()
    assert (whole.state, whole.result) == (JobState.DONE, {"sum": 0})


def test_a_part_that_fails_fails_the_whole_and_retry_keeps_what_is_done(cast: Cast) -> None:
    whole = ask(cast)
    in_parts(whole.pk)
    one, two, three = whole.parts.order_by("part")
    in_parts(one.pk)

    def refuse(run: Run) -> None:
        raise Conflict("Part two is broken.")

    in_parts(two.pk, part=refuse)

    whole.refresh_from_db()
    three.refresh_from_db()
    assert (whole.state, whole.message) == (JobState.FAILED, "Part two is broken.")
    assert three.state == JobState.CANCELLED

    retry_job(whole, by=cast.lead)
    for part in (one, two, three):
        in_parts(part.pk)
    in_parts(whole.pk)
    whole.refresh_from_db()
    assert (whole.state, whole.result) == (JobState.DONE, {"sum": 6})
    assert Event.objects.of(one).count() == 1


def test_a_part_that_crashes_three_times_fails_the_whole(cast: Cast) -> None:
    whole = ask(cast)
    in_parts(whole.pk)
    part = whole.parts.order_by("part")[0]
    for _ in range(MOST_CRASHES):
        crash(part)

    whole.refresh_from_db()
    assert whole.state == JobState.FAILED
    assert "stopped" in whole.message


def test_cancelled_while_it_is_planned_it_is_not_divided(cast: Cast) -> None:
    whole = ask(cast)

    def plan(run: Run) -> list[Part]:
        cancel_job(whole, by=cast.lead)
        return [Part({}, 1)]

    work_on_in_parts(whole.pk, plan=plan, part=lambda run: None, add_up=lambda run, results: None, worker="w")

    assert Job.objects.get(pk=whole.pk).state == JobState.CANCELLED
    assert not whole.parts.exists()


def test_a_part_that_hears_of_a_cancel_after_the_retry_goes_on(cast: Cast) -> None:
    whole = ask(cast)
    in_parts(whole.pk)
    one, two, three = whole.parts.order_by("part")

    def refuse(run: Run) -> None:
        raise Conflict("Broken.")

    def hear_late(run: Run) -> None:
        in_parts(one.pk, part=refuse)
        try:
            run.progress(done=1, total=2)
        finally:
            retry_job(whole, by=cast.lead)

    in_parts(two.pk, part=hear_late)

    assert Job.objects.get(pk=two.pk).state == JobState.WAITING
    for part in (one, two, three):
        in_parts(part.pk)
    in_parts(whole.pk)
    assert Job.objects.get(pk=whole.pk).result == {"sum": 6}


def test_cancelling_the_whole_stops_its_parts(cast: Cast) -> None:
    whole = ask(cast)
    in_parts(whole.pk)
    one, two, _ = whole.parts.order_by("part")
    claim(one.pk, worker="w")

    cancel_job(whole, by=cast.lead)

    one.refresh_from_db()
    two.refresh_from_db()
    assert (one.is_cancel_asked, two.state) == (True, JobState.CANCELLED)
    assert Job.objects.get(pk=whole.pk).state == JobState.CANCELLED


# --- handing out work -------------------------------------------------------------------------------------------------


def many_passages(cast: Cast, count: int) -> None:
    add_passages(cast.project, by=cast.lead, passages=[NewPassage(f"m{n}", f"Text {n}.") for n in range(count)])


def test_much_work_is_handed_out_by_a_job(cast: Cast) -> None:
    many_passages(cast, 600)
    job = Job.objects.get(kind="assign_everyone")
    assert Assignment.objects.filter(membership=cast.membership("ann")).count() == 4

    work_on(job.pk, assign_in_batches, worker="w")

    job.refresh_from_db()
    assert (job.state, job.result) == (JobState.DONE, {"assignments": 1200})
    for name in ("ann", "ben"):
        numbers = Assignment.objects.filter(membership=cast.membership(name)).values_list("number", flat=True)
        assert sorted(numbers) == list(range(1, 605))
    assert assign_everyone(cast.project, by=cast.lead) == 0


def test_handing_out_stopped_half_way_goes_on_where_it_was(cast: Cast) -> None:
    many_passages(cast, 600)
    job = Job.objects.get(kind="assign_everyone")
    first = claim(job.pk, worker="one")
    assert first is not None
    steps = iter([None, None])

    class Stopped(Exception):
        pass

    def give_up_after_two(**given: Any) -> None:
        if next(steps, "over") == "over":
            raise Stopped
        Run.progress(first, **given)

    first.progress = give_up_after_two  # type: ignore[method-assign]
    with pytest.raises(Stopped):
        assign_in_batches(first)
    let_the_lease_run_out(job)
    sweep()

    work_on(job.pk, assign_in_batches, worker="two")

    job.refresh_from_db()
    assert job.result == {"assignments": 1200}
    counts = Event.objects.of(cast.project).filter(kind="work.assigned").values_list("payload", flat=True)
    assert sum(payload["assignments"] for payload in counts if "job" in payload) == 1200


def test_what_is_said_to_be_handed_out_was(cast: Cast) -> None:
    """Somebody else's job was quicker: this one gave nothing."""
    many_passages(cast, 600)
    first = Job.objects.get(kind="assign_everyone")
    second = Job.objects.create(kind="assign_everyone", project=cast.project)
    work_on(first.pk, assign_in_batches, worker="w")
    work_on(second.pk, assign_in_batches, worker="w")

    results = [Job.objects.get(pk=job.pk).result for job in (first, second)]

    assert results == [{"assignments": 1200}, {"assignments": 0}]


def test_nothing_is_handed_out_in_a_project_that_is_not_open(cast: Cast, client_of: Any) -> None:
    many_passages(cast, 600)
    change_project_state(cast.project, by=cast.lead, act="pause")
    job = Job.objects.get(kind="assign_everyone")

    work_on(job.pk, assign_in_batches, worker="w")

    job.refresh_from_db()
    assert job.result == {"assignments": 0}
    answer = client_of("lead").post("/p/essays/hand-out", follow=True)
    assert "This project is paused" in answer.content.decode()


@pytest.mark.parametrize(
    ("done", "total", "expected"), [(0, 0, 0), (0, 5, 0), (1, 3, 33), (2, 3, 66), (299, 300, 99), (3, 3, 100)]
)
def test_a_hundred_percent_means_all(done: int, total: int, expected: int) -> None:
    assert percent(done, total) == expected


@pytest.mark.parametrize(
    ("seconds", "spoken"),
    [(-1, "0 s"), (59.9, "59 s"), (60, "1 min"), (3599, "59 min"), (3700, "1 h 1 min"), (172800, "2 days")],
)
def test_lengths_of_time_are_spoken(seconds: float, spoken: str) -> None:
    assert spoken_time(seconds) == spoken


# --- the pages --------------------------------------------------------------------------------------------------------


def test_a_lead_asks_cancels_and_tries_again(cast: Cast, client_of: Any) -> None:
    client = client_of("lead")
    asked = client.post("/p/essays/hand-out")
    job = Job.objects.get()
    assert asked["Location"] == f"/p/essays/jobs/{job.uuid}"

    page = client.get(asked["Location"]).content.decode()
    assert "No worker is running" in page
    assert "<html" in page
    fragment = client.get(asked["Location"], headers={"HX-Request": "true"}).content.decode()
    assert "No worker is running" in fragment
    assert "<html" not in fragment
    assert "hx-trigger" in fragment

    client.post(f"{asked['Location']}/cancel")
    page = client.get(asked["Location"]).content.decode()
    assert "Try again" in page
    assert "hx-trigger" not in page
    client.post(f"{asked['Location']}/retry")
    assert Job.objects.get().state == JobState.WAITING
    assert "Hand out work" in client.get("/p/essays/jobs").content.decode()


def test_a_page_that_refreshes_itself_does_not_swallow_the_sign_in_page(cast: Cast, client_of: Any) -> None:
    job = ask(cast)

    answer = client_of(None).get(f"/p/essays/jobs/{job.uuid}", headers={"HX-Request": "true"})

    assert (answer.status_code, answer["HX-Refresh"]) == (401, "true")


def test_another_projects_job_and_a_part_are_not_found(cast: Cast, client_of: Any) -> None:
    foreign = enqueue("test", by=None, project=cast.other_project)
    of_the_house = enqueue("test", by=None)
    whole = ask(cast)
    in_parts(whole.pk)
    part = whole.parts.first()

    statuses = [
        client_of("lead").get(f"/p/essays/jobs/{job.uuid}").status_code for job in (foreign, of_the_house, part)
    ]

    assert statuses == [404, 404, 404]
