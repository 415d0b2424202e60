"""`pip install ./client`: typed, and with nothing but Python around it."""

import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.house import ROOT

pytestmark = [pytest.mark.process, pytest.mark.slow]

ALONE = """
import sys
import assay_client
from pathlib import Path
assert (Path(assay_client.__file__).parent / "py.typed").exists()
ours = {name for name in sys.modules if name.partition(".")[0] == "assay_client"}
others = {name.partition(".")[0] for name in set(sys.modules) - ours} - sys.stdlib_module_names
others -= {"__main__", "sitecustomize", "usercustomize", "_distutils_hack"}
assert not others, others
print(len(ours))
"""

TYPED = """
from assay_client import Assay, Run

def best(assay: Assay) -> float | None:
    run: Run = assay.project("essays").submit("quill", "predictions.json").wait()
    return assay.project("essays").measure().pa_det

reveal_type(Assay().projects())
"""


def run(*words: str | Path, cwd: Path) -> str:
    done = subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of an environment with the client in it, and nothing else."""
    folder = tmp_path_factory.mktemp("client")
    quiet = ("--quiet", "--no-deps", "--no-index")
    run(sys.executable, "-m", "pip", "wheel", *quiet, "--no-build-isolation", "-w", folder, ROOT / "client", cwd=folder)
    [wheel] = folder.glob("*.whl")
    venv.create(folder / "alone", symlinks=True)
    found = folder / "alone" / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", found, "install", *quiet, wheel, cwd=folder)
    return found


def test_it_needs_nobody(python: Path, tmp_path: Path) -> None:
    assert int(run(python, "-I", "-c", ALONE, cwd=tmp_path)) > 8


def test_its_types_are_seen_by_others(python: Path, tmp_path: Path) -> None:
    (tmp_path / "theirs.py").write_text(TYPED)

    said = run(sys.executable, "-m", "mypy", "--strict", "--python-executable", python, "theirs.py", cwd=tmp_path)

    assert 'Revealed type is "list[assay_client.projects.Project]"' in said.replace("builtins.", "")
