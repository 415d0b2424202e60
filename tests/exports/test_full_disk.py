"""A disk that is full while a release is made: one clear line, still a draft, nothing left behind; then it goes on.

Files may not grow beyond a size: to whoever writes, that is a full disk.
"""

import json
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house import ROOT, House

pytestmark = [pytest.mark.process, pytest.mark.slow]

PASSAGES = 30
TEXT = "This is a big house. " * 900  # long: the files of a release outgrow the database
RELEASE = ("release", "long", "--sizes=validation=1,test=2", "--date=2026-11-18", "--no-pos")
FREEZE = """
from exports.actions.releasing import freeze_release
from exports.models import Release
draft = Release.objects.get()
freeze_release(draft, by=None, version=draft.version, ticked=[warning["code"] for warning in draft.warnings])
"""


@pytest.fixture
def house() -> Iterator[House]:
    made = House()
    passages, answers = made.folder / "p.jsonl", made.folder / "a.csv"
    passages.write_text("".join(json.dumps({"id": f"l{n}", "text": TEXT}) + "\n" for n in range(PASSAGES)))
    rows = [f"l{n},A{person},big,large,refine-usage,1\n" for n in range(PASSAGES) for person in (1, 2)]
    answers.write_text("sentence_id,annotator,word to change,substitutes,type,occurrence\n" + "".join(rows))
    for words in (
        ("migrate", "--verbosity=0"),
        ("create_project", "long", "--protocol=sws", "--lead=lead@example.org"),
        ("import_passages", "long", str(passages)),
        ("import_annotations", "long", str(answers)),
        ("merge", "long"),
    ):
        done = made.command(*words)
        assert done.returncode == 0, done.stderr
    yield made
    made.remove()


def limited(house: House, size: int, *words: str) -> subprocess.CompletedProcess[str]:
    """A command of which no file grows beyond so many bytes."""
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT, env=house.env, capture_output=True, text=True, check=False, timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
    )  # fmt: skip


def left(house: House) -> list[Path]:
    folders = [house.folder / "data" / name for name in ("building", "files/releases")]
    return [path for folder in folders for path in folder.glob("**/*")]


def state(house: House) -> list[tuple[str, bool]]:
    return [(state, bool(sha256)) for state, sha256 in house.query("SELECT state, sha256 FROM exports_release")]


def test_while_files_are_written_it_stays_a_draft(house: House) -> None:
    size = (house.folder / "data" / "assay.sqlite3").stat().st_size
    everything = ("--despite=all", "--out", str(house.folder))

    for room in (100_000, 1_500_000):  # not for its largest file; for all of them, but not for the zip
        done = limited(house, size + room, *RELEASE, *everything)

        assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
        assert done.stderr.startswith("The release cannot be written: ")
        assert (state(house), left(house)) == ([("draft", False)], [])

    assert house.command(*RELEASE, *everything).returncode == 0
    assert (state(house), len(left(house))) == ([("frozen", True)], 1)


def test_while_splits_are_written_it_stays_a_draft_and_then_goes_on(house: House) -> None:
    assert "mend this" in house.command(*RELEASE, "--out", str(house.folder)).stderr
    [built] = left(house)

    failed = limited(house, 150_000, "shell", "--no-imports", "-c", FREEZE)
    done = limited(house, 150_000, *RELEASE, "--out", str(house.folder))

    assert "OperationalError" in failed.stderr
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
    assert done.stderr.startswith("The database does not answer: ")
    assert (state(house), left(house)) == ([("draft", True)], [built])
    assert house.query("SELECT count(*) FROM annotator_passage WHERE split <> ''") == [(0,)]

    done = house.command(*RELEASE, "--out", str(house.folder))
    assert done.returncode == 0, done.stderr
    assert (state(house), left(house)) == ([("frozen", True)], [built])
    assert (house.folder / "long-1.zip").read_bytes() == built.read_bytes()
