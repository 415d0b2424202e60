"""Stories of lists: filtered and leafed through without a new page, and as well without scripts."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Work
from tests.house import House

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def listed_house() -> Iterator[House]:
    """With sixty passages."""
    made = House()
    made.seed("assigning", "tests.seeds_desk")
    made.start()
    yield made
    made.remove()


def passages_of(contexts: Any, house: House, **given: Any) -> Page:
    page: Page = contexts(**given).new_page()
    Work(page, house, "lead@example.org", house.url).log_in()
    page.goto(f"{house.url}/p/desk/passages")
    return page


def test_01_a_list_is_filtered_and_leafed_through_without_a_new_page(contexts: Any, listed_house: House) -> None:
    page = passages_of(contexts, listed_house)
    page.evaluate("window.isTheSame = true")

    page.get_by_role("link", name="Next passages").press("Enter")
    expect(page.get_by_role("link", name="First passages")).to_be_visible()
    expect(page).to_have_url(re.compile(r"after=\d+"))
    page.get_by_label("Search").fill("number 7 ")
    page.get_by_role("button", name="Show").press("Enter")
    expect(page.get_by_text("1 passage with this filter")).to_be_visible()
    expect(page.get_by_role("button", name="Show")).to_be_focused()
    expect(page.locator("[data-announce]")).to_contain_text("1 passage with this filter from p07 on")
    expect(page).to_have_url(re.compile("search=number"))
    assert page.evaluate("window.isTheSame") is True

    page.go_back()
    expect(page.get_by_role("link", name="First passages")).to_be_visible()
    expect(page.get_by_role("heading", name="Passages")).to_be_visible()


def test_02_a_server_that_does_not_answer_is_told(contexts: Any, listed_house: House) -> None:
    page = passages_of(contexts, listed_house)
    listed_house.freeze_web()
    try:
        page.get_by_role("button", name="Show").click()
        expect(page.get_by_text("This page cannot be refreshed since")).to_be_visible(timeout=15_000)
        expect(page.get_by_text("try again")).to_be_visible()
        expect(page.get_by_text("It keeps trying")).to_be_hidden()
    finally:
        listed_house.continue_web()

    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("This page cannot be refreshed since")).to_be_hidden(timeout=15_000)


def test_03_without_scripts_it_is_a_form(contexts: Any, listed_house: House) -> None:
    page = passages_of(contexts, listed_house, java_script_enabled=False)

    page.get_by_label("Search").fill("number 7 ")
    page.get_by_role("button", name="Show").click()

    expect(page.get_by_text("1 passage with this filter")).to_be_visible()
