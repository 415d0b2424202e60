"""Backup and restore: every table row by row, on the same engine; across engines in tests/workers."""

import contextlib
import json
import sqlite3
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction

from annotator.actions.jobs import enqueue
from annotator.actions.running import claim, work_on
from annotator.database import COPIES_KEPT, copies
from annotator.domain.errors import Conflict, Invalid, Refused
from annotator.domain.jobs import JobState
from annotator.models import Assignment, Event, Job
from config.archive import _settle_jobs, back_up, restore, tables
from config.housekeeping import ask_for_daily_copy, back_up_as_job, copy_as_job
from tests.conftest import Api
from tests.factories import Cast, answer_for, save_body
from tests.house import House
from tests.seeds import STORY_TEXTS

pytestmark = pytest.mark.slow


def rewritten(source: Path, target: Path, name: str, change: Any) -> Path:
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for entry in old.namelist():
            data = old.read(entry)
            new.writestr(entry, change(data) if entry == name else data)
    return target


@pytest.fixture
def archive(cast_committed: Cast, tmp_path: Path) -> Path:
    row = cast_committed.assignment("ann")
    assert Api(cast_committed.ann).act(row, "submit", save_body(answer_for(row, "größer 😀")), 0).status_code == 200
    path = tmp_path / "house.zip"
    back_up(path)
    return path


def test_the_archive_tells_what_it_holds(archive: Path) -> None:
    with zipfile.ZipFile(archive) as opened:
        manifest = json.loads(opened.read("manifest.json"))
    counts = {item["table"]: item["rows"] for item in manifest["tables"]}

    assert counts == {model._meta.label_lower: model._base_manager.count() for model in tables()}
    assert counts["annotator.event"] == Event.objects.count() > 0
    assert archive.stat().st_mode & 0o077 == 0
    assert list(archive.parent.iterdir()) == [archive]


def test_a_restore_never_overwrites(archive: Path) -> None:
    before = Event.objects.count()

    with pytest.raises(Conflict, match="not empty"):
        restore(archive)

    assert Event.objects.count() == before


@pytest.mark.parametrize(
    ("entry", "change", "message"),
    [
        ("tables/annotator.user.jsonl", lambda data: data.replace(b"Ann", b"Eve"), "damaged"),
        ("manifest.json", lambda data: data.replace(b"assay-backup", b"other"), "not a backup"),
        ("manifest.json", lambda data: b"{", "cannot be read"),
    ],
)
def test_a_damaged_archive_is_refused(archive: Path, entry: str, change: Any, message: str) -> None:
    broken = rewritten(archive, archive.with_name("broken.zip"), entry, change)

    with pytest.raises(Invalid, match=message):
        restore(broken)


@pytest.mark.parametrize("place", [0.1, 0.3, 0.5, 0.7, 0.95])
def test_a_flipped_byte_is_one_clear_message(archive: Path, place: float) -> None:
    data = bytearray(archive.read_bytes())
    where = int(len(data) * place)
    data[where : where + 8] = bytes(255 - byte for byte in data[where : where + 8])
    (archive.parent / "flipped.zip").write_bytes(data)

    with pytest.raises(Refused):
        restore(archive.parent / "flipped.zip")


def test_jobs_that_were_under_way_are_settled(cast_committed: Cast, tmp_path: Path) -> None:
    claim(enqueue("backup", by=None).pk, worker="w")
    claim(enqueue("assign_everyone", by=None, project=cast_committed.project).pk, worker="w")

    _settle_jobs()

    states = dict(Job.objects.exclude(started_at=None).values_list("kind", "state"))
    assert states == {"backup": JobState.CANCELLED, "assign_everyone": JobState.WAITING}


def test_what_is_not_an_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("hello")

    for name in ("x", "missing"):
        with pytest.raises(Invalid, match="cannot be read as a backup"):
            restore(tmp_path / name)


@pytest.mark.process
def test_an_archive_of_a_later_version_is_refused(archive: Path) -> None:
    other = rewritten(
        archive,
        archive.with_name("other.zip"),
        "manifest.json",
        lambda data: data.replace(b"0003_jobs", b"0099_future"),
    )
    house = House()
    try:
        done = house.command("restore", str(other))
        assert (done.returncode, done.stderr.count("\n")) == (1, 1)
        assert "a later version of Assay (it has annotator.0099_future)" in done.stderr
    finally:
        house.remove()


def without_events(data: bytes) -> bytes:
    manifest = json.loads(data)
    manifest["tables"] = [item for item in manifest["tables"] if item["table"] != "annotator.event"]
    return json.dumps(manifest).encode()


def with_a_file_outside(data: bytes) -> bytes:
    return json.dumps({**json.loads(data), "files": [{"file": "../evil.txt", "sha256": "0"}]}).encode()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (without_events, "does not hold the tables"),
        (with_a_file_outside, "outside its folder"),
        (lambda data: b"[]", "cannot be read as a backup"),
    ],
)
def test_a_manifest_that_lies_is_refused_before_anything_is_written(archive: Path, change: Any, message: str) -> None:
    with pytest.raises(Invalid, match=message):
        restore(rewritten(archive, archive.with_name("lying.zip"), "manifest.json", change))


@pytest.mark.parametrize("batch", [1, 2, 3, 7])
def test_progress_never_runs_ahead_of_the_whole(
    cast_committed: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    monkeypatch.setattr("config.archive.BATCH", batch)
    seen: list[tuple[int, int]] = []

    back_up(tmp_path / "house.zip", progress=lambda done, total: seen.append((done, total)))

    assert all(done <= total for done, total in seen)
    assert seen[-1][0] == seen[-1][1]
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_a_backup_is_of_one_moment(cast_committed: Cast, tmp_path: Path) -> None:
    """A save in the middle of it waits for nothing and is not half in it."""
    row, saved = cast_committed.assignment("ann"), []

    def save_meanwhile(done: int, total: int) -> None:
        if not saved:
            saved.append(Api(cast_committed.ann).save(row, save_body(answer_for(row)), 0).status_code)

    manifest = back_up(tmp_path / "house.zip", progress=save_meanwhile)

    counts = {item["table"]: item["rows"] for item in manifest["tables"]}
    assert saved == [200]
    assert counts["annotator.event"] == Event.objects.count() - 1
    assert Assignment.objects.get(pk=row.pk).version == 1


def test_a_backup_is_a_job_too(cast_committed: Cast) -> None:
    job = enqueue("backup", by=None)

    work_on(job.pk, back_up_as_job, worker="w")

    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert Path(job.result["file"]).exists()


def test_no_room_is_one_clear_message(cast_committed: Cast, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(Conflict, match="cannot be written"):
        back_up(tmp_path / "file" / "house.zip")


def test_a_sqlite_database_is_copied_once_a_day(cast: Cast) -> None:
    if settings.DATABASES["default"]["ENGINE"].endswith("postgresql"):
        ask_for_daily_copy()
        assert not Job.objects.filter(kind="copy_database").exists()
        return
    with transaction.atomic():
        for _ in range(3):
            ask_for_daily_copy()

    assert Job.objects.filter(kind="copy_database").count() == 1


def test_the_last_seven_daily_copies_are_kept(cast_committed: Cast) -> None:
    job = enqueue("copy_database", by=None)
    if settings.DATABASES["default"]["ENGINE"].endswith("postgresql"):
        work_on(job.pk, copy_as_job, worker="w")
        assert Job.objects.get(pk=job.pk).message == "There is no SQLite database here to copy."
        return
    folder = settings.DATA_DIR / "backups"
    folder.mkdir(exist_ok=True)
    for n in range(8):
        (folder / f"daily-2020010{n}T000000000000.sqlite3").touch()
    (folder / "daily-20200101T000000000000.part").touch()

    work_on(job.pk, copy_as_job, worker="w")

    [*_, newest] = copies("daily")
    assert Job.objects.get(pk=job.pk).result == {"file": str(newest)}
    assert len(copies("daily")) == COPIES_KEPT
    assert newest.stat().st_mode & 0o077 == 0
    assert not list(folder.glob("*.part"))
    with contextlib.closing(sqlite3.connect(newest)) as copy:
        [[count]] = copy.execute("SELECT count(*) FROM annotator_event").fetchall()
    assert count == Event.objects.count() - 1  # the copy knows nothing of its own end
    ask_for_daily_copy()
    assert Job.objects.filter(kind="copy_database").count() == 1
    for path in copies("daily"):
        path.unlink()


# --- through the commands, in houses of their own ---------------------------------------------------------------------


def dump(house: House) -> dict[str, list[Any]]:
    """Every table of ours, row by row."""
    connection = sqlite3.connect(house.folder / "data" / "assay.sqlite3")
    names = [f"{model._meta.db_table}" for model in tables()]
    found = {name: connection.execute(f"SELECT * FROM {name} ORDER BY 1").fetchall() for name in names}
    connection.close()
    return found


@pytest.mark.process
def test_the_commands_carry_a_house_over(tmp_path: Path) -> None:
    old, new = House(), House()
    try:
        old.seed("story_people")
        old.seed("story_tokens")
        done = old.command("backup", str(tmp_path / "house.zip"))
        assert done.returncode == 0, done.stderr
        again = old.command("backup", str(tmp_path / "house.zip"))
        assert (again.returncode, again.stderr.count("\n")) == (1, 1)

        done = new.command("restore", str(tmp_path / "house.zip"), "--json")

        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["rows"] == sum(len(rows) for rows in dump(old).values())
        assert dump(new) == dump(old)
        assert len(dump(new)["annotator_passagetokens"]) == len(STORY_TEXTS)
        refused = new.command("restore", str(tmp_path / "house.zip"))
        assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
        assert "not empty" in refused.stderr
        made = new.command("create_user", "later@example.org")
        assert made.returncode == 0, made.stderr
    finally:
        old.remove()
        new.remove()
