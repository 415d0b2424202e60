"""docs/notebook.md from top to bottom, every line of it, against what `make run` serves."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house import ROOT, House

pytestmark = [pytest.mark.process, pytest.mark.slow]
TEXT = (ROOT / "docs" / "notebook.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.M | re.S)


@pytest.fixture
def house() -> Iterator[House]:
    made = House("--demo")
    made.start(seconds=90)
    yield made
    made.remove()


def token_of(house: House) -> str:
    """By the line of the page itself."""
    [line] = [line for block in blocks("sh") for line in block.splitlines() if "create_token" in line]
    words = line.replace('"My notebook"', "Notebook").split()
    assert words[:2] == [".venv/bin/python", "manage.py"]
    done = house.command(*words[2:])
    [token] = re.findall(r"assay_\S+", done.stdout)
    return token


def test_every_line_runs(house: House, tmp_path: Path) -> None:
    script = tmp_path / "notebook.py"
    script.write_text("\n".join(blocks("python")), encoding="utf-8")
    given = {"ASSAY_URL": house.url, "ASSAY_TOKEN": token_of(house), "PYTHONPATH": str(ROOT / "client")}

    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=tmp_path, env={**os.environ, **given}, capture_output=True, text=True, check=False, timeout=240,
    )  # fmt: skip

    assert done.returncode == 0, done.stdout + done.stderr
    said = done.stdout
    assert "learner-essays open ['lead']" in said
    assert "done 6" in said
    assert "line 2" in said  # of the wrong file
    assert re.search(r"^1 frozen [0-9a-f]{64}$", said, re.M)
    assert "f_e2e 0.9" in said
    assert "1 four words" in said
    assert "409 slug_taken" in said
    assert (tmp_path / "notebook-essays-1" / "test.json").exists()


def test_the_page_is_a_notebook() -> None:
    """Blocks of one language, none of which is left out by a slip of the fence."""
    assert len(blocks("python")) == TEXT.count("```python")
    assert len(blocks("python")) > 10
    assert set(re.findall(r"^```(\w+)$", TEXT, re.M)) == {"python", "sh"}
