"""Handing out work by the API: first what it would do, then doing it."""

from typing import Any
from uuid import uuid4

import pytest

from annotator.actions.assigning import HAND_OUT, PLAN
from annotator.actions.moving import EVEN, WITHDRAW
from annotator.actions.people import add_member
from annotator.actions.projects import change_project_state
from annotator.actions.protocols import change_protocol
from annotator.actions.running import work_on
from annotator.domain.jobs import JobState
from annotator.models import Assignment, Job
from tests.conftest import Api, nothing_written
from tests.factories import Cast, make_user

PLANS = "/api/v1/projects/essays/assignment-plan"


@pytest.fixture
def lead(cast: Cast) -> Api:
    return Api(cast.lead)


def rule(cast: Cast, people: int) -> None:
    changes = {"answers_per_passage": people}
    cast.project = change_protocol(cast.project, by=cast.lead, version=cast.project.version, changes=changes)


def begun(lead: Api, kind: Any, **body: Any) -> Job:
    """The job that was asked for, done."""
    asked = lead.call("POST", f"{PLANS}/apply", body)
    assert (asked.status_code, asked.json()["state"]) == (202, "waiting"), asked.content
    job = Job.objects.get(uuid=asked.json()["job"])
    assert job.kind == kind.name
    work_on(job.pk, kind.work, worker="w")
    job.refresh_from_db()
    assert job.state == JobState.DONE
    return job


def test_a_plan_says_who_would_get_what_and_changes_nothing(cast: Cast, lead: Api) -> None:
    rule(cast, 1)

    with nothing_written():
        asked = lead.call("POST", PLANS, {})

    told = asked.json()
    assert (asked.status_code, told["job"]) == (200, None)
    former = cast.membership("former")
    left = [{"pseudonym": former.pseudonym, "uuid": str(former.uuid), "passages": 4}]
    assert told["plan"] == {"gets": {}, "kept": 0, "short": 0, "over": 4, "even": [], "idle": [], "left": left}


def test_a_plan_after_withdrawing_says_who_would_get_it(cast: Cast, lead: Api) -> None:
    rule(cast, 3)  # ann, ben, and who was removed
    nora = add_member(cast.project, user=make_user("nora"), by=cast.lead, roles={"annotator"})

    with nothing_written():
        told = lead.call("POST", PLANS, {"withdrawn_from": str(cast.membership("ben").uuid)}).json()

    assert told["plan"]["gets"] == {nora.pseudonym: 4}


def test_of_a_large_project_a_job_works_the_plan_out(cast: Cast, lead: Api, monkeypatch: Any) -> None:
    monkeypatch.setattr("annotator.queries.assigning.LOOKED_AT_ONCE", 0)

    asked = lead.call("POST", PLANS, {})
    same = lead.call("POST", PLANS, {})

    assert (asked.status_code, asked.json()["plan"]) == (202, None)
    assert asked.json() == same.json()
    job = Job.objects.get(uuid=asked.json()["job"])
    work_on(job.pk, PLAN.work, worker="w")
    job.refresh_from_db()
    assert job.result is not None
    assert job.result["gets"] == {}


def test_work_is_handed_out_evened_out_and_withdrawn_by_jobs(cast: Cast, lead: Api) -> None:
    own = Assignment.objects.filter(membership=cast.membership("ben"))

    begun(lead, HAND_OUT, act="hand_out")
    rule(cast, 2)
    begun(lead, EVEN, act="even_out")
    job = begun(lead, WITHDRAW, act="withdraw", withdrawn_from=str(cast.membership("ben").uuid), with_begun=False)

    assert job.result is not None
    assert job.result["withdrawn"] == 4
    assert set(own.values_list("state", flat=True)) == {"withdrawn"}


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"act": "give"}, "act"),
        ({}, "act"),
        ({"act": "withdraw"}, "withdrawn_from"),
        ({"act": "hand_out", "withdrawn_from": str(uuid4())}, "withdrawn_from"),
        ({"act": "withdraw", "withdrawn_from": str(uuid4())}, "withdrawn_from"),
        ({"act": "withdraw", "withdrawn_from": "ben"}, "withdrawn_from"),
        ({"act": "hand_out", "with_begun": "no"}, "with_begun"),
    ],
)
def test_acts_that_cannot_be_are_refused(lead: Api, given: Any, path: str) -> None:
    with nothing_written():
        refused = lead.call("POST", f"{PLANS}/apply", given)

    assert refused.status_code == 422
    assert [item["path"] for item in refused.json()["problems"]] == [path]


def test_nothing_is_handed_out_while_the_project_is_paused_nor_withdrawn_where_there_is_nothing(
    cast: Cast, lead: Api
) -> None:
    change_project_state(cast.project, by=cast.lead, act="pause")

    answers = [lead.call("POST", f"{PLANS}/apply", {"act": act}) for act in ("hand_out", "even_out")]
    nothing = {"act": "withdraw", "withdrawn_from": str(cast.membership("lead").uuid)}
    answers.append(lead.call("POST", f"{PLANS}/apply", nothing))

    assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [
        (409, "project_paused"),
        (409, "project_paused"),
        (409, "nothing_unfinished"),
    ]


def test_nobody_of_another_project_is_withdrawn_from(cast: Cast) -> None:
    asked = {"act": "withdraw", "withdrawn_from": str(cast.membership("ben").uuid)}

    refused = Api(cast.other_lead).call("POST", "/api/v1/projects/letters/assignment-plan/apply", asked)

    assert refused.status_code == 422
