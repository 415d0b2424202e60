"""The pages of people and of what they did: how soon they answer where a lot of work is given out."""

import time

from tests.bench.figures import Figure, percentile
from tests.bench.work import Reader
from tests.house import House

NOTE = """The list of people is a GET over HTTP by a lead, of fifty annotators who share 20,000 passages, ten answers to
each, half of them done; beside the work stand a hundred test passages and a year of days, and three saves before each
submission."""
WARM_UP, OPENED = 5, 40
PAGES = {
    "list of 50 people with 200,000 assignments": "people",
    "who has how much of 200,000 assignments": "assignment",
    "activity, of 400,000 events": "activity",
    "activity, filtered by people": "activity?kind=people",
    "activity, filtered by passages": "activity?kind=passages",
}


def figures() -> list[Figure]:
    house = House()
    try:
        house.seed("fifty_at_work", "tests.bench.at_work")
        house.start(seconds=120)
        reader = Reader(house, "lead@example.org")
        return [Figure(f"{what}, p95", _p95(reader, f"/p/load/{tail}"), "ms", 200) for what, tail in PAGES.items()]
    finally:
        house.remove()


def _p95(reader: Reader, path: str) -> float:
    taken = list[float]()
    for _ in range(WARM_UP + OPENED):
        began = time.perf_counter()
        reader.get(path)
        taken.append((time.perf_counter() - began) * 1000)
    return percentile(taken[WARM_UP:], 0.95)
