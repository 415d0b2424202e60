"""Pages that no other story comes by while axe looks: each in light and dark, wide and on a phone."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Work
from tests.e2e.test_page_stories import demo, demo_link, violations  # noqa: F401 (demo is a fixture)
from tests.e2e.test_setup_stories import link_for_the_first, mark_a_word, new_house  # noqa: F401 (likewise)
from tests.house import House
from tests.seeds_pages import LINKS

pytestmark = pytest.mark.e2e
ROWS = """id,sentence
a1,Short one.
a2,My grandmother has a small garden behind the old school house.
a2,Another one with an id that is taken already by the line above.
a3,Every weekend we drive there. Tom &amp; I help her in the garden.
"""


@pytest.fixture(scope="module")
def pages_house() -> Iterator[House]:
    made = House()
    made.seed("every_page", "tests.seeds_pages")
    made.start()
    yield made
    made.remove()


@pytest.fixture
def links(pages_house: House) -> dict[str, str]:
    told: dict[str, str] = json.loads((pages_house.folder / "data" / LINKS).read_text())
    return {name: re.sub(r"^http://[^/]+", "", link) for name, link in told.items()}


def looked_at(page: Page) -> list[str]:
    """What axe finds, in light and dark, wide and narrow, and whether a phone can show it."""
    found = []
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            found += [f"{width} {scheme}: {problem}" for problem in violations(page)]
        wide = page.evaluate("document.documentElement.scrollWidth")
        found += [f"{wide} px wide at {width}"] if wide > width else []
    page.set_viewport_size({"width": 1280, "height": 844})
    page.emulate_media(color_scheme="light")
    return found


def nothing(found: dict[str, list[str]]) -> bool:
    assert {name: problems for name, problems in found.items() if problems} == {}
    return True


def test_01_axe_finds_nothing_where_people_come_in(
    contexts: Any,
    pages_house: House,
    links: dict[str, str],
    new_house: House,  # noqa: F811
) -> None:
    page = contexts(bypass_csp=True).new_page()
    found = {}
    for name in ("invitation", "link_over", "open_account"):
        page.goto(pages_house.url + links[name])
        found[name] = looked_at(page)
    Work(page, pages_house, "idle@example.org", pages_house.url).log_in()
    page.goto(f"{pages_house.url}/p/drafted/")
    expect(page.get_by_text("not open yet")).to_be_visible()
    found["not_open"] = looked_at(page)
    page.goto(link_for_the_first(new_house))
    expect(page.get_by_role("button", name="Begin")).to_be_visible()
    found["first_person"] = looked_at(page)

    assert nothing(found)


def test_02_axe_finds_nothing_where_the_demo_signs_in(contexts: Any, demo: House) -> None:  # noqa: F811
    page = contexts(bypass_csp=True).new_page()
    page.goto(demo_link(demo, "Lena Marsh"))

    assert looked_at(page) == []


def test_03_axe_finds_nothing_on_steps_that_have_something_to_show(
    contexts: Any, pages_house: House, links: dict[str, str]
) -> None:
    page = contexts(bypass_csp=True).new_page()
    Work(page, pages_house, "lead@example.org", pages_house.url).log_in()
    found, here = {}, f"{pages_house.url}/p/drafted"
    page.goto(f"{here}/setup/screening")
    expect(page.get_by_text("Passage 1 of 4")).to_be_visible()
    found["screening"] = looked_at(page)
    page.get_by_role("button", name="Accept A").click()
    expect(page.get_by_role("button", name="Undo w1")).to_be_visible()
    page.get_by_text("Replace it by an edited copy").click()
    page.get_by_text("Refuse the duplicate…").click()
    found["screening, all open"] = looked_at(page)
    page.goto(f"{here}/setup/test")
    expect(page.get_by_role("button", name="Make these test passages")).to_be_visible()
    found["test"] = looked_at(page)
    page.goto(pages_house.url + links["key"])
    expect(page.locator("[data-passage]")).to_have_attribute("aria-disabled", "false")
    found["key"] = looked_at(page)
    page.goto(f"{here}/setup/test/try")
    mark_a_word(page, "nice", "lovely")
    page.get_by_role("button", name="Hand in").click()
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_role("heading", name="Passed")).to_be_visible()
    found["tried"] = looked_at(page)

    assert nothing(found)


def test_04_axe_finds_nothing_while_a_file_is_looked_at_and_on_each_of_its_lists(
    contexts: Any, pages_house: House
) -> None:
    page = contexts(bypass_csp=True).new_page()
    Work(page, pages_house, "lead@example.org", pages_house.url).log_in()
    found = {}
    pages_house.stop_worker()
    try:
        page.goto(f"{pages_house.url}/p/drafted/setup/passages")
        page.locator("#file").set_input_files({"name": "a.csv", "mimeType": "text/csv", "buffer": ROWS.encode()})
        page.get_by_role("button", name="Look at it").click()
        expect(page.locator("#waiting")).to_be_visible()
        found["preview_waits"] = looked_at(page)
    finally:
        pages_house.continue_worker()
    expect(page.get_by_role("heading", name="Preview")).to_be_visible(timeout=60_000)
    address = page.url.partition("?")[0]
    for tab in ("first", "found", "errors"):
        page.goto(f"{address}?rows={tab}")
        found[f"preview, {tab}"] = looked_at(page)

    assert nothing(found)
