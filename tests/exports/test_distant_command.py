"""`distant`: the same examples from any number of processes, whole or not at all."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.annotator.test_commands import run
from tests.bench.material import texts
from tests.exports.thesauri import write_table
from tests.house import ROOT, House
from tests.services import wait_until

pytestmark = pytest.mark.slow


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write_table(tmp_path / "thesaurus.tsv")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "sentences.txt"
    lines = [text.text for text in texts(350)]
    lines[7:7] = ["", "Nothing is here."]
    path.write_text("\n".join(lines))
    return path


def test_one_process_and_three_make_the_same(table: Path, corpus: Path, tmp_path: Path) -> None:
    words = ("distant", f"--thesaurus={table}", f"--corpus={corpus}")
    one, three, other = (tmp_path / name for name in ("one.jsonl", "three.jsonl", "other.jsonl"))

    told = run(*words, f"--out={one}")
    again = run(*words, f"--out={three}", "--processes=3")
    run(*words, f"--out={other}", "--processes=3", "--seed=2")

    assert one.read_bytes() == three.read_bytes() != other.read_bytes()
    assert {**told, "file": ""} == {**again, "file": ""}
    ids = [json.loads(line)["id"] for line in one.read_text().splitlines()]
    assert ids == sorted(ids, key=lambda name: int(name.removeprefix("ds-")))
    assert told["examples"] == len(ids)
    assert "ds-9" not in ids  # in which there is nothing
    assert (told["sentences"], told["left_out"]) == (351, 351 - len(ids))


def test_all_sentences_can_be_kept(table: Path, corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "all.jsonl"

    told = run("distant", f"--thesaurus={table}", f"--corpus={corpus}", f"--out={out}", "--keep-all", "--no-tagger")

    assert (told["examples"], told["left_out"], out.read_text().count("\n")) == (351, 0, 351)
    assert "distant|seed:1|rate:1.0|tagger:none|" in told["signature"]


def test_bad_lines_are_named_and_counted(table: Path, tmp_path: Path, capsys: Any) -> None:
    corpus, out = tmp_path / "corpus.txt", tmp_path / "out.jsonl"
    corpus.write_bytes("A big day.\nEin gro\xdfer Tag.\nUn d\xe9but.\nA big house.\n".encode("latin-1"))

    call_command("distant", thesaurus=table, corpus=corpus, out=out)

    said = capsys.readouterr()
    assert f"{corpus}:2: warning: The line is not UTF-8. (2 lines: 2, 3)" in said.err
    assert "2 sentences, 2 examples, 3 targets" in said.out
    assert "Left out: 2 lines that cannot be read." in said.out
    assert [json.loads(line)["id"] for line in out.read_text().splitlines()] == ["ds-1", "ds-4"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--processes=0",), "--processes is from 1 to 256."),
        (("--processes=-2",), "--processes is from 1 to 256."),
        (("--processes=1000",), "--processes is from 1 to 256."),
        (("--rate=0",), "--rate is more than 0 and at most 1."),
        (("--rate=nan",), "--rate is more than 0 and at most 1."),
        (("--corpus=empty.txt",), "empty.txt has no sentences."),
        (("--corpus=bad.txt",), "bad.txt has no sentences: 2 lines cannot be read."),
        (("--corpus=wide.txt",), "The file is UTF-16"),
        (("--corpus=nowhere.txt",), "nowhere.txt cannot be read: No such file or directory."),
        (("--thesaurus=nowhere.tsv",), "nowhere.tsv cannot be read"),
        (("--thesaurus=head.tsv",), "The thesaurus head.tsv has no entries."),
        (("--out=.",), ". is a folder: name a file to write."),
    ],
)
def test_it_refuses_clearly_and_writes_nothing(
    table: Path, corpus: Path, monkeypatch: Any, words: tuple[str, ...], message: str
) -> None:
    folder = table.parent
    monkeypatch.chdir(folder)
    (folder / "empty.txt").write_text("\n \n")
    (folder / "bad.txt").write_bytes(b"\xff\n\xff\n")
    (folder / "wide.txt").write_bytes("One.".encode("utf-16"))
    (folder / "head.tsv").write_text("word\tpos\tsynonym\n")
    there = sorted(folder.iterdir())

    with pytest.raises(CommandError, match=message):
        call_command("distant", f"--thesaurus={table}", f"--corpus={corpus}", "--out=out.jsonl", *words)
    assert sorted(folder.iterdir()) == there


def test_what_stood_there_stays_when_nothing_can_be_made(table: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("")
    out = tmp_path / "out.jsonl"
    out.write_text("before")

    with pytest.raises(CommandError):
        call_command("distant", thesaurus=table, corpus=tmp_path / "empty.txt", out=out, processes=2)

    assert out.read_text() == "before"


@pytest.mark.process
@pytest.mark.parametrize(("sign", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_whoever_is_stopped_leaves_no_file_and_no_process(table: Path, tmp_path: Path, sign: int, code: int) -> None:
    """From a corpus without an end."""
    house, feed, out = House(), tmp_path / "feed", tmp_path / "out.jsonl"
    os.mkfifo(feed)
    words = ["distant", f"--thesaurus={table}", f"--corpus={feed}", f"--out={out}", "--processes=2", "--no-tagger"]
    process = subprocess.Popen(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env=house.env,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=_hear_ctrl_c,
    )
    try:
        with open(feed, "wb", buffering=0) as source:
            source.write(b"A big day.\n" * 1000)
            wait_until(lambda: len(_group(process.pid)) >= 3, seconds=60, what="its processes")
            time.sleep(0.5)
            os.kill(process.pid, sign)
            _, said = process.communicate(timeout=60)
        assert (process.returncode, said) == (code, b"")
        wait_until(lambda: not _group(process.pid), seconds=20, what="the end of its processes")
        assert not out.exists()
    finally:
        if process.poll() is None:
            process.kill()
        house.remove()


def _hear_ctrl_c() -> None:
    """What a shell starts in the background, such as these tests, is deaf to it, and so are its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _group(leader: int) -> list[int]:
    """The processes in the session of this one that still live."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            _, _, rest = stat.read_text().rpartition(") ")
        except OSError:
            continue
        state, _, group = rest.split()[:3]
        if int(group) == leader and state != "Z":
            found.append(int(stat.parent.name))
    return found
