"""Building and freezing a release, and whatever works on it killed: one frozen release, as if nothing had been."""

import hashlib
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.bench.material import write_annotations, write_passages
from tests.house import ROOT
from tests.workers.crew import Crew

pytestmark = pytest.mark.services
PASSAGES = 42
HERE = "exports.actions"
ASK = """
import datetime
from annotator.models import Project
from exports.actions.releasing import ask_to_build, draft_release
from exports.domain.releases import ReleaseSettings
settings = ReleaseSettings((("validation", 1), ("test", 3)), seed=1, with_pos=False)
day = datetime.date(2026, 11, 18)
print(ask_to_build(draft_release(Project.objects.get(slug="small"), by=None, date=day, settings=settings), by=None).pk)
"""
# As a page does: in its own process, which may be killed.
FREEZE = """
from exports.actions.releasing import freeze_release
from exports.models import Release
from tests.workers.app import meddle
meddle()
draft = Release.objects.get()
freeze_release(draft, by=None, version=draft.version, ticked=[warning["code"] for warning in draft.warnings])
"""
FORGET = """
from annotator.models import Passage
from exports.models import Release
Release.objects.all().delete()
Passage.objects.update(split="")
"""
COMMAND = ("release", "small", "--sizes=validation=1,test=3", "--despite=all", "--date=2026-11-18", "--no-pos", "--out")


@pytest.fixture(scope="module", params=["filesystem", "redis"])
def crew(request: pytest.FixtureRequest) -> Iterator[Crew]:
    made = Crew(request.param)
    folder = made.house.folder
    write_passages(folder / "p.jsonl", PASSAGES)
    write_annotations(folder / "a.csv", PASSAGES)
    for words in (
        ("create_project", "small", "--protocol=sws", "--lead=lead@example.org"),
        ("import_passages", "small", str(folder / "p.jsonl")),
        ("import_annotations", "small", str(folder / "a.csv")),
        ("merge", "small"),
    ):
        told(made, *words)
    yield made
    made.remove()


@pytest.fixture(scope="module")
def undisturbed(crew: Crew) -> tuple[str, Any]:
    """The sum of the zip, and where every passage is."""
    told(crew, *COMMAND, str(crew.house.folder))
    return frozen(crew)


@pytest.fixture(autouse=True)
def _anew(crew: Crew, undisturbed: Any) -> None:
    script(crew, FORGET)
    for path in files(crew, "files/releases"):
        path.unlink()


def told(crew: Crew, *words: str) -> str:
    done = crew.house.command(*words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def script(crew: Crew, text: str) -> str:
    return told(crew, "shell", "--no-imports", "-c", text)


def files(crew: Crew, folder: str) -> list[Path]:
    return [path for path in (crew.house.folder / "data" / folder).glob("**/*") if path.is_file()]


def frozen(crew: Crew) -> tuple[str, Any]:
    """Of the one release there is: whole, told once in the log, and nothing lies about."""
    [(state, sha256, release)] = crew.sql("SELECT state, sha256, id FROM exports_release")
    events = "SELECT count(*) FROM annotator_event WHERE subject = 'release' AND kind = 'release.frozen'"
    assert (state, crew.sql(f"{events} AND subject_id = {release}")) == ("frozen", [(1,)])
    [path] = files(crew, "files/releases")
    assert hashlib.sha256(path.read_bytes()).hexdigest() == sha256
    with zipfile.ZipFile(path) as bundle:
        assert bundle.testzip() is None
    assert files(crew, "building") == []
    return sha256, crew.sql("SELECT external_id, split FROM annotator_passage ORDER BY id")


def killed(crew: Crew, place: str) -> None:
    """A worker that is killed when it has come there, with whatever it held."""
    worker = crew.hire(is_mortal=True, TEST_DIES=f"{HERE}.{place}")
    assert worker.wait(60) == -9
    crew.let_leases_run_out()


def killed_while_freezing(crew: Crew, place: str) -> None:
    """Not a worker, but the process of whoever has asked for it."""
    env = {**crew.house.env, "TEST_DIES": f"{HERE}.{place}", "TEST_BATCH": "10"}
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", FREEZE]
    done = subprocess.run(
        command, cwd=ROOT, env=env, start_new_session=True, capture_output=True, check=False, timeout=60
    )
    assert done.returncode == -9, done.stderr
    crew.let_leases_run_out()


def built(crew: Crew) -> None:
    worker = crew.hire()
    crew.wait(int(script(crew, ASK)), seconds=30, state="done")
    crew.kill(worker)


@pytest.mark.parametrize(
    "places",
    [
        pytest.param(("releasing:examine_project:1", "building:facts_of:2"), id="after the doctor, among its files"),
        pytest.param(("releasing:_put_together:1", "releasing:write:1"), id="with the zip made, and in the last step"),
    ],
)
def test_a_build_whose_workers_are_killed(crew: Crew, undisturbed: Any, places: tuple[str, str]) -> None:
    pk = int(script(crew, ASK))
    for place in places:
        killed(crew, place)
        assert (crew.job(pk)["state"], files(crew, "files/releases")) == ("running", [])
        assert crew.sql("SELECT state, sha256 FROM exports_release") == [("draft", "")]
    worker = crew.hire()
    crew.wait(pk, seconds=30, state="done")
    crew.kill(worker)

    script(crew, FREEZE)

    assert frozen(crew) == undisturbed


PLACES = ("releasing:_place:2", "releasing:write:1")


@pytest.mark.parametrize("place", PLACES)
def test_a_worker_goes_on_with_a_freeze_that_was_killed(crew: Crew, undisturbed: Any, place: str) -> None:
    built(crew)
    killed_while_freezing(crew, place)
    assert crew.sql("SELECT state FROM exports_release") == [("draft",)]
    [(pk,)] = crew.sql("SELECT id FROM annotator_job WHERE kind = 'freeze_release' AND state = 'running'")

    worker = crew.hire()
    crew.wait(pk, seconds=40, state="done")
    crew.kill(worker)

    assert frozen(crew) == undisturbed


def test_whoever_tries_again_goes_on_with_it_too(crew: Crew, undisturbed: Any, tmp_path: Path) -> None:
    """And nothing else can be made of the draft meanwhile: its splits would be drawn round what is written already."""
    built(crew)
    killed_while_freezing(crew, PLACES[0])
    refused = crew.house.command("shell", "--no-imports", "-c", ASK)
    assert "This draft is being frozen" in refused.stderr

    said = told(crew, "release", "small", "--seed=5", "--sizes=other=1", "--out", str(tmp_path))

    assert "going on with it" in said
    assert frozen(crew) == undisturbed
    assert hashlib.sha256((tmp_path / "small-1.zip").read_bytes()).hexdigest() == undisturbed[0]
    worker = crew.hire()  # finds the job of the killed one, and that there is nothing to do
    [(pk,)] = crew.sql("SELECT id FROM annotator_job WHERE kind = 'freeze_release' ORDER BY id DESC LIMIT 1 OFFSET 1")
    crew.wait(pk, seconds=40, state="done")
    crew.kill(worker)
    assert frozen(crew) == undisturbed


def test_the_command_lets_a_worker_build_it_and_freezes_it(crew: Crew, undisturbed: Any, tmp_path: Path) -> None:
    worker = crew.hire()

    told(crew, *COMMAND, str(tmp_path), "--queue")

    crew.kill(worker)
    assert frozen(crew) == undisturbed
    assert hashlib.sha256((tmp_path / "small-1.zip").read_bytes()).hexdigest() == undisturbed[0]
    [(done_by,)] = crew.sql("SELECT worker FROM annotator_job WHERE kind = 'build_release' ORDER BY id DESC LIMIT 1")
    assert not str(done_by).startswith("command:")
