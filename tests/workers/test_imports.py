"""A file on its way in, and whoever brings it killed: it arrives once and whole, or not at all."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bench.material import write_annotations, write_passages
from tests.house import ROOT
from tests.services import wait_until
from tests.workers.crew import Crew
from tests.workers.test_jobs import SETTLED

pytestmark = pytest.mark.services
PASSAGES = 1500  # × 10 annotators: enough to be killed in the middle
BEGIN = """
from annotator import uploads
from annotator.actions.importing.arrivals import begin_arrival
from annotator.domain.arrivals import ArrivalKind
from annotator.models import Project
options = {{"is_sparse": False, "names_differ": False, "sheet": None}}
with open({table!r}, "rb") as source:
    kept = uploads.keep(source)
arrival = begin_arrival(
    Project.objects.get(slug="large"), by=None, kind=ArrivalKind.ANSWERS, file=kept, name="a.csv", options=options
)
print(arrival.job_id)
"""


@pytest.fixture(params=["filesystem", "redis"])
def crew(request: pytest.FixtureRequest) -> Iterator[Crew]:
    made = Crew(request.param)
    folder = made.house.folder
    write_passages(folder / "p.jsonl", PASSAGES)
    write_annotations(folder / "a.csv", PASSAGES)
    for words in (
        ("create_project", "large", "--protocol=sws", "--lead=lead@example.org"),
        ("import_passages", "large", str(folder / "p.jsonl")),
    ):
        done = made.house.command(*words)
        assert done.returncode == 0, done.stderr
    yield made
    made.remove()


def counts(crew: Crew) -> list[int]:
    tables = ("membership", "assignment", "submission")
    return [int(crew.sql(f"SELECT count(*) FROM annotator_{table}")[0][0]) for table in tables]


def is_whole(crew: Crew) -> bool:
    exported = crew.house.folder / "out.jsonl"
    done = crew.house.command("export", "large", "--format", "assay", "--out", str(exported))
    assert done.returncode == 0, done.stderr
    lines = exported.read_text().count('{"assignment":')
    doctor = crew.house.command("doctor")
    return lines == 10 * PASSAGES and doctor.returncode == 0


def test_a_worker_killed_in_the_middle_of_an_import(crew: Crew) -> None:
    """kill -9, on both brokers: one result."""
    first = crew.hire()
    before = counts(crew)
    table = str(crew.house.folder / "a.csv")
    asked = crew.house.command("shell", "--no-imports", "-c", BEGIN.format(table=table))
    assert asked.returncode == 0, asked.stderr
    pk = int(asked.stdout)
    crew.wait_for_step(pk, 1000)
    crew.kill(first)
    done = crew.job(pk)["done"]
    assert 0 < done < 10 * PASSAGES
    assert crew.house.command("merge", "large", "--json").stdout.count('"answers": 0') == 1
    crew.hire()

    found = crew.wait(pk, seconds=2 * SETTLED, state="done")

    assert found["result"]["made"] == 10 * PASSAGES
    assert counts(crew) == [before[0] + 10, before[1] + 10 * PASSAGES, before[2] + 10 * PASSAGES]
    assert is_whole(crew)
    assert list((Path(crew.house.env["ASSAY_DATA_DIR"]) / "uploads").iterdir()) == []


def test_a_command_killed_in_the_middle_is_taken_up_by_a_worker(crew: Crew) -> None:
    table = str(crew.house.folder / "a.csv")
    command = subprocess.Popen(
        [sys.executable, "manage.py", "import_annotations", "large", table],
        cwd=ROOT, env=crew.house.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    of_answers = (
        "SELECT j.id, j.done FROM annotator_job j JOIN annotator_arrival a ON a.job_id = j.id WHERE a.kind = 'answers'"
    )
    wait_until(lambda: sum(done for _, done in crew.sql(of_answers)) >= 1000, seconds=60, what="the first steps")
    os.killpg(command.pid, signal.SIGKILL)
    command.wait()
    [[pk, done]] = crew.sql(of_answers)
    assert done < 10 * PASSAGES
    crew.hire()

    crew.wait(pk, seconds=2 * SETTLED, state="done")

    assert is_whole(crew)
