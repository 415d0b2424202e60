"""Stories of what a lead types while the session runs out: nothing is lost, and nobody else sees it."""

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.conftest import Work, at_work, press
from tests.house import PASSWORD, House
from tests.seeds import STORY_GUIDELINES

pytestmark = [pytest.mark.e2e, pytest.mark.own_house]
BACK = "Your text from before is here again. It is not saved yet."
LONG = f"{STORY_GUIDELINES}\n\nWritten <b>for an hour</b> & more."


@pytest.fixture
def context(contexts: Any) -> BrowserContext:
    made: BrowserContext = contexts()
    return made


@pytest.fixture
def lead(context: BrowserContext, house: House) -> Work:
    house.seed("a_second_lead")
    return Work(context.new_page(), house, "lead@example.org", house.url).log_in()


def run_out(context: BrowserContext) -> None:
    """The session of whoever is signed in."""
    context.clear_cookies(name="assay_session")


def sign_in(page: Page, email: str) -> None:
    """At the page that asks for it."""
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


def kept(page: Page) -> int:
    return int(page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('assay:draft:')).length"))


def test_01_guidelines_survive_and_are_shown_to_their_writer_alone(lead: Work, context: BrowserContext) -> None:
    page, field = lead.page, lead.page.get_by_label("Guidelines")
    page.goto(f"{lead.url}/p/stories/guidelines/change")
    field.fill(LONG)
    page.get_by_label("Looking things up").fill("Any dictionary.")
    run_out(context)
    page.get_by_role("button", name="Save as a new version").click()
    sign_in(page, "second@example.org")
    expect(field).to_have_value(STORY_GUIDELINES)
    expect(page.get_by_text(BACK)).to_have_count(0)
    page.go_back()
    page.go_back()
    expect(field).to_have_value(STORY_GUIDELINES)
    page.get_by_label("account menu").click()
    page.get_by_role("button", name="Sign out").click()
    page.goto(f"{lead.url}/p/stories/guidelines/change")
    sign_in(page, "lead@example.org")

    expect(page.get_by_text(BACK)).to_be_visible()
    expect(field).to_have_value(LONG)
    expect(page.get_by_label("Looking things up")).to_have_value("Any dictionary.")
    page.get_by_role("button", name="Save as a new version").click()
    expect(page.get_by_text("Version 2: annotators are told.")).to_be_visible()
    assert kept(page) == 0
    page.goto(f"{lead.url}/p/stories/guidelines/change")
    expect(field).to_have_value(LONG)
    expect(page.get_by_text(BACK)).to_have_count(0)


def test_02_what_somebody_else_saved_meanwhile_is_not_replaced_unsaid(lead: Work, contexts: Any) -> None:
    page, field = lead.page, lead.page.get_by_label("Guidelines")
    page.goto(f"{lead.url}/p/stories/guidelines/change")
    field.fill(LONG)
    run_out(page.context)
    page.get_by_role("button", name="Save as a new version").click()
    second = Work(contexts().new_page(), lead.house, "second@example.org", lead.url).log_in()
    second.page.goto(f"{lead.url}/p/stories/guidelines/change")
    second.page.get_by_label("Guidelines").fill("Theirs.")
    second.page.get_by_role("button", name="Save as a new version").click()
    sign_in(page, "lead@example.org")

    expect(page.get_by_text("Somebody else has changed what is saved since")).to_be_visible()
    expect(field).to_have_value(LONG)
    page.get_by_role("button", name="Drop it and show what is saved").click()
    expect(field).to_have_value("Theirs.")
    assert kept(page) == 0


def test_03_an_answer_to_a_question_survives(ann: Work, lead: Work, context: BrowserContext) -> None:
    at_work(ann)
    ann.passage.focus()
    press(ann.page, "q")
    ann.page.get_by_label("Question").fill("Is “boy” a name here?")
    ann.page.get_by_role("button", name="Ask", exact=True).click()
    expect(ann.page.locator("[data-questions]")).to_contain_text("not answered yet")
    page = lead.page
    page.goto(f"{lead.url}/p/stories/questions")
    page.get_by_label("Answer").fill("No, an ordinary word.")
    run_out(context)
    page.get_by_role("button", name="Answer").click()
    sign_in(page, "second@example.org")
    expect(page.get_by_label("Answer")).to_have_value("")
    run_out(context)
    page.reload()
    sign_in(page, "lead@example.org")

    expect(page.get_by_text(BACK)).to_be_visible()
    expect(page.get_by_label("Answer")).to_have_value("No, an ordinary word.")
    page.get_by_role("button", name="Answer").click()
    expect(page.get_by_text("Answered. The annotator sees it")).to_be_visible()
    expect(page.get_by_text(BACK)).to_have_count(0)
    assert kept(page) == 0
    ann.page.reload()
    expect(ann.page.locator("[data-questions]")).to_contain_text("No, an ordinary word.")
