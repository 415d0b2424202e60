"""The workbench: what a page weighs, how soon it answers, how long a passage takes to open among many."""

import http.client
import json
import os
import re
import time
from collections.abc import Callable

from playwright.sync_api import Page, sync_playwright

from tests.bench.figures import Figure, percentile
from tests.house import PASSWORD, House
from tests.services import CHROMIUM_FLAGS, chromium

NOTE = """Opening a passage is a GET of the work page over HTTP by somebody with so many passages of their own.
Interactive is from the start of navigation until a click on a word has opened its card, on a warm server, in headless
Chromium on the same machine; echo is from the key until after the next paint, over a hundred keys."""
WARM_UP = 30
OPENED = 300
# Clicks the third word as soon as the passage takes clicks, and notes when its card is there.
WATCH = """
window.echo = [];
const note = (began) => echo.push(performance.now() - began);
const painted = ({ timeStamp }) => requestAnimationFrame(() => setTimeout(note, 0, timeStamp));
addEventListener("keydown", painted, true);
const look = () => {
  const passage = document.querySelector('[data-passage][aria-disabled="false"]');
  const word = passage?.querySelectorAll(".word")[2];
  if (!word) return requestAnimationFrame(look);
  const { left, top } = word.getBoundingClientRect();
  const at = { bubbles: true, button: 0, buttons: 1, clientX: left + 3, clientY: top + 12, pointerType: "mouse" };
  for (const type of ["pointerdown", "pointerup"]) word.dispatchEvent(new PointerEvent(type, at));
  if (!document.querySelector("[data-card]").hidden) window.interactive = performance.now();
  else requestAnimationFrame(look);
};
look();
"""


def figures() -> list[Figure]:
    few, many = _opening("thousand_passages", "twenty_thousand_passages")
    p50 = [percentile(ms, 0.5) for ms in (few, many)]
    page, long = in_the_browser(_of_the_demo, "--demo"), in_the_browser(_of_a_long_passage, seed="a_long_passage")
    return [
        Figure("open a passage, 1,000 of one's own, p50", p50[0], "ms", 15),
        Figure("open a passage, 20,000 of one's own, p50", p50[1], "ms", 15),
        Figure("open a passage, 20,000 of one's own, p95", percentile(many, 0.95), "ms", 30),
        Figure("the same p50, 20,000 over 1,000", p50[1] / p50[0], "×", 1.25),
        Figure("work page, cold, all told, gzipped", page["kilobytes"], "kB", 100),
        Figure("work page, interactive", page["interactive"], "ms", 300),
        Figure("work page, echo of a key, p95", page["echo"], "ms", 50),
        Figure("the same in 2,000 words with 100 marks, p95", long["echo"], "ms", 50),
    ]


def _opening(*seeds: str) -> list[list[float]]:
    """How long each house takes, in milliseconds; by turns, so that a busy moment of the machine meets them all."""
    houses = [House() for _ in seeds]
    try:
        for house, seed in zip(houses, seeds, strict=True):
            house.seed(seed)
            house.start()
        readers = [Reader(house) for house in houses]
        taken: list[list[float]] = [[] for _ in houses]
        for turn in range(WARM_UP + OPENED):
            for reader, ms in zip(readers, taken, strict=True):
                began = time.perf_counter()
                reader.get(f"/p/load/work/{1 + turn * 3 % 990}")
                ms.append((time.perf_counter() - began) * 1000)
        return [ms[WARM_UP:] for ms in taken]
    finally:
        for house in houses:
            house.remove()


class Reader:
    """Somebody on one kept-alive connection."""

    def __init__(self, house: House, email: str = "person0@example.org") -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", house.port)
        self.cookies: dict[str, str] = {}
        self._call("GET", "/api/v1/session")
        body = json.dumps({"email": email, "password": PASSWORD})
        assert self._call("POST", "/api/v1/session", body) == 200

    def get(self, path: str) -> None:
        assert self._call("GET", path) == 200

    def _call(self, method: str, path: str, body: str | None = None) -> int:
        headers = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "X-CSRFToken": self.cookies.get("assay_csrf", ""),
            "Content-Type": "application/json",
        }
        self.connection.request(method, path, body, headers)
        response = self.connection.getresponse()
        response.read()
        for name, value in response.getheaders():
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.partition(";")[0]
        return response.status


def in_the_browser(
    measure: Callable[[Page, House], dict[str, float]], *arguments: str, seed: str = ""
) -> dict[str, float]:
    house = House(*arguments)
    flags = [*CHROMIUM_FLAGS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    try:
        if seed:
            house.seed(seed)
        house.start()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=flags)
            found = measure(browser.new_context(viewport={"width": 1280, "height": 800}).new_page(), house)
            browser.close()
            return found
    finally:
        house.remove()


def _of_the_demo(page: Page, house: House) -> dict[str, float]:
    [link] = re.findall(r"^  Lena Marsh .* (http://\S+/sign-in/\S+)$", house.log.read_text(), re.M)[-1:]
    page.goto(link)
    page.get_by_role("button", name=re.compile("Sign in as")).click()
    # The last ones: of the first the demo itself submits one, in the background.
    rows = house.query(
        "SELECT a.number FROM annotator_assignment a JOIN annotator_membership m ON m.id = a.membership_id "
        "JOIN annotator_user u ON u.id = m.user_id "
        "WHERE u.email LIKE 'lena@%' AND a.state = 'assigned' ORDER BY a.number"
    )
    numbers = [number for (number,) in rows][-5:]
    kilobytes = cold_kilobytes(page, f"{house.url}/p/learner-essays/work/{numbers[0]}")
    page.add_init_script(WATCH)
    interactive = []
    for number in numbers:
        page.goto(f"{house.url}/p/learner-essays/work/{number}")
        page.wait_for_function("() => window.interactive")
        interactive.append(page.evaluate("() => window.interactive"))
    return {"kilobytes": kilobytes, "interactive": percentile(interactive, 0.5), "echo": _echo(page)}


def cold_kilobytes(page: Page, address: str) -> float:
    """All that comes over the network for a page whose server is warm and whose browser has nothing of it."""
    page.goto(address)
    page.wait_for_load_state("networkidle")
    cold = page.context.new_cdp_session(page)
    cold.send("Network.enable")
    cold.send("Network.setCacheDisabled", {"cacheDisabled": True})
    sizes: list[float] = []
    cold.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(address)
    page.wait_for_load_state("networkidle")
    cold.send("Network.setCacheDisabled", {"cacheDisabled": False})
    return sum(sizes) / 1000


def _of_a_long_passage(page: Page, house: House) -> dict[str, float]:
    page.goto(f"{house.url}/log-in?next=/p/load/work/1")
    page.get_by_label("E-mail").fill("person0@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.add_init_script(WATCH)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_function("() => window.interactive")
    return {"echo": _echo(page)}


def _echo(page: Page) -> float:
    """Of a hundred keys typed in the open card."""
    page.evaluate("() => window.echo.splice(0)")
    for _ in range(10):
        page.keyboard.type("wordwords;", delay=40)
        page.keyboard.press("Backspace")
    return percentile(page.evaluate("() => window.echo"), 0.95)
