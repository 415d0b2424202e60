"""docs/api.md by curl, every line of it in order, against a real server with a real worker."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house import ROOT, House

pytestmark = [pytest.mark.process, pytest.mark.slow]
TEXT = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
TOOLS = ("curl", "unzip", "sha256sum", "bash")


@pytest.fixture
def house() -> Iterator[House]:
    made = House()
    made.command("create_user", "you@example.org", "--can-create-projects")
    made.start(seconds=90)
    yield made
    made.remove()


@pytest.mark.skipif(not all(map(shutil.which, TOOLS)), reason=f"needs {', '.join(TOOLS)}")
def test_every_line_runs(house: House, tmp_path: Path) -> None:
    walk = TEXT.partition("## With a token")[2].partition("## With a session")[0]
    token = house.command("create_token", "you@example.org", "--scopes", "lead", "--json").stdout
    lines = "\n".join(re.findall(r"^```sh\n(.*?)^```", walk, re.M | re.S))
    assert "create_token you@example.org --scopes lead --json" in lines
    lines = lines.replace("http://127.0.0.1:8000", house.url)
    lines = lines.replace(".venv/bin/python manage.py create_token you@example.org --scopes lead --json", "cat token")
    (tmp_path / "token").write_text(token, encoding="utf-8")
    (tmp_path / "walk.sh").write_text(f"set -euo pipefail\n{lines}", encoding="utf-8")

    done = subprocess.run(
        ["bash", "walk.sh"], cwd=tmp_path, env=os.environ, capture_output=True, text=True, check=False, timeout=240
    )

    assert done.returncode == 0, done.stdout + done.stderr
    said = done.stdout
    assert "release.zip: OK" in said
    assert '"slug": "scripted"' in said or '"slug":"scripted"' in said
    # three targets of two votes each; two of three spans are found, one is made up
    assert re.search(r"^0\.6666666666666\d*$", said, re.M), said
    assert '"system":"quill"' in said
