"""Merges and reports as jobs of a real worker: how long, what memory, and what everybody else feels of it.

python -m tests.bench several; `make bench-large` for 100,000 passages.
"""

import csv
import json
import random
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.bench.figures import Figure, percentile
from tests.bench.imports import _probe, _save
from tests.bench.material import OFFERS, texts, write_annotations, write_passages
from tests.bench.saves import load
from tests.house import ROOT, House
from tests.services import PostgreSQL, redis

NOTE = """Merges and reports are jobs done by a worker under `manage.py up`, from being asked for to the end, on English
sentences of 33 tokens with ten answers of 3.5 marks each. The first report finds tokens made and no answer packed; the
next one finds 1 % of the answers changed. Pages are requests in one process, database and rendering included, of a
report of 20,000 passages. Two workers have PostgreSQL and Redis, and share two cores with both."""
LARGE, SMALL, MANY = 20_000, 1_000, 2_000
PEOPLE = 200


def figures() -> list[Figure]:
    return [*_of_engine("SQLite"), *_of_engine("PostgreSQL"), *_two_workers()]


@contextmanager
def _house(name: str, *, workers: int = 1) -> Iterator[House]:
    """`up` with one worker, as anybody starts it; more workers hear Redis."""
    database = PostgreSQL(is_durable=True) if name == "PostgreSQL" else None
    env = {"DATABASE_URL": database.url} if database else {}
    more: list[subprocess.Popen[bytes]] = []
    with redis() as broker:
        if workers > 1:
            env["CELERY_BROKER_URL"] = broker
        house = House(**env)
        try:
            house.seed("ten_annotators")
            house.start()
            for number in range(2, workers + 1):
                more.append(_worker(house, number))
            yield house
        finally:
            for process in more:
                process.terminate()
                process.wait(30)
            house.remove()
            if database:
                database.stop()


def _worker(house: House, number: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "celery", "-A", "config.celery", "worker", "-c", "1", "-n", f"extra{number}@bench"]
    return subprocess.Popen(command, cwd=ROOT, env=house.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _of_engine(name: str) -> list[Figure]:
    with _house(name) as house:
        for slug, size in (("small", SMALL), ("large", LARGE)):
            _fill(house, slug, size)
        _fill_with_many(house)
        small = [_done(house, "merge", "small"), _done(house, "agreement", "small")]
        many = _done(house, "agreement", "many")
        many_memory = _memory(house)
        merge, first = _done(house, "merge", "large"), _done(house, "agreement", "large")
        memory = _memory(house)
        _script(house, "wait_for_jobs", "large")  # the curve is made after its report
        curve: float = _script(house, "seconds_of", "large", "annotator_curve")
        _script(house, "change_one_in_a_hundred", "large")
        again = _done(house, "agreement", "large")
        pages = _script(house, "pages", "large")
        saves, waits = _felt(house, name)
    return [
        Figure(f"{name}: merge of 1,000 × 10, as a job", small[0], "s", 3),
        Figure(f"{name}: report of 1,000 × 10, as a job", small[1], "s", 2),
        Figure(f"{name}: report of 2,000 passages by 200 people, ten each", many, "s", 10),
        Figure(f"{name}: the same, memory of the worker", many_memory, "MB", 500),
        Figure(f"{name}: merge of 20,000 × 10, as a job", merge, "s", 40),
        Figure(f"{name}: first report of 20,000 × 10", first, "s", 15),
        Figure(f"{name}: curve of fewer annotators after it, over 2,000 passages", curve, "s", 60),
        Figure(f"{name}: report when 1 % of the answers changed", again, "s", 5),
        Figure(f"{name}: memory of the worker after all of these", memory, "MB", 400),
        *(Figure(f"{name}: page of {what}, p95", ms, "ms", 200) for what, ms in pages.items()),
        Figure(f"{name}: a save while 20,000 are merged, p95", percentile(saves, 0.95), "ms", 200),
        *(
            [Figure(f"{name}: wait for the write lock meanwhile, p95", percentile(waits, 0.95), "ms", 100)]
            if waits
            else []
        ),
    ]


def _fill(house: House, slug: str, size: int) -> None:
    folder = Path(tempfile.mkdtemp(prefix="assay-bench-", dir=house.folder))
    write_passages(folder / "p.jsonl", size)
    write_annotations(folder / "a.csv", size)
    _import(house, slug, folder)


def _fill_with_many(house: House) -> None:
    """Two hundred people, of whom ten answer each passage."""
    folder, chance = Path(tempfile.mkdtemp(prefix="assay-bench-", dir=house.folder)), random.Random(3)
    write_passages(folder / "p.jsonl", MANY)
    with (folder / "a.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["sentence_id", "annotator", "word to change", "substitutes", "type", "start", "end"])
        for item in texts(MANY):
            for person in chance.sample(range(PEOPLE), 10):
                for place in sorted(chance.sample(range(12), 3)):
                    start, end = item.words[place]
                    offers = ";".join(chance.sample(OFFERS, 2))
                    row = [item.id, f"P{person:03d}", item.text[start:end], offers, "refine-usage", start, end]
                    table.writerow(row)
    _import(house, "many", folder, "--sparse")


def _import(house: House, slug: str, folder: Path, *words: str) -> None:
    for command in (
        ("create_project", slug, "--protocol=sws", "--lead=several@example.org"),
        ("import_passages", slug, str(folder / "p.jsonl")),
        ("import_annotations", slug, str(folder / "a.csv"), *words),
    ):
        done = house.command(*command, seconds=1800)
        assert done.returncode == 0, done.stderr
    _script(house, "wait_for_jobs", slug)


def _done(house: House, command: str, slug: str) -> float:
    """Seconds of the job, by the database's clock."""
    done = house.command(command, slug, "--queue", "--json", seconds=1800)
    assert done.returncode == 0, done.stderr
    found: float = _script(house, "seconds_of", slug, command)
    return found


def _script(house: House, function: str, *words: str) -> Any:
    """Calls tests.bench.inside.<function> in the house, and gives back what it prints."""
    code = f"from tests.bench.inside import {function}; {function}(*{words!r})"
    done = house.command("shell", "--no-imports", "-c", code, seconds=1800)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.strip().splitlines()[-1])


def _memory(house: House) -> float:
    """The most that any worker process has had."""
    most = 0.0
    for pid in house.processes():
        if b"config.celery" in Path(f"/proc/{pid}/cmdline").read_bytes():
            lines = Path(f"/proc/{pid}/status").read_text().splitlines()
            most = max(most, *(float(line.split()[1]) / 1000 for line in lines if line.startswith("VmHWM")))
    return most


def _felt(house: House, name: str) -> tuple[list[float], list[float]]:
    """What those feel who type while a large project is merged."""
    load(house, people=10, saves=5)  # warm
    is_over, saves, waits = threading.Event(), [], []
    threads = [threading.Thread(target=_save, args=(house, is_over, saves))]
    if name == "SQLite":
        threads.append(threading.Thread(target=_probe, args=(house, is_over, waits)))
    for thread in threads:
        thread.start()
    _done(house, "merge", "large")
    is_over.set()
    for thread in threads:
        thread.join()
    return saves, waits


def _two_workers() -> list[Figure]:
    seconds = {}
    for workers in (1, 2):
        with _house("PostgreSQL", workers=workers) as house:
            _fill(house, "large", LARGE)
            seconds[workers] = [_done(house, "merge", "large"), _done(house, "agreement", "large")]
    return [
        Figure(f"two workers against one, {what}", seconds[1][number] / seconds[2][number], "×", 1.3, is_least=True)
        for number, what in enumerate(("merge", "report"))
    ]


def large() -> None:
    """100,000 passages on PostgreSQL beside 20,000: both finish, and how they grow."""
    seconds: dict[int, list[float]] = {}
    with _house("PostgreSQL") as house:
        for size in (LARGE, 5 * LARGE):
            _fill(house, f"p{size}", size)
            seconds[size] = [_done(house, "merge", f"p{size}"), _done(house, "agreement", f"p{size}")]
            print(size, seconds[size], f"{_memory(house):.0f} MB", flush=True)
    for number, what in enumerate(("merge", "report")):
        print(f"{what}: {seconds[5 * LARGE][number] / seconds[LARGE][number]:.2f} times as long for five times as much")


if __name__ == "__main__":
    large()
