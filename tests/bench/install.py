"""How long a fresh clone takes to install, and how large it is then."""

import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from tests.bench.figures import Figure

ROOT = Path(__file__).resolve().parent.parent.parent


def figures() -> list[Figure]:
    folder = Path(tempfile.mkdtemp(prefix="assay-install-"))
    try:
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder / "assay")], check=True)
        began = time.monotonic()
        subprocess.run(["make", "--silent", "setup"], cwd=folder / "assay", check=True, capture_output=True)
        seconds = time.monotonic() - began
        size = subprocess.run(["du", "-sk", str(folder / "assay")], capture_output=True, text=True, check=True).stdout
        return [
            Figure("install (make setup in a fresh clone)", seconds, "s", 60),
            Figure("size after install, all told", int(size.split()[0]) / 1000, "MB", 300),
        ]
    finally:
        shutil.rmtree(folder)
