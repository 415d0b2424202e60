"""Stories of webhooks: a lead names an address, a worker calls it, and the page says what came of it."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Work, at_work, press
from tests.e2e.test_page_stories import violations
from tests.exports.receiver import Receiver, is_signed, says
from tests.house import House
from tests.services import wait_until

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.end()


@pytest.fixture(scope="module")
def house(seeded: Path, receiver: Receiver) -> Iterator[House]:
    made = House(ASSAY_WEBHOOK_HOSTS=f"{receiver.host}, hooks.example.org")
    shutil.copytree(seeded, made.folder / "data")
    made.start()
    yield made
    made.remove()


def lead_at(contexts: Any, house: House, **given: Any) -> Page:
    page: Page = Work(contexts(**given).new_page(), house, "lead@example.org", house.url).log_in().page
    page.goto(f"{house.url}/p/stories/settings")
    page.get_by_role("link", name="Webhooks").click()
    return page


def make(page: Page, url: str, *labels: str) -> str:
    page.get_by_label("Address").fill(url)
    for label in labels:
        page.get_by_label(label).check()
    page.get_by_role("button", name="Make the webhook").click()
    return page.get_by_label("Secret of the webhook").input_value()


def test_01_an_address_is_named_tried_out_and_told_of_a_submission(
    contexts: Any, house: House, receiver: Receiver, email: str
) -> None:
    page = lead_at(contexts, house)
    make_refused = page.get_by_text("is not among the hosts that the operator has named")
    page.get_by_label("Address").fill("http://localhost:6379/")
    page.get_by_label("Answers are submitted").check()
    page.get_by_role("button", name="Make the webhook").click()
    expect(make_refused).to_be_visible()
    expect(page.get_by_label("Answers are submitted")).to_be_checked()
    secret = make(page, receiver.url)
    page.get_by_role("link", name=receiver.url).click()
    expect(page.get_by_label("Secret of the webhook")).to_have_count(0)

    receiver.answer_next(says(500, "not yet"), says(200, "thank you"))
    page.get_by_role("button", name="Send a test message").click()
    wait_until(lambda: len(receiver.came) == 1, seconds=20, what="a test message")
    wait_until(lambda: _reads(page, "It answered 500."), seconds=10, what="what came of it")
    expect(page.get_by_text(re.compile("next try"))).to_be_visible()
    page.get_by_role("button", name=re.compile("Send again")).click()
    wait_until(lambda: len(receiver.came) == 2, seconds=20, what="the message again")
    wait_until(lambda: _reads(page, "thank you"), seconds=10, what="what came of it")

    ann = at_work(Work(contexts().new_page(), house, email, house.url).log_in())
    ann.word("boy").click()
    ann.page.keyboard.type("lad;")
    ann.stored(words=["lad"])
    press(ann.page, "Control+Enter")
    ann.stored(state="submitted")
    wait_until(lambda: len(receiver.came) == 3, seconds=100, what="word of the submission")
    assert receiver.came[0].id == receiver.came[1].id
    assert receiver.came[2].told["data"] == {"project": "stories", "submissions": 1}
    assert all(is_signed(came, secret) for came in receiver.came)


def _reads(page: Page, text: str) -> bool:
    page.reload()
    return page.get_by_text(text).count() > 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_02_axe_finds_nothing_about_webhooks(
    contexts: Any, house: House, receiver: Receiver, scheme: str, width: int
) -> None:
    page = lead_at(contexts, house, color_scheme=scheme, bypass_csp=True)
    page.set_viewport_size({"width": width, "height": 844})
    found, widths = {}, {}

    def look(name: str) -> None:
        found[name], widths[name] = violations(page), page.evaluate("document.documentElement.scrollWidth")

    look("list")
    page.get_by_role("button", name="Make the webhook").click()
    look("refused")
    address = f"http://{receiver.host}/{'a-very-long-part-of-an-address-' * 4}{width}/{scheme}"
    make(page, address, "A release is frozen, or withdrawn", "Agreement is measured")
    look("secret")
    page.get_by_role("link", name=address).click()
    look("no message")
    receiver.answer_next(says(404, "x" * 300))
    page.get_by_role("button", name="Send a test message").click()
    wait_until(lambda: _reads(page, "It answered 404."), seconds=20, what="what came of it")
    page.get_by_text("webhook.test").first.click()
    page.get_by_text("End…").click()
    look("a message")
    page.get_by_text("Another secret…").click()
    page.get_by_role("button", name="Make another secret").click()
    look("another secret")
    page.get_by_role("button", name="Pause").click()
    look("paused")
    page.get_by_text("End…").click()
    page.get_by_role("button", name="End it").click()
    look("ended")

    assert {name: problems for name, problems in found.items() if problems} == {}
    assert {name: most for name, most in widths.items() if most > width} == {}
