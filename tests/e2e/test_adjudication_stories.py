"""Stories of deciding: by keyboard only, by mouse, on a phone, by finger, right to left."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import press
from tests.e2e.desk import Enter, uuid_of
from tests.e2e.test_page_stories import violations
from tests.house import House

pytestmark = pytest.mark.e2e


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


def test_04_by_mouse(enter: Enter) -> None:
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


def test_05_on_a_phone_nothing_runs_over(enter: Enter) -> None:
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


def test_06_right_to_left(enter: Enter) -> None:
    desk = enter("hebrew")
    page = desk.page
    boxes = [page.locator(".lanes .w").nth(number).bounding_box() for number in (0, 1)]
    first, second = (box["x"] if box else 0 for box in boxes)
    assert first > second > 0
    press(page, "Home", "k")
    desk.expect_saved()
    expect(page.locator(".sentence")).to_have_attribute("dir", "rtl")


def test_07_letters_can_be_switched_off(enter: Enter) -> None:
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
def test_08_axe_finds_nothing(enter: Enter, desk_house: House, width: int, scheme: str) -> None:
    desk = enter("city-noise-02", width=width, color_scheme=scheme, bypass_csp=True)
    page = desk.page
    found = {"desk": violations(page)}
    press(page, "a")
    found["entry"] = violations(page)
    press(page, "Escape", "?")
    found["keys"] = violations(page)
    press(page, "Escape", "r")
    found["reason"] = violations(page)
    press(page, "Escape", "k")
    desk.expect_saved()
    for key, name in (("h", "history"), ("w", "same word"), ("c", "discussion"), ("g", "guidelines")):
        press(page, key)
        expect(page.locator("dialog[open]")).not_to_contain_text("Loading")
        found[name] = violations(page)
        press(page, "Escape")
    uuid = uuid_of(desk_house, "essays", "city-noise-02")
    for path in ("adjudicate", "adjudicate/quiet", "adjudicate/twice", "gold", "gold?cause=taste", f"gold/{uuid}"):
        page.goto(f"{desk_house.url}/p/essays/{path}")
        found[path] = violations(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    assert found == {name: [] for name in found}


def test_09_what_is_typed_is_looked_at_as_an_annotator_s_would_be(enter: Enter) -> None:
    desk = enter("garden-05")
    word = desk.current.locator(".quote").inner_text()
    press(desk.page, "a")
    desk.page.keyboard.type(word)
    expect(desk.page.locator("[data-entry-findings]")).to_contain_text("is what stands there already")
    press(desk.page, "Escape")
    expect(desk.page.locator("[data-entry]")).to_be_hidden()


def test_10_by_finger_a_move_a_join_and_a_span_of_two_words(enter: Enter) -> None:
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


def test_11_the_keys_of_a_target_that_no_other_story_presses(enter: Enter, desk_house: House) -> None:
    """J without ticks, Del, 2 to 5, Home and End."""
    desk = enter(path="/p/essays/adjudicate?flag=variants")
    page = desk.page
    page.get_by_role("link", name="Begin", exact=True).click()
    asking = page.locator(".target", has_text="variants").first
    expect(asking).to_be_visible()
    name = desk.heading.inner_text()
    desk.go_to(asking.locator(".quote").inner_text())
    chips = desk.current.locator(".chip:not(.gone)")
    count = chips.count()
    press(page, "j")
    expect(desk.current.locator(".chips")).to_contain_text("joined")
    desk.expect_saved()
    assert chips.count() < count
    [joined] = [row["content"]["suggestions"] for row in desk.decisions(name) if row["content"].get("suggestions")]
    assert len(joined[0]["from"]) == count - chips.count() + 1
    expect(desk.current).not_to_contain_text("variants")
    press(page, "Control+z")
    desk.expect_saved()
    expect(chips).to_have_count(count)

    press(page, "Delete")
    expect(desk.current.locator(".chip.gone")).to_have_count(1)
    desk.expect_saved()
    press(page, *["ArrowRight"] * count, "Delete")
    expect(desk.current.locator(".chip.gone")).to_have_count(0)
    desk.expect_saved()
    for key, cause in (("2", "ambiguous"), ("3", "slip"), ("4", "taste"), ("5", "other")):
        press(page, key)
        desk.expect_saved()
        assert cause in {row["cause"] for row in desk.decisions(name)}
    expect(page.locator(".now")).to_contain_text("Why: other")


def test_12_the_keys_of_a_passage_that_no_other_story_presses(enter: Enter, desk_house: House) -> None:
    """], [, D, D again, /, and what / leads to."""
    desk = enter()
    page = desk.page
    page.get_by_role("link", name="Begin", exact=True).click()
    expect(page.locator(".target").first).to_be_visible()
    first = desk.heading.inner_text()
    press(page, "]")
    expect(desk.heading).not_to_have_text(first)
    second = desk.heading.inner_text()
    page.wait_for_function("() => document.querySelector('assay-adjudicate')?.page?.before")
    press(page, "[")
    expect(desk.heading).to_have_text(first)
    press(page, "]")
    expect(desk.heading).to_have_text(second)

    press(page, "d")
    page.keyboard.type("A duplicate of the one before.")
    press(page, "Enter")
    expect(page.locator("[data-verdict]")).to_contain_text("Discarded by")
    desk.expect_saved()
    [about_all] = [row for row in desk.decisions(second) if row["start"] is None]
    assert (about_all["content"], about_all["reason"]) == ({"verdict": "discard"}, "A duplicate of the one before.")
    press(page, "d")
    expect(page.locator("[data-verdict]")).to_be_hidden()
    desk.expect_saved()
    press(page, "/")
    expect(page.get_by_label("Search")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/p/essays/adjudicate#search$"))


def test_13_what_is_half_typed_outlives_a_reload_and_stays_with_its_passage(enter: Enter) -> None:
    desk = enter("kitchen-04")
    page, entry, comment = desk.page, desk.page.locator("#entry"), desk.page.get_by_label("Comment")
    press(page, "Home", "a")
    page.keyboard.type("half a sugg")
    press(page, "Tab")
    page.reload()
    expect(page.locator(".target").first).to_be_visible()
    press(page, "Home", "a")
    expect(entry).to_have_value("half a sugg")
    press(page, "Escape", "a")
    expect(entry).to_have_value("")  # let be
    press(page, "Escape", "c")
    comment.fill("Half a comm")
    page.reload()
    expect(page.locator(".target").first).to_be_visible()
    press(page, "c")
    expect(comment).to_have_value("Half a comm")
    press(page, "Escape", "Control+Enter")
    expect(desk.heading).not_to_have_text("kitchen-04")
    press(page, "c")
    expect(comment).to_have_value("")


def test_14_a_reason_alone_is_listed_as_a_gap_and_leads_to_the_guidelines(enter: Enter) -> None:
    desk = enter("kitchen-05")
    page = desk.page
    press(page, "Home", "1", "r")
    page.keyboard.type("Nothing is said of this.")
    press(page, "Enter")
    desk.expect_saved()
    word = desk.current.locator(".quote").inner_text()
    page.goto(f"{desk.house.url}/p/essays/gold")
    page.get_by_role("link", name=re.compile("^Guideline gap")).click()
    row = page.get_by_role("row").filter(has_text="Nothing is said of this.")
    expect(row).to_contain_text("kitchen-05")
    expect(row.locator("b")).to_have_text(word)
    assert violations(page) == []
    page.get_by_role("link", name="To the guidelines").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Guidelines")
