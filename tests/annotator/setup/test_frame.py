"""The set-up: what each step says of itself, and the frame around them."""

import re

import pytest
from django.test import Client

from annotator.actions.projects import add_passages, change_project_state
from annotator.actions.setting_up import skip_step
from annotator.domain.errors import Conflict, Invalid
from annotator.domain.passages import NewPassage
from annotator.models import Project, User
from annotator.queries.setup import setup_of

# What stands in the pages for a length of `domain/lengths.py`.
LENGTHS = {
    "setup/rules": (r'name="label"[^>]* maxlength="50"', r'name="hint"[^>]* maxlength="100"'),
    "setup/test": (r'name="q"[^>]* maxlength="200"',),
    "preview": (r'name="id"[^>]* maxlength="200"',),
    "passages": (r'name="search"[^>]* maxlength="200"',),
}
PAGES = ("rules", "passages", "screening", "guidelines", "people", "test", "open")


def states(project: Project) -> dict[str, str]:
    return {step.name: str(step.state) for step in setup_of(project).steps}


def notes(project: Project) -> dict[str, str]:
    return {step.name: step.note for step in setup_of(project).steps}


def test_a_new_project_lacks_all_but_its_rules(draft: Project) -> None:
    assert states(draft) == {"rules": "done", **dict.fromkeys(PAGES[1:], "todo")}
    assert notes(draft)["rules"] == "sws, 2 types"
    assert notes(draft)["open"] == "5 things missing"


def test_a_step_that_is_done_without_is_over_and_can_be_taken_up_again(draft: Project, lead: User) -> None:
    skip_step(draft, by=lead, step="screening")
    draft.refresh_from_db()
    assert states(draft)["screening"] == "skipped"

    skip_step(draft, by=lead, step="screening", is_skipped=False)
    draft.refresh_from_db()
    assert states(draft)["screening"] == "todo"


def test_skipping_twice_makes_one_event(draft: Project, lead: User) -> None:
    first = skip_step(draft, by=lead, step="test").version

    assert skip_step(draft, by=lead, step="test").version == first


def test_what_nobody_can_work_without_is_not_skipped(draft: Project, lead: User) -> None:
    with pytest.raises(Invalid):
        skip_step(draft, by=lead, step="passages")


def test_nothing_is_skipped_in_the_archive(draft: Project, lead: User) -> None:
    change_project_state(draft, by=lead, act="archive")

    with pytest.raises(Conflict):
        skip_step(draft, by=lead, step="test")


def test_the_set_up_leads_to_the_first_step_that_is_not_done(client: Client, draft: Project, lead: User) -> None:
    client.force_login(lead)
    assert client.get("/p/novels/setup")["Location"] == "/p/novels/setup/passages"

    add_passages(draft, by=lead, passages=[NewPassage("e1", "We had a very big party.")])
    assert client.get("/p/novels/setup")["Location"] == "/p/novels/setup/screening"


def test_an_open_project_is_set_up(client: Client, draft: Project, lead: User) -> None:
    add_passages(draft, by=lead, passages=[NewPassage("e1", "We had a very big party.")])
    change_project_state(draft, by=lead, act="open")
    client.force_login(lead)

    assert client.get("/p/novels/setup")["Location"] == "/p/novels/"
    draft.refresh_from_db()
    assert states(draft)["open"] == "done"


@pytest.mark.parametrize("step", PAGES)
def test_every_step_shows_the_list_with_itself_marked(client: Client, draft: Project, lead: User, step: str) -> None:
    client.force_login(lead)

    shown = client.get(f"/p/novels/setup/{step}").content.decode()

    assert shown.count('aria-current="step"') == 1
    assert "1 of 7 done" in shown


def test_skipping_leads_on_and_taking_up_leads_back(client: Client, draft: Project, lead: User) -> None:
    client.force_login(lead)

    assert client.post("/p/novels/setup/screening/skip")["Location"] == "/p/novels/setup/guidelines"
    back = client.post("/p/novels/setup/screening/skip", {"undo": "1"})
    assert back["Location"] == "/p/novels/setup/screening"


def test_the_lead_of_a_draft_comes_to_its_set_up(client: Client, draft: Project, lead: User) -> None:
    client.force_login(lead)

    assert client.get("/p/novels/")["Location"] == "/p/novels/setup"


@pytest.mark.parametrize("page", [*(f"setup/{step}" for step in PAGES), "preview", "passages"])
def test_every_field_is_told_how_much_it_takes(at_desk: Client, draft: Project, lead: User, page: str) -> None:
    """A view that hands no length down leaves the field without one."""
    add_passages(draft, by=lead, passages=[NewPassage("n1", "A river ran by.")])

    shown = at_desk.get(f"/p/novels/{page}").content.decode()

    assert all(length.isdecimal() for length in re.findall(r'maxlength="([^"]*)"', shown))
    for field in LENGTHS.get(page, ()):
        assert re.search(field, shown), field
