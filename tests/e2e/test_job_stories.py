"""Stories of background work: a lead watches it, stops it, and is told the truth when nobody works."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Work
from tests.house import House
from tests.seeds import MANY_PASSAGES, STORY_PEOPLE, STORY_TEXTS

OLD, NEW = STORY_PEOPLE * len(STORY_TEXTS), STORY_PEOPLE * MANY_PASSAGES
pytestmark = [pytest.mark.e2e, pytest.mark.own_house]


@pytest.fixture
def lead(contexts: Any, house: House) -> Work:
    return Work(contexts().new_page(), house, "lead@example.org", house.url).log_in()


def test_01_a_lead_watches_cancels_and_tries_again(lead: Work, house: House) -> None:
    house.seed("many_passages")
    page = lead.page
    page.get_by_role("link", name="Jobs").click()
    page.get_by_role("link", name="Hand out work").click()
    expect(page.get_by_text(re.compile(rf"^[1-9]\d? % · [\d,]+ of {NEW:,}"))).to_be_visible(timeout=20_000)

    page.locator("#cancel").press("Enter")
    expect(page.locator("#status").get_by_text("Cancelled")).to_be_visible()
    [[given]] = house.query("SELECT count(*) FROM annotator_assignment")
    assert OLD < given < OLD + NEW

    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#status").get_by_text("assignments made.")).to_be_visible(timeout=120_000)
    [[given]] = house.query("SELECT count(*) FROM annotator_assignment")
    assert given == OLD + NEW


def test_02_without_a_worker_the_page_says_so_and_the_job_starts_with_the_next_one(lead: Work, house: House) -> None:
    """Its machine sleeps and wakes again."""
    page = lead.page
    house.stop_worker()
    page.get_by_role("link", name="Hand out work…").click()
    page.get_by_role("button", name="Hand out work").click()
    expect(page.locator("#status").get_by_text("No worker is running.")).to_be_visible(timeout=20_000)
    cancel = page.get_by_role("button", name="Cancel")
    cancel.focus()
    page.wait_for_timeout(2500)
    expect(cancel).to_be_focused()  # however often the page refreshes itself

    house.freeze_web()
    expect(page.get_by_text("This page cannot be refreshed since")).to_be_visible(timeout=15_000)
    house.continue_web()
    expect(page.get_by_text("This page cannot be refreshed since")).to_be_hidden(timeout=15_000)

    house.continue_worker()

    expect(page.locator("#status").get_by_text("Everybody had everything already.")).to_be_visible(timeout=60_000)


def test_03_the_web_server_dies_while_a_job_runs_and_the_page_goes_on(lead: Work, house: House) -> None:
    house.seed("many_passages")
    page = lead.page
    page.get_by_role("link", name="Jobs").click()
    page.get_by_role("link", name="Hand out work").click()
    expect(page.get_by_text(re.compile(r"^[1-9]\d? %"))).to_be_visible(timeout=20_000)

    house.kill_web()

    expect(page.locator("#status").get_by_text("assignments made.")).to_be_visible(timeout=120_000)
    [[given]] = house.query("SELECT count(*) FROM annotator_assignment")
    assert given == OLD + NEW


def test_04_a_file_that_comes_while_people_work_is_theirs_at_once(lead: Work, house: House) -> None:
    """What cannot be taken in is named by line first."""
    page = lead.page
    page.goto(f"{house.url}/p/stories/setup/passages")
    rows = ("id,text", "new-1,A late sentence came in.", "new-2,And another one came too.", "plain,A known id.")
    file = {"name": "late.csv", "mimeType": "text/csv", "buffer": "\n".join(rows).encode()}
    page.locator("#file").set_input_files(file)
    look = page.get_by_role("button", name="Look at it")
    if look.is_visible():
        look.click()
    expect(page.get_by_text("1 row stays out, the rest comes in")).to_be_visible(timeout=20_000)

    page.get_by_role("button", name="Take in 2 passages").click()

    expect(page.locator("#status").get_by_text("2 passages imported.")).to_be_visible(timeout=20_000)
    [[given]] = house.query(
        "SELECT count(*) FROM annotator_assignment a JOIN annotator_passage p ON p.id = a.passage_id "
        "WHERE p.external_id LIKE 'new-%'"
    )
    assert given == 2 * STORY_PEOPLE
