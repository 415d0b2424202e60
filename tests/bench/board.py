"""The lead's half: the board of 20,000 passages by ten people, and counting all of their days anew."""

from typing import Any

from tests.bench.figures import Figure
from tests.bench.several import LARGE, _fill, _house, _script

NOTE = """The board is measured on 20,000 passages by ten people with 90 days behind them, two hundred questions and two
thousand discards. Pages are requests in one process, database and rendering included. Counted anew are 200,000
submissions, as after a change of the project's time zone; a step is what a save may have to wait for."""
GOALS = {"board": 200, "the part that refreshes itself": 200, "hours and counts": 200}


def figures() -> list[Figure]:
    found: list[Figure] = []
    for name in ("SQLite", "PostgreSQL"):
        with _house(name) as house:
            _fill(house, "large", LARGE)
            _script(house, "give_accounts", "large")
            told: dict[str, Any] = _script(house, "board", "large")
        found += [Figure(f"{name}: {what}, p95", told[what], "ms", goal) for what, goal in GOALS.items()]
        found += [
            Figure(f"{name}: days of 200,000 submissions counted anew", told["recount"], "s", 60),
            Figure(f"{name}: its longest step", told["step"], "ms", 500),
        ]
    return found
