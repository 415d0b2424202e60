"""Jobs by the API: what their pages say, cancelled and tried again by leads."""

from typing import Any

import pytest

from adjudication.actions.merging import MERGE, ask_to_merge
from adjudication.models import Merge
from annotator.actions.jobs import enqueue
from annotator.actions.running import work_on
from annotator.domain.jobs import JobState
from annotator.models import Job
from annotator.queries.jobs import job_line
from tests.annotator.jobs import ask, in_parts
from tests.conftest import Api, nothing_written
from tests.factories import Cast, answer_for, save_body


@pytest.fixture
def api(cast: Cast) -> Api:
    return Api(cast.lead)


def told(api: Api, job: Job) -> dict[str, Any]:
    with nothing_written():
        got = api.call("GET", f"/api/v1/jobs/{job.uuid}")
    assert got.status_code == 200, got.content
    found: dict[str, Any] = got.json()
    return found


def test_a_job_says_what_its_page_says(cast: Cast, api: Api) -> None:
    job = ask(cast)

    found = told(api, job)

    assert (found["project"], found["kind"], found["state"], found["percent"]) == ("essays", job.kind, "waiting", 0)
    assert found["message"] == "No worker is running. The job goes on as soon as one does."
    assert (found["made"], found["started_at"], found["ended_at"]) == ({}, None, None)


def test_a_job_done_in_parts_is_running_and_adds_them_up(cast: Cast, api: Api) -> None:
    job = ask(cast)
    in_parts(job.pk)

    found = told(api, job)

    line = job_line(job)
    assert (found["state"], found["parts"], found["parts_done"]) == ("running", line.parts, 0)
    assert line.parts > 0


def test_what_a_job_made_is_named(cast: Cast, api: Api) -> None:
    for name in ("ann", "ben"):
        row = cast.assignment(name)
        Api(cast.person(name)).act(row, "submit", save_body(answer_for(row)), 0)
    job = ask_to_merge(cast.project, by=cast.lead)

    work_on(job.pk, MERGE.work, worker="w")

    found = told(api, job)
    assert (found["state"], found["percent"]) == ("done", 100)
    assert found["made"] == {"merge": str(Merge.objects.get().uuid)}
    assert found["message"] == job_line(job).says != ""


def test_the_newest_come_first_and_the_list_holds_still(
    cast: Cast, api: Api, django_assert_max_num_queries: Any
) -> None:
    listed = list(Job.objects.filter(project=cast.project).worth_listing())
    listed += [Job.objects.create(project=cast.project, kind="merge") for _ in range(3)]
    enqueue("test", by=None, project=cast.other_project)
    Job.objects.create(project=cast.project, kind="count_tallies", state=JobState.DONE)  # comes by itself

    with django_assert_max_num_queries(8):
        page = api.call("GET", "/api/v1/projects/essays/jobs?limit=2").json()
    Job.objects.create(project=cast.project, kind="merge")
    rest = api.call("GET", page["next"].replace("limit=2", "limit=50")).json()

    names = [row["uuid"] for row in [*page["results"], *rest["results"]]]
    assert names == [str(job.uuid) for job in reversed(listed)]
    assert rest["next"] is None


def test_a_lead_cancels_and_tries_again(cast: Cast, api: Api) -> None:
    job = ask(cast)

    cancelled = api.call("POST", f"/api/v1/jobs/{job.uuid}/cancel")
    twice = api.call("POST", f"/api/v1/jobs/{job.uuid}/cancel")
    retried = api.call("POST", f"/api/v1/jobs/{job.uuid}/retry")

    assert (cancelled.status_code, cancelled.json()["state"]) == (200, "cancelled")
    assert (twice.status_code, twice.json()["code"]) == (409, "conflict")
    assert (retried.status_code, retried.json()["state"]) == (202, "waiting")


def test_what_puts_things_in_order_is_not_cancelled(cast: Cast, api: Api) -> None:
    job = Job.objects.create(project=cast.project, kind="clear_arrival")

    refused = api.call("POST", f"/api/v1/jobs/{job.uuid}/cancel")

    assert (refused.status_code, refused.json()["code"]) == (409, "not_cancellable")


def test_others_jobs_and_parts_are_not_found(cast: Cast) -> None:
    whole = ask(cast)
    in_parts(whole.pk)
    part = whole.parts.get(part=0) if whole.parts.filter(part=0).exists() else whole.parts.earliest("pk")
    hidden = [part, enqueue("test", by=None), enqueue("test", by=None, project=cast.other_project)]

    for job in hidden:
        for method, tail in (("GET", ""), ("POST", "/cancel"), ("POST", "/retry")):
            assert Api(cast.lead).call(method, f"/api/v1/jobs/{job.uuid}{tail}").status_code == 404
    for name in ("ann", "adjudicator", "stranger", "other_lead"):
        assert Api(cast.person(name)).call("GET", f"/api/v1/jobs/{whole.uuid}").status_code == 404
