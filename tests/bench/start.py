"""From the command to the first page, fresh and warm, and the memory of everything that then runs."""

import time
from pathlib import Path

from tests.bench.figures import Figure
from tests.house import House


def proportional_memory(house: House) -> float:
    """PSS over all processes, in MB: shared pages are counted once."""
    total = 0
    for pid in house.processes():
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        total += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1000


def figures() -> list[Figure]:
    house = House("--demo")
    try:
        fresh = _seconds_to_start(house)
        house.stop()
        warm = _seconds_to_start(house)
        time.sleep(5)  # the worker settles
        memory = proportional_memory(house)
    finally:
        house.remove()
    return [
        Figure("start to first page, fresh with demo", fresh, "s", 10),
        Figure("start to first page, warm", warm, "s", 3),
        Figure("idle memory, PSS of all processes", memory, "MB", 300),
    ]


def _seconds_to_start(house: House) -> float:
    began = time.monotonic()
    house.start()
    return time.monotonic() - began
