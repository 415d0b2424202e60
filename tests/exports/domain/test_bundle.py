"""The one file of a release: its bytes are made of what is in it, and of nothing else."""

import hashlib
import io
import os
import zipfile
from pathlib import Path

import pytest

from exports.domain.bundle import FileFacts, facts_of, sums_of, write_bundle

NAMES = ("votes.csv", "README.md", "a.json", "Z.json", "ä.txt")


@pytest.fixture
def paths(tmp_path: Path) -> list[Path]:
    for number, name in enumerate(NAMES):
        (tmp_path / name).write_bytes(b"x" * number)
    return [tmp_path / name for name in NAMES]


def bundled(paths: list[Path]) -> bytes:
    target = io.BytesIO()
    write_bundle(target, "essays-1", paths)
    return target.getvalue()


def test_every_entry_is_stored_under_a_fixed_date_and_mode(paths: list[Path]) -> None:
    with zipfile.ZipFile(io.BytesIO(bundled(paths))) as bundle:
        found = bundle.infolist()
        assert bundle.testzip() is None

    # By code points, never by an alphabet.
    assert [item.filename for item in found] == [f"essays-1/{name}" for name in sorted(NAMES)]
    assert sorted(NAMES)[:3] == ["README.md", "Z.json", "a.json"]
    for item in found:
        assert item.compress_type == zipfile.ZIP_STORED
        assert item.compress_size == item.file_size
        assert item.date_time == (1980, 1, 1, 0, 0, 0)
        assert item.external_attr == 0o644 << 16
        assert item.create_system == 3
        assert (item.extra, item.comment) == (b"", b"")


def test_neither_order_nor_clock_nor_mode_of_the_files_is_in_the_bytes(paths: list[Path]) -> None:
    before = bundled(paths)
    for path in paths:
        os.utime(path, (10**9, 10**9))
        path.chmod(0o600)

    assert bundled(paths[::-1]) == before


def test_facts_and_sums_are_those_of_the_bytes(paths: list[Path]) -> None:
    facts = [facts_of(path, "so many") for path in paths]

    assert facts[4] == FileFacts("ä.txt", 4, hashlib.sha256(b"xxxx").hexdigest(), "so many")
    lines = sums_of(facts).splitlines()
    assert [line.partition("  ")[2] for line in lines] == sorted(NAMES)
    assert lines[0] == f"{hashlib.sha256(b'x').hexdigest()}  README.md"
