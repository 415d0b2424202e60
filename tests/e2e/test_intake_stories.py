"""Stories of files and screening: a lead drops a file, sees what is in it, takes it in, and looks at every passage."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Work
from tests.e2e.test_page_stories import violations
from tests.house import House

pytestmark = pytest.mark.e2e
ESSAYS = """nr,satz,davor,essay,cefr
e1,In my opinion the school should give the pupils more time for read a book.,I think about this often.,e001,B1
e2,Thank you very much.,,e001,B1
e3,Every weekend we drive\u200b to her and help with the hard works.,,e002,B2
e4,Bread &amp; cheese is all what we need for a good breakfast.,,e002,B2
e5,In my opinion the school should give the pupils more time for read a book.,,e003,B1
e6,,The text of this one is empty.,e003,B1
"""


@pytest.fixture(scope="module")
def drafted() -> dict[str, bool]:
    return {}


@pytest.fixture
def lead(contexts: Any, house: House, drafted: dict[str, bool]) -> Page:
    if not drafted:
        house.seed("a_draft")
        drafted["is_there"] = True
    page: Page = contexts(bypass_csp=True).new_page()
    return Work(page, house, "spring@example.org", house.url).log_in().page


def look_right(page: Page) -> list[str]:
    """What axe finds, light and dark, and whether a phone can show it."""
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        found += violations(page)
    size = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 844})
    width = page.evaluate("document.documentElement.scrollWidth")
    found += violations(page) + ([f"{width} px wide"] if width > 390 else [])
    page.set_viewport_size(size or {"width": 1280, "height": 800})
    return found


def drop(page: Page, name: str, text: str) -> None:
    """As from a folder of the desktop onto the page."""
    script = """([name, text]) => {
      const carried = new DataTransfer();
      carried.items.add(new File([text], name));
      for (const type of ["dragover", "drop"]) {
        document.body.dispatchEvent(new DragEvent(type, {dataTransfer: carried, bubbles: true, cancelable: true}));
      }
    }"""
    page.evaluate(script, [name, text])


def test_01_a_file_is_dropped_looked_at_and_taken_in(lead: Page, house: House) -> None:
    lead.goto(f"{house.url}/p/spring/setup/passages")
    found = {"send": look_right(lead)}

    drop(lead, "essays.csv", ESSAYS)

    expect(lead.get_by_role("heading", name="Preview")).to_be_visible(timeout=20_000)
    found["preview"] = look_right(lead)
    for said in ("4 words, fewer than 5", "A zero-width space after “drive”; it is kept", "Same text as line 2"):
        expect(lead.get_by_text(said)).to_be_visible()
    expect(lead.get_by_text("1 row stays out, the rest comes in")).to_be_visible()

    lead.get_by_label("Use column 3, davor, as").select_option("Context before")
    lead.get_by_role("button", name=re.compile("^Take in")).click()
    expect(lead.get_by_text("You had changed how the file is read")).to_be_visible(timeout=20_000)
    lead.get_by_role("button", name="Take in 5 passages").click(timeout=20_000)
    expect(lead.locator("#status").get_by_text("5 passages imported. 1 row stayed out")).to_be_visible(timeout=20_000)

    rows = house.query("SELECT external_id, context_before FROM annotator_passage WHERE external_id = 'e1'")
    assert [tuple(row) for row in rows] == [("e1", "I think about this often.")]
    assert {name: problems for name, problems in found.items() if problems} == {}


def test_02_every_passage_is_screened_by_the_keyboard(lead: Page, house: House) -> None:
    lead.goto(f"{house.url}/p/spring/setup/screening")
    where = lead.locator("#which")
    assert look_right(lead) == []

    lead.keyboard.press("a")
    expect(where).to_have_text("Passage 2 of 5")
    lead.keyboard.press("3")
    expect(where).to_have_text("Passage 3 of 5")
    lead.keyboard.press("Control+z")
    expect(where).to_have_text("Passage 2 of 5")
    expect(lead.get_by_text("1 of 5 screened: 1 accepted, 0 refused.")).to_be_visible()
    lead.keyboard.press("ArrowRight")
    expect(where).to_have_text("Passage 3 of 5")

    lead.keyboard.press("e")
    text = lead.get_by_label("Text")
    expect(text).to_be_focused()
    text.fill("Every weekend we drive to her and help. a1")  # no key acts while somebody types
    lead.get_by_role("button", name="Replace").click()
    expect(lead.get_by_text("“e3-v2” stands for “e3” now.")).to_be_visible()

    lead.get_by_text("Refuse the duplicate…").click()
    lead.get_by_role("button", name="Refuse it").click()
    expect(lead.get_by_text("1 passage refused as a duplicate.")).to_be_visible()
    lead.get_by_text("Accept the rest…").click()
    lead.get_by_role("button", name="Accept them").click()
    expect(lead.get_by_text("of them without being looked at")).to_be_visible()


def test_03_a_passage_is_found_and_archived(lead: Page, house: House) -> None:
    lead.goto(f"{house.url}/p/spring/passages")
    found = {"list": look_right(lead)}
    lead.get_by_label("Search").fill("cheese")
    lead.get_by_role("button", name="Show").click()
    lead.get_by_role("link", name="e4").click()
    expect(lead.get_by_text("Reads “&amp;”: meant “&”?")).to_be_visible()
    found["passage"] = look_right(lead)

    lead.get_by_text("Archive it…").click()
    lead.get_by_role("button", name="Archive e4").click()

    expect(lead.get_by_text("Archived. It is in no list")).to_be_visible()
    assert {name: problems for name, problems in found.items() if problems} == {}


def test_04_files_are_sent_and_taken_in_without_scripts(contexts: Any, house: House, drafted: dict[str, bool]) -> None:
    page = contexts(java_script_enabled=False).new_page()
    Work(page, house, "spring@example.org", house.url).log_in()
    page.goto(f"{house.url}/p/spring/setup/passages")

    page.locator("#file").set_input_files({"name": "a.txt", "mimeType": "text/plain", "buffer": b"One more line.\n"})
    page.get_by_role("button", name="Look at it").click()
    for _ in range(50):
        if page.get_by_role("button", name="Take in 1 passage").is_visible():
            break
        page.reload()
    page.get_by_role("button", name="Take in 1 passage").click()

    expect(page.get_by_text("Import a file").first).to_be_visible()
