"""Stories of a lead who gives work, takes it, plants controls, and looks at a test."""

from typing import Any
from uuid import UUID

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Work
from tests.e2e.test_page_stories import violations
from tests.house import House

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def given_house() -> Any:
    """In which work is given to three people each, with controls among it, and somebody is tested."""
    made = House()
    made.seed("assigning", "tests.seeds_desk")
    made.start()
    yield made
    made.remove()


def pages(house: House) -> list[str]:
    rows = house.query(
        "SELECT u.email, m.uuid FROM annotator_membership m JOIN annotator_user u ON u.id = m.user_id "
        "WHERE u.email LIKE 'desk%'"
    )
    uuids = {email.partition("@")[0]: UUID(uuid) for email, uuid in rows}
    tails = ("assignment", "controls", f"assignment/withdraw/{uuids['desk0']}", f"people/{uuids['desk4']}/test")
    return [f"/p/desk/{tail}" for tail in tails]


def lead_at(contexts: Any, house: House, width: int = 1280, **given: Any) -> Page:
    page: Page = contexts(**given).new_page()
    page.set_viewport_size({"width": width, "height": 844 if width < 700 else 800})
    return Work(page, house, "lead@example.org", house.url).log_in().page


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_01_axe_finds_nothing_and_nothing_is_too_wide(
    contexts: Any, given_house: House, scheme: str, width: int
) -> None:
    page = lead_at(contexts, given_house, width, color_scheme=scheme, bypass_csp=True)
    found: dict[str, Any] = {}
    for path in pages(given_house):
        page.goto(given_house.url + path)
        found[path] = violations(page)
        if page.evaluate("document.documentElement.scrollWidth") > width:
            found[path].append("too wide")

    assert {path: problems for path, problems in found.items() if problems} == {}


@pytest.mark.parametrize("scripts", [True, False])
def test_02_a_lead_withdraws_work_and_sees_first_who_gets_it(contexts: Any, given_house: House, scripts: bool) -> None:
    page = lead_at(contexts, given_house, java_script_enabled=scripts)
    page.goto(f"{given_house.url}/p/desk/assignment")
    page.get_by_role("link", name="Withdraw work of").nth(0 if scripts else 1).click()

    expect(page.get_by_text("withdrawn from")).to_be_visible()
    expect(page.get_by_text(" gets ").first).to_be_visible()
    page.get_by_role("button", name="Withdraw ").click()

    expect(page.get_by_role("heading", name="Withdraw work")).to_be_visible()


def test_03_a_lead_gives_one_more_try(contexts: Any, given_house: House) -> None:
    page = lead_at(contexts, given_house)
    page.goto(given_house.url + pages(given_house)[-1])
    expect(page.get_by_text("did not pass")).to_be_visible()

    page.get_by_role("button", name="One more try").click()

    expect(page.get_by_text("They can try again")).to_be_visible()
    expect(page.get_by_role("heading", name="An earlier try")).to_be_visible()
