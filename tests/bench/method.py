"""The method's figures: agreement from arrays beside plain sets, resamples, imports, merge, export."""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.bench.figures import Figure
from tests.bench.material import write_annotations, write_passages
from tests.house import ROOT, House
from tests.services import PostgreSQL

PASSAGES = 20_000
NOTE = """Agreement is measured from arrays, without the database, ten annotators, 3.5 marks a passage each; plain sets
are the reference of the tests on the same arrays in the same process. Imports, merge and export are whole commands,
start and database included; the merge is of 200,000 submissions with 700,000 marks, its targets written in batches.
Passages are English sentences of 33 tokens. Their tokens are made by the job that follows an import, here in one
process, start included."""


def figures() -> list[Figure]:
    found = _arrays()
    return [
        Figure("PA_det + PA_sug, 1,000 passages", found["small"], "s", 0.1),
        Figure("PA_det + PA_sug, 100,000 passages, 3.5 million marks", found["large"], "s", 2),
        Figure("PA_det + PA_sug, 1,000,000 passages", found["million"], "s", 15),
        Figure("the same, memory that came with the last 900,000", found["growth"], "MB", 20),
        Figure("PA_det + PA_sug of 100,000, memory of the process", found["megabytes"], "MB", 500),
        Figure("the same, plain sets take so many times longer", found["ratio"], "×", 10, is_least=True),
        Figure("1,000 resamples at 20,000 passages", found["resamples"], "s", 20),
        *_commands("SQLite", None),
        *_commands("PostgreSQL", PostgreSQL(is_durable=True)),
    ]


def _arrays() -> dict[str, float]:
    """In a process of its own, so that its memory is its own."""
    command = [sys.executable, "-m", "tests.bench.arrays"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    result: dict[str, float] = json.loads(done.stdout)
    return result


def _commands(name: str, database: PostgreSQL | None) -> list[Figure]:
    house = House(**({"DATABASE_URL": database.url} if database else {}))
    folder = Path(tempfile.mkdtemp(prefix="assay-bench-", dir=house.folder))
    try:
        return _timed(name, house, folder)
    finally:
        house.remove()
        if database:
            database.stop()


def _timed(name: str, house: House, folder: Path) -> list[Figure]:
    assert house.command("prepare").returncode == 0
    sizes = {"small": 200, "large": PASSAGES}
    rows = {}
    for slug, size in sizes.items():
        write_passages(folder / f"{slug}.jsonl", size)
        rows[slug] = write_annotations(folder / f"{slug}.csv", size)
        _run(house, "create_project", slug, "--protocol=sws", "--lead=lead@example.org")
    _run(house, "import_passages", "small", str(folder / "small.jsonl"))
    house.seed("do_waiting_jobs")
    passages = _run(house, "import_passages", "large", str(folder / "large.jsonl"))
    began = time.monotonic()
    house.seed("do_waiting_jobs")
    tokens = time.monotonic() - began
    annotations = _run(house, "import_annotations", "small", str(folder / "small.csv"))
    _run(house, "import_annotations", "large", str(folder / "large.csv"))
    merge = _run(house, "merge", "large")
    _run(house, "merge", "small")
    export = _run(house, "export", "small", "--format=sws", f"--out={folder / 'gold.json'}")
    return [
        Figure(f"{name}: import_passages, 20,000", passages, "s", 5),
        Figure(f"{name}: tokens of 20,000 passages", tokens, "s", 12),
        Figure(f"{name}: import_annotations, {rows['small']:,} rows", annotations, "s", 3),
        Figure(f"{name}: merge, 20,000 passages × 10", merge, "s", 60),
        Figure(f"{name}: export of {rows['small']:,} annotations", export, "s", 1.5),
    ]


def _run(house: House, *words: str) -> float:
    began = time.monotonic()
    done: Any = house.command(*words, seconds=600)
    assert done.returncode == 0, done.stderr
    return time.monotonic() - began
