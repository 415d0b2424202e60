"""Stories of more than one passage or person: the same word, the quiet ones, settled twice, consensus."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import press
from tests.e2e.desk import Enter
from tests.house import House

pytestmark = pytest.mark.e2e


def test_01_same_word_and_discussion(enter: Enter) -> None:
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


def test_02_the_quiet_ones_are_settled_and_taken_back(enter: Enter) -> None:
    desk = enter(path="/p/essays/adjudicate/quiet?dispute=1000")
    page = desk.page
    button = page.get_by_role("button", name=re.compile("^Settle"))
    times = re.search(r"\d+", button.inner_text()).group()  # type: ignore[union-attr]
    button.click()
    expect(page.locator(".messages")).to_contain_text(f"{times} passage")
    page.get_by_role("button", name="Undo it").click()
    expect(page.locator(".messages")).to_contain_text(f"{times} taken back")


def test_03_two_settle_a_passage_blind_and_a_third_look_unites_them(enter: Enter, desk_house: House) -> None:
    lead = enter(name="lead", path="/p/essays/adjudicate/twice").page
    lead.get_by_label("Passages to be settled by two").fill("1")
    lead.get_by_role("button", name="Draw").click()
    expect(lead.locator(".messages")).to_contain_text("1 passage to be settled by two.")
    [(passage,)] = desk_house.query(
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


def test_04_under_consensus_what_one_decides_waits_for_another(enter: Enter, desk_house: House) -> None:
    desk_house.command("protocol", "essays", "--set", "needs_consensus=true")
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
    desk_house.command("protocol", "essays", "--set", "needs_consensus=false")


def test_05_same_word_is_taken_back_as_one(enter: Enter, desk_house: House) -> None:
    desk = enter("garden-03")
    desk.go_to("big")
    press(desk.page, "w")
    panel = desk.page.locator("#same")
    panel.locator("li input").first.check()
    panel.get_by_role("button", name="Drop these").click()
    expect(panel).to_contain_text("1 decided alike.")
    drops = "SELECT count(*) FROM adjudication_decision WHERE verdict = 'drop'"
    [(made,)] = desk_house.query(drops)
    panel.get_by_role("button", name="Undo it").click()
    expect(desk.page.locator("[data-said]")).to_have_text("Taken back.")
    assert desk_house.query(drops) == [(made - 1,)]
