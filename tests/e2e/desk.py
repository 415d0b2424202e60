"""The adjudicators' desk as a story sees it."""

import json
import re
from collections.abc import Callable
from typing import Any
from uuid import UUID

from playwright.sync_api import Locator, Page, expect

from tests.house import House

Enter = Callable[..., "Desk"]


def uuid_of(house: House, project: str, external_id: str) -> str:
    [[found]] = house.query(
        "SELECT p.uuid FROM annotator_passage p JOIN annotator_project j ON j.id = p.project_id "
        "WHERE j.slug = ? AND p.external_id = ?",
        project,
        external_id,
    )
    return str(UUID(found))


class Desk:
    """One adjudicator at one passage."""

    def __init__(self, page: Page, house: House) -> None:
        self.page, self.house = page, house

    def target(self, quote: str) -> Locator:
        exactly = re.compile(f"^{re.escape(quote)}$")
        return self.page.locator(".target", has=self.page.locator(".quote").filter(has_text=exactly))

    @property
    def current(self) -> Locator:
        return self.page.locator(".target.cur")

    def expect_state(self, state: str) -> None:
        expect(self.page.locator("[data-save-state]")).to_have_attribute("data-save-state", state)

    def expect_saved(self) -> None:
        self.expect_state("saved")

    @property
    def heading(self) -> Locator:
        return self.page.get_by_role("heading", level=1)

    def go_to(self, quote: str) -> None:
        """By the arrow keys alone."""
        self.page.keyboard.press("Home")
        for _ in range(40):
            if self.current.locator(".quote").inner_text() == quote:
                return
            self.page.keyboard.press("ArrowDown")
        raise AssertionError(f"no target {quote}")

    def decisions(self, passage: str) -> list[dict[str, Any]]:
        rows = self.house.query(
            "SELECT d.start, d.version, d.content, d.reason, d.cause FROM adjudication_decision d "
            "JOIN annotator_passage p ON p.id = d.passage_id JOIN annotator_project j ON j.id = p.project_id "
            "WHERE j.slug = 'essays' AND p.external_id = ? ORDER BY d.start",
            passage,
        )
        names = ("start", "version", "content", "reason", "cause")
        return [dict(zip(names, (row[0], row[1], json.loads(row[2]), *row[3:]), strict=True)) for row in rows]

    @property
    def owed(self) -> list[str]:
        keys = "Object.keys(localStorage).filter((key) => key.startsWith('assay:acts:'))"
        found: list[str] = self.page.evaluate(f"() => {keys}")
        return found
