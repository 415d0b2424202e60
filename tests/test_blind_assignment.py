"""Who works beside whom, whose work was withdrawn, what is a control or a repeat: an annotator can tell none of it."""

import re
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotator.actions.assigning import _assign_in_batches, set_most_passages
from annotator.actions.checking import _look_at_checks
from annotator.actions.jobs import _enqueue
from annotator.actions.moving import _withdraw_in_batches, withdraw_work
from annotator.actions.people import pause_member, remove_member, resume_member
from annotator.actions.projects import change_project_state
from annotator.models import Assignment, Membership, Project
from tests.annotator.working import a_project, begin, do, hand_in, keyed, newcomer, own, set_aside
from tests.conftest import Api
from tests.document import CheckedClient
from tests.factories import Cast
from tests.test_blindness import NOON, crawl

SWITCHES = {"answers_per_passage": 3, "controls_per_hundred": 10, "repeats_per_hundred": 10}


@pytest.fixture
def desk(cast: Cast) -> tuple[Project, list[Membership]]:
    """Four people with three answers a passage, controls and repeats among them."""
    with time_machine.travel(NOON, tick=False):
        project, members = a_project(cast, passages=72, people=4, is_open=False, **SWITCHES)
        keyed(cast, project, *(f"c{number}" for number in range(5)), kind="control")
        change_project_state(project, by=cast.lead, act="open")
        do(project, "assign_everyone", _assign_in_batches)
    return project, members


def seen_by(member: Membership, others: list[Membership]) -> dict[str, Any]:
    client = CheckedClient()
    assert member.user is not None
    client.force_login(member.user)
    guesses = [f"/api/v1/assignments/{row.uuid}" for other in others for row in own(other)[:5]]
    pages = [f"/p/desk/{tail}" for tail in ("", "assignment", "controls", "people", "jobs", "board", "passages")]
    pages += [f"/p/desk/people/{other.uuid}/test" for other in others]
    pages += [f"/p/desk/assignment/withdraw/{other.uuid}" for other in others]
    mine = [f"/api/v1/assignments/{row.uuid}" for row in own(member)]
    return crawl(client, [*pages, "/api/v1/assignments?limit=100", "/api/v1/projects/desk/progress", *mine, *guesses])


@pytest.mark.slow
def test_ones_crawl_is_the_same_whatever_becomes_of_others(cast: Cast, desk: tuple[Project, list[Membership]]) -> None:
    project, [me, *others] = desk
    with time_machine.travel(NOON, tick=False):
        # Who has their most is given nothing of what is withdrawn from others: that would be a lead's act upon them.
        have = sum(row.passage.kind == "work" and not row.is_repeat for row in own(me))
        set_most_passages(project, by=cast.lead, most={me.uuid: have})
        hand_in(own(me)[0], big="large")
        before = seen_by(me, others)

        for number, row in enumerate(own(others[0])):
            (begin, hand_in, set_aside)[number % 3](row)
        pause_member(others[1], by=cast.lead)
        withdraw_work(others[0], by=cast.lead, with_begun=True)
        do(project, "withdraw_work", _withdraw_in_batches)
        resume_member(others[1], by=cast.lead)
        for row in own(others[2]):
            hand_in(row, big="large")
        remove_member(others[2], by=cast.lead)
        _enqueue("look_at_checks", by=None, project=project)
        do(project, "look_at_checks", _look_at_checks)
        newcomer(cast, project, "late")
        do(project, "assign_everyone", _assign_in_batches)
        after = seen_by(me, others)

    assert {address for address in before if before[address] != after.get(address)} == set()
    assert set(before) == set(after)
    assert len(before) > len(own(me))


def kinds(member: Membership) -> dict[str, Assignment]:
    """One of each, that nobody has begun."""
    rows = own(member, state="assigned")
    return {
        "work": next(row for row in rows if row.passage.kind == "work" and not row.is_repeat),
        "control": next(row for row in rows if row.passage.kind == "control"),
        "repeat": next(row for row in rows if row.is_repeat),
    }


def test_the_page_of_a_control_or_repeat_is_that_of_work(desk: tuple[Project, list[Membership]]) -> None:
    """Beside the text and the number."""
    _, [me, *_] = desk
    client, told = CheckedClient(), {}
    assert me.user is not None
    client.force_login(me.user)
    for kind, row in kinds(me).items():
        body = client.get(f"/p/desk/work/{row.number}").content.decode()
        body = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "uuid", body).replace(row.passage.external_id, "id")
        body = re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", body)
        told[kind] = re.sub(r"\d+", "0", body)

    assert told["work"] == told["control"]
    assert told["work"] == told["repeat"]


@pytest.mark.parametrize("act", ["save", "submit", "discard"])
def test_what_is_done_to_one_takes_the_same_statements(desk: tuple[Project, list[Membership]], act: str) -> None:
    """So that nobody can tell by the time it takes."""
    _, [me, *_] = desk
    assert me.user is not None
    hand_in([row for row in own(me, passage__kind="work") if not row.is_repeat][-1])  # the first of a day counts anew
    api, told = Api(me.user), {}
    for kind, row in kinds(me).items():
        body: dict[str, Any] = {"save_id": str(row.uuid)}
        body |= {"reason": "grammar"} if act == "discard" else {"active_ms": 5, "answer": {"none": True}}
        with CaptureQueriesContext(connection) as queries:
            answer = api.save(row, body, 0) if act == "save" else api.act(row, act, body, 0)
        assert answer.status_code == 200
        told[kind] = [re.split(r" (?:WHERE|VALUES|SET|\"s\d)", query["sql"])[0] for query in queries]

    assert told["work"] == told["control"] == told["repeat"]
