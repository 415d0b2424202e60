"""From SQLite to PostgreSQL and back by backup and restore: every table, row by row."""

import json
import os
import zipfile
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.house import House

pytestmark = pytest.mark.services


def rows_of(archive: Path) -> dict[str, list[Any]]:
    with zipfile.ZipFile(archive) as opened:
        tables = [name for name in opened.namelist() if name.startswith("tables/")]
        return {name: [json.loads(line) for line in opened.read(name).splitlines()] for name in tables}


def run(house: House, *words: str) -> str:
    done = house.command(*words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _files(house: House) -> dict[str, bytes]:
    """Of releases and runs, which are kept beside the tables."""
    folder = house.folder / "data" / "files"
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _measured(house: House, folder: Path) -> None:
    """One release and one system on it, before anything moves."""
    folder.mkdir()
    words = ("--date", "2026-11-17", "--sizes", "validation=1,test=4", "--despite", "all", "--no-pos")
    run(house, "release", "learner-essays", "--out", str(folder), *words)
    with zipfile.ZipFile(folder / "learner-essays-1.zip") as bundle:
        gold = json.loads(bundle.read("learner-essays-1/test.json"))
    said = {
        name: {"input_words": entry["sentence_split"], "substitute_topk": [[["x", 0, 1], ["y"]]]}
        for name, entry in gold.items()
    }
    (folder / "p.json").write_text(json.dumps(said))
    run(house, "submit_run", "learner-essays", str(folder / "p.json"), "--system", "quill")


def _released(house: House, folder: Path, env: dict[str, str]) -> bytes:
    folder.mkdir()
    house.env |= env
    words = ("--out", str(folder), "--date", "2026-11-18", "--sizes", "validation=1,test=4", "--despite", "all")
    run(house, "release", "learner-essays", *words)
    return (folder / "learner-essays-2.zip").read_bytes()


def test_a_house_moves_to_postgresql_and_back(tmp_path: Path) -> None:
    url = os.environ["TEST_DATABASE_URL"]
    with psycopg.connect(url.replace("postgres://", "postgresql://"), autocommit=True) as server:
        server.execute("CREATE DATABASE moved")
    archives = [tmp_path / f"{n}.zip" for n in range(3)]
    houses = first, second, third = House(), House(DATABASE_URL=url.replace("/assay?", "/moved?")), House()
    try:
        run(first, "demo")
        first.seed("do_waiting_jobs")
        run(first, "merge", "learner-essays")
        _measured(first, tmp_path / "before")
        run(first, "backup", str(archives[0]))

        run(second, "restore", str(archives[0]))
        run(second, "backup", str(archives[1]))
        run(third, "restore", str(archives[1]))
        run(third, "backup", str(archives[2]))

        assert rows_of(archives[0]) == rows_of(archives[1]) == rows_of(archives[2])
        assert len(rows_of(archives[0])["tables/annotator.submission.jsonl"]) > 300
        assert len(rows_of(archives[0])["tables/annotator.passagetokens.jsonl"]) > 30
        # What was frozen before, and a run's file, are in the others as they were; and sound.
        kept = _files(first)
        assert sorted(name.partition("/")[0] for name in kept) == ["releases", "runs"]
        assert (tmp_path / "before" / "learner-essays-1.zip").read_bytes() in kept.values()
        assert (tmp_path / "before" / "p.json").read_bytes() in kept.values()
        assert kept == _files(second) == _files(third)
        for house in (second, third):
            assert json.loads(run(house, "doctor", "--json"))["ok"] is True
        # The same release, to the byte, whatever the engine, the seed of hashes and the time zone.
        odd = ({"PYTHONHASHSEED": "1", "TZ": "Asia/Kathmandu"}, {"PYTHONHASHSEED": "2"}, {"TZ": "America/St_Johns"})
        files = [
            _released(house, tmp_path / f"out{n}", env) for n, (house, env) in enumerate(zip(houses, odd, strict=True))
        ]
        assert files[0] == files[1] == files[2]
        # And the same report, counted anew in parts of its own.
        measure = ("agreement", "learner-essays", "--json", "--shards")
        reports = [run(house, *measure, str(shards)) for house, shards in zip(houses, (1, 7, 40), strict=True)]
        assert len(json.loads(reports[0])["pairs"]) == 45
        assert reports[0] == reports[1] == reports[2]
        # Numbers go on after the highest one.
        run(second, "create_user", "later@example.org")
        refused = second.command("restore", str(archives[0]))
        assert "not empty" in refused.stderr
    finally:
        for house in (first, second, third):
            house.remove()
