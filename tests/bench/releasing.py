"""Releases of 1,000 and of 20,000 passages by ten people, whole commands, the doctor included."""

import resource
import tempfile
import time
from pathlib import Path

from tests.bench.figures import Figure
from tests.bench.several import LARGE, _done, _fill, _house
from tests.house import House

SMALL = 1_000
NOTE = """A release is the whole command: listing, the doctor, splits, files, checksums, freezing. Memory is the most
that the command's process took."""


def figures() -> list[Figure]:
    found: list[Figure] = []
    for name in ("SQLite", "PostgreSQL"):
        with _house(name) as house:
            _fill(house, "small", SMALL)
            _done(house, "merge", "small")
            found.append(Figure(f"{name}: release of 1,000 × 10", _released(house, "small", "--no-pos"), "s", 5))
            found.append(Figure(f"{name}: the same with parts of speech", _released(house, "small", "--pos"), "s", 12))
            _fill(house, "large", LARGE)
            _done(house, "merge", "large")
            found.append(Figure(f"{name}: release of 20,000 × 10", _released(house, "large", "--no-pos"), "s", 60))
            found.append(Figure(f"{name}: the same, memory of the command", _most_memory(), "MB", 300))
    return found


def _released(house: House, slug: str, pos: str) -> float:
    folder = Path(tempfile.mkdtemp(prefix="assay-bench-", dir=house.folder))
    began = time.monotonic()
    words = ("release", slug, "--out", str(folder), "--despite", "all", "--sizes", "validation=1,test=4", pos)
    done = house.command(*words, seconds=900)
    assert done.returncode == 0, done.stderr
    return time.monotonic() - began


def _most_memory() -> float:
    """Of any command so far: the releases take more than what goes before them."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000
