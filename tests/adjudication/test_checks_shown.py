"""What controls and repeats tell of people stands beside their agreement, and nobody is shown their own."""

import io
import json
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from adjudication.actions.measuring import agreement_settings, measure_agreement
from adjudication.models import AgreementReport
from annotator.actions.checking import _look_at_checks
from annotator.actions.jobs import _enqueue
from annotator.actions.people import change_roles
from annotator.actions.projects import change_project_state
from annotator.models import Membership, Project
from annotator.queries.checks import checks_seen_by
from tests.annotator.test_commands import run
from tests.annotator.working import a_project, do, hand_in, keyed, own
from tests.factories import Cast


@pytest.fixture
def measured(cast: Cast) -> tuple[Project, list[Membership]]:
    """Two people have submitted what they have; the first meets the control, the second does not."""
    project, members = a_project(cast, passages=10, people=2, is_open=False, controls_per_hundred=10)
    keyed(cast, project, "c1", kind="control")
    change_project_state(project, by=cast.lead, act="open")
    for member, word in zip(members, ("big", "old"), strict=True):
        for row in own(member):
            hand_in(row, **{word: "large"})
    _enqueue("look_at_checks", by=None, project=project)
    do(project, "look_at_checks", _look_at_checks)
    measure_agreement(project, by=cast.lead, settings=agreement_settings(project))
    return project, members


def shown(client: Any, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_a_lead_sees_them_of_all_and_of_each(measured: tuple[Project, list[Membership]], client_of: Any) -> None:
    _, [first, second] = measured
    lead = client_of("lead")

    said = shown(lead, "/p/desk/agreement")

    assert "Controls and repeats" in said
    assert f'<th scope="row">{first.pseudonym}</th><td class="num">100 %</td><td class="num">1</td>' in said
    assert f'<th scope="row">{second.pseudonym}</th><td class="num">0 %</td><td class="num">1</td>' in said
    assert "<dd>1 of 1</dd>" in shown(lead, f"/p/desk/agreement/{first.pseudonym}")


def test_the_command_the_page_and_the_api_tell_the_same(
    cast: Cast, measured: tuple[Project, list[Membership]], client_of: Any
) -> None:
    """Beside the report, and in no report: its hash is the same whatever was looked at."""
    _, [first, second] = measured

    printed = run("agreement", "desk")

    assert [(row["name"], row["controls"], row["met"]) for row in printed["checks"]] == [
        (first.pseudonym, 1, 1),
        (second.pseudonym, 1, 0),
    ]
    report = AgreementReport.objects.get()
    assert "checks" not in report.result
    assert {name for name in printed if name not in report.result} == {"checks"}
    lead = client_of("lead")
    assert lead.get("/p/desk/agreement.json").content.decode() == json.dumps(printed) + "\n"
    assert lead.get(f"/api/v1/agreement/{report.uuid}").json()["result"] == printed
    out = io.StringIO()
    call_command("agreement", "desk", stdout=out)
    assert "Controls met, and agreement with oneself" in out.getvalue()
    # Who annotates too is told of the others only.
    change_roles(first, by=cast.lead, roles={"annotator", "lead"})
    assert first.user is not None
    own = Client()
    own.force_login(first.user)
    for address in ("/p/desk/agreement.json", f"/api/v1/agreement/{report.uuid}"):
        found = own.get(address).json()
        assert [row["name"] for row in found.get("result", found)["checks"]] == [second.pseudonym]


def test_who_annotates_too_is_not_shown_their_own(cast: Cast, measured: tuple[Project, list[Membership]]) -> None:
    """By how many have been looked at they could tell which passage was one."""
    project, [first, second] = measured
    change_roles(first, by=cast.lead, roles={"annotator", "adjudicator"})
    assert first.user is not None

    seen = checks_seen_by(first.user, project)

    assert [line.membership.pk for line in seen] == [second.pk]


def test_without_any_nothing_is_said(cast: Cast, client_of: Any) -> None:
    project, members = a_project(cast, passages=2, people=2)
    for member in members:
        for row in own(member):
            hand_in(row, big="large")
    measure_agreement(project, by=cast.lead, settings=agreement_settings(project))

    assert "Controls and repeats" not in shown(client_of("lead"), "/p/desk/agreement")
