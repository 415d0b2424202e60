"""Stories in which something goes wrong at the desk: overtaken, cut off, signed out, refused. Nothing is lost."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Work, press
from tests.e2e.desk import Desk, Enter, uuid_of
from tests.e2e.proxy import Proxy
from tests.e2e.test_page_stories import violations
from tests.house import PASSWORD, House

pytestmark = pytest.mark.e2e


def test_01_two_at_once_and_nobody_s_act_is_lost(enter: Enter) -> None:
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


def test_02_cut_off_nothing_is_lost(enter: Enter, desk_house: House) -> None:
    proxy = Proxy(desk_house.port)
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


def test_03_signed_out_one_signs_in_over_the_page(enter: Enter) -> None:
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


def test_04_what_is_refused_is_not_undone_and_comes_back_to_be_mended(enter: Enter) -> None:
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


def test_05_a_restored_move_leaves_nothing_and_a_conflict_is_not_settled_over(enter: Enter) -> None:
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


def test_06_what_was_owed_is_sent_from_wherever_one_comes_back(enter: Enter, desk_house: House) -> None:
    """Nobody has to find the passage again on which the network went away."""
    proxy = Proxy(desk_house.port)
    desk = enter("garden-01", url=proxy.url)
    page = desk.page
    proxy.set("down")
    press(page, "Home", "x", "ArrowDown", "x")
    desk.expect_state("retrying")
    page.goto("about:blank")
    proxy.set("open")

    page.goto(f"{proxy.url}/p/essays/adjudicate")
    expect(page.locator("assay-owed")).to_be_hidden()
    page.wait_for_function("() => !Object.keys(localStorage).some((key) => key.startsWith('assay:acts:'))")

    assert [row["version"] for row in desk.decisions("garden-01")] == [1, 1]
    proxy.close()


def test_07_what_somebody_decided_meanwhile_is_pointed_at_and_chosen_there(enter: Enter, desk_house: House) -> None:
    proxy = Proxy(desk_house.port)
    desk = enter("kitchen-02", url=proxy.url)
    page = desk.page
    word = desk.current.locator(".quote").inner_text()
    proxy.set("down")
    press(page, "x")
    desk.expect_state("retrying")
    other = enter("kitchen-02", name="lead")
    other.go_to(word)
    press(other.page, "k")
    other.expect_saved()
    page.goto("about:blank")
    proxy.set("open")

    page.goto(f"{proxy.url}/p/essays/adjudicate/{uuid_of(desk_house, 'essays', 'kitchen-03')}")
    owed = page.locator("assay-owed")
    expect(owed).to_contain_text("What you decided here was not taken")
    assert len(desk.owed) == 1
    owed.get_by_role("link", name="kitchen-02").click()
    desk.expect_state("conflict")
    page.get_by_role("button", name="Keep mine").click()
    desk.expect_saved()

    assert desk.decisions("kitchen-02")[0]["content"]["verdict"] == "drop"
    assert desk.owed == []
    proxy.close()


def test_08_undo_reaches_back_to_the_passage_before_also_after_a_reload(enter: Enter) -> None:
    desk = enter("languages-01")
    page = desk.page
    press(page, "Home", "x", "Control+Enter")
    expect(desk.heading).not_to_have_text("languages-01")
    page.reload()
    expect(page.locator(".target").first).to_be_visible()

    press(page, "Control+z")
    offer = page.locator("[data-offer]")
    expect(offer).to_contain_text("What you did last is on languages-01.")
    press(page, "ArrowDown")
    expect(offer).to_be_hidden()  # going on with this one lets it be
    press(page, "Control+z", "Control+z")
    expect(desk.heading).to_have_text("languages-01")
    desk.expect_saved()
    expect(page.locator("[data-verdict]")).to_be_hidden()
    press(page, "Control+z")
    desk.expect_saved()
    empty = [{"verdict": None}, {"verdict": None, "suggestions": [], "removed": []}]
    assert [row["content"] for row in desk.decisions("languages-01")] == empty

    press(page, "Control+Shift+z")
    desk.expect_saved()
    press(page, "h")
    steps = page.get_by_role("dialog", name="History").locator("li")
    expect(steps).to_have_count(5)
    assert [re.sub(r"^.*?: ", "", text)[:11] for text in steps.all_inner_texts()[:2]] == ["done again:", "taken back;"]


def test_09_t28_the_server_is_killed_while_deciding(contexts: Any) -> None:
    """kill -9 on everything: what was acknowledged is there after the restart, and the rest follows by itself."""
    house = House()
    house.seed("agreeing", "tests.seeds_agreement")
    house.start()
    try:
        desk = Desk(Work(contexts().new_page(), house, "tomas@example.org", house.url).log_in().page, house)
        desk.page.goto(f"{house.url}/p/essays/adjudicate/{uuid_of(house, 'essays', 'garden-01')}")
        press(desk.page, "Home", "k")
        desk.expect_saved()
        house.kill()
        press(desk.page, "ArrowDown", "x", "Control+Enter")
        desk.expect_state("retrying")
        assert len(desk.decisions("garden-01")) == 1

        house.start()
        desk.expect_saved()

        expect(desk.heading).to_have_text("garden-01")  # nobody is carried off minutes after they pressed it
        verdicts = [row["content"]["verdict"] for row in desk.decisions("garden-01")]
        assert sorted(verdicts) == ["drop", "keep", "settled"]
        assert desk.owed == []
    finally:
        house.remove()


def test_10_both_sides_of_a_conflict_are_in_sight_also_far_down(enter: Enter) -> None:
    mine, theirs = enter("city-noise-03"), enter("city-noise-03", name="lead", bypass_csp=True)
    for desk, key in ((mine, "k"), (theirs, "t")):
        press(desk.page, "End", key)
        if desk is mine:
            mine.expect_saved()
    theirs.expect_state("conflict")

    expect(theirs.page.locator("[data-conflict]")).to_be_in_viewport(ratio=1)
    assert violations(theirs.page) == []


def test_11_what_another_person_decided_in_this_browser_is_never_sent_by_me(enter: Enter, desk_house: House) -> None:
    proxy = Proxy(desk_house.port)
    desk = enter("garden-08", url=proxy.url)
    page = desk.page
    proxy.set("down")
    press(page, "Home", "x")
    desk.expect_state("retrying")
    page.goto("about:blank")
    proxy.set("open")
    page.context.clear_cookies()
    Work(page, desk_house, "lead@example.org", proxy.url).log_in()

    page.goto(f"{proxy.url}/p/essays/adjudicate")
    expect(page.locator(".queue li").first).to_be_visible()
    page.wait_for_timeout(500)

    assert desk.decisions("garden-08") == []
    assert len(desk.owed) == 1
    page.context.clear_cookies()
    Work(page, desk_house, "tomas@example.org", proxy.url).log_in()
    page.goto(f"{proxy.url}/p/essays/adjudicate")
    page.wait_for_function("() => !Object.keys(localStorage).some((key) => key.startsWith('assay:acts:'))")
    assert [row["version"] for row in desk.decisions("garden-08")] == [1]
    proxy.close()
