"""Jobs done in parts: each part a job, the sum made once, failure and cancelling shared."""

from annotator.actions.jobs import cancel_job, retry_job
from annotator.actions.running import Part, Run, claim, work_on
from annotator.actions.running import in_parts as whole_of
from annotator.domain.errors import Conflict
from annotator.domain.jobs import MOST_CRASHES, JobState
from annotator.models import Event, Job
from annotator.queries.jobs import job_line
from tests.annotator.jobs import ask, crash, in_parts
from tests.factories import Cast


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

    work_on(whole.pk, whole_of(plan=plan, part=lambda run: None, add_up=lambda run, results: None), worker="w")

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
