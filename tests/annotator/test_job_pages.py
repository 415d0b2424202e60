"""A job as its lead sees it, and who does not see it."""

from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotator.actions.importing.arrivals import IMPORT
from annotator.actions.jobs import enqueue
from annotator.actions.running import work_on
from annotator.domain.jobs import JobState
from annotator.models import Job
from tests.annotator.arrivals import HEAD, begun_answers
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


def test_a_refused_file_has_each_reason_once_with_its_lines(cast: Cast, client_of: Any) -> None:
    arrival = begun_answers(cast, HEAD + "essays-1,V1,aunt,relative,refine-usage\n" * 8)
    work_on(arrival.job.pk, IMPORT.work, worker="w")

    shown = client_of("lead").get(f"/p/essays/jobs/{arrival.job.uuid}").content.decode()

    assert shown.count("“aunt” does not occur in the sentence.") == 1
    assert ">2, 3, 4, 5, 6 … 9</td><td>problem, 8 times</td>" in shown
