"""Stories of adjudicating: by keyboard only, by mouse, on a phone; overtaken, signed out, cut off. Nothing is lost."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Work, press
from tests.e2e.proxy import Proxy
from tests.e2e.test_agreement_stories import uuid_of
from tests.e2e.test_page_stories import violations
from tests.house import PASSWORD, House

pytestmark = pytest.mark.e2e
Enter = Callable[..., "Desk"]


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    made = House()
    made.seed("agreeing", "tests.seeds_agreement")
    made.start()
    yield made
    made.remove()


@pytest.fixture(scope="module")
def sessions() -> dict[str, Any]:
    return {}


class Desk:
    """One adjudicator at one passage."""

    def __init__(self, page: Page, house: House) -> None:
        self.page, self.house = page, house

    def target(self, quote: str) -> Locator:
        exactly = re.compile(f"^{re.escape(quote)}$")
        return self.page.locator(".target", has=self.page.locator(".quote").filter(has_text=exactly))

    @property
    def current(self) -> Locator:
        return self.page.locator(".target.cur")

    def expect_state(self, state: str) -> None:
        expect(self.page.locator("[data-save-state]")).to_have_attribute("data-save-state", state)

    def expect_saved(self) -> None:
        self.expect_state("saved")

    @property
    def heading(self) -> Locator:
        return self.page.get_by_role("heading", level=1)

    def go_to(self, quote: str) -> None:
        """By the arrow keys alone."""
        press(self.page, "Home")
        for _ in range(40):
            if self.current.locator(".quote").inner_text() == quote:
                return
            press(self.page, "ArrowDown")
        raise AssertionError(f"no target {quote}")

    def decisions(self, passage: str) -> list[dict[str, Any]]:
        rows = self.house.query(
            "SELECT d.start, d.version, d.content, d.reason, d.cause FROM adjudication_decision d "
            "JOIN annotator_passage p ON p.id = d.passage_id JOIN annotator_project j ON j.id = p.project_id "
            "WHERE j.slug = 'essays' AND p.external_id = ? ORDER BY d.start",
            passage,
        )
        names = ("start", "version", "content", "reason", "cause")
        return [dict(zip(names, (row[0], row[1], json.loads(row[2]), *row[3:]), strict=True)) for row in rows]

    @property
    def owed(self) -> list[str]:
        keys = "Object.keys(localStorage).filter((key) => key.startsWith('assay:acts:'))"
        found: list[str] = self.page.evaluate(f"() => {keys}")
        return found


@pytest.fixture
def enter(contexts: Any, house: House, sessions: dict[str, Any]) -> Enter:
    """enter("garden-01") is that passage on tomas's desk."""

    def enter(
        passage: str = "", *, name: str = "tomas", width: int = 1280, url: str = "", path: str = "", **given: Any
    ) -> Desk:
        where = url or house.url
        page: Page = contexts(storage_state=None if url else sessions.get(name), **given).new_page()
        page.set_viewport_size({"width": width, "height": 844 if width < 700 else 800})
        if url or name not in sessions:
            Work(page, house, f"{name}@example.org", where).log_in()
            if not url:
                sessions[name] = page.context.storage_state()
        tail = f"/{uuid_of(house, 'essays', passage)}" if passage else ""
        page.goto(f"{where}{path or f'/p/essays/adjudicate{tail}'}")
        desk = Desk(page, house)
        if passage:
            expect(page.locator(".target").first).to_be_visible()
            desk.expect_saved()
        return desk

    return enter


def test_01_ten_passages_by_keyboard_only(enter: Enter) -> None:
    desk = enter()
    page = desk.page
    left = int(re.search(r"([\d,]+) left", page.content()).group(1).replace(",", ""))  # type: ignore[union-attr]
    page.get_by_role("link", name="Begin", exact=True).press("Enter")

    seen = []
    for _ in range(10):
        expect(page.locator(".target").first).to_be_visible()
        name = desk.heading.inner_text()
        seen.append(name)
        press(page, "k", "ArrowDown", "x")
        page.wait_for_timeout(750)  # a second Ctrl+Enter too soon would be taken for the first
        press(page, "Control+Enter")
        expect(desk.heading).not_to_have_text(name)
    desk.expect_saved()

    assert len(set(seen)) == 10
    assert desk.owed == []
    for name in seen:
        found = desk.decisions(name)
        assert found[0]["start"] is None
        assert found[0]["content"] == {"verdict": "settled"}
        assert any(row["content"]["verdict"] == "keep" for row in found[1:])
    page.goto(f"{desk.house.url}/p/essays/adjudicate")
    expect(page.locator(".page-head")).to_contain_text(f"{left - 10} left, 10 settled")


def test_02_type_edit_add_remove_join_reason_and_undo(enter: Enter) -> None:
    desk = enter("football-04")
    page = desk.page
    press(page, "Home")
    first = desk.current.locator(".quote").inner_text()
    type_before = desk.current.locator(".type").inner_text()

    press(page, "t")
    expect(desk.current.locator(".type")).not_to_have_text(type_before)
    press(page, "a")
    page.keyboard.type("quite another word")
    press(page, "Enter")
    expect(desk.current.locator(".chips")).to_contain_text("quite another word 0 added")
    press(page, "e")
    page.keyboard.type("edited one")
    press(page, "Enter")
    expect(desk.current.locator(".chips")).to_contain_text("edited one")
    press(page, "r")
    page.keyboard.type("The guide says nothing.")
    press(page, "Enter")
    press(page, "1")
    desk.expect_saved()
    stored = next(row for row in desk.decisions("football-04") if row["content"]["suggestions"])
    assert (stored["reason"], stored["cause"]) == ("The guide says nothing.", "guideline")
    assert {item["text"] for item in stored["content"]["suggestions"]} == {"quite another word", "edited one"}

    for _ in range(5):
        press(page, "Control+z")
    desk.expect_saved()
    assert all(
        row["content"] == {"verdict": None, "suggestions": [], "removed": []} for row in desk.decisions("football-04")
    )
    expect(desk.current.locator(".type")).to_have_text(type_before)
    press(page, "Control+Shift+z")
    expect(desk.current.locator(".type")).not_to_have_text(type_before)
    assert desk.current.locator(".quote").inner_text() == first
    press(page, "h")
    expect(page.get_by_role("dialog", name="History")).to_contain_text("taken back")


def test_03_a_new_target_a_move_and_a_span(enter: Enter) -> None:
    desk = enter("city-noise-01")
    page = desk.page
    before = page.locator(".target").count()

    marked = " ".join(page.locator(".target .quote").all_inner_texts())
    press(page, "n", *["ArrowLeft"] * 60)
    while page.locator(".w.picked").inner_text().strip(" ,.") in marked:
        press(page, "ArrowRight")
    picked = page.locator(".w.picked").inner_text().strip(" ,.")
    press(page, "Enter")
    page.keyboard.type("something new")
    press(page, "Enter")
    desk.expect_saved()
    expect(page.locator(".target")).to_have_count(before + 1)
    expect(desk.current.locator(".quote")).to_have_text(picked)
    expect(desk.current).to_contain_text("added")

    press(page, "Home", "ArrowDown")
    moved = desk.current.locator(".quote").inner_text()
    press(page, "m", "ArrowDown", "Enter")
    desk.expect_saved()
    expect(desk.target(moved).first).to_contain_text("Moved to")
    assert sum(row["content"]["verdict"] == "moved" for row in desk.decisions("city-noise-01")) == 1


def test_04_two_at_once_and_nobody_s_act_is_lost(enter: Enter) -> None:
    mine, theirs = enter("kitchen-01"), enter("kitchen-01", name="lead")
    kept = mine.page.locator(".target:not(.off) .quote").first.inner_text()
    for desk, key in ((mine, "x"), (theirs, "k")):
        desk.go_to(kept)
        press(desk.page, key)
        if desk is mine:
            mine.expect_saved()

    theirs.expect_state("conflict")
    conflict = theirs.page.locator("[data-conflict]")
    expect(conflict).to_contain_text("decided this since you looked")
    expect(conflict.locator("[data-mine]")).to_have_text("keep")
    expect(conflict.locator("[data-theirs]")).to_have_text("drop")
    conflict.get_by_role("button", name="Keep mine").click()
    theirs.expect_saved()
    assert theirs.decisions("kitchen-01")[0]["content"]["verdict"] == "keep"

    press(mine.page, "t")
    mine.expect_state("conflict")
    mine.page.get_by_role("button", name="Take theirs").click()
    mine.expect_saved()
    expect(mine.current).to_contain_text("Kept")
    assert mine.decisions("kitchen-01")[0]["version"] == 2


def test_05_cut_off_nothing_is_lost(enter: Enter, house: House) -> None:
    proxy = Proxy(house.port)
    desk = enter("garden-05", url=proxy.url)
    page = desk.page

    proxy.set("lose responses")
    press(page, "Home", "x")
    desk.expect_state("retrying")
    expect(page.locator("[data-banner]")).to_contain_text("kept in this browser")
    press(page, "ArrowDown", "x")  # goes on deciding meanwhile
    assert len(desk.owed) == 1
    proxy.set("open")  # it tries again by itself
    desk.expect_saved()

    assert [row["version"] for row in desk.decisions("garden-05")] == [1, 1]
    assert desk.owed == []
    proxy.set("down")
    press(page, "k")
    desk.expect_state("retrying")
    proxy.set("open")
    page.reload()  # what was owed is in the slot, and is sent
    desk.expect_saved()
    expect(page.locator(".target").first).to_be_visible()
    assert any(row["version"] == 2 for row in desk.decisions("garden-05"))
    proxy.close()


def test_06_signed_out_one_signs_in_over_the_page(enter: Enter) -> None:
    desk = enter("garden-06", url=enter("garden-06").house.url)
    page = desk.page
    page.context.clear_cookies(name="assay_session")

    press(page, "Home", "x")
    desk.expect_state("signed-out")
    page.get_by_role("button", name="Sign in").first.click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in and go on").click()
    desk.expect_saved()

    assert desk.decisions("garden-06")[0]["version"] == 1


def test_07_by_mouse(enter: Enter) -> None:
    desk = enter("garden-07")
    page = desk.page
    page.locator(".target").nth(1).click()
    page.locator(".target").nth(1).locator(".chip").first.click()
    expect(page.locator(".sentence ins")).to_be_visible()
    chip = page.locator(".target").nth(1).locator(".chip").first.inner_text()
    page.get_by_role("button", name=re.compile("^Remove")).click()
    expect(page.locator(".target").nth(1).locator(".chip.gone")).to_have_count(1)
    page.get_by_role("button", name=re.compile("^Undo")).click()
    expect(page.locator(".target").nth(1).locator(".chip.gone")).to_have_count(0)
    expect(page.locator(".target").nth(1).locator(".chip").first).to_have_text(chip)
    page.get_by_role("button", name=re.compile("^Discard")).click()
    page.get_by_label("Discard this passage: why?").fill("A duplicate.")
    page.get_by_role("button", name="OK").click()
    expect(page.locator("[data-verdict]")).to_contain_text("Discarded by")
    desk.expect_saved()
    page.goto(f"{desk.house.url}/p/essays/gold?only=discarded")
    expect(page.locator("table")).to_contain_text("garden-07")


def test_08_on_a_phone_nothing_runs_over(enter: Enter) -> None:
    desk = enter("garden-08", width=390, has_touch=True)
    page = desk.page
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator(".target").nth(1).tap()
    page.get_by_role("button", name=re.compile("^(Drop|Restore)")).tap()
    desk.expect_saved()
    page.get_by_role("button", name="Lanes").tap()
    expect(page.locator(".lm").first).to_be_visible()
    page.get_by_role("button", name=re.compile("^Settle")).tap()
    expect(desk.heading).not_to_have_text("garden-08")


def test_09_right_to_left(enter: Enter) -> None:
    desk = enter("hebrew")
    page = desk.page
    boxes = [page.locator(".lanes .w").nth(number).bounding_box() for number in (0, 1)]
    first, second = (box["x"] if box else 0 for box in boxes)
    assert first > second > 0
    press(page, "Home", "k")
    desk.expect_saved()
    expect(page.locator(".sentence")).to_have_attribute("dir", "rtl")


def test_10_same_word_and_discussion(enter: Enter) -> None:
    desk = enter("garden-02")
    page = desk.page
    press(page, "Home", "w")
    dialog = page.get_by_role("dialog", name="Same word elsewhere")
    expect(dialog.locator("[data-content]")).not_to_have_text("Loading …")
    press(page, "Escape")
    press(page, "c")
    page.get_by_label("Comment").fill("Is this a typo?")
    press(page, "Control+Enter")
    expect(page.get_by_role("dialog", name="Discussion")).to_contain_text("Is this a typo?")
    page.get_by_role("button", name="Resolve").click()
    expect(page.get_by_role("button", name="Take up again")).to_be_visible()
    press(page, "Escape")
    press(page, "?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("settle and next")


def test_11_letters_can_be_switched_off(enter: Enter) -> None:
    desk = enter("garden-03")
    page = desk.page
    press(page, "?")
    page.get_by_label("Single letters and digits are keys").uncheck()
    press(page, "Escape")
    press(page, "Home", "x")
    assert desk.decisions("garden-03") == []
    page.get_by_role("button", name=re.compile("^(Drop|Restore)")).click()
    desk.expect_saved()
    assert len(desk.decisions("garden-03")) == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_12_axe_finds_nothing(enter: Enter, house: House, width: int, scheme: str) -> None:
    desk = enter("city-noise-02", width=width, color_scheme=scheme, bypass_csp=True)
    page = desk.page
    found = {"desk": violations(page)}
    press(page, "a")
    found["entry"] = violations(page)
    press(page, "Escape", "?")
    found["keys"] = violations(page)
    uuid = uuid_of(house, "essays", "city-noise-02")
    for path in ("adjudicate", "adjudicate/quiet", "adjudicate/twice", "gold", f"gold/{uuid}"):
        page.goto(f"{house.url}/p/essays/{path}")
        found[path] = violations(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    assert found == {name: [] for name in found}


def test_13_the_quiet_ones_are_settled_and_taken_back(enter: Enter) -> None:
    desk = enter(path="/p/essays/adjudicate/quiet?dispute=1000")
    page = desk.page
    button = page.get_by_role("button", name=re.compile("^Settle"))
    times = re.search(r"\d+", button.inner_text()).group()  # type: ignore[union-attr]
    button.click()
    expect(page.locator(".messages")).to_contain_text(f"{times} passage")
    page.get_by_role("button", name="Undo it").click()
    expect(page.locator(".messages")).to_contain_text(f"{times} taken back")


def test_14_two_settle_a_passage_blind_and_a_third_look_unites_them(enter: Enter, house: House) -> None:
    lead = enter(name="lead", path="/p/essays/adjudicate/twice").page
    lead.get_by_label("Passages to be settled by two").fill("1")
    lead.get_by_role("button", name="Draw").click()
    expect(lead.locator(".messages")).to_contain_text("1 passage to be settled by two.")
    [(passage,)] = house.query(
        "SELECT p.external_id FROM adjudication_double d JOIN annotator_passage p ON p.id = d.passage_id"
    )

    first = enter(passage)
    word = first.current.locator(".quote").inner_text()
    press(first.page, "k", "r")
    first.page.keyboard.type("a set phrase")
    press(first.page, "Enter", "Control+Enter")
    expect(first.heading).not_to_have_text(passage)
    second = enter(passage, name="lead")
    expect(second.page.locator("body")).not_to_contain_text("a set phrase")
    press(second.page, "x", "Control+Enter")
    expect(second.heading).not_to_have_text(passage)

    desk = enter(passage)
    expect(desk.page.locator("[data-double]")).to_contain_text("Settled by two, blind to each other.")
    desk.go_to(word)
    expect(desk.page.locator(".now")).to_contain_text("drop")
    expect(desk.page.locator(".now")).to_contain_text("a set phrase")
    desk.page.locator(".now p", has_text="a set phrase").get_by_role("button", name="Take this").click()
    desk.expect_saved()
    expect(desk.current).to_contain_text("Kept")
    press(desk.page, "Control+z")
    desk.expect_saved()
    desk.page.get_by_role("button", name=re.compile("^Take all of")).first.click()
    expect(desk.page.locator("[data-verdict]")).to_contain_text("Settled by")
    lead.reload()
    expect(lead.get_by_role("row", name=re.compile(passage))).to_contain_text("united")


def test_15_under_consensus_what_one_decides_waits_for_another(enter: Enter, house: House) -> None:
    house.command("protocol", "essays", "--set", "needs_consensus=true")
    page = enter().page
    expect(page.locator("body")).to_contain_text("until all who annotate them have submitted them")
    first = enter("garden-04")
    word = first.current.locator(".quote").inner_text()
    press(first.page, "x")
    first.expect_saved()
    expect(first.current).to_contain_text("proposed")
    expect(first.page.locator(".now")).to_contain_text("Somebody else has to agree.")

    second = enter("garden-04", name="lead")
    second.go_to(word)
    expect(second.page.locator(".now")).to_contain_text("Y agrees")
    press(second.page, "y")
    second.expect_saved()
    expect(second.current).not_to_contain_text("proposed")
    house.command("protocol", "essays", "--set", "needs_consensus=false")


def test_16_what_is_typed_is_looked_at_as_an_annotator_s_would_be(enter: Enter) -> None:
    desk = enter("garden-05")
    word = desk.current.locator(".quote").inner_text()
    press(desk.page, "a")
    desk.page.keyboard.type(word)
    expect(desk.page.locator("[data-entry-findings]")).to_contain_text("is what stands there already")
    press(desk.page, "Escape")
    expect(desk.page.locator("[data-entry]")).to_be_hidden()


def test_17_by_finger_a_move_a_join_and_a_span_of_two_words(enter: Enter) -> None:
    desk = enter("football-05", width=390, has_touch=True)
    page = desk.page
    page.locator(".target").nth(0).tap()
    first, second = (page.locator(".target .quote").nth(n).inner_text() for n in (0, 1))
    page.get_by_role("button", name=re.compile("^Move")).tap()
    desk.target(second).locator(".quote").tap()
    desk.expect_saved()
    expect(desk.target(first)).to_contain_text(f"Moved to “{second}”")
    page.get_by_role("button", name=re.compile("^Undo")).tap()
    desk.expect_saved()
    expect(desk.target(first)).not_to_contain_text("Moved")

    chips = desk.target(second).locator(".chip")
    count = chips.count()
    for number in (0, 1):
        chips.nth(number).tap()
        page.get_by_role("button", name=re.compile("^Tick")).tap()
    page.get_by_role("button", name=re.compile("^Join")).tap()
    desk.expect_saved()
    expect(desk.target(second).locator(".chip")).to_have_count(count - 1)

    page.get_by_role("button", name=re.compile("^New")).tap()
    words = page.locator(".lanes .w")
    words.nth(0).tap()
    words.nth(1).tap()
    expect(page.locator(".lanes .w.picked")).to_have_count(2)


def test_18_what_is_refused_is_not_undone_and_comes_back_to_be_mended(enter: Enter) -> None:
    desk = enter("languages-05")
    page = desk.page
    taken = desk.current.locator(".chip").first.inner_text().rstrip("0123456789").strip()
    press(page, "k")
    desk.expect_saved()
    press(page, "a")
    page.keyboard.type(taken)
    press(page, "Enter")
    expect(page.locator("[data-entry-error]")).to_contain_text("already")
    expect(page.locator("#entry")).to_have_value(taken)
    press(page, "Escape", "Control+z")  # the keep, not the refused one
    desk.expect_saved()
    assert [row["content"]["verdict"] for row in desk.decisions("languages-05")] == [None]


def test_19_a_restored_move_leaves_nothing_and_a_conflict_is_not_settled_over(enter: Enter) -> None:
    desk = enter("garden-06")
    before = desk.page.locator(".target").count()
    word = desk.current.locator(".quote").inner_text()
    press(desk.page, "s", "Shift+ArrowRight", "Enter")
    desk.expect_saved()
    assert desk.current.locator(".quote").inner_text() != word  # the cursor goes along
    desk.go_to(word)
    press(desk.page, "x")
    desk.expect_saved()
    expect(desk.page.locator(".target")).to_have_count(before)
    other = enter("garden-06", name="lead")
    other.go_to(word)
    press(other.page, "r")
    other.page.keyboard.type("theirs")
    press(other.page, "Enter")
    other.expect_saved()
    press(desk.page, "t")
    desk.expect_state("conflict")
    press(desk.page, "Control+Enter")
    desk.page.locator("[data-keep-mine]").click()
    desk.expect_saved()
    expect(desk.heading).to_have_text("garden-06")  # nothing was settled behind it


def test_20_same_word_is_taken_back_as_one(enter: Enter, house: House) -> None:
    desk = enter("garden-03")
    desk.go_to("big")
    press(desk.page, "w")
    panel = desk.page.locator("#same")
    panel.locator("li input").first.check()
    panel.get_by_role("button", name="Drop these").click()
    expect(panel).to_contain_text("1 decided alike.")
    drops = "SELECT count(*) FROM adjudication_decision WHERE verdict = 'drop'"
    [(made,)] = house.query(drops)
    panel.get_by_role("button", name="Undo it").click()
    expect(desk.page.locator("[data-said]")).to_have_text("Taken back.")
    assert house.query(drops) == [(made - 1,)]
