"""Releases made by the product, in its own process and from its own environment, and unpacked for strangers to load."""

import csv
import json
import os
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

# Before anything is loaded: nobody is asked over the network, and nothing is kept.
os.environ |= {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
os.environ["HF_HOME"] = tempfile.mkdtemp(prefix="assay-loading-")

ROOT = Path(__file__).resolve().parent.parent.parent
# Words that readers of tables take for a gap, a formula, a number or the end of a row.
OFFERS = ("null", "NA", "=1+1", "-ish", "007", 'a "quoted" one', "one\u2028two", "naïve 😀")
TEXT = '😀 My “old” uncle, No. {number}, has a big house and a very small car; he said "no".'
ANNOTATORS = ("A01", "A02", "A03")
PASSAGES = 40
DECIDE = """
from uuid import uuid4
from adjudication.actions.deciding import decide_passage, decide_span
from annotator.models import Membership, Passage
by = Membership.objects.leading().get(project__slug="odd").user
first, second = Passage.objects.filter(project__slug="odd").order_by("pk")[:2]
start = first.text.index("small")
added = {"verdict": "keep", "suggestions": [{"text": "=SUM(A1)", "from": []}]}
decide_span(first, (start, start + 5), by=by, act=uuid4(), version=0, content=added, reason="so", cause="taste")
decide_passage(second, by=by, act=uuid4(), version=0, content={"verdict": "discard"}, reason="a copy")
"""
PLACE = """
from annotator.models import Passage
for name, split in {"b0": "no", "b1": "2024", "b2": "test-a", "b3": "test-a"}.items():
    Passage.objects.filter(project__slug="bare", external_id=name).update(split=split)
"""


def pytest_unconfigure() -> None:
    shutil.rmtree(os.environ["HF_HOME"], ignore_errors=True)


def assay(data: Path, *words: str) -> None:
    """A command of the product."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("ASSAY_DATA", "DATABASE_"))}
    done = subprocess.run(
        [os.environ["ASSAY_PYTHON"], "manage.py", *words],
        cwd=ROOT, env={**env, "ASSAY_DATA_DIR": str(data)}, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("house") / "data"
    assay(folder, "migrate", "--verbosity", "0")
    return folder


@pytest.fixture(scope="session")
def release(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With groups, contexts, decisions, passages without a target, and words that readers stumble over."""
    folder = tmp_path_factory.mktemp("odd")
    rows = [
        {
            "id": f"{number:03d}",
            "text": TEXT.format(number=number),
            "group": f"g{number % 7}",
            "context_before": "So.\n",
        }
        for number in range(PASSAGES)
    ]
    answers = [
        (row["id"], name, word, OFFERS[(number + place + (name == "A03")) % len(OFFERS)])
        for number, row in enumerate(rows)
        for name in ANNOTATORS
        for place, word in enumerate(("big", "small", "very small")[: number % 4])
    ]
    return _released(data, folder, "odd", rows, answers, "validation=1,test=3", decide=DECIDE)


@pytest.fixture(scope="session")
def bare(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With one target in all, and not in the first split: from that, a reader may guess the types of all others. Its
    splits have names that YAML takes for something else, and one that only earlier releases could give."""
    folder = tmp_path_factory.mktemp("bare")
    rows = [{"id": f"b{number}", "text": TEXT.format(number=number)} for number in range(4)]
    answers = [("b2", name, "big", "large") for name in ANNOTATORS]
    found = _released(data, folder, "bare", rows, answers, "no=1,2024=1,test-a=2", decide=PLACE)
    assert '"targets":[]' in (found / "no.jsonl").read_text(encoding="utf-8")
    return found


def _released(
    data: Path, folder: Path, slug: str, rows: list[dict[str, str]], answers: list[tuple[str, ...]], sizes: str, *,
    decide: str = "",
) -> Path:  # fmt: skip
    (folder / "p.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with (folder / "a.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["sentence_id", "annotator", "word to change", "substitutes", "type", "occurrence"])
        table.writerows((*row, "diversify-expression", 1) for row in answers)
    assay(data, "create_project", slug, "--protocol=sws", "--lead=lead@example.org")
    assay(data, "import_passages", slug, str(folder / "p.jsonl"))
    assay(data, "import_annotations", slug, str(folder / "a.csv"), "--everyone")
    assay(data, "merge", slug)
    if decide:
        assay(data, "shell", "--no-imports", "-c", decide)
    assay(data, "release", slug, "--out", str(folder), "--sizes", sizes, "--despite=all", "--date=2026-11-18")
    with zipfile.ZipFile(folder / f"{slug}-1.zip") as bundle:
        bundle.extractall(folder)
    return folder / f"{slug}-1"


@pytest.fixture
def manifest(release: Path) -> Any:
    return json.loads((release / "manifest.json").read_text(encoding="utf-8"))
