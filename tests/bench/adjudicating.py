"""The adjudicators' half: queue, desk and gold of 20,000 passages by ten people, with decisions on many of them."""

import re
from typing import Any

from playwright.sync_api import Page

from tests.bench.figures import Figure, percentile
from tests.bench.several import LARGE, _done, _fill, _house, _script
from tests.bench.work import cold_kilobytes, in_the_browser
from tests.house import House

NOTE = """Adjudication is measured on 20,000 passages by ten people, merged, with a thousand passages settled and two
thousand targets decided. Pages and decisions are requests in one process, database and rendering included; what is next
is asked for while the next passage stands there already. The desk is the demo's, in headless Chromium: echo is from the
key until after the next paint, over a hundred keys. Lists of the API are asked for by a token, a hundred rows at
once."""


def figures() -> list[Figure]:
    found: list[Figure] = []
    for name in ("SQLite", "PostgreSQL"):
        with _house(name) as house:
            _fill(house, "large", LARGE)
            _done(house, "merge", "large")
            _script(house, "decide_many", "large")
            told: dict[str, Any] = _script(house, "adjudicating", "large")
            lists: dict[str, float] = _script(house, "api", "large")
        found += [Figure(f"{name}: {what}, p95", told[what], "ms", goal) for what, goal in GOALS.items()]
        cost, slowest = lists.pop("a token"), max(lists, key=lambda noun: lists[noun])
        found.append(Figure(f"{name}: a token beside a session, one call", cost, "ms", 1))
        found.append(Figure(f"{name}: slowest list of the API ({slowest}), p95", lists[slowest], "ms", 150))
        found.append(Figure(f"{name}: gold of 20,000 passages laid over", told["gold of all"], "s", 10))
    page = in_the_browser(_desk, "--demo")
    return [
        *found,
        Figure("desk, cold, all told, gzipped", page["kilobytes"], "kB", 120),
        Figure("desk, echo of a key, p95", page["echo"], "ms", 50),
    ]


GOALS = {"queue": 200, "gold": 200, "next passage": 50, "what is next": 200, "a decision": 50}
KEYS = ("ArrowDown", "ArrowRight", "k", "x", "t", "ArrowUp", "ArrowLeft", "x", "k", "t")
WATCH = """
window.echo = [];
const note = (began) => echo.push(performance.now() - began);
addEventListener("keydown", ({ timeStamp }) => requestAnimationFrame(() => setTimeout(note, 0, timeStamp)), true);
"""


def _desk(page: Page, house: House) -> dict[str, float]:
    [link] = re.findall(r"^  Tomas Adler .* (http://\S+/sign-in/\S+)$", house.log.read_text(), re.M)[-1:]
    _script(house, "wait_for_jobs", "learner-essays")
    page.goto(link)
    page.get_by_role("button", name=re.compile("Sign in as")).click()
    page.goto(f"{house.url}/p/learner-essays/adjudicate")
    page.locator(".queue a").first.click()
    kilobytes = cold_kilobytes(page, page.url)
    page.add_init_script(WATCH)
    page.reload()
    page.locator(".target").first.wait_for()
    for _ in range(10):
        for key in KEYS:
            page.keyboard.press(key)
            page.wait_for_timeout(40)
    return {"kilobytes": kilobytes, "echo": percentile(page.evaluate("() => window.echo"), 0.95)}
