"""Stories of the card: chips, findings, preview, notes, undo."""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Work, at_work, press
from tests.seeds import STORY_TEXTS

pytestmark = pytest.mark.e2e


def test_01_undo_and_redo_over_marks_and_chips(ann: Work) -> None:
    at_work(ann)
    ann.word("boy").click()
    ann.page.keyboard.type("lad;youth;")
    ann.stored(words=["lad", "youth"])
    press(ann.page, "Control+z")
    ann.stored(words=["lad"])
    press(ann.page, "Control+z")
    ann.stored(words=[])
    press(ann.page, "Control+Shift+z", "Control+Shift+z")
    ann.stored(words=["lad", "youth"])
    ann.page.get_by_role("button", name="Remove", exact=True).click()
    ann.stored(words=[])

    press(ann.page, "Control+z")

    ann.stored(words=["lad", "youth"])


def test_02_text_that_is_no_chip_yet_is_undone_by_the_browser(ann: Work) -> None:
    at_work(ann)
    ann.word("boy").click()
    ann.page.keyboard.type("lad;")
    ann.stored(words=["lad"])
    ann.page.keyboard.type("yo")
    press(ann.page, "Control+z")

    expect(ann.field()).not_to_have_value("yo")
    expect(ann.chips).to_have_text(["lad"])


def test_03_chips_by_keys(ann: Work) -> None:
    at_work(ann)
    ann.word("boy").click()
    ann.page.keyboard.type("lad;youth;child;")
    press(ann.page, "ArrowLeft", "Shift+ArrowLeft")  # child before youth
    ann.stored(words=["lad", "child", "youth"])
    press(ann.page, "t")  # to the other type
    expect(ann.page.locator("[data-marks] small")).to_have_text("Refine usage · Diversify expression")
    ann.expect_saved()
    types = [s["type"] for s in ann.stored()["answer"]["marks"][0]["substitutes"]]
    assert types == ["refine-usage", "diversify-expression", "refine-usage"]
    press(ann.page, "Escape")
    ann.field().focus()
    press(ann.page, "ArrowLeft", "ArrowLeft", "Enter")  # edit lad
    ann.page.keyboard.type("laddie")
    press(ann.page, "Enter")
    ann.stored(words=["laddie", "child", "youth"])

    press(ann.page, "ArrowLeft", "Delete")

    ann.stored(words=["laddie", "child"])


def test_04_what_stands_under_the_other_type_is_moved_on_request(ann: Work) -> None:
    at_work(ann)
    ann.word("boy").click()
    ann.page.keyboard.type("lad;")
    press(ann.page, "Tab")
    ann.page.keyboard.type("Lad;")
    expect(ann.page.get_by_text("“lad” is under Refine usage.")).to_be_visible()

    press(ann.page, "Alt+Enter")

    ann.stored(words=["lad"])
    ann.expect_saved()
    assert ann.stored()["answer"]["marks"][0]["substitutes"][0]["type"] == "diversify-expression"

    ann.field().focus()
    ann.page.keyboard.type("lad")  # no chip yet: whoever leaves is asked, then told
    press(ann.page, "Escape")
    expect(ann.page.locator(".notes")).to_contain_text("“lad” is under Diversify expression.")
    press(ann.page, "Escape")
    expect(ann.field()).to_be_hidden()
    expect(ann.page.locator("[data-notice]")).to_have_text("“lad” is under Diversify expression. Nothing was moved.")
    ann.word("boy").click()
    ann.field().focus()
    ann.page.keyboard.type("lad")
    press(ann.page, "Control+Enter")
    expect(ann.page.locator("[data-notice]")).to_contain_text("Submit again to hand it in like this.")
    expect(ann.page.locator(".notes")).to_contain_text("Move here")


def test_05_findings_are_shown_taken_and_asked_about_once(ann: Work) -> None:
    at_work(ann)
    ann.word("walked").click()
    ann.page.keyboard.type("stroll, ramble;")
    notes = ann.page.locator("[data-card] .notes")
    expect(notes.get_by_text("has a comma")).to_be_visible()
    press(ann.page, "Alt+g")
    expect(notes.get_by_text("Substitutes are parted by")).to_be_visible()
    press(ann.page, "Alt+Enter")
    ann.stored(words=["stroll", "ramble"])
    expect(notes.get_by_text("“walked” is in the past tense: “strolled”?")).to_be_visible()
    press(ann.page, "Alt+Enter")
    ann.stored(words=["strolled", "ramble"])
    expect(notes.get_by_text("“rambled”?")).to_be_visible()

    press(ann.page, "Control+Enter")
    expect(ann.page.locator("[data-notice]")).to_contain_text("Submit again to hand it in like this.")
    assert ann.stored()["state"] == "started"
    press(ann.page, "Control+Enter")

    ann.stored(state="submitted", words=["strolled", "ramble"])


def test_06_a_mark_is_copied_to_another_occurrence_by_hand(ann: Work) -> None:
    at_work(ann, "repeated")
    ann.word("good", 2).click()
    ann.page.keyboard.type("kind;")
    press(ann.page, "Escape")
    ann.word("good", 2).click()
    expect(ann.page.get_by_role("button", name="Copy to")).to_have_count(2)
    ann.page.get_by_role("button", name="Copy to").last.click()

    stored = ann.stored(words=["kind", "kind"])

    assert [mark["start"] for mark in stored["answer"]["marks"]] == [
        STORY_TEXTS["repeated"].index("good f"),
        STORY_TEXTS["repeated"].index("good food"),
    ]
    assert stored["answer"]["marks"][1]["substitutes"][0]["via"] == "copied"


def test_07_a_note_and_a_doubt(ann: Work) -> None:
    at_work(ann)
    ann.word("boy").click()
    ann.page.keyboard.type("lad;")
    ann.page.get_by_label("Unsure").check()
    ann.page.get_by_role("button", name="Note").click()
    ann.page.keyboard.type("or “youth”?")
    ann.page.get_by_role("textbox", name="Note").blur()
    ann.expect_saved()

    [mark] = ann.stored(words=["lad"])["answer"]["marks"]

    assert (mark["note"], mark["unsure"]) == ("or “youth”?", True)


def test_08_the_preview_reads_as_one_would_write(ann: Work) -> None:
    at_work(ann, "repeated")
    ann.word("good").click()
    ann.page.keyboard.type("excellent")

    expect(ann.page.locator(".preview")).to_have_text("It was an excellent day with good friends and good food.")


def test_09_a_doubt_before_the_first_letter_is_kept(ann: Work) -> None:
    at_work(ann)
    ann.word("boy").click()
    ann.page.get_by_label("Unsure").check()
    ann.field().focus()
    ann.page.keyboard.type("lad;")
    ann.stored(words=["lad"])
    assert ann.stored()["answer"]["marks"][0]["unsure"] is True
    press(ann.page, "Backspace", "Control+a", "Backspace")
    ann.page.keyboard.type("youth;")

    assert ann.stored(words=["youth"])["answer"]["marks"][0]["unsure"] is True


def test_10_half_a_word_stays_half_a_word_when_the_mark_grows(ann: Work) -> None:
    at_work(ann)
    ann.word("walked").click()
    ann.page.keyboard.type("beaut")
    press(ann.page, "Alt+ArrowDown")
    expect(ann.open_words).to_have_text(["walked", "quickly"])
    ann.page.keyboard.type("iful;")

    ann.stored(words=["beautiful"])


def test_11_the_same_words_under_the_other_type_are_asked_about_together(ann: Work) -> None:
    at_work(ann)
    ann.word("walked").click()
    ann.page.keyboard.type("went; strolled;")
    press(ann.page, "Tab")
    ann.page.keyboard.type("went; strolled; strode")
    press(ann.page, "Enter")
    expect(ann.page.locator(".notes")).to_contain_text("“went”, “strolled” are under Refine usage.")
    press(ann.page, "Alt+Enter")
    ann.expect_saved()
    stored = ann.stored(words=["went", "strolled", "strode"])["answer"]["marks"][0]["substitutes"]
    assert {item["type"] for item in stored} == {"diversify-expression"}

    ann.field().focus()
    ann.page.keyboard.type("marched;")
    press(ann.page, "ArrowLeft", "Enter", "Control+a")
    ann.page.keyboard.type("strode;")

    expect(ann.page.locator(".notes")).to_contain_text("“strode” is under Diversify expression.")
    ann.stored(words=["went", "strolled", "strode", "marched"])  # what was to become another one stays


def test_12_lines_of_a_pasted_column_are_substitutes_of_their_own(ann: Work) -> None:
    at_work(ann, "repeated")
    ann.word("good").click()
    ann.page.evaluate(
        """() => {
          const data = new DataTransfer();
          data.setData("text/plain", "fine\\r\\nplea\\u0007sant\\tnice\\n");
          const given = { clipboardData: data, bubbles: true, cancelable: true };
          document.activeElement.dispatchEvent(new ClipboardEvent("paste", given));
        }"""
    )
    ann.stored(words=["fine", "pleasant", "nice"])

    ann.page.get_by_role("button", name="Copy to the 1. other").click()  # a mark just made can be copied at once

    ann.stored(words=["fine", "pleasant", "nice"] * 2)


def test_13_half_a_word_stays_one_while_the_guidelines_are_read(ann: Work) -> None:
    at_work(ann)
    ann.word("boy").click()
    ann.page.keyboard.type("youn")
    ann.page.get_by_role("link", name="Guidelines").first.click()
    expect(ann.page.locator("#guidelines")).to_contain_text("Mark what you would change.")
    press(ann.page, "Escape")
    expect(ann.field()).to_be_focused()
    ann.page.keyboard.type("gster;")

    ann.stored(words=["youngster"])
    press(ann.page, "Tab")
    ann.page.keyboard.type("lad;child;")
    press(ann.page, "Control+z")
    expect(ann.field("Diversify expression")).to_be_focused()  # undo leaves one where one is


def test_14_chips_by_mouse(ann: Work) -> None:
    at_work(ann)
    ann.word("walked").click()
    ann.page.keyboard.type("aa;bb;cc;dd;half")
    ann.chips.nth(2).click()  # what is half typed becomes a chip, and the one clicked has the focus
    expect(ann.chips).to_have_text(["aa", "bb", "cc", "dd", "half"])
    expect(ann.page.locator("[data-card] .chip:focus")).to_contain_text("cc")
    for _ in range(2):
        ann.page.locator("[data-card] .chip:focus").get_by_title("Earlier: best first").click()
    ann.stored(words=["cc", "aa", "bb", "dd", "half"])
    ann.page.get_by_title("Remove half").dblclick()
    expect(ann.field()).to_have_value("")
    ann.stored(words=["cc", "aa", "bb", "dd"])
    ann.page.locator(".preview").click()
    expect(ann.field()).to_be_focused()
    press(
        ann.page, "Backspace", "Control+a", "Backspace", "Enter"
    )  # an edited chip that was emptied goes, the card stays
    expect(ann.page.locator("[data-card]")).to_be_visible()

    ann.stored(words=["cc", "aa", "bb"])
