"""Systems on a release of 800 sentences: from the upload to the figures, and the pages that show them."""

import tempfile
from pathlib import Path

from tests.bench.figures import Figure
from tests.bench.several import SMALL, _done, _fill, _house, _script

NOTE = """Systems are scored on a test split of 800 sentences with ten answers each. A score is the job alone; from the
upload to the figures is what somebody waits who sends a file and looks at its page until it shows them. The leaderboard
holds twelve systems; two are compared by 10,000 draws the first time, later from memory."""


def figures() -> list[Figure]:
    found: list[Figure] = []
    for name in ("SQLite", "PostgreSQL"):
        with _house(name) as house:
            _fill(house, "small", SMALL)
            _done(house, "merge", "small")
            _done(house, "agreement", "small")
            folder = Path(tempfile.mkdtemp(prefix="assay-bench-", dir=house.folder))
            words = ("--despite", "all", "--sizes", "validation=200,test=800", "--no-pos")
            done = house.command("release", "small", "--out", str(folder), *words, seconds=300)
            assert done.returncode == 0, done.stderr
            told = _script(house, "systems", "small")
        found += [
            Figure(f"{name}: 800 sentences scored", told["score"], "s", 0.5),
            Figure(f"{name}: from upload to figures, slowest of twelve", told["upload"], "s", 2),
            Figure(f"{name}: page of the leaderboard, p95", told["leaderboard"], "ms", 150),
            Figure(f"{name}: page of a run, p95", told["run"], "ms", 150),
            Figure(f"{name}: list of releases, p95", told["releases"], "ms", 150),
            Figure(f"{name}: two systems compared for the first time", told["compared"], "s", 2),
        ]
    return found
