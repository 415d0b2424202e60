"""Stories of every page: accessible in light and dark, usable without scripts, on a phone, and in the demo."""

import re
import subprocess
import sys
from collections.abc import Iterator
from functools import reduce
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Work
from tests.house import PASSWORD, ROOT, House

pytestmark = pytest.mark.e2e
# axe's scripts are put into the page by the browser's debugger, past the page's own policy.
PICTURES = ROOT / "var" / "screenshots"
SETTINGS = ("settings", "settings/copy", "activity")
WCAG = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}}


def violations(page: Page, options: dict[str, Any] = WCAG) -> list[str]:
    results = Axe().run(page, options=options)
    return [f"{item['id']}: {item['nodes'][0]['html']}" for item in results.response["violations"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_01_axe_finds_nothing_on_any_page(contexts: Any, house: House, email: str, scheme: str, width: int) -> None:
    context = contexts(color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{house.url}/log-in")
    found = {"log-in": violations(page)}
    ann = Work(page, house, email, house.url).log_in()
    # The page of the API is so long that it takes axe half a minute: both schemes, both widths, not each of each.
    api = ["/api/"] if (scheme, width) in (("light", 1280), ("dark", 390)) else []
    for path in ("/p/stories/", "/p/stories/work", "/p/stories/guidelines", "/password", "/nothing", *api):
        page.goto(house.url + path)
        found[path] = violations(page)
    ann.open()
    found["work"] = violations(page)
    ann.word("boy").click()
    page.keyboard.type("lad, young; youth")
    expect(page.locator("[data-card] .notes")).to_be_visible()
    found["work, card open"] = violations(page)
    page.keyboard.press("Escape")
    for key in ("?", "g", "q"):
        page.keyboard.press(key)
        expect(page.locator("dialog[open]")).to_be_visible()
        found[f"panel {key}"] = violations(page)
        page.keyboard.press("Escape")
    page.get_by_label("account menu").click()
    page.get_by_role("button", name="Sign out").click()
    Work(page, house, "lead@example.org", house.url).log_in()
    for path in (
        "board",
        "passages",
        "passages/add",
        "setup/screening",
        "people",
        "questions",
        "jobs",
        "guidelines",
        "guidelines/change",
        *SETTINGS,
    ):
        page.goto(f"{house.url}/p/stories/{path}")
        found[f"lead {path}"] = violations(page)
    page.goto(f"{house.url}/p/stories/")
    page.get_by_role("link", name="Hand out work…").click()
    page.get_by_role("button", name="Hand out work").click()
    expect(page.locator("#status").get_by_text("Everybody had everything already.")).to_be_visible()
    found["job"] = violations(page)

    assert {name: problems for name, problems in found.items() if problems} == {}


@pytest.mark.parametrize("most", [390, 640])
def test_02_nothing_is_wider_than_a_phone_or_a_page_at_twice_its_size(
    contexts: Any, house: House, email: str, most: int
) -> None:
    """640 px: a window of 1280 at 200 % zoom."""
    page = contexts().new_page()
    page.set_viewport_size({"width": most, "height": 844 if most == 390 else 400})
    ann = Work(page, house, email, house.url).log_in()
    widths = {}
    for path in ("/", "/p/stories/work", "/password"):
        page.goto(house.url + path)
        widths[path] = page.evaluate("document.documentElement.scrollWidth")
    ann.open("markup")
    ann.word("words").click()
    widths["work"] = page.evaluate("document.documentElement.scrollWidth")
    page.get_by_label("account menu").click()
    page.get_by_role("button", name="Sign out").click()
    Work(page, house, "lead@example.org", house.url).log_in()
    for path in (
        "/p/stories/board",
        "/p/stories/passages",
        "/p/stories/people",
        "/p/stories/jobs",
        "/p/stories/settings",
        "/p/stories/activity",
    ):
        page.goto(house.url + path)
        widths[f"lead {path}"] = page.evaluate("document.documentElement.scrollWidth")
        expect(page.locator(".nav [aria-current]")).to_be_in_viewport(ratio=0.9)

    assert {path: width for path, width in widths.items() if width > most} == {}


def test_03_discard_undo_and_reopen_work_without_scripts(contexts: Any, house: House, email: str) -> None:
    ann = Work(contexts(java_script_enabled=False).new_page(), house, email, house.url).log_in().open()
    expect(ann.page.get_by_text("Marking words needs JavaScript.")).to_be_visible()
    ann.page.get_by_text("Discard this passage…").click()
    ann.page.get_by_label("Duplicate").check()
    ann.page.get_by_role("button", name="Discard", exact=True).click()
    expect(ann.page.get_by_text("You have discarded this passage: duplicate.")).to_be_visible()

    ann.page.get_by_role("button", name="Undo the discard").click()

    expect(ann.page.get_by_text("Discard this passage…")).to_be_visible()
    ann.stored(state="started")


def test_04_a_lead_invites_and_the_newcomer_joins(contexts: Any, house: House) -> None:
    lead = Work(contexts().new_page(), house, "lead@example.org", house.url).log_in()
    lead.page.get_by_role("link", name="People").first.click()
    lead.page.get_by_label("E-mail addresses").fill("newcomer@example.org")
    lead.page.get_by_role("button", name="Invite", exact=True).click()
    link = lead.page.get_by_label("Invitation link for newcomer@example.org").input_value()
    newcomer = contexts().new_page()
    newcomer.goto(house.url + re.sub(r"^http://[^/]+", "", link))
    newcomer.get_by_label("Your name").fill("Newcomer")
    newcomer.get_by_label("New password").fill(PASSWORD)
    newcomer.get_by_role("button", name="Make my account and join").click()

    expect(newcomer.get_by_text("Welcome to Stories.")).to_be_visible()
    expect(newcomer.get_by_role("link", name="Begin with passage 1")).to_be_visible()


def test_05_the_whole_page_by_keyboard(ann: Work) -> None:
    """No mouse: arrows to a word, Enter opens, type, Escape, submit by Ctrl+Enter."""
    ann.open()
    ann.expect_locked(False)
    ann.passage.focus()
    ann.page.keyboard.press("ArrowRight")
    ann.page.keyboard.press("ArrowRight")
    ann.page.keyboard.press("Enter")
    expect(ann.field()).to_be_focused()
    ann.page.keyboard.type("strolled")
    ann.page.keyboard.press("Escape")
    ann.page.keyboard.press("Control+Enter")

    found = ann.stored(state="submitted", words=["strolled"])

    assert found["answer"]["marks"][0]["quote"] == "walked"


@pytest.fixture(scope="module")
def demo() -> Iterator[House]:
    made = House("--demo").start()
    yield made
    made.remove()


def demo_link(house: House, name: str) -> str:
    found = re.findall(rf"^  {name} .* (http://\S+/sign-in/\S+)$", house.log.read_text(), re.M)
    return found[-1]


def test_06_the_demo_signs_in_by_link_and_switches_person(contexts: Any, demo: House) -> None:
    page = contexts().new_page()
    page.goto(demo_link(demo, "Lena Marsh"))
    page.get_by_role("button", name="Sign in as Lena Marsh").click()
    page.get_by_role("link", name=re.compile("Go on with passage")).click()
    expect(page.locator("[data-passage]")).to_have_attribute("aria-disabled", "false")
    page.get_by_label("account menu").click()
    page.get_by_role("button", name="Nora Lindqvist").click()
    page.get_by_role("link", name="People").first.click()

    expect(page.get_by_role("cell", name="V07 voice, without an account")).to_be_visible()
    expect(page.get_by_text("voice, without an account")).to_have_count(7)


def test_07_demo_links_work_on_this_machine_by_its_own_name_only(contexts: Any, demo: House) -> None:
    import urllib.error
    import urllib.request

    request = urllib.request.Request(demo_link(demo, "Kofi Mensah"), headers={"Host": "evil.example"})

    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request)

    assert refused.value.code == 400


def test_08_messages_of_a_house_without_the_demo_offer_no_switch(ann: Work) -> None:
    ann.page.goto(ann.url)
    ann.page.get_by_label("account menu").click()

    expect(ann.page.get_by_text("Switch person")).to_have_count(0)
    expect(ann.page.get_by_role("link", name="Account")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1280, 800), (390, 844)], ids=["wide", "phone"])
def test_09_the_style_guide_is_accessible_and_has_its_picture_taken(
    contexts: Any, demo: House, scheme: str, size: tuple[int, int]
) -> None:
    page = contexts(color_scheme=scheme, bypass_csp=True).new_page()
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{demo.url}/styleguide")
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"styleguide-{size[0]}-{scheme}.png", full_page=True)

    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]


def test_10_focus_is_seen_wherever_it_is(contexts: Any, demo: House) -> None:
    page = contexts().new_page()
    page.goto(f"{demo.url}/styleguide")
    outlines = []
    for _ in range(18):
        page.keyboard.press("Tab")
        style = (
            "(() => { const s = getComputedStyle(document.activeElement); return [s.outlineStyle, s.outlineWidth]; })()"
        )
        outlines.append(tuple(page.evaluate(style)))

    assert set(outlines) == {("solid", "2px")}


def test_11_the_policy_allows_nothing_inline(contexts: Any, demo: House) -> None:
    """`contexts` fails the story when the browser reports a violation; here the policy's own words."""
    page = contexts().new_page()
    answer = page.goto(f"{demo.url}/styleguide")

    assert answer is not None
    policy = answer.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'self'" in policy
    assert page.locator("[style], style, script:not([src])").count() == 0


@pytest.mark.own_house
def test_12_the_example_of_the_api_guide_works_as_it_is_written(house: House, email: str) -> None:
    found = re.search(r"```python\n(.*?)```", (ROOT / "docs" / "api.md").read_text(), re.S)
    assert found
    own = {"http://127.0.0.1:8000": house.url, "you@example.org": email, "your password": PASSWORD}
    script = reduce(lambda text, pair: text.replace(*pair), own.items(), found.group(1))
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60)

    assert done.returncode == 0, done.stderr
    assert house.wait_for(email, 1, words=["better"])["state"] == "submitted"


def test_13_a_long_crumb_is_cut_before_any_tab_is(contexts: Any, house: House) -> None:
    page = contexts().new_page()
    Work(page, house, "lead@example.org", house.url).log_in()
    page.goto(f"{house.url}/p/stories/assignment")
    page.locator(".crumbs a").first.evaluate("node => { node.textContent = 'Essays of learners '.repeat(6); }")

    over = page.locator(".nav").evaluate("node => node.scrollWidth - node.clientWidth")

    assert over <= 0
    expect(page.locator(".nav").get_by_role("link", name="Settings")).to_be_in_viewport(ratio=0.95)
