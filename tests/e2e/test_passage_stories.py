"""Stories of the passage: words by mouse and keys, free selection, finding, marks in lanes and beside words."""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Work, at_work, press, quotes
from tests.seeds import STORY_TEXTS

pytestmark = pytest.mark.e2e


def test_01_by_mouse_drag_click_and_double_click(ann: Work) -> None:
    at_work(ann)
    box, to = ann.word("hungry").bounding_box(), ann.word("tired").bounding_box()
    assert box
    assert to
    ann.page.mouse.move(box["x"] + 5, box["y"] + 8)
    ann.page.mouse.down()
    ann.page.mouse.move(to["x"] + 5, to["y"] + 8, steps=6)
    ann.page.mouse.up()
    ann.page.keyboard.type("worn out")  # no chip yet: clicking the next word keeps it
    ann.word("boy").click()
    ann.page.keyboard.type("lad;")
    ann.stored(words=["worn out", "lad"])

    ann.word("tired").dblclick()
    ann.page.keyboard.type("weary;")

    ann.stored(words=["worn out", "lad", "weary"])
    assert quotes(ann) == ["hungry and tired", "boy", "tired"]
    press(ann.page, "Escape")
    ann.word("tired").click()
    expect(ann.chips).to_have_text(["weary"])  # the shortest first
    ann.page.wait_for_timeout(500)  # not a double click
    ann.word("tired").click()
    expect(ann.chips).to_have_text(["worn out"])  # again: the next


def test_02_right_to_left_the_left_arrow_is_the_next_word(ann: Work) -> None:
    at_work(ann, "rtl")
    ann.passage.focus()
    press(ann.page, "ArrowLeft", "ArrowLeft", "Enter")
    ann.page.keyboard.type("במהירות;")
    ann.page.keyboard.type("חיש;")
    press(ann.page, "ArrowRight", "ArrowRight")  # into the chips and on to the first, which stands at the right
    expect(ann.page.locator("[data-card] .chip:focus")).to_contain_text("במהירות")
    press(ann.page, "ArrowLeft", "Delete")

    ann.stored(words=["במהירות"])
    assert quotes(ann) == [STORY_TEXTS["rtl"].split()[2]]


def test_03_free_selection_letter_by_letter(ann: Work) -> None:
    at_work(ann, "emoji")
    ann.passage.focus()
    press(ann.page, "/")
    ann.page.keyboard.type("nice")
    press(ann.page, "Escape", "f", "Shift+ArrowRight", "Enter")
    ann.page.keyboard.type("x;")

    ann.stored(words=["x"])
    assert quotes(ann) == ["ni"]


def test_04_marks_by_n_and_p_and_delete(ann: Work) -> None:
    at_work(ann)
    for word in ("boy", "home"):
        ann.word(word).click()
        ann.page.keyboard.type("x;")
        press(ann.page, "Escape")
    press(ann.page, "Home", "n")
    expect(ann.word("boy")).to_have_class("word active")
    press(ann.page, "n")
    expect(ann.word("home")).to_have_class("word active")
    press(ann.page, "p", "Delete")

    ann.stored(words=["x"])
    assert quotes(ann) == ["home"]


def test_05_the_card_lies_in_a_gap_and_covers_no_word(ann: Work) -> None:
    at_work(ann)
    ann.page.set_viewport_size({"width": 390, "height": 844})
    ann.word("quickly").click()
    ann.page.keyboard.type("fast;")
    card = ann.page.locator("[data-card]").bounding_box()
    assert card

    for node in ann.page.locator(".word").all():
        box = node.bounding_box()
        assert box
        assert box["y"] + box["height"] <= card["y"] + 14 or box["y"] >= card["y"] + card["height"] - 4


def test_06_letters_of_a_search_are_no_commands(ann: Work) -> None:
    at_work(ann)
    ann.passage.focus()
    press(ann.page, "/")
    ann.page.keyboard.type("h")
    expect(ann.word("home")).to_have_class("word active")
    press(ann.page, "/", "q", "0", "d", "g")

    expect(ann.page.locator("dialog[open]")).to_have_count(0)
    expect(ann.page.locator("details.discard")).not_to_have_attribute("open", "")
    assert ann.stored()["version"] == 0


def test_07_part_of_a_word_and_what_stands_between_words(ann: Work) -> None:
    at_work(ann, "emoji")
    ann.passage.focus()
    press(ann.page, "f", "ArrowLeft", "Enter")  # the space before “We”
    ann.page.keyboard.type("x;")
    ann.stored(words=["x"])
    press(ann.page, "Escape", "ArrowRight", "f", "Shift+ArrowRight", "Enter")
    ann.page.keyboard.type("y;")
    ann.stored(words=["x", "y"])
    press(ann.page, "Escape", "Enter")
    expect(ann.chips).to_have_text(["y"])
    press(ann.page, "Escape", "Delete")

    ann.stored(words=["x"])


def test_08_three_marks_deep_each_has_its_line(ann: Work) -> None:
    at_work(ann)
    ann.word("hungry").click()
    ann.page.keyboard.type("starving;")
    press(ann.page, "Escape", "Shift+ArrowRight", "Enter")
    ann.page.keyboard.type("famished and;")
    press(ann.page, "Escape", "Shift+ArrowRight", "Shift+ArrowRight", "Enter")
    ann.page.keyboard.type("worn out;")
    press(ann.page, "Escape")

    lines = ann.word("hungry").locator(".m")
    expect(lines).to_have_count(3)
    bottoms = [lines.nth(n).evaluate("node => node.getBoundingClientRect().bottom") for n in range(3)]
    assert len(set(bottoms)) == 3


def test_09_finding_ends_with_what_is_done_next(ann: Work) -> None:
    at_work(ann)
    ann.word("hungry").click()
    ann.page.keyboard.type("starved;")
    press(ann.page, "Escape", "Home", "/", "h", "u", "x", "Backspace", "n")
    expect(ann.word("hungry")).to_have_class("word active")  # “hun”: a letter of the search, not the key N
    assert ann.stored()["words"] == ["starved"]
    press(ann.page, "Enter", "Escape", "Home", "n")
    expect(ann.word("hungry")).to_have_class("word active")
    press(ann.page, "End", "f", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "Enter")
    ann.page.keyboard.type("!;")
    ann.stored(words=["starved", "!"])
    press(ann.page, "Escape", "Home", "n", "n", "Enter")
    expect(ann.chips).to_have_text(["!"])  # a mark on a sign after the last word
    press(ann.page, "Shift+Tab", "Escape")
    expect(ann.page.locator("[data-card]")).to_be_hidden()
    press(ann.page, "Home", "p", "Delete")

    ann.stored(words=["starved"])
