"""Handing out much work is a job: in batches, taken up again where it stopped, and true about what it did."""

from typing import Any

import pytest

from annotator.actions.assigning import _assign_everyone, _assign_in_batches
from annotator.actions.projects import add_passages, change_project_state
from annotator.actions.running import Run, claim, work_on
from annotator.actions.sweeping import sweep
from annotator.domain.jobs import JobState
from annotator.domain.passages import NewPassage
from annotator.models import Assignment, Event, Job
from tests.annotator.jobs import let_the_lease_run_out
from tests.factories import Cast


def many_passages(cast: Cast, count: int) -> None:
    add_passages(cast.project, by=cast.lead, passages=[NewPassage(f"m{n}", f"Text {n}.") for n in range(count)])


def test_much_work_is_handed_out_by_a_job(cast: Cast) -> None:
    many_passages(cast, 600)
    job = Job.objects.get(kind="assign_everyone")
    assert Assignment.objects.filter(membership=cast.membership("ann")).count() == 4

    work_on(job.pk, _assign_in_batches, worker="w")

    job.refresh_from_db()
    assert (job.state, job.result) == (JobState.DONE, {"assignments": 1200})
    for name in ("ann", "ben"):
        numbers = Assignment.objects.filter(membership=cast.membership(name)).values_list("number", flat=True)
        assert sorted(numbers) == list(range(1, 605))
    assert _assign_everyone(cast.project, by=cast.lead) == 0


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
        _assign_in_batches(first)
    let_the_lease_run_out(job)
    sweep()

    work_on(job.pk, _assign_in_batches, worker="two")

    job.refresh_from_db()
    assert job.result == {"assignments": 1200}
    counts = Event.objects.of(cast.project).filter(kind="work.assigned").values_list("payload", flat=True)
    assert sum(payload["assignments"] for payload in counts if "job" in payload) == 1200


def test_what_is_said_to_be_handed_out_was(cast: Cast) -> None:
    """Somebody else's job was quicker: this one gave nothing."""
    many_passages(cast, 600)
    first = Job.objects.get(kind="assign_everyone")
    second = Job.objects.create(kind="assign_everyone", project=cast.project)
    work_on(first.pk, _assign_in_batches, worker="w")
    work_on(second.pk, _assign_in_batches, worker="w")

    results = [Job.objects.get(pk=job.pk).result for job in (first, second)]

    assert results == [{"assignments": 1200}, {"assignments": 0}]


def test_nothing_is_handed_out_in_a_project_that_is_not_open(cast: Cast, client_of: Any) -> None:
    many_passages(cast, 600)
    change_project_state(cast.project, by=cast.lead, act="pause")
    job = Job.objects.get(kind="assign_everyone")

    work_on(job.pk, _assign_in_batches, worker="w")

    job.refresh_from_db()
    assert job.result == {"assignments": 0}
    answer = client_of("lead").post("/p/essays/hand-out", follow=True)
    assert "This project is paused" in answer.content.decode()
