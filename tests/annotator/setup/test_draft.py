"""Of a draft an annotator sees the name and “not open yet”, nothing else."""

import re

import pytest
from django.test import Client

from annotator.actions.guidelines import change_guidelines
from annotator.actions.people import add_member
from annotator.actions.projects import add_passages, change_project_state
from annotator.domain.passages import NewPassage
from annotator.models import Project, User
from tests.factories import make_user


@pytest.fixture
def ann(draft: Project, lead: User) -> User:
    user = make_user("nils")
    add_member(draft, user=user, by=lead, roles={"annotator"})
    return user


def text_of(page: bytes) -> str:
    main = re.search(r"<main.*?</main>", page.decode(), re.DOTALL)
    assert main is not None
    return " ".join(re.sub(r"<[^>]*>", " ", main[0]).split())


def test_an_annotator_sees_the_name_and_not_open_yet(client: Client, draft: Project, ann: User) -> None:
    client.force_login(ann)

    shown = client.get("/p/novels/").content

    assert text_of(shown) == "Novels Novels not open yet"  # the first is the heading for ears
    assert b'class="nav"' not in shown


@pytest.mark.parametrize("page", ["guidelines", "guidelines/1", "work", "work/next", "setup", "preview", "people"])
def test_nothing_else_of_it_is_there(client: Client, draft: Project, ann: User, page: str) -> None:
    client.force_login(ann)

    assert client.get(f"/p/novels/{page}").status_code == 404


def test_the_draft_looks_the_same_however_far_it_is(client: Client, draft: Project, lead: User, ann: User) -> None:
    client.force_login(ann)
    before = text_of(client.get("/p/novels/").content)

    add_passages(draft, by=lead, passages=[NewPassage("e1", "We had a very big party.")])
    change_guidelines(draft, by=lead, version=1, guidelines="New.", look_up_policy="")

    assert text_of(client.get("/p/novels/").content) == before


def test_when_it_is_opened_all_is_there(client: Client, draft: Project, lead: User, ann: User) -> None:
    add_passages(draft, by=lead, passages=[NewPassage("e1", "We had a very big party.")])
    change_project_state(draft, by=lead, act="open")
    client.force_login(ann)

    assert client.get("/p/novels/guidelines").status_code == 200


def test_the_lead_who_annotates_too_sees_all_of_it(at_desk: Client, draft: Project, lead: User) -> None:
    membership = draft.memberships.get(user=lead)
    assert not membership.awaits_opening

    assert at_desk.get("/p/novels/guidelines").status_code == 200
