"""Saves over HTTP: one person, ten persons, and one person with 5,000 answers behind them; on both engines.

A save is what the browser sends: one mark with two substitutes and types; it ends in one UPDATE and one event.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.bench.figures import Figure, percentile
from tests.house import ROOT, House
from tests.services import PostgreSQL

NOTE = """A save is one mark with two substitutes and types over HTTP, ending in one UPDATE and one event, with
`synchronous=FULL` on SQLite and PostgreSQL's default durability. The load comes from the same machine and takes its
share of the cores. The slowest save is of a thousand. "Flat" compares the median save of somebody with 5,000 answers
behind them with that of somebody with none, in one run."""
ONE, TEN, FIFTY = 400, 100, 20  # saves per person


def figures() -> list[Figure]:
    return [*_of_engine("SQLite"), *_of_engine("PostgreSQL")]


def _of_engine(name: str) -> list[Figure]:
    with started(name, "ten_annotators") as house:
        load(house, people=1, saves=50)  # warm
        one = load(house, people=1, saves=ONE)
        made = house.command("create_token", "person0@example.org", "--scopes", "annotate", "--json").stdout
        by_token = load(house, people=1, saves=ONE, token=json.loads(made)["token"])
        ten = load(house, people=10, saves=TEN)
        house.seed("five_thousand_answers")
        before, after = load(house, people=1, saves=ONE, first=1), load(house, people=1, saves=ONE)
    with started(name, "fifty_annotators") as house:
        load(house, people=50, saves=2)  # warm
        fifty = load(house, people=50, saves=FIFTY)
    ratio = percentile(after["ms"], 0.5) / percentile(before["ms"], 0.5)
    errors = sum(found["errors"] for found in (one, by_token, ten, fifty))
    return [
        Figure(f"{name}: save, one person, p50", percentile(one["ms"], 0.5), "ms", 10),
        Figure(f"{name}: save, one person, p95", percentile(one["ms"], 0.95), "ms", 20),
        Figure(f"{name}: save by a token, one person, p50", percentile(by_token["ms"], 0.5), "ms", 10),
        Figure(f"{name}: save by a token, one person, p95", percentile(by_token["ms"], 0.95), "ms", 20),
        Figure(f"{name}: ten persons", ten["per_second"], "saves/s", 150, is_least=True),
        Figure(f"{name}: ten persons, p95", percentile(ten["ms"], 0.95), "ms", 150),
        Figure(f"{name}: ten persons, slowest", max(ten["ms"]), "ms", 500),
        Figure(f"{name}: fifty persons", fifty["per_second"], "saves/s", 150, is_least=True),
        Figure(f"{name}: fifty persons, p50", percentile(fifty["ms"], 0.5), "ms", 350),
        Figure(f"{name}: fifty persons, p95", percentile(fifty["ms"], 0.95), "ms", 500),
        Figure(f"{name}: fifty persons, slowest", max(fifty["ms"]), "ms", 1000),
        Figure(f"{name}: all of these, errors", errors, "", 0),
        Figure(f"{name}: flat with 5,000 own answers (p50 ratio)", ratio, "×", 1.25),
    ]


@contextmanager
def started(name: str, seed: str) -> Iterator[House]:
    database = PostgreSQL(is_durable=True) if name == "PostgreSQL" else None
    house = House(**({"DATABASE_URL": database.url} if database else {}))
    try:
        house.seed(seed)
        yield house.start()
    finally:
        house.remove()
        if database:
            database.stop()


def load(house: House, *, people: int, saves: int, first: int = 0, pause: float = 0, token: str = "") -> dict[str, Any]:
    """From a process of its own, so that the load's Python does not wait for ours."""
    command = [sys.executable, "-m", "tests.bench.load", house.url, str(people), str(saves), str(first), str(pause)]
    command += [token] if token else []
    done = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found
