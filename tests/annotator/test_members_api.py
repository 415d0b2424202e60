"""A project's people by the API."""

from typing import Any

import pytest

from annotator.actions.importing.answers import add_voices
from annotator.models import Event, Invitation
from tests.conftest import Api, nothing_written
from tests.factories import Cast

HERE = "/api/v1/projects/essays"
PEOPLE = f"{HERE}/members"
INVITED = f"{HERE}/invitations"


@pytest.fixture
def lead(cast: Cast) -> Api:
    return Api(cast.lead)


def of(cast: Cast, name: str) -> str:
    return f"{PEOPLE}/{cast.membership(name).uuid}"


def test_people_come_in_pages_by_name_with_their_work(cast: Cast, lead: Api) -> None:
    add_voices(cast.project, by=cast.lead, answers={"V1": {}})
    found, address = list[dict[str, Any]](), f"{PEOPLE}?limit=2"
    while address:
        page = lead.call("GET", address).json()
        found, address = [*found, *page["results"]], page["next"]

    assert [line["name"] for line in found] == ["Adjudicator", "Ann", "Ben", "Lead", "V1"]
    ann = found[1]
    assert (ann["pseudonym"], ann["email"], ann["roles"], ann["state"]) == (
        cast.membership("ann").pseudonym,
        "ann@example.org",
        ["annotator"],
        "working",
    )
    assert (ann["given"], ann["done"], ann["most_passages"], ann["is_voice"]) == (4, 0, None, False)
    assert (found[-1]["is_voice"], found[-1]["email"]) == (True, "")


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("role=adjudicator", ["Adjudicator"]),
        ("state=removed", ["Former"]),
        ("q=BEN@", ["Ben"]),
        ("role=lead&q=ann", []),
    ],
)
def test_people_are_found_by_role_state_and_name(lead: Api, query: str, names: list[str]) -> None:
    assert [line["name"] for line in lead.call("GET", f"{PEOPLE}?{query}").json()["results"]] == names


@pytest.mark.parametrize("query", ["role=king", "state=away", "after=7", "limit=x", "sort=name"])
def test_filters_that_make_no_sense_are_refused(lead: Api, query: str) -> None:
    assert lead.call("GET", f"{PEOPLE}?{query}").status_code == 400


def test_the_number_of_queries_does_not_grow_with_the_people(
    cast: Cast, lead: Api, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(16):
        assert len(lead.call("GET", PEOPLE).json()["results"]) == 4


def test_several_things_are_changed_at_once_each_with_its_event(cast: Cast, lead: Api) -> None:
    wanted = {"roles": ["annotator", "submitter"], "is_paused": True, "most_passages": 2}

    changed = lead.call("PATCH", of(cast, "ben"), wanted)
    again = lead.call("PATCH", of(cast, "ben"), wanted)

    assert (changed.status_code, changed.json()) == (200, again.json())
    told = {name: changed.json()[name] for name in ("roles", "state", "most_passages")}
    assert told == {"roles": ["annotator", "submitter"], "state": "paused", "most_passages": 2}
    kinds = list(Event.objects.of(cast.membership("ben")).values_list("kind", flat=True))[-3:]
    assert kinds == ["member.roles_changed", "member.most_changed", "member.paused"]


def test_somebody_is_removed_and_brought_back(cast: Cast, lead: Api) -> None:
    gone = lead.call("PATCH", of(cast, "ben"), {"is_removed": True})
    back = lead.call("PATCH", of(cast, "ben"), {"is_removed": False, "most_passages": None})

    assert [answer.json()["state"] for answer in (gone, back)] == ["removed", "working"]


@pytest.mark.parametrize(
    ("name", "given", "status", "code"),
    [
        ("lead", {"roles": ["adjudicator"]}, 409, "last_lead"),
        ("lead", {"most_passages": 3, "is_removed": True}, 409, "last_lead"),
        ("lead", {"is_paused": True}, 409, "no_annotator"),
        ("former", {"roles": ["lead"]}, 409, "removed_already"),
        ("ben", {"roles": []}, 422, "invalid"),
        ("ben", {"most_passages": 3, "roles": ["king"]}, 422, "invalid"),
        ("ben", {"roles": [5]}, 422, "invalid"),
        ("ben", {"is_paused": 1}, 422, "invalid"),
        ("ben", {"is_paused": None}, 422, "invalid"),
        ("ben", {"most_passages": -1}, 422, "invalid"),
        ("ben", {"most_passages": "3"}, 422, "invalid"),
        ("ben", {"name": "Other"}, 422, "invalid"),
    ],
)
def test_what_cannot_be_is_refused_whole(cast: Cast, lead: Api, name: str, given: Any, status: int, code: str) -> None:
    before = Event.objects.count()

    refused = lead.call("PATCH", of(cast, name), given)

    assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert cast.membership(name).most_passages is None
    assert Event.objects.count() == before


def test_a_lead_who_leads_on_no_more_is_told_what_became_of_them(cast: Cast, lead: Api) -> None:
    lead.call("PATCH", of(cast, "adjudicator"), {"roles": ["lead"]})

    changed = lead.call("PATCH", of(cast, "lead"), {"roles": ["adjudicator"]})

    assert (changed.status_code, changed.json()["roles"]) == (200, ["adjudicator"])
    assert lead.call("GET", PEOPLE).status_code == 404


def test_members_of_another_project_are_out_of_reach(cast: Cast) -> None:
    path = f"/api/v1/projects/letters/members/{cast.membership('ben').uuid}"

    assert Api(cast.other_lead).call("PATCH", path, {"is_removed": True}).status_code == 404
    assert cast.membership("ben").removed_at is None


def test_many_are_invited_each_with_a_link_that_is_shown_once(cast: Cast, lead: Api) -> None:
    asked = {"emails": ["New@example.org ", "other@example.org", "new@example.org"], "roles": ["annotator"]}

    made = lead.call("POST", INVITED, asked)
    listed = lead.call("GET", f"{INVITED}?limit=1").json()

    results = made.json()["results"]
    assert (made.status_code, [one["email"] for one in results]) == (201, ["new@example.org", "other@example.org"])
    assert all("/invite/" in one["link"] for one in results)
    assert (made.json()["job"], made.json()["left_out"]) == (None, [])
    [first] = listed["results"]
    assert first == {name: value for name, value in results[0].items() if name != "link"}
    assert lead.call("GET", listed["next"]).json()["results"][0]["email"] == "other@example.org"


def test_a_link_of_the_api_lets_somebody_in(cast: Cast, lead: Api, client_of: Any) -> None:
    made = lead.call("POST", INVITED, {"emails": ["new@example.org"], "roles": ["annotator"]}).json()
    path = made["results"][0]["link"].partition("//")[2].partition("/")[2]

    assert client_of(None).get(f"/{path}").status_code == 200


def test_broken_addresses_are_named_and_nobody_is_invited(cast: Cast, lead: Api) -> None:
    asked = {"emails": ["new@example.org", "nonsense", "ann@example.org"], "roles": ["annotator"]}

    refused = lead.call("POST", INVITED, asked)
    none_yet = Invitation.objects.count()
    made = lead.call("POST", INVITED, {**asked, "leaves_out": True})

    problems = refused.json()["problems"]
    assert (refused.status_code, none_yet) == (422, 0)
    assert [item["code"] for item in problems] == ["email", "member_already"]
    assert "nonsense" in problems[0]["message"]
    assert [one["email"] for one in made.json()["results"]] == ["new@example.org"]
    assert made.json()["left_out"] == problems


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({"emails": [], "roles": ["annotator"]}, 422),
        ({"emails": ["a@example.org"], "roles": []}, 422),
        ({"emails": ["a@example.org"], "roles": ["king"]}, 422),
        ({"emails": "a@example.org", "roles": ["annotator"]}, 422),
        ({"emails": [7], "roles": ["annotator"]}, 422),
        ({"emails": [f"a{n}@example.org" for n in range(201)], "roles": ["annotator"]}, 422),
        ({"emails": ["a@example.org"], "roles": ["annotator"], "by_email": True}, 409),  # there is no e-mail here
    ],
)
def test_invitations_that_cannot_be_are_refused(lead: Api, given: Any, status: int) -> None:
    with nothing_written():
        assert lead.call("POST", INVITED, given).status_code == status


def test_what_is_wrong_inside_a_list_is_said_with_its_place(lead: Api) -> None:
    refused = lead.call("POST", INVITED, {"emails": ["a@example.org", 7], "roles": ["annotator"]})

    assert [item["path"] for item in refused.json()["problems"]] == ["emails[1]"]


def test_by_email_a_job_sends_them_and_no_link_is_shown(cast: Cast, lead: Api, monkeypatch: Any) -> None:
    monkeypatch.setattr("annotator.actions.invitations.has_mail", lambda: True)

    made = lead.call("POST", INVITED, {"emails": ["new@example.org"], "roles": ["lead"], "by_email": True}).json()

    assert made["results"][0]["link"] is None
    assert made["job"] == str(cast.project.jobs.get(kind="send_invitations").uuid)


def test_an_invitation_is_renewed_and_taken_back(cast: Cast, lead: Api) -> None:
    made = lead.call("POST", INVITED, {"emails": ["new@example.org"], "roles": ["annotator"]}).json()["results"][0]
    path = f"{INVITED}/{made['uuid']}"

    renewed = lead.call("POST", f"{path}/renew", {})
    as_it_is = lead.call("PATCH", path, {"is_revoked": False})
    revoked = lead.call("PATCH", path, {"is_revoked": True})
    too_late = lead.call("POST", f"{path}/renew", {})

    assert renewed.status_code == 201
    assert renewed.json()["link"] not in (None, made["link"])
    assert (as_it_is.status_code, revoked.status_code) == (200, 200)
    assert (too_late.status_code, too_late.json()["code"]) == (409, "invitation_over")
    assert lead.call("GET", INVITED).json()["results"] == []
