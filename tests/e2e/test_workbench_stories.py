"""Stories of the workbench: a passage by keyboard and by touch, panels, questions, tests, on to the next."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Work, at_work, press, quotes
from tests.house import House
from tests.seeds import STORY_GUIDELINES, STORY_TEXTS

pytestmark = pytest.mark.e2e


def test_01_a_passage_by_keyboard_alone_and_the_next_is_there_at_once(ann: Work) -> None:
    at_work(ann)
    ann.page.evaluate("() => { window.isSamePage = true; }")
    ann.passage.focus()
    press(ann.page, "ArrowRight", "ArrowRight", "Shift+ArrowRight", "Enter")
    expect(ann.field()).to_be_focused()
    ann.page.keyboard.type("rushed; hurried")
    press(ann.page, "Tab")
    ann.page.keyboard.type("dashed;")
    press(ann.page, "Escape")
    expect(ann.passage).to_be_focused()
    stored = ann.stored(words=["rushed", "hurried", "dashed"])
    assert [mark["quote"] for mark in stored["answer"]["marks"]] == ["walked quickly"]
    assert [s["type"] for s in stored["answer"]["marks"][0]["substitutes"]] == [
        "refine-usage",
        "refine-usage",
        "diversify-expression",
    ]
    number = ann.number

    press(ann.page, "Control+Enter")

    expect(ann.page.get_by_text(f"Passage {number} is submitted.")).to_be_visible()
    assert ann.page.evaluate("() => window.isSamePage") is True
    expect(ann.passage).to_be_focused()
    ann.expect_locked(False)
    assert ann.stored(state="submitted")["submissions"] == 1
    press(ann.page, "Enter")
    ann.page.keyboard.type("next one;")
    following = int(ann.page.url.rsplit("/", 1)[1])
    ann.house.wait_for(ann.email, following, words=["next one"])


def test_02_by_touch_on_a_phone(contexts: Any, house: House, email: str) -> None:
    context = contexts(has_touch=True)
    page = context.new_page()
    page.set_viewport_size({"width": 390, "height": 844})
    ann = at_work(Work(page, house, email, house.url).log_in())

    ann.word("walked").tap()
    expect(ann.field()).to_be_focused()
    page.keyboard.type("ran home;")
    page.get_by_role("button", name="Longer").tap()
    page.get_by_role("button", name="Longer").tap()

    ann.stored(words=["ran home"])
    ann.expect_saved()
    assert quotes(ann) == ["walked quickly home"]
    page.keyboard.type("rushed;")
    ann.stored(words=["ran home", "rushed"])
    ann.chips.last.tap()
    page.get_by_title("Earlier: best first").last.tap()
    ann.stored(words=["rushed", "ran home"])
    page.get_by_role("button", name="Undo").tap()
    ann.stored(words=["ran home", "rushed"])
    page.get_by_role("button", name="Redo").tap()
    ann.stored(words=["rushed", "ran home"])
    width = page.evaluate("() => document.documentElement.scrollWidth")
    assert width <= 390


def test_03_nothing_to_improve_by_key(ann: Work) -> None:
    at_work(ann)
    ann.passage.focus()
    press(ann.page, "0")
    ann.expect_saved()
    assert ann.stored(words=[])["answer"] == {"none": True}
    press(ann.page, "0", "Enter")
    ann.page.keyboard.type("x;")
    press(ann.page, "Escape", "0")

    expect(ann.page.get_by_text("There are marks. Remove them first")).to_be_visible()
    ann.stored(words=["x"])


def test_04_guidelines_and_keys_are_one_key_away(ann: Work) -> None:
    at_work(ann)
    ann.passage.focus()
    expect(ann.page.locator("[data-guidelines-news]")).to_have_text("new")
    press(ann.page, "g")
    expect(ann.page.locator("#guidelines")).to_contain_text("Version 1")
    press(ann.page, "Escape")
    expect(ann.page.locator("[data-guidelines-news]")).to_have_text("")
    expect(ann.passage).to_be_focused()
    press(ann.page, "?")
    expect(ann.page.locator("#keys")).to_contain_text("a new mark, also inside a longer one")
    ann.page.get_by_label("Single letters and digits are keys").uncheck()
    press(ann.page, "Escape")

    press(ann.page, "g")

    expect(ann.page.locator("#guidelines")).to_be_hidden()


def test_05_a_question_goes_to_the_lead_and_comes_back(ann: Work, contexts: Any) -> None:
    at_work(ann)
    ann.passage.focus()
    press(ann.page, "q")
    ann.page.get_by_label("Question").fill("Is “boy” a name here?")
    ann.page.get_by_role("button", name="Ask", exact=True).click()
    expect(ann.page.locator("[data-questions]")).to_contain_text("not answered yet")
    lead = Work(contexts().new_page(), ann.house, "lead@example.org", ann.house.url).log_in()
    lead.page.goto(f"{ann.house.url}/p/stories/questions")
    asked = lead.page.locator(".question").filter(has_text="Is “boy” a name here?")
    asked.get_by_label("Answer").fill("No, an ordinary word.")
    asked.get_by_role("button", name="Answer").click()
    expect(lead.page.get_by_text("Answered.")).to_be_visible()

    ann.page.reload()

    expect(ann.page.locator("[data-questions]")).to_contain_text("No, an ordinary word.")


def test_06_discarding_goes_on_and_can_be_undone(ann: Work) -> None:
    at_work(ann)
    number = ann.number
    ann.passage.focus()
    press(ann.page, "d")
    ann.page.get_by_label("Too little context").check()
    ann.page.get_by_role("button", name="Discard", exact=True).click()
    expect(ann.page.get_by_text(f"Passage {number} is discarded.")).to_be_visible()
    ann.stored(state="discarded")

    ann.page.locator("[data-notice]").get_by_role("button", name="Undo").click()

    ann.stored(state="started")
    expect(ann.page).to_have_url(f"{ann.url}/p/stories/work/{number}")


def test_07_the_keys_of_a_form_are_the_forms(ann: Work) -> None:
    at_work(ann)
    ann.word("boy").click()
    ann.page.keyboard.type("lad;")
    ann.stored(words=["lad"])
    press(ann.page, "Escape", "d")
    ann.page.get_by_label("Other", exact=True).check()
    ann.page.get_by_label("Remark").fill("too odd")
    press(ann.page, "Control+Enter")

    ann.stored(state="discarded", words=["lad"])


def test_08_a_question_belongs_to_the_passage_it_was_begun_at(ann: Work) -> None:
    at_work(ann)
    ann.passage.focus()
    press(ann.page, "q")
    ann.page.get_by_label("Question").fill("Half a question")
    press(ann.page, "Escape")
    expect(ann.passage).to_be_focused()
    press(ann.page, "Enter")
    expect(ann.field()).to_be_focused()
    ann.page.keyboard.type("the thing;")
    press(ann.page, "Control+Enter")
    expect(ann.page.get_by_text(f"Passage {ann.number} is submitted.")).to_be_visible()

    press(ann.page, "q")

    expect(ann.page.get_by_label("Question")).to_have_value("")


def test_09_escape_closes_the_card_from_anywhere(ann: Work) -> None:
    at_work(ann)
    ann.word("boy").click()
    ann.page.get_by_role("button", name="Note").focus()
    press(ann.page, "Escape")

    expect(ann.page.locator("[data-card]")).to_be_hidden()
    expect(ann.passage).to_be_focused()


@pytest.mark.own_house
def test_10_a_newcomer_is_tested_and_then_has_work(contexts: Any, house: House) -> None:
    house.seed("a_newcomer_to_test")
    new = Work(contexts().new_page(), house, "newcomer@example.org", house.url).log_in()
    new.page.goto(f"{house.url}/p/stories/work")
    expect(new.page.get_by_text("First comes a short test")).to_be_visible()
    new.page.goto(f"{house.url}/p/stories/work/next")
    for _ in range(2):
        expect(new.page.get_by_text("Test passage: your work opens when you have passed.")).to_be_visible()
        new.expect_locked(False)
        is_first = new.page.locator("[data-reading]").inner_text().startswith("The boy")
        new.word("big" if is_first else "nice").click()
        new.page.keyboard.type("large;" if is_first else "tasty;")
        expect(new.chips).to_have_count(1)
        before = new.page.url
        press(new.page, "Control+Enter")
        expect(new.page).not_to_have_url(before)

    expect(new.page.get_by_text("You passed the test")).to_be_visible()
    expect(new.page.get_by_role("link", name="Begin with passage 3")).to_be_visible()


@pytest.mark.own_house
def test_11_changed_guidelines_are_told_of_with_what_changed(ann: Work, contexts: Any) -> None:
    at_work(ann)
    ann.passage.focus()
    press(ann.page, "g")
    expect(ann.page.locator("#guidelines")).to_contain_text("Version 1")
    press(ann.page, "Escape")
    lead = Work(contexts().new_page(), ann.house, "lead@example.org", ann.house.url).log_in()
    lead.page.goto(f"{ann.house.url}/p/stories/guidelines")
    lead.page.get_by_role("link", name="Change the guidelines").click()
    lead.page.get_by_label("Guidelines").fill(f"{STORY_GUIDELINES}\n\nNames are never marked.")
    lead.page.get_by_role("button", name="Save as a new version").click()
    expect(lead.page.get_by_text("Version 2: annotators are told.")).to_be_visible()

    ann.word("boy").click()
    ann.page.keyboard.type("lad;")
    press(ann.page, "Control+Enter")

    expect(ann.page.locator("[data-guidelines-news]")).to_have_text("changed")
    press(ann.page, "g")
    expect(ann.page.locator("#guidelines ins")).to_have_text(["Names are never marked."])
    expect(ann.page.locator("#guidelines p").last).to_have_text("Names are never marked.")
    press(ann.page, "Escape")
    expect(ann.page.locator("[data-guidelines-news]")).to_have_text("")


def test_12_a_second_press_does_not_submit_the_next_passage(ann: Work) -> None:
    at_work(ann, "hyphen")
    ann.word("plan").click()
    ann.page.keyboard.type("scheme;")
    ann.stored(words=["scheme"])
    ahead = ann.number  # done but for the submit; the one before it leads there
    before = ahead - 1 if ahead > 1 else len(STORY_TEXTS)
    ann.page.goto(f"{ann.url}/p/stories/work/{before}")
    ann.number = before
    ann.expect_locked(False)
    ann.passage.focus()
    press(ann.page, "Enter")
    ann.page.keyboard.type("so, so;")
    expect(ann.page.locator("[data-marks]")).to_contain_text("has a comma")
    press(ann.page, "Escape", "End", "Enter")
    ann.page.keyboard.type("thus")
    press(ann.page, "Control+Enter")  # what is on the screen asks, though another mark was made since
    expect(ann.page.locator("[data-notice]")).to_contain_text("has a comma")
    press(ann.page, "Control+Enter")
    expect(ann.page.get_by_text(f"Passage {before} is submitted.")).to_be_visible()
    expect(ann.page.locator("[data-heading]")).to_have_text(f"Passage {ahead}")
    press(ann.page, "Control+Enter")  # at once: meant for the passage before
    ann.page.locator("[data-submit]").click()  # and so is the second of two clicks
    ann.page.wait_for_timeout(1200)
    assert ann.house.wait_for(ann.email, ahead)["state"] == "started"

    press(ann.page, "Control+Enter")

    ann.house.wait_for(ann.email, ahead, state="submitted")


def test_13_on_a_phone_what_one_types_stays_in_sight_and_a_question_survives(
    contexts: Any, house: House, email: str
) -> None:
    page = contexts(has_touch=True, is_mobile=True).new_page()
    page.set_viewport_size({"width": 390, "height": 844})
    ann = at_work(Work(page, house, email, house.url).log_in())
    ann.word("tired").tap()
    page.set_viewport_size({"width": 390, "height": 430})  # the keyboard comes up
    page.keyboard.type("exhausted;worn out;weary;sleepy;")

    bar = page.locator(".tools").bounding_box()
    field = ann.field().bounding_box()
    assert bar
    assert field
    assert field["y"] + field["height"] <= bar["y"]
    chip = page.locator("[data-card] .chip").last
    chip.tap()  # in the middle, where a cross might have been
    expect(chip).to_be_focused()
    expect(ann.chips).to_have_text(["exhausted", "worn out", "weary", "sleepy"])
    press(page, "Escape", "Escape")
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("link", name="Keys").last.tap()
    expect(page.locator("#keys")).to_contain_text("next or previous mark")
    press(page, "Escape")
    page.get_by_role("button", name="Ask the lead").tap()
    page.get_by_label("Question").fill("Is this")
    page.reload()
    ann.expect_locked(False)
    page.get_by_role("button", name="Ask the lead").tap()
    expect(page.get_by_label("Question")).to_have_value("Is this")
