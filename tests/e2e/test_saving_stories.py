"""Stories of saving: what is typed is stored, or the page says that it is not and keeps it."""

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Work
from tests.e2e.proxy import Proxy
from tests.house import House
from tests.services import wait_until

pytestmark = pytest.mark.e2e


def test_01_mark_a_word_type_substitutes_and_find_them_again(ann: Work) -> None:
    ann.open()
    ann.word("quickly").click()
    expect(ann.field()).to_be_focused()
    ann.page.keyboard.type("fast; in a hurry")
    ann.expect_saved()
    stored = ann.stored(words=["fast", "in a hurry"])

    ann.page.reload()

    [mark] = stored["answer"]["marks"]
    assert (mark["start"], mark["end"], mark["quote"]) == (15, 22, "quickly")
    assert [s["type"] for s in mark["substitutes"]] == ["refine-usage", "refine-usage"]
    expect(ann.page.locator("[data-marks] .chip")).to_have_text(["fast", "in a hurry"])
    assert ann.slot is None


def test_02_both_types_shift_click_and_removal(ann: Work) -> None:
    ann.open()
    ann.word("hungry").click()
    ann.word("tired").click(modifiers=["Shift"])
    ann.field("Diversify expression").fill("starving")
    ann.page.keyboard.press("Enter")
    ann.field("Refine usage").fill("worn out")
    ann.page.keyboard.press("Escape")
    ann.stored(words=["starving", "worn out"])
    ann.word("boy").click()
    ann.page.keyboard.type("lad")
    ann.page.get_by_role("button", name="Remove", exact=True).click()

    stored = ann.stored(words=["starving", "worn out"])

    [mark] = stored["answer"]["marks"]
    assert mark["quote"] == "hungry and tired"
    assert [s["type"] for s in mark["substitutes"]] == ["diversify-expression", "refine-usage"]


def test_03_submit_leads_on_and_reopen_leads_back(ann: Work) -> None:
    ann.open()
    ann.word("boy").click()
    ann.page.keyboard.type("lad")
    ann.page.keyboard.press("Control+Enter")
    ann.expect_next_passage()
    ann.stored(state="submitted", words=["lad"], submissions=1)

    ann.open()
    expect(ann.page.get_by_text("You have submitted this passage.")).to_be_visible()
    ann.page.get_by_role("button", name="Reopen").click()
    ann.expect_locked(False)

    assert ann.stored(state="started")["words"] == ["lad"]


def test_04_discard_with_a_reason_and_undo(ann: Work) -> None:
    ann.open()
    ann.word("boy").click()
    ann.page.keyboard.type("lad")
    ann.page.get_by_text("Discard this passage…").click()
    ann.page.get_by_label("Grammar or typo").check()
    ann.page.get_by_role("button", name="Discard", exact=True).click()
    ann.stored(state="discarded", words=["lad"])
    ann.expect_next_passage()

    ann.open()
    ann.page.get_by_role("button", name="Undo the discard").click()

    ann.stored(state="started", words=["lad"])


def test_05_an_empty_submit_is_refused_and_nothing_to_improve_is_not(ann: Work) -> None:
    ann.open()
    ann.page.get_by_role("button", name="Submit and next").click()
    expect(ann.page.get_by_text("Nothing is marked.")).to_be_visible()

    ann.page.get_by_label("Nothing to improve").check()
    ann.expect_saved()
    ann.page.get_by_role("button", name="Submit and next").click()

    assert ann.stored(state="submitted")["answer"] == {"none": True}


def test_06_t7_typing_during_a_slow_save_is_stored_too(ann_far: Work, proxy: Proxy) -> None:
    """T7: server delay 3 s, type again, both values stored."""
    ann_far.open()
    ann_far.word("boy").click()
    proxy.set("slow", delay=3)
    ann_far.page.keyboard.type("lad;")
    ann_far.expect_state("saving")
    ann_far.page.keyboard.type("youngster;")

    ann_far.stored(words=["lad", "youngster"], version=2)
    ann_far.expect_saved()


def test_07_t8_an_older_response_never_replaces_newer_typing(ann_far: Work, proxy: Proxy) -> None:
    """T8: while the answer to the first save is on its way, the field keeps what is being typed."""
    ann_far.open()
    ann_far.word("boy").click()
    proxy.set("slow", delay=1.5)
    ann_far.page.keyboard.type("lad")
    ann_far.expect_state("saving")
    ann_far.page.keyboard.type("die")
    expect(ann_far.state).to_have_attribute("data-version", "1")

    expect(ann_far.field()).to_have_value("laddie")
    ann_far.stored(words=["laddie"])


def test_08_t11_a_lost_response_with_typing_after_it(ann_far: Work, proxy: Proxy) -> None:
    """T11: the server stored it, the page never heard; typing goes on; both end up stored, no conflict."""
    ann_far.open()
    ann_far.word("boy").click()
    proxy.set("lose responses")
    ann_far.page.keyboard.type("lad;")
    ann_far.stored(words=["lad"], version=1)
    ann_far.expect_state("retrying")
    ann_far.page.keyboard.type("youngster;")
    assert ann_far.slot
    assert "youngster" in ann_far.slot

    proxy.set("open")

    ann_far.stored(words=["lad", "youngster"], version=2)
    ann_far.expect_saved()
    assert ann_far.slot is None


def test_09_a_lost_response_typing_and_a_reload(ann_far: Work, proxy: Proxy) -> None:
    """The unanswered request is in the slot, unchanged: it is sent first, then what was typed after it."""
    ann_far.open()
    ann_far.word("boy").click()
    proxy.set("lose responses")
    ann_far.page.keyboard.type("lad;")
    ann_far.stored(words=["lad"], version=1)
    ann_far.expect_state("retrying")
    ann_far.page.keyboard.type("youngster;")
    save_id = json.loads(ann_far.slot or "")["request"]["body"]["save_id"]

    proxy.set("open")
    with ann_far.page.expect_request("**/answer") as sent:
        ann_far.page.reload()

    assert sent.value.post_data_json["save_id"] == save_id
    ann_far.stored(words=["lad", "youngster"], version=2)
    ann_far.expect_saved()


def test_10_t14_saved_is_said_only_after_the_server_said_so(ann_far: Work, proxy: Proxy) -> None:
    """T14: with the network gone the page says "not saved", keeps the text, and saves when it is back."""
    ann_far.open()
    proxy.set("down")
    ann_far.word("boy").click()
    ann_far.page.keyboard.type("lad;")
    ann_far.expect_state("retrying")
    expect(ann_far.page.get_by_text("The server does not answer.")).to_be_visible()
    assert ann_far.stored()["version"] == 0

    proxy.set("open")

    ann_far.expect_saved()
    ann_far.stored(words=["lad"])


@pytest.mark.own_house
def test_11_t28_the_server_is_killed_while_typing(ann: Work, house: House) -> None:
    """T14, T28: kill -9 on everything; what was acknowledged is there after the restart, and the rest follows."""
    ann.open()
    ann.word("boy").click()
    ann.page.keyboard.type("lad;")
    ann.expect_saved()
    house.kill()
    ann.page.keyboard.type("youngster;")
    ann.expect_state("retrying")
    assert ann.stored()["words"] == ["lad"]

    house.start()

    ann.stored(words=["lad", "youngster"])
    ann.expect_saved()


def test_12_a_slow_submit_sent_twice_hands_in_once(ann_far: Work, proxy: Proxy) -> None:
    """T10 in the browser: impatient clicks while the first is on its way."""
    ann_far.open()
    ann_far.word("boy").click()
    ann_far.page.keyboard.type("lad;")
    ann_far.expect_saved()
    proxy.set("slow", delay=1)
    button = ann_far.page.get_by_role("button", name="Submit and next")
    button.dblclick()

    found: dict[str, Any] = ann_far.stored(state="submitted")

    assert found["submissions"] == 1


def test_13_a_submit_whose_response_is_lost_is_finished_after_a_reload(ann_far: Work, proxy: Proxy) -> None:
    ann_far.open()
    ann_far.word("boy").click()
    ann_far.page.keyboard.type("lad;")
    ann_far.expect_saved()
    proxy.set("lose responses")
    ann_far.page.keyboard.press("Control+Enter")
    ann_far.stored(state="submitted")

    proxy.set("open")
    ann_far.open()

    # Either the answer came just before, and this is the submitted passage; or the next one is here and tells of it.
    submitted = ann_far.page.get_by_text("You have submitted this passage.")
    expect(submitted.or_(ann_far.page.get_by_text(f"Passage {ann_far.number} is submitted."))).to_be_visible()
    wait_until(lambda: ann_far.slot is None, seconds=10, what="an answer to the request that was owed")
    assert ann_far.stored(state="submitted")["submissions"] == 1


def test_14_nothing_can_be_typed_into_a_passage_that_is_being_submitted(ann_far: Work, proxy: Proxy) -> None:
    """What was typed then would be left behind when the next passage comes."""
    ann_far.open()
    ann_far.word("boy").click()
    ann_far.page.keyboard.type("lad;")
    ann_far.expect_saved()
    proxy.set("slow", delay=2)
    ann_far.page.keyboard.press("Control+Enter")
    ann_far.expect_locked()
    ann_far.page.keyboard.type("lost?")

    assert ann_far.stored(state="submitted")["words"] == ["lad"]
    proxy.set("open")
    ann_far.expect_next_passage()
    assert ann_far.slot is None


def test_15_without_storage_the_page_says_so_and_still_saves(ann: Work) -> None:
    ann.page.add_init_script("Storage.prototype.setItem = () => { throw new Error('full'); };")
    ann.open()
    ann.word("boy").click()
    ann.page.keyboard.type("lad;")

    expect(ann.page.get_by_text("This browser keeps nothing")).to_be_visible()
    ann.stored(words=["lad"])


def test_16_without_web_locks_a_second_tab_is_still_read_only(ann: Work) -> None:
    """Over plain http to another machine browsers have no Web Locks."""
    ann.page.context.add_init_script("Object.defineProperty(navigator, 'locks', { value: undefined });")
    ann.open()
    ann.word("boy").click()
    ann.page.keyboard.type("lad;")
    ann.expect_saved()
    second = Work(ann.page.context.new_page(), ann.house, ann.email, ann.url).open()
    second.expect_state("elsewhere")

    second.page.get_by_role("button", name="Continue here").click()
    second.expect_saved()
    second.word("hungry").click()
    second.page.keyboard.type("starving;")

    second.stored(words=["lad", "starving"])
    ann.expect_state("elsewhere")


@pytest.mark.own_house
def test_17_text_whose_page_is_gone_is_offered_again_and_only_if_it_did_not_arrive(ann: Work, house: House) -> None:
    unsaved = ann.page.locator("assay-unsaved")
    ann.open()
    ann.word("boy").click()
    ann.page.keyboard.type("lad;")
    ann.page.goto(f"{ann.url}/p/stories/work")  # the save may still be under way
    expect(unsaved.locator("p")).not_to_have_count(0)  # it has looked
    expect(unsaved).to_be_hidden()

    ann.open()
    house.query("UPDATE annotator_project SET state = 'paused'")
    ann.word("hungry").click()
    ann.page.keyboard.type("starving;")
    ann.expect_state("refused")
    ann.page.goto(f"{ann.url}/p/stories/work")
    expect(unsaved).to_contain_text(f"Passage {ann.number}")
    house.query("UPDATE annotator_project SET state = 'open'")
    unsaved.get_by_role("link", name="Open").click()

    ann.expect_saved()
    ann.stored(words=["lad", "starving"])
