"""Stories of text: emoji, right-to-left, markup that stays text, input methods, hyphens."""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Work
from tests.seeds import STORY_TEXTS

pytestmark = pytest.mark.e2e


def test_01_offsets_count_code_points_after_emoji(ann: Work) -> None:
    ann.open("emoji")
    ann.word("nice").click()
    ann.page.keyboard.type("lovely 🎉;")

    [mark] = ann.stored(words=["lovely 🎉"])["answer"]["marks"]

    text = STORY_TEXTS["emoji"]
    assert text[mark["start"] : mark["end"]] == "nice"


def test_02_right_to_left_text_is_marked_where_it_was_clicked(ann: Work) -> None:
    ann.open("rtl")
    assert ann.page.locator("[data-passage]").evaluate("node => getComputedStyle(node).direction") == "rtl"
    ann.word("מהר").click()
    ann.page.keyboard.type("במהירות;")

    [mark] = ann.stored(words=["במהירות"])["answer"]["marks"]

    assert STORY_TEXTS["rtl"][mark["start"] : mark["end"]] == "מהר"


def test_03_markup_in_a_passage_stays_text(ann: Work) -> None:
    dialogs: list[str] = []
    ann.page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    ann.open("markup")

    expect(ann.page.locator("[data-passage]")).to_have_text(STORY_TEXTS["markup"])
    ann.word("words").click()
    ann.page.keyboard.type("<script>alert(2)</script>;")
    ann.stored(words=["<script>alert(2)</script>"])
    ann.page.reload()

    expect(ann.page.locator("[data-marks] .chip")).to_have_text(["<script>alert(2)</script>"])
    assert dialogs == []


def test_04_hyphens_and_apostrophes_belong_to_their_word(ann: Work) -> None:
    ann.open("hyphen")

    expect(ann.word("long-term")).to_be_visible()
    expect(ann.word("didn't")).to_be_visible()
    ann.word("long-term").click()
    ann.page.keyboard.type("lasting;")

    assert ann.stored(words=["lasting"])["answer"]["marks"][0]["quote"] == "long-term"


def test_05_the_third_good_is_the_third_good(ann: Work) -> None:
    ann.open("repeated")
    ann.word("good", 3).click()
    ann.page.keyboard.type("tasty;")

    [mark] = ann.stored(words=["tasty"])["answer"]["marks"]

    assert STORY_TEXTS["repeated"][mark["start"] :] == "good food."


def test_06_an_input_method_that_is_still_choosing_makes_no_chip(ann: Work) -> None:
    ann.open()
    ann.word("boy").click()
    client = ann.page.context.new_cdp_session(ann.page)
    client.send("Input.imeSetComposition", {"text": "にほん;", "selectionStart": 4, "selectionEnd": 4})
    expect(ann.field()).to_have_value("にほん;")
    ann.field().dispatch_event("keydown", {"key": "Enter", "keyCode": 229, "isComposing": True, "bubbles": True})
    expect(ann.page.locator("[data-card] .chip")).to_have_count(0)

    client.send("Input.insertText", {"text": "日本"})
    ann.page.keyboard.press("Enter")

    expect(ann.chips).to_have_text(["日本"])
    ann.stored(words=["日本"])


def test_07_pasting_a_list_makes_chips_and_drops_doubles_with_a_word(ann: Work) -> None:
    ann.open()
    ann.word("boy").click()
    ann.page.keyboard.type("lad;")
    ann.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ann.page.evaluate("() => navigator.clipboard.writeText('youngster;  LAD ; young   man;;')")
    ann.page.keyboard.press("Control+v")

    stored = ann.stored(words=["lad", "youngster", "young man"])

    assert [s["via"] for s in stored["answer"]["marks"][0]["substitutes"]] == ["typed", "pasted", "pasted"]


def test_08_text_typed_but_not_yet_a_chip_is_saved_and_comes_back_as_one(ann: Work) -> None:
    ann.open()
    ann.word("boy").click()
    ann.page.keyboard.type("lad; youngst")
    ann.stored(words=["lad", "youngst"])
    ann.page.reload()

    expect(ann.page.locator("[data-marks] .chip")).to_have_text(["lad", "youngst"])


def test_09_a_mark_goes_with_its_last_character(ann: Work) -> None:
    ann.open()
    ann.word("boy").click()
    ann.page.keyboard.type("la")
    ann.stored(words=["la"])
    ann.page.keyboard.press("Backspace")
    ann.page.keyboard.press("Backspace")

    assert ann.stored(words=[])["answer"] == {"marks": []}


def test_10_the_open_span_grows_and_shrinks_with_its_chips(ann: Work) -> None:
    ann.open()
    ann.word("boy").click()
    ann.page.keyboard.type("lad came;")
    ann.page.get_by_role("button", name="Longer").click()
    longer = ann.stored(words=["lad came"])
    ann.house.wait_for(ann.email, ann.number, version=longer["version"])
    expect(ann.open_words).to_have_text(["boy", "walked"])
    ann.page.get_by_role("button", name="Shorter").click()
    expect(ann.open_words).to_have_text(["boy"])
    ann.expect_saved()

    assert ann.stored(words=["lad came"])["answer"]["marks"][0]["quote"] == "boy"


def test_11_what_an_input_method_has_written_is_saved_without_a_further_key(ann: Work) -> None:
    ann.open()
    ann.word("boy").click()
    client = ann.page.context.new_cdp_session(ann.page)
    client.send("Input.imeSetComposition", {"text": "にほん", "selectionStart": 3, "selectionEnd": 3})
    ann.stored(words=["にほん"])

    client.send("Input.insertText", {"text": "日本"})

    ann.stored(words=["日本"])
    ann.expect_saved()


def test_12_a_double_is_dropped_and_said(ann: Work) -> None:
    ann.open()
    ann.word("boy").click()
    ann.page.keyboard.type("lad;LAD;")

    expect(ann.page.get_by_text("“LAD” is there already.")).to_be_visible()
    ann.stored(words=["lad"])


def test_13_a_click_inside_a_longer_mark_opens_that_mark(ann: Work) -> None:
    ann.open()
    ann.word("hungry").click()
    ann.word("tired").click(modifiers=["Shift"])
    ann.page.keyboard.type("worn out;")
    ann.page.keyboard.press("Escape")
    expect(ann.passage).to_be_focused()

    ann.word("tired").click()
    expect(ann.chips).to_have_text(["worn out"])
    ann.page.keyboard.type("exhausted;")

    stored = ann.stored(words=["worn out", "exhausted"])

    assert [mark["quote"] for mark in stored["answer"]["marks"]] == ["hungry and tired"]
