"""Everything of a project as Assay JSONL: 10,000 answers, on both engines."""

import tempfile
import time
from pathlib import Path

from tests.bench.figures import Figure, percentile
from tests.bench.material import ANNOTATORS, write_annotations, write_passages
from tests.house import House
from tests.services import PostgreSQL

PASSAGES, TIMES = 1_000, 5
NOTE = """The export of answers is a whole command, start included: the passages, and every draft and submission of ten
annotators with 3.5 marks a passage each, as Assay JSONL; the median of five."""


def figures() -> list[Figure]:
    return [_of_engine("SQLite", None), _of_engine("PostgreSQL", PostgreSQL(is_durable=True))]


def _of_engine(name: str, database: PostgreSQL | None) -> Figure:
    house = House(**({"DATABASE_URL": database.url} if database else {}))
    folder = Path(tempfile.mkdtemp(prefix="assay-bench-", dir=house.folder))
    try:
        write_passages(folder / "passages.jsonl", PASSAGES)
        write_annotations(folder / "annotations.csv", PASSAGES)
        _run(house, "prepare")
        _run(house, "create_project", "thousand", "--protocol=sws", "--lead=lead@example.org")
        _run(house, "import_passages", "thousand", str(folder / "passages.jsonl"))
        _run(house, "import_annotations", "thousand", str(folder / "annotations.csv"))
        words = ("export", "thousand", "--format=assay", f"--out={folder / 'all.jsonl'}")
        seconds = percentile([_run(house, *words) for _ in range(TIMES)], 0.5)
    finally:
        house.remove()
        if database:
            database.stop()
    return Figure(f"{name}: export of {PASSAGES * len(ANNOTATORS):,} answers as Assay JSONL", seconds, "s", 1)


def _run(house: House, *words: str) -> float:
    began = time.monotonic()
    done = house.command(*words, seconds=600)
    assert done.returncode == 0, done.stderr
    return time.monotonic() - began
