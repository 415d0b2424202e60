"""A project by the API: one's own, a new one, what it is called, and where it stands."""

from typing import Any

import pytest

from annotator.actions.accounts import allow_creating_projects
from annotator.actions.api_tokens import make_token
from annotator.actions.people import add_member, change_roles
from annotator.models import Event, Project, User
from annotator.presets import guidelines_for
from tests.conftest import Api, nothing_written
from tests.document import CheckedClient
from tests.factories import Cast, make_project, make_user

HERE = "/api/v1/projects"
ESSAYS = f"{HERE}/essays"


@pytest.fixture
def lead(cast: Cast) -> Api:
    allow_creating_projects(cast.lead, by=None)
    return Api(User.objects.get(pk=cast.lead.pk))


def test_ones_projects_come_in_pages_and_only_leads_are_told_versions(cast: Cast, lead: Api) -> None:
    other = make_project("zoo", cast.other_lead, ["A text."])
    add_member(other, user=cast.lead, by=cast.other_lead, roles={"adjudicator", "annotator"})

    with nothing_written():
        first = lead.call("GET", f"{HERE}?limit=1").json()
        second = lead.call("GET", first["next"]).json()

    lines = [*first["results"], *second["results"]]
    assert [(line["slug"], line["roles"]) for line in lines] == [
        ("essays", ["lead"]),
        ("zoo", ["adjudicator", "annotator"]),
    ]
    assert [line["version"] for line in lines] == [cast.project.version, None]
    assert second["next"] is None


def test_a_new_project_is_a_draft_of_ones_own_with_its_guidelines(lead: Api, cast: Cast) -> None:
    made = lead.call("POST", HERE, {"name": " Learner  novels 2026 "})

    assert (made.status_code, made.json()["slug"], made.json()["name"]) == (
        201,
        "learner-novels-2026",
        "Learner novels 2026",
    )
    assert (made.json()["state"], made.json()["roles"], made.json()["preset"]) == ("draft", ["lead"], "sws")
    project = Project.objects.get(slug="learner-novels-2026")
    assert made["ETag"] == f'"{project.version}"'
    assert project.guidelines == guidelines_for("sws")
    assert project.memberships.get().user == cast.lead


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"name": "New", "preset": "wets"}, "preset"),
        ({"name": "New", "preset": "../sws"}, "preset"),
        ({"name": "New", "language": "English!"}, "language"),
        ({"name": "New", "time_zone": "Atlantis"}, "time_zone"),
        ({"name": "New", "slug": "A b"}, "slug"),
        ({"name": "作文"}, "slug"),
        ({"name": "\u200b"}, "name"),
        ({"name": 5}, "name"),
        ({"slug": "new"}, "name"),
        ({"name": "New", "lead": "x"}, "lead"),
    ],
)
def test_what_is_wrong_with_a_new_project_is_named_and_none_is_made(lead: Api, given: Any, path: str) -> None:
    with nothing_written():
        refused = lead.call("POST", HERE, given)

    assert refused.status_code == 422
    assert [item["path"] for item in refused.json()["problems"]] == [path]


def test_an_address_that_is_taken_and_who_may_create_none_are_refused(lead: Api, cast: Cast) -> None:
    taken = lead.call("POST", HERE, {"name": "New", "slug": "letters"})
    may_not = Api(cast.ann).call("POST", HERE, {"name": "New"})

    assert (taken.status_code, taken.json()["code"]) == (409, "slug_taken")
    assert (may_not.status_code, may_not.json()["code"]) == (403, "not_allowed")


def test_who_only_annotates_is_told_no_version_and_nothing_of_who_sees_names(cast: Cast) -> None:
    told = Api(cast.ann).call("GET", ESSAYS)

    body = told.json()
    assert (body["version"], told["ETag"], body["shows_names_to_adjudicators"], body["acts"]) == (None, '"0"', None, [])
    assert (body["pseudonym"], body["language"], body["guidelines_version"]) == (
        cast.membership("ann").pseudonym,
        "en",
        1,
    )


def test_of_a_draft_who_only_annotates_is_told_the_name(cast: Cast) -> None:
    add_member(cast.other_project, user=cast.ann, by=cast.other_lead, roles={"annotator"})

    told = Api(cast.ann).call("GET", f"{HERE}/letters").json()
    guidelines = Api(cast.ann).call("GET", f"{HERE}/letters/guidelines")

    seen = {name for name, value in told.items() if value not in (None, [])}
    assert seen == {"slug", "name", "state", "roles"}
    assert guidelines.status_code == 404


def test_what_is_not_named_stays_and_an_old_version_changes_nothing(cast: Cast, lead: Api) -> None:
    before = lead.call("GET", ESSAYS)
    version = before.json()["version"]

    changed = lead.call("PATCH", ESSAYS, {"time_zone": "Asia/Tokyo"}, if_match=before["ETag"])
    same = lead.call("PATCH", ESSAYS, {"time_zone": "Asia/Tokyo"}, if_match=changed["ETag"])
    stale = lead.call("PATCH", ESSAYS, {"name": "Other"}, if_match=before["ETag"])
    without = lead.call("PATCH", ESSAYS, {"name": "Other"})

    assert (changed.json()["name"], changed.json()["time_zone"]) == ("Essays", "Asia/Tokyo")
    assert (changed["ETag"], same["ETag"]) == (f'"{version + 1}"', f'"{version + 1}"')
    assert (stale.status_code, without.status_code) == (412, 428)
    assert stale.json()["stored"] == {
        "version": version + 1,
        "name": "Essays",
        "language": "en",
        "time_zone": "Asia/Tokyo",
        "shows_names_to_adjudicators": False,
    }
    assert Event.objects.filter(kind="project.settings_changed").count() == 1


@pytest.mark.parametrize(
    "given", [{"name": "\u200b"}, {"time_zone": "Atlantis"}, {"shows_names_to_adjudicators": "yes"}, {"state": "open"}]
)
def test_settings_that_make_no_sense_are_refused(lead: Api, cast: Cast, given: Any) -> None:
    with nothing_written():
        refused = lead.call("PATCH", ESSAYS, given, if_match=cast.project.version)

    assert refused.status_code == 422


def test_a_project_goes_through_its_life(lead: Api, cast: Cast) -> None:
    told = []
    for act in ("pause", "open", "close", "archive", "unarchive"):
        assert act in lead.call("GET", ESSAYS).json()["acts"]
        told.append(lead.call("POST", f"{ESSAYS}/state", {"act": act}).json())

    assert [item["state"] for item in told] == ["paused", "open", "closed", "archived", "closed"]
    assert told[-1]["version"] == Project.objects.get(pk=cast.project.pk).version
    assert told[1]["job"] is None


@pytest.mark.parametrize(
    ("act", "status", "code"),
    [("open", 409, "project_open"), ("dance", 422, "invalid"), ("return to draft", 422, "invalid")],
)
def test_an_act_that_its_state_does_not_allow_is_refused(lead: Api, act: str, status: int, code: str) -> None:
    with nothing_written():
        refused = lead.call("POST", f"{ESSAYS}/state", {"act": act})

    assert (refused.status_code, refused.json()["code"]) == (status, code)


def test_a_project_without_passages_does_not_open(lead: Api) -> None:
    lead.call("POST", HERE, {"name": "Empty", "slug": "empty"})

    refused = lead.call("POST", f"{HERE}/empty/state", {"act": "open"})

    assert (refused.status_code, refused.json()["code"]) == (409, "no_passages")


def test_what_another_passes_moves_nothing_that_an_annotator_reads(cast: Cast) -> None:
    """The version of a project tells of work that is handed out: it is the leads' alone."""
    api = Api(cast.ann)
    before = [api.call("GET", path).content for path in (HERE, ESSAYS)]

    add_member(cast.project, user=make_user("nora"), by=cast.lead, roles={"annotator"})
    change_roles(cast.membership("ben"), by=cast.lead, roles={"annotator", "submitter"})

    assert [api.call("GET", path).content for path in (HERE, ESSAYS)] == before


def program(cast: Cast, **given: Any) -> Any:
    user = User.objects.get(pk=cast.lead.pk)
    token = make_token(user, by=user, name="Notebook", scopes=["lead"], **given)[1]
    return CheckedClient(HTTP_AUTHORIZATION=f"Bearer {token}")  # type: ignore[arg-type]


def test_a_token_of_one_project_knows_of_no_other_and_begins_none(cast: Cast, lead: Api) -> None:
    add_member(cast.other_project, user=cast.lead, by=cast.other_lead, roles={"lead"})
    client, named = program(cast, project=cast.project), {"Idempotency-Key": "one"}

    told = client.get(HERE).json()["results"]
    begun = client.post(HERE, {"name": "New"}, content_type="application/json", headers=named)

    assert [line["slug"] for line in told] == ["essays"]
    assert begun.status_code == 403


def test_what_a_program_sends_twice_is_begun_once_and_a_link_is_not_told_twice(cast: Cast, lead: Api) -> None:
    client, named = program(cast), {"Idempotency-Key": "one"}
    asked = {"emails": ["new@example.org"], "roles": ["annotator"]}

    begun = [client.post(HERE, {"name": "New one"}, content_type="application/json", headers=named) for _ in "ab"]
    path, other = f"{ESSAYS}/invitations", {"Idempotency-Key": "two"}
    made = [client.post(path, asked, content_type="application/json", headers=other).json() for _ in "ab"]

    assert [answer.status_code for answer in begun] == [201, 201]
    assert begun[0].json() == begun[1].json()
    assert Project.objects.filter(name="New one").count() == 1
    first, again = (one["results"][0] for one in made)
    assert (first["uuid"], again["link"]) == (again["uuid"], None)
    assert "/invite/" in first["link"]
