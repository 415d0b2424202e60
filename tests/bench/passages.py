"""Passages: a file looked at and taken in, the list with its filters, one passage, screening."""

import json
import time
from pathlib import Path
from typing import Any
from uuid import UUID

from tests.bench.figures import Figure, percentile
from tests.bench.work import Reader
from tests.house import House

NOTE = """The file has 20,000 rows in five columns, one in ten with a finding, and goes into a project of 20,000
passages with ten answers to each; seconds are those of its jobs. Pages are GETs over HTTP by a lead; filters are also
such that few passages or none have what is asked for, so that all are looked through."""
PASSAGES = 20_000  # as many as fifty_at_work makes
WARM_UP, OPENED = 3, 20
FILTERS = {
    "": "list of passages",
    "search=nowhere": "the same, searched for words that none has",
    "answers=10": "the same, those with ten answers",
    "answers=0": "the same, those without an answer",
    "discarded=3": "the same, those discarded by three",
    "questions=yes": "the same, those with questions",
}


def figures() -> list[Figure]:
    house = House()
    try:
        house.seed("fifty_at_work", "tests.bench.at_work")
        house.start(seconds=120)
        reader = Reader(house, "lead@example.org")
        found = [
            Figure(f"{what}, p95", _opened(reader, f"/p/load/passages?{query}"), "ms", 200)
            for query, what in FILTERS.items()
        ]
        [[uuid]] = house.query("SELECT uuid FROM annotator_passage WHERE external_id = 'p1'")
        found += [
            Figure("page of a passage, p95", _opened(reader, f"/p/load/passages/{UUID(uuid)}"), "ms", 200),
            Figure("screening of a passage, p95", _opened(reader, "/p/load/setup/screening"), "ms", 200),
        ]
        path = house.folder / "spring.csv"
        path.write_text(_rows(), encoding="utf-8")
        done = house.command("shell", "--no-imports", "-c", TAKE_IN.format(path=f"{path}"))
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout.splitlines()[-1])
        return [
            *found,
            Figure("look at a file of 20,000 rows", told["look"], "s", 3),
            Figure("take it in", told["take"], "s", 5),
        ]
    finally:
        house.remove()


TAKE_IN = "from tests.bench.passages import look_and_take; look_and_take({path!r})"


def look_and_take(path: str) -> None:
    """Called inside the house: the jobs in this process."""
    from annotator import uploads
    from annotator.actions.importing.arrivals import IMPORT
    from annotator.actions.importing.previews import LOOK_AT_FILE, begin_preview, take_in
    from annotator.actions.running import work_here
    from annotator.models import Membership, Project

    project = Project.objects.get(slug="load")
    lead: Any = Membership.objects.leading().get(project=project).user
    with Path(path).open("rb") as source:
        preview = begin_preview(project, by=lead, file=uploads.keep(source), name="spring.csv")
    assert preview.job is not None
    began = time.perf_counter()
    work_here(preview.job.pk, LOOK_AT_FILE.work)
    looked = time.perf_counter() - began
    arrival = take_in(preview, by=lead)
    assert arrival.job is not None
    began = time.perf_counter()
    work_here(arrival.job.pk, IMPORT.work)
    print(json.dumps({"look": looked, "take": time.perf_counter() - began}))


def _opened(reader: Reader, path: str) -> float:
    taken = []
    for _ in range(WARM_UP + OPENED):
        began = time.perf_counter()
        reader.get(path)
        taken.append((time.perf_counter() - began) * 1000)
    return percentile(taken[WARM_UP:], 0.95)


def _rows() -> str:
    rows = ["essay_line,sentence,previous,essay,cefr"]
    for number in range(PASSAGES):
        text = f"My grandmother number {number} has a small garden behind the old school house."
        text = text if number % 10 else f"{text} She grows beans &amp; tomatoes there."
        rows.append(f"e{number},{text},Every weekend we drove there.,e{number // 20},B1")
    return "\n".join([*rows, ""])
