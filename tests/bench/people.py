"""The list of people: how soon it answers where a lot of work is given out."""

import time

from tests.bench.figures import Figure, percentile
from tests.bench.work import Reader
from tests.house import House

NOTE = """The list of people is a GET over HTTP by a lead, of fifty annotators who share 20,000 passages, ten answers to
each, half of them done; beside the work stand a hundred test passages and a year of days."""
WARM_UP, OPENED = 5, 40


def figures() -> list[Figure]:
    house = House()
    try:
        house.seed("fifty_at_work", "tests.bench.at_work")
        house.start(seconds=120)
        reader, taken = Reader(house, "lead@example.org"), list[float]()
        for _ in range(WARM_UP + OPENED):
            began = time.perf_counter()
            reader.get("/p/load/people")
            taken.append((time.perf_counter() - began) * 1000)
        return [Figure("list of 50 people with 200,000 assignments, p95", percentile(taken[WARM_UP:], 0.95), "ms", 200)]
    finally:
        house.remove()
