"""`make screenshots`: every screen of the demo, wide and narrow, light and dark, into var/screenshots."""

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.house import PASSWORD, House
from tests.services import CHROMIUM_FLAGS, chromium

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "var" / "screenshots"
# Those that the guides show, by the name they have there.
IN_GUIDES = {
    "work-wide-light": "workbench",
    "work-wide-dark": "workbench-dark",
    "work-phone-light": "workbench-phone",
    "keys-wide-light": "keys",
    "agreement-wide-light": "agreement",
    "agreement-pair-wide-light": "agreement-pair",
    "board-wide-light": "board",
    "merge-wide-light": "merge",
    "desk-wide-light": "desk",
    "desk-wide-dark": "desk-dark",
    "desk-phone-light": "desk-phone",
    "gold-wide-light": "gold",
    "release-wide-light": "release",
    "systems-wide-light": "systems",
    "setup-rules-wide-light": "setup-rules",
    "setup-open-wide-light": "setup-open",
    "trial-wide-light": "trial",
}
SIZES = {"wide": (1280, 800), "phone": (390, 844)}
PROJECT = "/p/learner-essays"
DRAFT = "/p/learner-essays-2026"


BAD_TABLE = """sentence_id,annotator,word to change,substitutes,type
essay-001,Mia,nothing of the kind,something,refine-usage
essay-999,Mia,big,large,refine-usage
"""


def sign_in(page: Page, house: House, name: str) -> None:
    links = re.findall(rf"^  {name} .* (http://\S+/sign-in/\S+)$", house.log.read_text(), re.M)
    page.goto(links[-1])
    page.get_by_role("button", name=re.compile("Sign in as")).click()


def at_work(page: Page, house: House) -> None:
    """A passage half done, one card open: a substitute in the wrong form under the cursor."""
    page.goto(f"{house.url}{PROJECT}/work/34")
    page.locator('[data-passage][aria-disabled="false"]').wait_for()
    is_first = page.locator(".passage .m").count() == 0
    for word, refined, diversified in (
        ("boss", "manager;", "owner;"),
        ("good", "", "kind;"),
        ("gave", "handed; offer;", ""),
    ):
        page.locator(".word").get_by_text(word, exact=True).click()
        if is_first:
            page.get_by_label("Diversify expression").fill(diversified)
            page.get_by_label("Refine usage").click()
            page.keyboard.type(refined)
    page.keyboard.press("ArrowLeft")  # into the chips
    page.locator("[data-card] .notes").wait_for()


def tall(page: Page) -> None:
    """As much as a guide shows of a long page."""
    width = page.evaluate("window.innerWidth")
    page.set_viewport_size({"width": width, "height": 1060})


def several(page: Page, shoot: Callable[..., None]) -> None:
    """What everybody's answers come to: the demo is merged and measured."""
    tall(page)
    shoot("merge", f"{PROJECT}/merge")
    shoot("merge-whole", whole=True)
    shoot("merge-passages", f"{PROJECT}/merge/passages", whole=True)
    page.locator("tbody a").first.click()
    shoot("merge-passage", whole=True)
    shoot("agreement", f"{PROJECT}/agreement")
    page.get_by_role("region", name="Each person").wait_for()
    shoot("agreement-whole", whole=True)
    page.locator(".meaning summary").first.click()
    shoot("agreement-meaning")
    shoot("agreement-pair", f"{PROJECT}/agreement/V01/V04")
    shoot("agreement-pair-whole", whole=True)
    shoot("agreement-person", f"{PROJECT}/agreement/V04", whole=True)
    shoot("agreement-filter", f"{PROJECT}/agreement?people=V01&people=V04", whole=True)


def adjudicating(page: Page, shoot: Callable[..., None]) -> None:
    """A third is settled by the time somebody looks."""
    shoot("queue", f"{PROJECT}/adjudicate")
    page.locator(".queue a").first.click()
    page.locator(".target").first.wait_for()
    shoot("desk")
    for key, name in (("?", "desk-keys"), ("w", "desk-same-word"), ("h", "desk-history"), ("c", "desk-discussion")):
        page.keyboard.press(key)
        page.wait_for_timeout(400)
        shoot(name)
        page.keyboard.press("Escape")
    shoot("quiet", f"{PROJECT}/adjudicate/quiet", whole=True)
    shoot("twice", f"{PROJECT}/adjudicate/twice", whole=True)
    shoot("releases", f"{PROJECT}/releases", whole=True)
    shoot("release", f"{PROJECT}/releases/1")
    shoot("release-whole", whole=True)
    shoot("systems", f"{PROJECT}/runs")
    page.get_by_text("every figure").wait_for()
    shoot("systems", whole=True)
    page.locator(".board-table td a").first.click()
    shoot("run", whole=True)
    page.go_back()
    page.get_by_role("link", name="every figure").click()
    shoot("runs-compared", whole=True)
    shoot("run-new", f"{PROJECT}/runs/new", whole=True)
    shoot("gold-import", f"{PROJECT}/releases/import", whole=True)
    shoot("gold", f"{PROJECT}/gold?only=decided")
    page.locator("td.where a").first.click()
    shoot("gold-passage", whole=True)


SENTENCES = """In my opinion the school should give the pupils more time to read a good book.
My grandmother has a very nice garden behind the house where she grows big tomatoes.
Every weekend we make a long trip to the sea and have a good time there.
The teacher said a lot of interesting things about the history of our old town.
When I was a child I wanted to do something important for many people.
It is a big problem that so many young people do not find good work.
"""


def begin(page: Page, house: House) -> None:
    """A house of its own with a draft in it, half set up."""
    [link] = re.findall(r"http://\S+/first/\S+", house.log.read_text())
    page.goto(link)
    for label, text in (("Your name", "Katrin Berg"), ("E-mail", "katrin@example.org"), ("New password", PASSWORD)):
        page.get_by_label(label).fill(text)
    page.get_by_role("button", name="Begin").click()
    page.get_by_label("Name").fill("Learner essays 2026")
    page.get_by_label("Time zone").fill("Europe/Berlin")
    page.get_by_role("button", name="Create the draft").click()
    page.goto(f"{house.url}{DRAFT}/setup/passages")
    page.locator("input[type=file]").set_input_files(
        {"name": "essays.txt", "mimeType": "text/plain", "buffer": SENTENCES.encode()}
    )
    page.get_by_role("button", name="Look at it").click()
    page.get_by_role("button", name=re.compile("Take in")).click()
    page.get_by_text("6 passages imported.").last.wait_for()


def setting_up(browser: Browser, house: House) -> None:
    """The set-up of a draft, by the lead of a house in which there is nothing else."""
    first = browser.new_context()
    begin(first.new_page(), house)
    state = first.storage_state()
    for size, (width, height) in SIZES.items():
        for scheme in ("light", "dark"):
            context = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme=scheme,  # type: ignore[arg-type]
                storage_state=state,
            )
            page = context.new_page()
            page.goto(f"{house.url}/new")
            page.screenshot(path=FOLDER / f"new-project-{size}-{scheme}.png", full_page=True)
            for step in ("rules", "passages", "screening", "guidelines", "people", "test", "open"):
                page.goto(f"{house.url}{DRAFT}/setup/{step}")
                page.screenshot(path=FOLDER / f"setup-{step}-{size}-{scheme}.png")
                page.screenshot(path=FOLDER / f"setup-{step}-whole-{size}-{scheme}.png", full_page=True)
            page.goto(f"{house.url}{DRAFT}/preview")
            page.locator('[data-passage][aria-disabled="false"]').wait_for()
            page.locator(".word").get_by_text("good", exact=True).click()
            page.get_by_label("Refine usage").fill("worthwhile")
            page.screenshot(path=FOLDER / f"trial-{size}-{scheme}.png")
            context.close()


def photograph(browser: Browser, house: House, size: str, scheme: str) -> None:
    width, height = SIZES[size]
    is_phone = size == "phone"
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=scheme,  # type: ignore[arg-type]
        has_touch=is_phone,
        is_mobile=is_phone,
    )
    page = context.new_page()

    def shoot(name: str, path: str = "", *, whole: bool = False) -> None:
        if path:
            page.goto(house.url + path)
        page.screenshot(path=FOLDER / f"{name}-{size}-{scheme}.png", full_page=whole)

    shoot("log-in", "/log-in")
    shoot("styleguide", "/styleguide", whole=True)
    shoot("link-over", "/invite/none")
    sign_in(page, house, "Lena Marsh")
    shoot("project-annotator", f"{PROJECT}/")
    shoot("my-work", f"{PROJECT}/work")
    shoot("work-submitted", f"{PROJECT}/work/1")
    shoot("work-discarded", f"{PROJECT}/work/27")
    at_work(page, house)
    shoot("work")
    for _ in range(2):  # out of the chips, out of the card
        page.keyboard.press("Escape")
    for key, name in (("?", "keys"), ("g", "guidelines-panel"), ("q", "ask")):
        page.keyboard.press(key)
        page.wait_for_timeout(400)
        shoot(name)
        page.keyboard.press("Escape")
    shoot("guidelines", f"{PROJECT}/guidelines")
    page.goto(f"{house.url}{PROJECT}/work/31")
    page.get_by_text("Discard this passage…").click()
    shoot("work-discard", whole=True)
    sign_in(page, house, "Nora Lindqvist")
    page.set_viewport_size({"width": width, "height": 1134})
    shoot("board", f"{PROJECT}/board")
    page.set_viewport_size({"width": width, "height": height})
    for tail in ("board", "assignment", "controls", "settings", "settings/copy", "activity"):
        shoot(f"{tail.replace('/', '-')}-whole", f"{PROJECT}/{tail}", whole=True)
    shoot("questions", f"{PROJECT}/questions")
    shoot("guidelines-change", f"{PROJECT}/guidelines/change", whole=True)
    shoot("error", f"{PROJECT}/nothing-here")
    shoot("people", f"{PROJECT}/people", whole=True)
    shoot("passages", f"{PROJECT}/passages", whole=True)
    page.goto(f"{house.url}{PROJECT}/passages/add")
    page.get_by_label("File", exact=True).set_input_files(
        {"name": "answers.csv", "mimeType": "text/csv", "buffer": BAD_TABLE.encode()}
    )
    page.get_by_role("button", name="Look at it").click()
    page.get_by_role("heading", name="Errors").wait_for()
    shoot("preview-refused", whole=True)
    shoot("passages-add", f"{PROJECT}/passages/add", whole=True)
    shoot("screening", f"{PROJECT}/setup/screening", whole=True)
    shoot("api", "/api/", whole=True)
    page.goto(f"{house.url}{PROJECT}/assignment")
    page.get_by_role("button", name="Hand out work").click()
    page.locator("#status").get_by_text("Everybody had everything already.").wait_for()
    shoot("job")
    shoot("jobs", f"{PROJECT}/jobs")
    page.goto(f"{house.url}{PROJECT}/people")
    page.get_by_label("E-mail addresses").fill("new@example.org, Ann Lee <ann.lee@example.org>")
    page.get_by_role("button", name="Invite", exact=True).click()
    link = page.get_by_label("Invitation link for new@example.org").input_value()  # waits for the answer
    shoot("people-invited", whole=True)
    shoot("account", "/account", whole=True)
    page.goto(f"{house.url}/account/tokens")
    page.get_by_label("What it is for").fill("Notebook")
    page.get_by_role("button", name="Make the token").click()
    shoot("tokens", whole=True)
    page.get_by_label("account menu").click()
    shoot("menu")
    page.get_by_role("button", name="Sign out").click()
    shoot("invitation", re.sub(r"^http://[^/]+", "", link))
    sign_in(page, house, "Tomas Adler")
    shoot("project-adjudicator", f"{PROJECT}/")
    adjudicating(page, shoot)
    sign_in(page, house, "Nora Lindqvist")
    several(page, shoot)
    context.close()


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    house, empty = House("--demo").start(), House().start()
    flags = [*CHROMIUM_FLAGS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=flags)
            for size in SIZES:
                for scheme in ("light", "dark"):
                    photograph(browser, house, size, scheme)
            setting_up(browser, empty)
            browser.close()
    finally:
        house.remove()
        empty.remove()
    images = ROOT / "docs" / "images"
    images.mkdir(exist_ok=True)
    for name, known_as in IN_GUIDES.items():
        shutil.copy(FOLDER / f"{name}.png", images / f"{known_as}.png")
    print(f"{len(list(FOLDER.glob('*.png')))} pictures in {FOLDER}")


if __name__ == "__main__":
    main()
