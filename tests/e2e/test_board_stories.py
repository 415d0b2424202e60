"""Stories of the lead's board: what is asked is answered in place, jobs tell of themselves, and it prints."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Work
from tests.e2e.test_page_stories import demo, demo_link, violations  # noqa: F401 (demo is a fixture)
from tests.house import House

pytestmark = pytest.mark.e2e


def ask(ann: Work, text: str) -> None:
    ann.open()
    ann.expect_locked(False)
    ann.page.keyboard.press("q")
    ann.page.get_by_label("Question").fill(text)
    ann.page.get_by_role("button", name="Ask", exact=True).click()
    expect(ann.page.locator("dialog[open]")).to_have_count(0)


@pytest.fixture
def lead(contexts: Any, house: House) -> Page:
    page: Page = Work(contexts().new_page(), house, "lead@example.org", house.url).log_in().page
    page.goto(f"{house.url}/p/stories/board")
    return page


@pytest.mark.own_house
def test_01_a_question_is_answered_in_place_and_goes_into_the_guidelines(ann: Work, lead: Page) -> None:
    ask(ann, "Is “boy” a name here?")
    lead.reload()
    question = lead.locator(".question").filter(has_text="Is “boy” a name here?")
    question.get_by_role("textbox").fill("No: it is a common noun.")
    question.get_by_label("Add to the guidelines").check()
    question.get_by_role("textbox").press("Control+Enter")

    expect(lead.get_by_text("Answered. The annotator sees it")).to_be_visible()
    expect(lead.locator("#questions-open")).to_have_text("0 open")
    expect(lead).to_have_url(re.compile("/board$"))  # in place
    lead.reload()
    expect(lead.get_by_text("Nothing is asked just now")).to_be_visible()
    lead.get_by_role("link", name="Guidelines").click()
    expect(lead.get_by_text("No: it is a common noun.")).to_be_visible()


@pytest.mark.own_house
def test_02_an_answer_that_is_refused_stays_where_it_was_typed(ann: Work, lead: Page) -> None:
    ask(ann, "Is “boy” a name here?")
    lead.reload()
    field = lead.locator(".question").get_by_role("textbox")
    field.fill("No\x07, it is not.")
    lead.get_by_role("button", name=re.compile("^Answer")).click()

    expect(lead.get_by_text("U+0007")).to_be_visible()
    expect(field).to_have_value("No\x07, it is not.")


@pytest.mark.own_house
def test_03_an_answer_sent_to_a_silent_server_is_not_lost(ann: Work, lead: Page, house: House) -> None:
    ask(ann, "Is “boy” a name here?")
    lead.reload()
    field = lead.locator(".question").get_by_role("textbox")
    field.fill("No.")
    house.freeze_web()
    field.press("Control+Enter")

    expect(lead.get_by_text("This page cannot be refreshed since")).to_be_visible(timeout=15_000)
    expect(field).to_have_value("No.")
    house.continue_web()


@pytest.mark.own_house
def test_04_without_scripts_everything_works_too(ann: Work, contexts: Any, house: House) -> None:
    ask(ann, "Is “boy” a name here?")
    page = Work(contexts(java_script_enabled=False).new_page(), house, "lead@example.org", house.url).log_in().page
    page.goto(f"{house.url}/p/stories/board")
    page.locator(".question").get_by_role("textbox").fill("No.")
    page.locator(".question").get_by_role("button", name="Answer").click()

    expect(page.get_by_text("Answered. The annotator sees it")).to_be_visible()

    page.get_by_text("Pause…").click()
    page.get_by_role("button", name="Pause the project").click()
    expect(page.get_by_text("The project is paused now.")).to_be_visible()
    page.get_by_role("button", name="Open the project").click()
    expect(page.get_by_text("The project is open now.")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_05_the_board_of_the_demo_is_accessible_at_any_width_and_prints(
    contexts: Any,
    demo: House,  # noqa: F811
    scheme: str,
    width: int,
) -> None:
    page = contexts(color_scheme=scheme, bypass_csp=True).new_page()
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(demo_link(demo, "Nora Lindqvist"))
    page.get_by_role("button", name="Sign in as Nora Lindqvist").click()
    expect(page.get_by_role("heading", name="Board", exact=True)).to_be_visible()
    for summary in page.locator("details.as-list > summary").all():
        summary.click()

    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width

    page.emulate_media(media="print")
    page.set_viewport_size({"width": 703, "height": 1032})  # A4 within its margins
    expect(page.get_by_role("navigation").locator("visible=true")).to_have_count(0)
    expect(page.get_by_role("button").locator("visible=true")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= 704
    if width == 1280:
        printed = page.pdf(prefer_css_page_size=True)
        assert 1 <= len(re.findall(rb"/Type\s*/Page\b", printed)) <= 2
