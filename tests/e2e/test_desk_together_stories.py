"""Stories of more than one passage or person: the same word, the quiet ones, settled twice, consensus."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import press
from tests.e2e.desk import Enter, uuid_of
from tests.e2e.proxy import Proxy
from tests.house import PASSWORD, House

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
    page.goto(f"{desk.house.url}/p/essays/gold")
    page.goto(f"{desk.house.url}/p/essays/adjudicate")  # coming back, it is still offered
    page.get_by_role("button", name="Undo it").click()
    expect(page.locator(".messages")).to_contain_text(f"{times} decisions taken back.")
    expect(page.get_by_role("button", name="Undo it")).to_have_count(0)


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


def apart(text: str) -> str:
    """Isolated, as a word of any script stands among ours."""
    return f"\u2068{text}\u2069"


DROPS = "SELECT count(*) FROM adjudication_decision WHERE verdict = 'drop'"


def test_05_same_word_by_keyboard_is_taken_back_as_one(enter: Enter, desk_house: House) -> None:
    desk = enter("garden-03")
    page, panel = desk.page, desk.page.locator("#same")
    desk.go_to("big")
    [(before,)] = desk_house.query(DROPS)
    press(page, "w")
    expect(panel.locator("li input").first).to_be_visible()
    panel.locator("li input").first.focus()
    press(page, "Space")
    expect(panel.locator("li input").first).to_be_checked()
    panel.get_by_role("button", name="Drop these").press("Enter")
    expect(panel).to_contain_text("1 decided alike.")
    assert desk_house.query(DROPS) == [(before + 1,)]
    press(page, "Escape", "ArrowDown", "ArrowUp", "w")  # it is offered as long as the page is there
    panel.get_by_role("button", name="Undo it").press("Enter")
    expect(panel).to_contain_text("Taken back.")
    assert desk_house.query(DROPS) == [(before,)]


def test_06_a_lost_response_to_the_same_word_is_never_called_nothing(enter: Enter, desk_house: House) -> None:
    proxy = Proxy(desk_house.port)
    desk = enter("garden-03", url=proxy.url)
    page, panel = desk.page, desk.page.locator("#same")
    desk.go_to("big")
    [(before,)] = desk_house.query(DROPS)
    press(page, "w")
    panel.locator("li input").first.check()
    proxy.set("lose responses")
    panel.get_by_role("button", name="Drop these").click()
    expect(panel).to_contain_text("it is not known whether this was carried out")
    expect(panel.get_by_role("button", name="Drop these")).to_be_disabled()
    proxy.set("open")
    expect(panel).to_contain_text("1 decided alike.")
    assert desk_house.query(DROPS) == [(before + 1,)]

    proxy.set("lose responses")
    panel.get_by_role("button", name="Undo it").click()
    expect(panel).to_contain_text("it is not known whether this was carried out")
    proxy.set("open")
    panel.get_by_role("button", name="Try now").click()
    expect(panel).to_contain_text("Taken back.")
    assert desk_house.query(DROPS) == [(before,)]
    proxy.close()


def test_07_signed_out_nothing_is_said_to_be_taken_back(enter: Enter, desk_house: House) -> None:
    desk = enter("garden-03", url=desk_house.url)
    page, panel = desk.page, desk.page.locator("#same")
    desk.go_to("big")
    [(before,)] = desk_house.query(DROPS)
    press(page, "w")
    panel.locator("li input").first.check()
    panel.get_by_role("button", name="Drop these").click()
    expect(panel).to_contain_text("1 decided alike.")
    page.context.clear_cookies(name="assay_session")

    panel.get_by_role("button", name="Undo it").click()
    expect(page.get_by_role("dialog", name="You are signed out")).to_be_visible()
    expect(panel).not_to_contain_text("Taken back.")
    assert desk_house.query(DROPS) == [(before + 1,)]
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in and go on").click()

    expect(panel).to_contain_text("Taken back.")
    assert desk_house.query(DROPS) == [(before,)]


def test_08_the_next_passage_comes_without_a_page_load_and_knows_what_was_decided_from_here(
    enter: Enter, desk_house: House
) -> None:
    path = f"/p/essays/adjudicate/{uuid_of(desk_house, 'essays', 'garden-03')}?search=big"
    desk = enter(path=path)
    page, panel = desk.page, desk.page.locator("#same")
    desk.go_to("big")
    is_ahead = "() => document.querySelector('assay-adjudicate').going.ahead.size"  # the next one is here by now
    page.wait_for_function(is_ahead)
    coming = page.evaluate("() => [...document.querySelector('assay-adjudicate').going.ahead.values()][0].standing.id")
    page.evaluate("() => { window.isStill = true; }")
    press(page, "w")
    panel.locator("li", has_text=f"· {coming}").first.locator("input").check()
    panel.get_by_role("button", name="Keep these").click()
    expect(panel).to_contain_text("1 decided alike.")
    page.wait_for_function(is_ahead)
    press(page, "Escape", "]")
    expect(desk.heading).to_have_text(coming)
    assert page.evaluate("() => window.isStill")

    desk.go_to("big")
    press(page, "x")
    desk.expect_saved()  # and no conflict with oneself
    expect(desk.current).to_contain_text("Dropped")
    press(page, "Control+z")
    desk.expect_saved()
    page.wait_for_function(is_ahead)
    page.wait_for_timeout(750)  # a second Ctrl+Enter too soon would be taken for the first
    press(page, "Control+Enter")
    expect(desk.heading).not_to_have_text(coming)
    assert page.evaluate("() => window.isStill")


def test_09_after_a_merge_both_evidences_stand_there_until_it_is_confirmed(enter: Enter, desk_house: House) -> None:
    desk = enter("arabic")
    page = desk.page
    desk.go_to("ذهب")
    press(page, "k", "Control+Enter")
    expect(desk.heading).not_to_have_text("arabic")
    desk_house.seed("said_later", "tests.seeds_agreement")

    desk = enter("arabic")
    page, verdict = desk.page, desk.page.locator("[data-verdict]")
    expect(verdict).to_contain_text("Settled by")
    expect(verdict).to_contain_text("look again")
    expect(verdict.locator("li").filter(has_text="Answers then: 8. Now: 9.")).to_be_visible()
    expect(
        verdict.locator("li").filter(has_text=f"“{apart('البيت')}” then: nobody. Now: {apart('المنزل')} 1")
    ).to_be_visible()
    desk.go_to("ذهب")
    expect(page.locator(".now")).to_contain_text(
        f"When it was decided: {apart('مضى')} 1. Now: {apart('مضى')} 2, {apart('سار')} 1."
    )
    expect(page.locator(".now")).to_contain_text(f"is unsure, and notes: “{apart('Both are fine.')}”")
    press(page, "y")
    desk.expect_saved()
    expect(page.locator(".now")).not_to_contain_text("When it was decided")
    press(page, "y")
    desk.expect_saved()
    expect(verdict).to_contain_text("Settled by")
    expect(verdict).not_to_contain_text("look again")
    expect(verdict.locator("li")).to_have_count(0)
    page.goto(f"{desk_house.url}/p/essays/adjudicate?flag=look")
    expect(page.locator(".queue")).not_to_contain_text("arabic")


def test_10_what_somebody_noted_is_reached_by_keyboard_and_by_finger(enter: Enter) -> None:
    desk = enter("arabic")  # as ann left it in the story before
    page, voice = desk.page, desk.page.locator(".now .voice")
    page.locator(".lanes-panel").focus()
    press(page, "Tab")
    expect(page.locator(".lm:focus")).to_have_count(1)
    expect(voice).to_contain_text("Both are fine.")  # A… comes before V…
    expect(voice).to_contain_text(f"{apart('مضى')}; {apart('سار')}")
    said = voice.inner_text()
    press(page, "ArrowDown")
    expect(voice).not_to_have_text(said)
    press(page, "ArrowUp", "Enter")
    expect(desk.current.locator(".quote")).to_have_text("ذهب")
    expect(voice).to_have_text(said)
    press(page, "Escape")
    expect(page.locator("[data-targets]")).to_be_focused()
    press(page, "End", "x")  # the letters are back with the list
    desk.expect_saved()
    press(page, "Control+z")
    desk.expect_saved()

    phone = enter("arabic", width=390, has_touch=True)
    phone.page.get_by_role("button", name="Lanes").tap()
    phone.page.locator(".lm").first.tap()
    expect(phone.page.locator(".now .voice")).to_contain_text("Both are fine.")
    expect(phone.current.locator(".quote")).to_have_text("ذهب")
