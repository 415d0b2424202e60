"""Stories of things that meet: two tabs, two browsers, a session that ends, a project that pauses."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Work, at_work, press
from tests.e2e.proxy import Proxy
from tests.house import PASSWORD, House

pytestmark = pytest.mark.e2e


def end_sessions(house: House) -> None:
    house.query("DELETE FROM django_session")


def test_01_t13_the_session_ends_while_typing(ann: Work, house: House) -> None:
    """T13: nothing takes the keys from who types, one signs in over the page, and the save goes through."""
    ann.open()
    ann.word("boy").click()
    ann.page.keyboard.type("lad;")
    ann.expect_saved()
    end_sessions(house)
    ann.page.keyboard.type("youngster;")
    ann.expect_state("signed-out")
    ann.page.keyboard.type("nipper;")
    ann.word("home").click()
    ann.page.keyboard.type("back;")
    dialog = ann.page.get_by_role("dialog")
    expect(dialog).to_be_hidden()
    ann.page.get_by_role("button", name="Sign in").click()
    expect(dialog).to_be_visible()
    dialog.get_by_label("Password").fill("wrong-password")
    dialog.get_by_role("button", name="Sign in and go on").click()
    expect(dialog.get_by_text("do not match")).to_be_visible()

    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Sign in and go on").click()

    ann.expect_saved()
    ann.stored(words=["lad", "youngster", "nipper", "back"])


def test_02_t15_a_forced_log_in_brings_the_draft_back(ann: Work, house: House) -> None:
    """T15: the page is reloaded after the session ended; after the log-in the unsaved text is sent."""
    ann.open()
    ann.word("boy").click()
    end_sessions(house)
    ann.page.keyboard.type("lad;")
    ann.expect_state("signed-out")
    ann.page.reload()
    expect(ann.page.get_by_role("heading", name="Sign in")).to_be_visible()

    ann.page.get_by_label("E-mail").fill(ann.email)
    ann.page.get_by_label("Password").fill(PASSWORD)
    ann.page.get_by_role("button", name="Sign in").click()

    ann.expect_saved()
    ann.stored(words=["lad"])


def test_03_a_log_in_as_somebody_else_never_sends_the_text(ann: Work, house: House) -> None:
    ann.open()
    ann.word("boy").click()
    end_sessions(house)
    ann.page.keyboard.type("lad;")
    ann.expect_state("signed-out")
    ann.page.keyboard.press("Control+Enter")
    dialog = ann.page.get_by_role("dialog")
    dialog.get_by_label("E-mail").fill("lead@example.org")
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Sign in and go on").click()
    expect(ann.page.get_by_text("You signed in as somebody else.")).to_be_visible()

    assert ann.stored()["version"] == 0
    assert ann.slot
    expect(ann.page).to_have_url(f"{ann.url}/p/stories/board")
    assert ann.slot
    assert ann.stored()["version"] == 0


def test_04_a_second_tab_is_read_only_until_it_takes_over(ann: Work) -> None:
    ann.open()
    ann.word("boy").click()
    ann.page.keyboard.type("lad;")
    ann.expect_saved()
    second = Work(ann.page.context.new_page(), ann.house, ann.email, ann.url).open()
    second.expect_state("elsewhere")
    second.expect_locked()

    second.page.get_by_role("button", name="Continue here").click()
    second.expect_saved()
    second.word("hungry").click()
    second.page.keyboard.type("starving;")

    second.stored(words=["lad", "starving"])
    ann.expect_state("elsewhere")
    ann.expect_locked()


@pytest.mark.own_house
def test_05_the_tab_that_takes_over_sends_what_the_first_could_not(ann: Work, house: House) -> None:
    ann.open()
    ann.word("boy").click()
    house.kill()
    ann.page.keyboard.type("lad;")
    ann.expect_state("retrying")
    house.start()
    second = Work(ann.page.context.new_page(), ann.house, ann.email, ann.url).open()
    if second.state.get_attribute("data-save-state") == "elsewhere":
        second.page.get_by_role("button", name="Continue here").click()

    second.expect_saved()
    second.stored(words=["lad"])


@pytest.mark.parametrize("choice", ["Keep this one", "Take this one"])
def test_06_t16_two_browsers_both_versions_shown(ann: Work, contexts: Any, choice: str) -> None:
    """T16: a stale save changes nothing; both versions are shown and one is chosen."""
    other = Work(contexts().new_page(), ann.house, ann.email, ann.url).log_in().open()
    ann.open()
    other.word("boy").click()
    other.page.keyboard.type("stored word;")
    other.expect_saved()
    ann.word("boy").click()
    ann.page.keyboard.type("my word;")
    ann.expect_state("conflict")
    conflict = ann.page.locator("[data-conflict]")
    expect(conflict.locator("[data-mine]")).to_contain_text("my word")
    expect(conflict.locator("[data-theirs]")).to_contain_text("stored word")
    assert ann.stored()["words"] == ["stored word"]

    conflict.get_by_role("button", name=choice).click()

    ann.expect_saved()
    ann.stored(words=["my word"] if choice.startswith("Keep") else ["stored word"])


@pytest.mark.own_house
def test_07_the_project_pauses_while_typing(ann: Work, house: House) -> None:
    ann.open()
    house.query("UPDATE annotator_project SET state = 'paused'")
    ann.word("boy").click()
    ann.page.keyboard.type("lad;")
    ann.expect_state("refused")
    expect(ann.page.get_by_text("This project is paused")).to_be_visible()
    expect(ann.page.locator("[data-marks] .chip")).to_have_text(["lad"])

    house.query("UPDATE annotator_project SET state = 'open'")
    ann.page.get_by_role("button", name="Try again").click()

    ann.expect_saved()
    ann.stored(words=["lad"])
    expect(ann.page.get_by_text("This project is paused")).not_to_be_visible()


@pytest.mark.own_house
def test_08_t16_a_type_is_removed_while_typing(ann: Work, house: House) -> None:
    """T16: removed type → 409, text kept and downloadable."""
    ann.open()
    retired = "json_set(protocol_data, '$.types[0].is_retired', json('true'))"
    house.query(f"UPDATE annotator_project SET protocol_data = {retired}")
    ann.word("boy").click()
    ann.page.keyboard.type("lad;")
    ann.expect_state("refused")
    expect(ann.page.get_by_text("has been removed from this project")).to_be_visible()
    with ann.page.expect_download() as download:
        ann.page.get_by_role("button", name="Download my text").click()

    assert "lad" in download.value.path().read_text()
    assert ann.slot
    assert ann.stored()["version"] == 0


def test_09_a_removed_member_keeps_the_text_on_the_page(ann: Work, house: House) -> None:
    ann.open()
    house.query(
        "UPDATE annotator_membership SET removed_at = '2026-01-01' WHERE user_id = "
        "(SELECT id FROM annotator_user WHERE email = ?)",
        ann.email,
    )
    ann.word("boy").click()
    ann.page.keyboard.type("lad;")

    ann.expect_state("gone")
    expect(ann.page.get_by_text("This passage is out of reach")).to_be_visible()
    assert ann.slot
    ann.page.reload()
    expect(ann.page.get_by_text("Status 404")).to_be_visible()
    ann.page.get_by_role("link", name="My projects").click()
    expect(ann.page.get_by_text("out of reach: you were removed from its project")).to_be_visible()
    with ann.page.expect_download() as download:
        ann.page.get_by_role("button", name="Download my text").click()
    assert "lad" in download.value.path().read_text()
    ann.page.on("dialog", lambda dialog: dialog.accept())
    ann.page.get_by_role("button", name="Drop").click()
    expect(ann.page.get_by_text("was not confirmed as saved")).to_be_hidden()
    assert ann.slot is None


def test_10_what_arrived_and_was_changed_elsewhere_since_is_no_conflict(
    ann_far: Work, proxy: Proxy, contexts: Any
) -> None:
    """The page went before it heard that its last save had arrived; another browser has gone on from there."""
    ann = ann_far.open()
    proxy.set("lose responses")
    ann.word("boy").click()
    ann.page.keyboard.type("lad;")
    ann.stored(words=["lad"])
    ann.page.goto("about:blank")
    proxy.set("open")
    other = Work(contexts().new_page(), ann.house, ann.email, ann.url).log_in().open()
    other.word("hungry").click()
    other.page.keyboard.type("starving;")
    other.expect_saved()

    ann.open()

    ann.expect_saved()
    expect(ann.page.locator("[data-marks] .chip")).to_have_text(["lad", "starving"])
    assert ann.slot is None
    ann.stored(words=["lad", "starving"])


def test_12_undo_takes_back_one_step_also_after_another_tab_was_at_work(ann: Work) -> None:
    at_work(ann)
    ann.word("boy").click()
    ann.page.keyboard.type("lad;")
    ann.expect_saved()
    second = Work(ann.page.context.new_page(), ann.house, ann.email, ann.url).open()
    second.page.get_by_role("button", name="Continue here").click()
    second.expect_saved()
    second.word("hungry").click()
    second.page.keyboard.type("starving;")
    ann.stored(words=["lad", "starving"])
    second.page.close()
    ann.page.get_by_role("button", name="Continue here").click()
    expect(ann.page.locator("[data-marks] .chip")).to_have_text(["lad", "starving"])

    ann.passage.focus()
    press(ann.page, "Control+z")
    assert ann.stored()["words"] == ["lad", "starving"]  # what came from elsewhere is no step of this tab
    ann.word("home").click()
    ann.page.keyboard.type("back;")
    ann.stored(words=["lad", "starving", "back"])
    press(ann.page, "Control+z")

    ann.stored(words=["lad", "starving"])


def test_13_undo_takes_back_one_step_also_after_a_reload_in_mid_word(ann: Work) -> None:
    at_work(ann)
    ann.page.route("**/answer", lambda route: route.abort())
    ann.word("boy").click()
    ann.page.keyboard.type("lad;")
    ann.expect_state("retrying")
    ann.page.unroute("**/answer")
    ann.page.reload()
    ann.stored(words=["lad"])
    ann.word("home").click()
    ann.page.keyboard.type("back;")
    ann.stored(words=["lad", "back"])

    press(ann.page, "Control+z")

    ann.stored(words=["lad"])


def test_14_submitted_in_another_browser_and_changed_here(ann: Work, contexts: Any) -> None:
    at_work(ann)
    other = at_work(Work(contexts().new_page(), ann.house, ann.email, ann.url).log_in())
    other.word("boy").click()
    other.page.keyboard.type("stored word;")
    other.expect_saved()
    other.page.locator("[data-submit]").click()
    ann.stored(state="submitted")
    ann.word("boy").click()
    ann.page.keyboard.type("my word;")
    ann.expect_state("conflict")
    expect(ann.page.locator("[data-conflict]")).to_contain_text("The stored one is submitted.")
    ann.page.keyboard.type("more; and half")  # what is typed meanwhile is kept like the rest

    ann.page.get_by_role("button", name="Keep this one").click()

    ann.stored(state="started", words=["my word", "more", "and half"])
    ann.expect_saved()
    ann.expect_locked(False)
    ann.passage.focus()
    press(ann.page, "Control+z")
    ann.stored(words=["stored word"])  # undo brings the other one


def test_15_discarded_in_another_browser_and_typed_on_here(ann: Work, contexts: Any) -> None:
    at_work(ann)
    ann.word("boy").click()
    ann.page.keyboard.type("lad;")
    ann.expect_saved()
    other = at_work(Work(contexts().new_page(), ann.house, ann.email, ann.url).log_in())
    other.passage.focus()
    press(other.page, "d")
    other.page.get_by_label("Duplicate").check()
    other.page.get_by_role("button", name="Discard", exact=True).click()
    ann.stored(state="discarded")
    ann.page.keyboard.type("youth;")
    ann.expect_state("refused")
    ann.page.keyboard.type("youngster; chi")
    expect(ann.page.get_by_text("Your text is kept in this browser.")).to_be_visible()

    ann.page.get_by_role("button", name="Undo the discard and save").click()

    ann.stored(state="started", words=["lad", "youth", "youngster", "chi"])


@pytest.mark.own_house
def test_16_signed_out_and_not_now_one_goes_on_typing(ann: Work, house: House) -> None:
    ann.open()
    ann.word("boy").click()
    ann.page.keyboard.type("lad;")
    ann.expect_saved()
    end_sessions(house)
    ann.page.keyboard.press("Control+Enter")
    ann.page.get_by_role("dialog").get_by_role("button", name="Not now").click()
    ann.expect_locked(False)
    ann.word("home").click()
    ann.page.keyboard.type("back;")
    ann.page.get_by_role("button", name="Sign in").click()
    ann.page.get_by_role("dialog").get_by_label("Password").fill(PASSWORD)
    ann.page.get_by_role("dialog").get_by_role("button", name="Sign in and go on").click()

    ann.expect_saved()
    assert ann.stored(words=["lad", "back"])["state"] == "started"  # nothing was handed in behind one's back
