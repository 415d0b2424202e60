"""A large file on its way in: how long it takes, what memory, and what everybody else feels of it."""

import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from tests.bench.figures import Figure, percentile
from tests.bench.material import write_annotations, write_passages
from tests.bench.saves import load, started
from tests.house import ROOT, House

PASSAGES = 20_000  # × 10 annotators
PROBE_EVERY = 0.05  # seconds
NOTE = """The import is of 200,000 answers, 700,000 rows, as a command, while ten people go on typing, each saving every
0.4 s. The probe is a connection of its own that takes SQLite's write lock every 50 ms, without the queue that Assay's
own writers stand in, and gives it back."""


def figures() -> list[Figure]:
    return [*_of_engine("SQLite"), *_of_engine("PostgreSQL")]


def _of_engine(name: str) -> list[Figure]:
    with started(name, "ten_annotators") as house:
        folder = Path(tempfile.mkdtemp(prefix="assay-bench-", dir=house.folder))
        write_passages(folder / "p.jsonl", PASSAGES)
        write_annotations(folder / "a.csv", PASSAGES)
        for words in (
            ("create_project", "large", "--protocol=sws", "--lead=large@example.org"),
            ("import_passages", "large", str(folder / "p.jsonl")),
        ):
            done = house.command(*words)
            assert done.returncode == 0, done.stderr
        load(house, people=10, saves=5)  # warm
        is_over = threading.Event()
        waits: list[float] = []
        saves: list[float] = []
        threads = [threading.Thread(target=_save, args=(house, is_over, saves))]
        if name == "SQLite":
            threads.append(threading.Thread(target=_probe, args=(house, is_over, waits)))
        for thread in threads:
            thread.start()
        seconds, megabytes = _import(house, folder / "a.csv")
        is_over.set()
        for thread in threads:
            thread.join()
    found = [
        Figure(f"{name}: import of 200,000 answers", seconds, "s", 60),
        Figure(f"{name}: the same, memory", megabytes, "MB", 300),
        Figure(f"{name}: a save meanwhile, p95", percentile(saves, 0.95), "ms", 200),
        Figure(f"{name}: a save meanwhile, slowest", max(saves), "ms", 500),
    ]
    if waits:
        found += [
            Figure(f"{name}: wait for the write lock meanwhile, p95", percentile(waits, 0.95), "ms", 100),
            Figure(f"{name}: wait for the write lock meanwhile, longest", max(waits), "ms", 500),
        ]
    return found


def _import(house: House, table: Path) -> tuple[float, float]:
    command = [sys.executable, "manage.py", "import_annotations", "large", str(table)]
    began = time.monotonic()
    process = subprocess.Popen(
        command, cwd=ROOT, env=house.env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    said = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, said
    return time.monotonic() - began, _megabytes(usage)


def _megabytes(usage: resource.struct_rusage) -> float:
    return usage.ru_maxrss / 1000


def _save(house: House, is_over: threading.Event, saves: list[float]) -> None:
    while not is_over.is_set():
        found = load(house, people=10, saves=10, pause=0.4)
        assert not found["errors"]
        saves += found["ms"]


def _probe(house: House, is_over: threading.Event, waits: list[float]) -> None:
    connection = sqlite3.connect(Path(house.env["ASSAY_DATA_DIR"]) / "assay.sqlite3", timeout=20, isolation_level=None)
    while not is_over.wait(PROBE_EVERY):
        began = time.perf_counter()
        connection.execute("BEGIN IMMEDIATE")
        waits.append((time.perf_counter() - began) * 1000)
        connection.execute("ROLLBACK")
    connection.close()
