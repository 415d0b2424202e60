"""Saves over HTTP: one person, ten persons, and one person with 5,000 answers behind them; on both engines.

A save is what the browser sends: one mark with two substitutes and types; it ends in one UPDATE and one event.
"""

import json
import os
import subprocess
import sys
from typing import Any

from tests.bench.figures import Figure, percentile
from tests.house import ROOT, House
from tests.services import PostgreSQL

NOTE = """A save is one mark with two substitutes and types over HTTP, ending in one UPDATE and one event, with
`synchronous=FULL` on SQLite and PostgreSQL's default durability. The load comes from the same machine and takes its
share of the cores. "Flat" compares the median save of somebody with 5,000 answers behind them with that of somebody
with none, in one run."""
ONE, TEN = 400, 150  # saves per person


def figures() -> list[Figure]:
    return [*_of_engine("SQLite", None), *_of_engine("PostgreSQL", PostgreSQL(is_durable=True))]


def _of_engine(name: str, database: PostgreSQL | None) -> list[Figure]:
    house = House(**({"DATABASE_URL": database.url} if database else {}))
    try:
        house.seed("ten_annotators")
        house.start()
        _load(house, people=1, saves=50)  # warm
        one = _load(house, people=1, saves=ONE)
        ten = _load(house, people=10, saves=TEN)
        house.seed("five_thousand_answers")
        before, after = _load(house, people=1, saves=ONE, first=1), _load(house, people=1, saves=ONE)
    finally:
        house.remove()
        if database:
            database.stop()
    ratio = percentile(after["ms"], 0.5) / percentile(before["ms"], 0.5)
    return [
        Figure(f"{name}: save, one person, p50", percentile(one["ms"], 0.5), "ms", 10),
        Figure(f"{name}: save, one person, p95", percentile(one["ms"], 0.95), "ms", 20),
        Figure(f"{name}: ten persons", ten["per_second"], "saves/s", 150, is_least=True),
        Figure(f"{name}: ten persons, p95", percentile(ten["ms"], 0.95), "ms", 150),
        Figure(f"{name}: ten persons, errors", ten["errors"] + one["errors"], "", 0),
        Figure(f"{name}: flat with 5,000 own answers (p50 ratio)", ratio, "×", 1.25),
    ]


def _load(house: House, *, people: int, saves: int, first: int = 0) -> dict[str, Any]:
    """From a process of its own, so that the load's Python does not wait for ours."""
    command = [sys.executable, "-m", "tests.bench.load", house.url, str(people), str(saves), str(first)]
    done = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found
