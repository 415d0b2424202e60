"""The guidelines in the set-up: ours to begin with, previewed before they are saved."""

import pytest
from django.test import Client

from annotator.actions.guidelines import change_guidelines
from annotator.actions.projects import create_project
from annotator.actions.settings import copy_setup
from annotator.models import Project, User
from annotator.presets import guidelines_for
from annotator.queries.setup import setup_of

PAGE = "/p/novels/setup/guidelines"
SAVE = {"act": "save", "version": "1", "look_up_policy": "Any dictionary."}

ON = {**SAVE, "act": "on"}


@pytest.fixture
def draft(lead: User) -> Project:
    """As the page for a new project makes it."""
    return create_project(
        by=None, slug="novels", preset="sws", lead=lead, name="Novels", guidelines=guidelines_for("sws")
    )


def step(project: Project) -> str:
    return setup_of(Project.objects.get(pk=project.pk)).step("guidelines").note


def test_our_text_is_unread_until_it_is_kept_or_changed(at_desk: Client, draft: Project) -> None:
    assert step(draft) == "our text, version 1, unread"

    assert "Keep our text, on to people" in at_desk.get(PAGE).content.decode()
    ours = {"guidelines": guidelines_for("sws").replace("\n", "\r\n"), "look_up_policy": ""}
    assert at_desk.post(PAGE, {**ON, **ours})["Location"] == "/p/novels/setup/people"

    assert step(draft) == "version 1"


def test_the_way_on_saves_a_text_that_was_changed(at_desk: Client, draft: Project) -> None:
    gone_on = at_desk.post(PAGE, {**ON, "guidelines": "# Mine"}, follow=True)

    assert gone_on.redirect_chain == [("/p/novels/setup/people", 302)]
    assert "Version 2 is saved." in gone_on.content.decode()
    assert Project.objects.get(slug="novels").guidelines == "# Mine"


def test_the_way_on_is_refused_where_the_text_cannot_be_saved(at_desk: Client, draft: Project) -> None:
    shown = at_desk.post(PAGE, {**ON, "guidelines": "Mine\x07."})

    assert shown.status_code in (400, 422)
    assert step(draft) == "our text, version 1, unread"
    assert ">Save and go on</button>" in shown.content.decode()


def test_a_text_that_is_not_stored_is_never_kept_unsaved(at_desk: Client, draft: Project, lead: User) -> None:
    change_guidelines(draft, by=lead, version=1, guidelines="Mine.", look_up_policy="")

    assert ">On to people</button>" in at_desk.get(PAGE).content.decode()
    assert ">Save and go on</button>" in at_desk.get(f"{PAGE}?text=ours").content.decode()


def test_only_our_text_is_called_ours(at_desk: Client, draft: Project, lead: User) -> None:
    changed = change_guidelines(draft, by=lead, version=1, guidelines="Mine.", look_up_policy="")
    copy = copy_setup(changed, by=lead, slug="copy", name="Copy")

    shown = at_desk.get("/p/copy/setup/guidelines").content.decode()

    assert step(copy) == "version 1, unread"
    assert "Keep this text, on to people" in shown
    assert "our text for" not in shown


def test_a_text_of_ones_own_is_the_next_version(at_desk: Client, draft: Project) -> None:
    saved = at_desk.post(PAGE, {**SAVE, "guidelines": "# Mine"})

    assert saved["Location"] == PAGE
    assert step(draft) == "version 2"
    assert Project.objects.get(slug="novels").look_up_policy == "Any dictionary."


def test_the_preview_shows_what_is_typed_and_saves_nothing(at_desk: Client, draft: Project) -> None:
    typed = {"act": "preview", "version": "1", "guidelines": "# Mine <b>\n\n**bold**", "look_up_policy": "**No** AI."}

    part = at_desk.post(PAGE, typed, headers={"HX-Request": "true"}).content.decode()
    whole = at_desk.post(PAGE, typed).content.decode()

    policy = "<h2>Looking things up</h2>\n<p><strong>No</strong> AI.</p>"
    assert part.strip() == f"<h2>Mine &lt;b&gt;</h2>\n<p><strong>bold</strong></p>\n{policy}"
    assert part.strip() in whole
    assert "# Mine" in whole
    assert Project.objects.get(slug="novels").guidelines_version == 1


def test_our_text_can_be_put_back_into_the_form(at_desk: Client, draft: Project, lead: User) -> None:
    change_guidelines(draft, by=lead, version=1, guidelines="Mine.", look_up_policy="")

    shown = at_desk.get(f"{PAGE}?text=ours")

    assert shown.context["form"]["guidelines"].value() == guidelines_for("sws")
    assert Project.objects.get(slug="novels").guidelines == "Mine."


def test_what_somebody_else_saved_meanwhile_is_not_overwritten(at_desk: Client, draft: Project, lead: User) -> None:
    change_guidelines(draft, by=lead, version=1, guidelines="Theirs.", look_up_policy="")

    shown = at_desk.post(PAGE, {**SAVE, "guidelines": "Mine."})

    assert shown.status_code == 409
    assert shown.context["form"]["guidelines"].value() == "Mine."
    assert Project.objects.get(slug="novels").guidelines == "Theirs."


def test_a_character_that_cannot_be_kept_is_said_beside_the_text(at_desk: Client, draft: Project) -> None:
    shown = at_desk.post(PAGE, {**SAVE, "guidelines": "Mine\x07."})

    assert shown.status_code in (400, 422)
    assert shown.context["form"].errors["guidelines"]
    assert "Mine" in shown.content.decode()
