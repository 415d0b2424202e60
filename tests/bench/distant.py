"""Distant supervision: sentences a second with the tagger and without, and the memory of a process."""

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.figures import Figure
from tests.bench.material import texts
from tests.house import ROOT

SENTENCES = {True: 5_000, False: 20_000}  # by whether the tagger is asked
WARM, ENTRIES = 100, 100_000
NOTE = """Distant supervision is `manage.py distant` in one process, on sentences of 33 tokens; a run of 100 sentences
tells what the start takes, which is taken off. The thesaurus has 100,000 entries, among them every word of the
sentences as every part of speech, so that all but function words are substituted: 15 in a sentence. Memory is the most
that the process had."""


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as name:
        folder = Path(name)
        _write_thesaurus(folder / "thesaurus.tsv")
        tagged, megabytes = _rate(folder, with_tagger=True)
        plain, _ = _rate(folder, with_tagger=False)
    return [
        Figure("distant supervision, with the tagger", tagged, "sentences/s", 300, is_least=True),
        Figure("distant supervision, without", plain, "sentences/s", 2_000, is_least=True),
        Figure("distant supervision with the tagger, memory", megabytes, "MB", 300),
    ]


def _write_thesaurus(path: Path) -> None:
    words = sorted({word for text in texts(2_000) for word in re.findall("[a-z]+", text.text.lower())})
    entries = [(word, part) for word in words for part in "nvar"]
    entries += [(f"unknown{number} word", "n") for number in range(ENTRIES - len(entries))]
    with path.open("w", encoding="utf-8") as file:
        for number, (word, part) in enumerate(entries):
            others = [words[(number * step) % len(words)] for step in (7, 11, 13)]
            file.writelines(f"{word}\t{part}\t{other}\n" for other in dict.fromkeys(others) if other != word)


def _rate(folder: Path, *, with_tagger: bool) -> tuple[float, float]:
    sentences = SENTENCES[with_tagger]
    start, _ = _run(folder, WARM, with_tagger=with_tagger)
    seconds, megabytes = _run(folder, sentences, with_tagger=with_tagger)
    return (sentences - WARM) / (seconds - start), megabytes


def _run(folder: Path, sentences: int, *, with_tagger: bool) -> tuple[float, float]:
    corpus = folder / "corpus.txt"
    corpus.write_text("".join(f"{text.text}\n" for text in texts(sentences)), encoding="utf-8")
    command = [sys.executable, "manage.py", "distant", "--thesaurus", str(folder / "thesaurus.tsv")]
    command += ["--corpus", str(corpus), "--out", str(folder / "out.jsonl"), *([] if with_tagger else ["--no-tagger"])]
    began = time.monotonic()
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0
    return time.monotonic() - began, usage.ru_maxrss / 1000
