"""A job as its lead sees it, and who does not see it."""

from typing import Any

from annotator.actions.jobs import enqueue
from annotator.domain.jobs import JobState
from annotator.models import Job
from tests.annotator.jobs import ask, in_parts
from tests.factories import Cast


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
