"""Stories of other rules than those of sws: the page obeys what it is told."""

import json
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.conftest import Work, at_work, press, quotes
from tests.house import House

pytestmark = [pytest.mark.e2e, pytest.mark.own_house]


def change_rules(house: House, **switches: Any) -> None:
    [[data]] = house.query("SELECT protocol_data FROM annotator_project")
    house.query("UPDATE annotator_project SET protocol_data = ?", json.dumps({**json.loads(data), **switches}))


def notice(ann: Work) -> Locator:
    return ann.page.locator("[data-notice]")


def test_01_what_is_too_long_or_one_too_many_is_refused_while_it_is_typed(ann: Work, house: House) -> None:
    change_rules(house, max_substitutes=3)
    at_work(ann)
    ann.word("boy").click()
    ann.page.keyboard.insert_text("x" * 200)
    ann.page.keyboard.type("y")

    expect(notice(ann)).to_contain_text("has 201 characters: a substitute has 200 at most")
    expect(ann.field()).to_have_value("x" * 200)
    ann.stored(words=["x" * 200])
    ann.expect_saved()

    ann.field().fill("lad;")
    ann.page.keyboard.type("kid;")
    ann.field("Diversify expression").click()
    ann.page.keyboard.type("youth;child")

    expect(notice(ann)).to_contain_text("3 substitutes are the most here: remove one first.")
    expect(ann.chips).to_have_text(["lad", "kid", "youth"])
    expect(ann.field("Diversify expression")).to_have_value("")
    ann.stored(words=["lad", "kid", "youth"])

    press(ann.page, "Backspace")  # the last one is taken up again, and may become another
    ann.field("Diversify expression").fill("child")
    press(ann.page, "Enter")

    ann.stored(words=["lad", "kid", "child"])
    ann.expect_saved()


def test_02_a_mark_over_another_is_refused(ann: Work, house: House) -> None:
    change_rules(house, spans_may_overlap=False)
    at_work(ann)
    ann.word("boy").click()
    ann.page.keyboard.type("lad;")
    ann.word("walked").click()
    ann.page.keyboard.type("went;")

    press(ann.page, "Alt+Shift+ArrowUp")  # onto the mark before

    expect(notice(ann)).to_contain_text("would overlap the mark “boy”: marks may not overlap here.")
    press(ann.page, "Escape")
    ann.word("The").click(modifiers=["Shift"])

    expect(notice(ann)).to_contain_text("would overlap the mark “boy”")
    expect(ann.page.locator("[data-card]")).to_be_hidden()
    expect(ann.page.locator(".chosen")).to_have_count(0)
    ann.word("quickly").click()
    ann.page.keyboard.type("fast;")
    ann.stored(words=["lad", "went", "fast"])
    assert quotes(ann) == ["boy", "walked", "quickly"]


def test_03_what_is_taken_to_the_letter_keeps_its_spaces_and_signs(ann: Work, house: House) -> None:
    change_rules(house, separator="", folds_substitutes=False)
    at_work(ann)
    ann.word("boy").click()
    for text in ["both ", ". The", ";", "Both "]:
        ann.page.keyboard.type(text)
        press(ann.page, "Enter")

    ann.stored(words=["both ", ". The", ";", "Both "])
    ann.page.evaluate(
        """() => {
          const data = new DataTransfer();
          data.setData("text/plain", "one \\r\\n two\\n");
          const given = { clipboardData: data, bubbles: true, cancelable: true };
          document.activeElement.dispatchEvent(new ClipboardEvent("paste", given));
        }"""
    )
    ann.stored(words=["both ", ". The", ";", "Both ", "one ", " two"])
    expect(ann.page.locator("[data-hints]")).to_contain_text("Enter next substitute")
    ann.expect_saved()
