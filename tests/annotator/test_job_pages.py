"""A job as its lead sees it, and who does not see it."""

from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotator.actions.jobs import enqueue
from annotator.domain.jobs import JobState
from annotator.models import Job
from tests.annotator.jobs import ask, in_parts
from tests.factories import Cast


def test_a_lead_asks_cancels_and_tries_again(cast: Cast, client_of: Any) -> None:
    client = client_of("lead")
    asked = client.post("/p/essays/hand-out")
    job = Job.objects.get(kind="assign_everyone")
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
    job.refresh_from_db()
    assert job.state == JobState.WAITING
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


def test_the_list_asks_as_little_for_many_jobs_as_for_one(
    cast: Cast, client_of: Any, django_assert_num_queries: Any
) -> None:
    """It refreshes itself every other second."""
    client = client_of("lead")
    ask(cast, n=0)
    with CaptureQueriesContext(connection) as of_one:
        client.get("/p/essays/jobs")
    for n in range(1, 20):
        ask(cast, n=n)

    with django_assert_num_queries(len(of_one)):
        client.get("/p/essays/jobs")
