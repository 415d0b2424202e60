"""One house and one browser for all stories; every story has an annotator of its own."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Locator, Page, expect, sync_playwright

from tests.e2e.desk import Desk, Enter, uuid_of
from tests.e2e.proxy import Proxy
from tests.house import PASSWORD, House
from tests.seeds import STORY_PEOPLE
from tests.services import CHROMIUM_FLAGS, chromium

expect.set_options(timeout=10_000)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = os.environ.get("TEST_CHROMIUM") or chromium()
    flags = [*CHROMIUM_FLAGS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=flags)
        yield started
        started.close()


@pytest.fixture(scope="session")
def seeded() -> Iterator[Path]:
    """The data folder every story starts from."""
    made = House()
    made.seed("story_people")
    yield made.folder / "data"
    made.remove()


@pytest.fixture(scope="session")
def shared_house(seeded: Path) -> Iterator[House]:
    made = House()
    shutil.copytree(seeded, made.folder / "data")
    made.start()
    yield made
    made.remove()


@pytest.fixture
def house(request: pytest.FixtureRequest, seeded: Path) -> Iterator[House]:
    """The house all stories share; a story marked `own_house` kills servers or changes the project, and has its own."""
    if request.node.get_closest_marker("own_house") is None:
        yield request.getfixturevalue("shared_house")
        return
    made = House()
    shutil.copytree(seeded, made.folder / "data")
    made.start()
    yield made
    made.remove()


@pytest.fixture(scope="session")
def numbers() -> Iterator[int]:
    """Every story has an annotator of its own, so that stories do not meet."""
    return iter(range(STORY_PEOPLE))


@pytest.fixture
def email(request: pytest.FixtureRequest, numbers: Iterator[int]) -> str:
    is_alone = request.node.get_closest_marker("own_house") is not None  # nobody has done anything there yet
    return f"ann{0 if is_alone else next(numbers)}@example.org"


@pytest.fixture
def proxy(house: House) -> Iterator[Proxy]:
    made = Proxy(house.port)
    yield made
    made.close()


class Work:
    """One person at one passage: what a story does and sees there."""

    def __init__(self, page: Page, house: House, email: str, url: str) -> None:
        self.page, self.house, self.email, self.url = page, house, email, url
        self.number = 0

    def log_in(self, password: str = PASSWORD) -> "Work":
        self.page.goto(f"{self.url}/log-in")
        self.page.get_by_label("E-mail").fill(self.email)
        self.page.get_by_label("Password").fill(password)
        self.page.get_by_role("button", name="Sign in").click()
        expect(self.page.get_by_label("account menu")).to_be_visible()
        return self

    def open(self, external_id: str = "plain") -> "Work":
        [[self.number]] = self.house.query(
            "SELECT a.number FROM annotator_assignment a JOIN annotator_membership m ON m.id = a.membership_id "
            "JOIN annotator_user u ON u.id = m.user_id JOIN annotator_passage p ON p.id = a.passage_id "
            "WHERE u.email = ? AND p.external_id = ?",
            self.email,
            external_id,
        )
        self.page.goto(f"{self.url}/p/stories/work/{self.number}")
        return self

    def word(self, text: str, occurrence: int = 1) -> Locator:
        exactly = re.compile(f"^{re.escape(text)}$")
        return self.page.locator(".word").filter(has_text=exactly).nth(occurrence - 1)

    @property
    def passage(self) -> Locator:
        return self.page.locator("[data-passage]")

    def expect_locked(self, is_locked: bool = True) -> None:
        expect(self.passage).to_have_attribute("aria-disabled", str(is_locked).lower())

    @property
    def chips(self) -> Locator:
        """In the open card, by their texts."""
        return self.page.locator("[data-card] .chip > span:first-child")

    @property
    def open_words(self) -> Locator:
        return self.page.locator(".word:has(.open)")

    def field(self, label: str = "Refine usage") -> Locator:
        return self.page.get_by_label(label)

    def expect_next_passage(self) -> None:
        """The page has moved on by itself and is there: nothing of this passage is still under way."""
        expect(self.page).not_to_have_url(f"{self.url}/p/stories/work/{self.number}")
        self.page.wait_for_load_state()

    @property
    def state(self) -> Locator:
        return self.page.locator("[data-save-state]")

    def expect_state(self, state: str) -> None:
        expect(self.state).to_have_attribute("data-save-state", state)

    def expect_saved(self) -> None:
        self.expect_state("saved")

    def stored(self, **wanted: Any) -> dict[str, Any]:
        return self.house.wait_for(self.email, self.number, **wanted)

    @property
    def slot(self) -> str | None:
        """What this browser keeps of work that is not acknowledged yet."""
        entries = "() => Object.entries(localStorage).filter(([key]) => key.startsWith('assay:slot:'))"
        while True:
            self.page.wait_for_load_state()
            try:
                found = self.page.evaluate(f"({entries})().map(([, value]) => value)[0] ?? null")
            except Error as error:
                if "navigation" not in error.message:
                    raise
                continue  # the page went on to the next passage just now
            return found if isinstance(found, str) else None


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def at_work(ann: Work, text: str = "plain") -> Work:
    ann.open(text)
    ann.expect_locked(False)
    return ann


def quotes(ann: Work) -> list[str]:
    return [mark["quote"] for mark in ann.stored()["answer"]["marks"]]


@pytest.fixture
def contexts(browser: Browser) -> Iterator[Any]:
    """contexts() is a browser of its own: own cookies, own storage. Fails the test on script errors and CSP reports."""
    made: list[BrowserContext] = []
    errors: list[str] = []

    def make(**given: Any) -> BrowserContext:
        context = browser.new_context(viewport={"width": 1280, "height": 800}, **given)
        context.on("weberror", lambda error: errors.append(str(error.error)))
        context.on(
            "console",
            lambda message: errors.append(message.text) if "Content Security Policy" in message.text else None,
        )
        made.append(context)
        return context

    yield make
    for context in made:
        context.close()
    assert errors == []


@pytest.fixture
def ann(contexts: Any, house: House, email: str) -> Work:
    """An annotator, signed in, straight at the server."""
    return Work(contexts().new_page(), house, email, house.url).log_in()


@pytest.fixture
def ann_far(contexts: Any, house: House, proxy: Proxy, email: str) -> Work:
    """An annotator, signed in, with a network in between that can go bad."""
    return Work(contexts().new_page(), house, email, proxy.url).log_in()


@pytest.fixture(scope="module")
def desk_house() -> Iterator[House]:
    """In which there is something to settle; the stories of one file share it."""
    made = House()
    made.seed("agreeing", "tests.seeds_agreement")
    made.start()
    yield made
    made.remove()


@pytest.fixture(scope="module")
def sessions() -> dict[str, Any]:
    return {}


@pytest.fixture
def enter(contexts: Any, desk_house: House, sessions: dict[str, Any]) -> Enter:
    """enter("garden-01") is that passage on tomas's desk."""

    def enter(
        passage: str = "", *, name: str = "tomas", width: int = 1280, url: str = "", path: str = "", **given: Any
    ) -> Desk:
        where = url or desk_house.url
        page: Page = contexts(storage_state=None if url else sessions.get(name), **given).new_page()
        page.set_viewport_size({"width": width, "height": 844 if width < 700 else 800})
        if url or name not in sessions:
            Work(page, desk_house, f"{name}@example.org", where).log_in()
            if not url:
                sessions[name] = page.context.storage_state()
        tail = f"/{uuid_of(desk_house, 'essays', passage)}" if passage else ""
        page.goto(f"{where}{path or f'/p/essays/adjudicate{tail}'}")
        desk = Desk(page, desk_house)
        if passage:
            expect(page.locator(".target").first).to_be_visible()
            desk.expect_saved()
        return desk

    return enter
