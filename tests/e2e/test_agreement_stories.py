"""Stories of merging and agreement: a lead finds who differs, reads it, refreshes, prints; by mouse and by keyboard."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Work, press
from tests.e2e.desk import uuid_of
from tests.e2e.test_page_stories import WCAG, violations
from tests.house import House
from tests.seeds_agreement import LONG_PSEUDONYM, ODD_ONE

pytestmark = pytest.mark.e2e
Enter = Callable[..., Page]
CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}  # all that a scheme can change
LONG_NAMES = "/".join(LONG_PSEUDONYM.format(number) for number in (0, 1))


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    """With three measured projects."""
    made = House()
    made.seed("agreeing", "tests.seeds_agreement")
    made.start()
    yield made
    made.remove()


@pytest.fixture(scope="module")
def sessions() -> dict[str, Any]:
    """Cookies of who has signed in: once is enough for all stories."""
    return {}


@pytest.fixture
def enter(contexts: Any, house: House, sessions: dict[str, Any]) -> Enter:
    """enter("lead", "/p/essays/merge") is that page, for that person."""

    def enter(name: str, path: str, *, width: int = 1280, height: int = 800, **given: Any) -> Page:
        page: Page = contexts(storage_state=sessions.get(name), **given).new_page()
        page.set_viewport_size({"width": width, "height": height})
        if name not in sessions:
            Work(page, house, f"{name}@example.org", house.url).log_in()
            sessions[name] = page.context.storage_state()
        page.goto(house.url + path)
        return page

    return enter


def six_pages(house: House, project: str = "essays", pair: str = "V01/V02", passage: str = "garden-01") -> list[str]:
    a, own = pair.split("/")[0], f"/p/{project}"
    return [
        f"{own}/merge",
        f"{own}/merge/passages",
        f"{own}/merge/passages/{uuid_of(house, project, passage)}",
        f"{own}/agreement",
        f"{own}/agreement/{pair}",
        f"{own}/agreement/{a}",
    ]


def focused(page: Page) -> Locator:
    return page.locator(":focus")


def test_01_a_lead_finds_the_worst_pair_and_reads_where_they_differ(enter: Enter) -> None:
    page = enter("lead", "/p/essays/")
    page.get_by_role("link", name="Agreement", exact=True).click()
    page.get_by_text("As a list, with N, M and intervals").click()
    worst = page.get_by_role("region", name="Pairs as a list").locator("tbody a").first
    expect(worst).to_have_text(re.compile(f"and {ODD_ONE}$"))
    name = worst.inner_text()
    worst.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)

    page.get_by_role("link", name=re.compile("^Other substitutes")).click()
    expect(page.locator(".seg [aria-current]")).to_contain_text("Other substitutes")
    page.get_by_role("link", name=re.compile("^They differ")).click()
    page.get_by_role("link", name=re.compile(r"^\d+ more$")).first.click()

    expect(page.get_by_role("link", name="all kinds")).to_be_visible()
    assert page.locator("article.pair").count() > 1


def test_02_a_cell_of_the_matrix_opens_its_pair(enter: Enter) -> None:
    page = enter("lead", "/p/essays/agreement")
    page.get_by_title(re.compile(f"^V01 and {ODD_ONE}: PA_det")).click()

    expect(page.get_by_role("heading", level=1)).to_have_text(f"V01 and {ODD_ONE}")
    expect(page.get_by_text("74 passages both submitted")).to_be_visible()


def test_03_j_and_k_move_the_focus_and_lead_to_the_next_page(enter: Enter) -> None:
    page = enter("lead", f"/p/essays/agreement/V01/{ODD_ONE}?bin=none")
    passages = page.locator("article.pair")
    expect(passages).to_have_count(20)
    first = passages.nth(0).locator(".where").inner_text()

    press(page, "j", "j")
    expect(passages.nth(1)).to_be_focused()
    press(page, "k", "k")
    expect(passages.nth(0)).to_be_focused()
    press(page, *"j" * 20)
    expect(page.get_by_role("link", name="Next passages")).to_be_focused()
    page.keyboard.press("Enter")

    expect(page).to_have_url(re.compile("after="))
    expect(passages.nth(0).locator(".where")).not_to_have_text(first)


def test_04_two_people_have_one_pair_and_no_interval(enter: Enter) -> None:
    page = enter("lead", "/p/two/agreement")
    expect(page.locator(".heat a")).to_have_count(2)
    expect(page.get_by_text("Needs three annotators")).to_be_visible()
    expect(page.locator(".versus").get_by_text("no interval")).to_have_count(2)

    page.locator(".heat a").first.click()

    expect(page.get_by_role("heading", level=1)).to_have_text("V01 and V02")
    expect(page.locator("article.pair")).not_to_have_count(0)


def test_05_a_lead_merges_again_what_has_changed_and_refreshes_agreement(enter: Enter, house: House) -> None:
    """Both are jobs; the page shows how far they are and comes anew by itself."""
    lead = enter("lead", "/p/essays/merge")
    expect(lead.get_by_text("There is no merge before this one")).to_be_visible()
    ann = enter("ann", "/p/essays/work")
    ann.get_by_role("link", name=re.compile("Go on with passage|Begin with passage|^[0-9]+$")).first.click()
    expect(ann.locator("[data-passage]")).to_have_attribute("aria-disabled", "false")
    here = ann.url
    passage = ann.locator("[data-passage]").inner_text()
    ann.locator(".word").first.click()
    ann.keyboard.type("Quite another word;")
    press(ann, "Escape", "Escape", "Control+Enter")
    expect(ann).not_to_have_url(here)

    lead.reload()
    expect(lead.get_by_text("1 answer has changed since")).to_be_visible()
    house.stop_worker()
    lead.get_by_role("button", name="Merge again").click()
    expect(lead.get_by_role("progressbar", name="Done")).to_be_visible()
    expect(lead.get_by_role("button", name="Merge again")).to_be_disabled()
    house.continue_worker()
    expect(lead.locator("#progress")).to_have_count(0, timeout=20_000)
    expect(lead.get_by_text("answer has changed since")).to_have_count(0)
    lead.get_by_role("row", name=re.compile("^Targets (new|changed|added)")).get_by_role("link").first.click()
    expect(lead.get_by_text("Quite another word")).not_to_have_count(0)
    lead.locator("tr", has_text="Quite another word").get_by_role("link").first.click()
    expect(lead.locator(".serif")).to_have_text(passage.split("\n")[0])

    lead.goto(f"{house.url}/p/essays/agreement")
    expect(lead.get_by_text("1 answer has changed since")).to_be_visible()
    house.stop_worker()
    lead.get_by_role("button", name="Refresh").click()
    expect(lead.get_by_role("progressbar", name="Done")).to_be_visible()
    house.continue_worker()

    expect(lead.locator("#progress")).to_have_count(0, timeout=20_000)
    expect(lead.get_by_text("of 617 submitted answers")).to_be_visible()
    expect(lead.get_by_text("answer has changed since")).to_have_count(0)


def test_06_everything_is_reached_by_keyboard(enter: Enter) -> None:
    page = enter("lead", "/p/essays/agreement")
    page.get_by_role("heading", level=1).click()

    def tab_to(wanted: Locator) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            if wanted.evaluate("(node) => node === document.activeElement"):
                return
        raise AssertionError(f"never at {wanted}")

    filters = page.locator("details.filter")
    tab_to(filters.locator("summary"))
    page.keyboard.press("Enter")
    meanings = page.locator("details.meaning")
    tab_to(meanings.nth(0).locator("summary"))
    page.keyboard.press("Enter")
    expect(meanings.nth(0).locator(".panel")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(meanings.nth(1).locator(".panel")).to_be_visible()
    expect(meanings.nth(0).locator(".panel")).to_be_hidden()  # one at a time
    page.keyboard.press("Escape")
    expect(page.locator(".meaning[open]")).to_have_count(0)
    expect(meanings.nth(1).locator("summary")).to_be_focused()

    tab_to(page.locator(".heat a").first)
    assert focused(page).evaluate("(node) => getComputedStyle(node).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/agreement/[^/]+/[^/]+$"))


def test_07_a_lead_filters_by_people_and_measures_them(enter: Enter) -> None:
    page = enter("lead", "/p/essays/agreement", java_script_enabled=False)
    page.get_by_text("Filter by people or group").click()
    for name in ("V01", "V02", "V03"):
        page.get_by_label(name, exact=True).check()
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("Not measured for this choice yet.")).to_be_visible()
    page.get_by_role("button", name="Measure").click()

    for _ in range(40):
        page.wait_for_timeout(250)
        page.reload()
        if page.locator(".heat a").count():
            break

    expect(page.locator(".heat a")).to_have_count(6)
    expect(page.get_by_text("Only V01, V02, V03")).to_be_visible()


def test_08_names_are_shown_on_request_and_hidden_again(enter: Enter) -> None:
    page = enter("lead", "/p/essays/agreement")
    people = page.get_by_role("region", name="Each person")
    expect(people).not_to_contain_text("Ben")
    page.get_by_role("link", name="Show names").click()
    expect(people).to_contain_text("Ben")
    page.get_by_role("link", name="Hide names").click()

    expect(people).not_to_contain_text("Ben")


def test_09_an_adjudicator_sees_the_pages_and_no_button_of_leads(enter: Enter, house: House) -> None:
    page = enter("tomas", "/p/essays/agreement")
    for path in six_pages(house):
        assert page.goto(house.url + path).status == 200, path  # type: ignore[union-attr]
        expect(page.get_by_role("button", name=re.compile("Merge|Refresh|Measure"))).to_have_count(0)
        expect(page.get_by_role("link", name=re.compile("Show names|The job"))).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_10_axe_finds_nothing(enter: Enter, house: House, scheme: str, width: int) -> None:
    """The large report of ten people, and the rest with less to read through."""
    page = enter("lead", "/p/essays/agreement", width=width, color_scheme=scheme, bypass_csp=True)
    found = {}
    for path in ["/p/essays/agreement", *(path for path in six_pages(house, "two") if path != "/p/two/agreement")]:
        assert page.goto(house.url + path).status == 200, path  # type: ignore[union-attr]
        if scheme == "light":  # in the dark what they hold has the colours of other tables
            unfold = "document.querySelectorAll('main details:not(.menu, .meaning)').forEach((one) => one.open = true)"
            page.evaluate(unfold)
        if page.locator(".meaning").count():
            page.locator(".meaning summary").first.click()
        found[path] = violations(page, WCAG if scheme == "light" else CONTRAST)

    assert {name: problems for name, problems in found.items() if problems} == {}


@pytest.mark.parametrize("width", [390, 640])
def test_11_nothing_is_wider_than_a_phone_however_long_names_and_texts_are(
    enter: Enter, house: House, width: int
) -> None:
    """640 px: a window of 1280 at 200 % zoom. Tables scroll by themselves, and keys can do it."""
    page = enter("lead", "/p/essays/agreement", width=width, height=844)
    widths = {}
    for path in [*six_pages(house), *six_pages(house, "crowd", LONG_NAMES, "short")]:
        page.goto(house.url + path)
        widths[path] = page.evaluate("document.documentElement.scrollWidth")
        scrolling = (
            "[...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > one.clientWidth"
            " && one.tabIndex < 0).length"
        )
        assert page.evaluate(scrolling) == 0, path
    page.goto(f"{house.url}/p/essays/agreement")
    for meaning in page.locator(".meaning").all():
        meaning.locator("summary").click()
        box = meaning.locator(".panel").bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= box["x"] + box["width"] <= width, meaning.inner_text()
        page.keyboard.press("Escape")

    assert {path: found for path, found in widths.items() if found > width} == {}


def test_11b_a_matrix_that_goes_on_sideways_says_so_until_its_end_is_seen(enter: Enter) -> None:
    page = enter("lead", "/p/essays/agreement", width=390, height=844)
    region, hint = page.get_by_role("region", name="Every pair"), page.get_by_text("slide sideways for more")
    expect(hint).to_be_visible()

    region.evaluate("(node) => { node.scrollLeft = node.scrollWidth; }")
    expect(hint).to_be_hidden()
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(hint).to_be_hidden()


def test_12_a_passage_from_right_to_left_has_its_lanes_over_the_right_words(enter: Enter) -> None:
    page = enter("lead", "/p/essays/agreement/V01/V02?bin=none")
    arabic = page.locator("article.pair", has_text="arabic")
    assert arabic.locator(".voices").evaluate("(node) => getComputedStyle(node).direction") == "rtl"

    first, second = (arabic.locator(".voice:not(.whose)").nth(number) for number in (0, 1))
    right, left = first.bounding_box(), second.bounding_box()
    assert right is not None
    assert left is not None
    assert right["x"] > left["x"]
    over, word = first.locator(".up").bounding_box(), first.locator(".w").bounding_box()
    assert over is not None
    assert word is not None
    assert over["y"] + over["height"] <= word["y"] + 1
    assert abs(over["x"] + over["width"] - word["x"] - word["width"]) < 1
    whose = arabic.locator(".whose").bounding_box()
    assert whose is not None
    assert whose["x"] > right["x"]


def test_13_lanes_do_not_overlap_however_long_they_are(enter: Enter) -> None:
    page = enter("lead", f"/p/crowd/agreement/{LONG_NAMES}")
    meet = """() => {
      const boxesIn = (line) => [...line.querySelectorAll(".up, .w, .dn")].map((one) => one.getBoundingClientRect());
      const meetOn = (from, to, a, b) => a[from] < b[to] - 3 && b[from] < a[to] - 3;
      const over = (a, b) => meetOn("left", "right", a, b) && meetOn("top", "bottom", a, b);
      const boxes = [...document.querySelectorAll(".voices")].map(boxesIn);
      return boxes.flatMap((line) => line.flatMap((a, at) => line.slice(at + 1).filter((b) => over(a, b)))).length;
    }"""

    assert page.evaluate(meet) == 0
    assert page.locator(".voice .long").count() > 0


def test_14_the_report_of_ten_people_prints_on_two_pages_without_names_or_buttons(enter: Enter) -> None:
    page = enter("lead", "/p/essays/agreement?names=1", color_scheme="dark")
    printed = page.pdf(prefer_css_page_size=True)
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", printed)) <= 2

    page.emulate_media(media="print")
    page.set_viewport_size({"width": 703, "height": 1032})  # A4 within its margins
    shown = page.locator("body").inner_text()

    expect(page.get_by_role("button").locator("visible=true")).to_have_count(0)
    expect(page.get_by_role("navigation").locator("visible=true")).to_have_count(0)
    assert not re.search(r"\b(Ann|Ben|Lead)\b", shown)
    assert "Agreement · Essays" in shown
    assert "With fewer annotators" in shown
    for table in page.locator("main table").locator("visible=true").all():
        box = table.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 704
