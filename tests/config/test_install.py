"""`pip install`: the wheel, installed where there is no repository, is a whole Assay."""

import os
import re
import socket
import subprocess
import sys
import tarfile
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.house import ROOT, House
from tests.services import wait_until

pytestmark = [pytest.mark.process, pytest.mark.slow]
FOLDERS = ("config", "annotator", "adjudication", "exports", "templates", "static")
BORROWED = [path for path in sys.path if path.endswith("site-packages")]  # what Assay depends on is not fetched again

# Loaded by every Python of the new environment: notes whatever is opened or listed in the repository.
WATCH = """
import os, sys
def watch(event, given, root={root!r}, borrowed={borrowed!r}, log={log!r}):
    if event in ("open", "os.listdir", "os.scandir") and isinstance(given[0], (str, bytes, os.PathLike)):
        path = os.path.abspath(os.fsdecode(given[0]))
        if (path + os.sep).startswith(root) and not path.startswith(borrowed):
            with open(log, "a") as file:
                file.write(path + "\\n")
sys.addaudithook(watch)
"""


@dataclass
class Installed:
    wheel: Path
    environment: Path
    touched: Path  # files of the repository that were used all the same

    @property
    def packages(self) -> Path:
        [found] = self.environment.glob("lib/python*/site-packages")
        return found

    def files_used(self) -> list[str]:
        return self.touched.read_text().split("\n") if self.touched.exists() else []


def run(*words: str | Path, cwd: Path) -> None:
    done = subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """As `python -m build` does it: first the source distribution, of that the wheel."""
    folder = tmp_path_factory.mktemp("install")
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder, cwd=ROOT)
    [sdist] = folder.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    quiet = ("--quiet", "--no-deps", "--no-index")
    source = folder / sdist.name.removesuffix(".tar.gz")
    run(sys.executable, "-m", "pip", "wheel", *quiet, "--no-build-isolation", "-w", folder, ".", cwd=source)
    [wheel] = folder.glob("*.whl")
    made = Installed(wheel, folder / "environment", folder / "touched")
    venv.create(made.environment, symlinks=True)
    python = made.environment / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", *quiet, wheel, cwd=folder)
    (made.packages / "borrowed.pth").write_text("\n".join(BORROWED))
    watch = WATCH.format(root=f"{ROOT}{os.sep}", borrowed=tuple(BORROWED), log=str(made.touched))
    (made.packages / "sitecustomize.py").write_text(watch)
    run(python, "-c", f"open({str(ROOT / 'manage.py')!r}).close()", cwd=folder)
    assert str(ROOT / "manage.py") in made.files_used()  # it does watch
    made.touched.unlink()
    return made


@pytest.fixture
def house(installed: Installed) -> Iterator[House]:
    """An empty folder, and in it nothing but the command `assay`."""
    made = House()
    made.program, made.place = [str(installed.environment / "bin" / "assay")], made.folder / "here"
    made.place.mkdir()
    made.data = made.place / "var"
    for name in ("ASSAY_DATA_DIR", "DJANGO_SETTINGS_MODULE", "PYTHONPATH", "VIRTUAL_ENV"):
        made.env.pop(name, None)
    yield made
    made.remove()


def read(url: str) -> str:
    with urllib.request.urlopen(url, timeout=10) as answer:
        return str(answer.read().decode())


def own_files(folder: Path) -> set[str]:
    found = (path.relative_to(folder).as_posix() for name in FOLDERS for path in (folder / name).rglob("*"))
    return {name for name in found if (folder / name).is_file() and "__pycache__" not in name}


def test_the_wheel_is_the_whole_tree_in_one_folder(installed: Installed) -> None:
    names = {name for name in zipfile.ZipFile(installed.wheel).namelist() if not name.startswith("assay-")}

    assert names == {f"assay/{name}" for name in {"manage.py", *own_files(ROOT)}}


def test_an_empty_folder_is_served(installed: Installed, house: House) -> None:
    house.start()

    page = read(f"{house.url}/log-in")
    [style] = re.findall(r'href="(/static/css/assay[^"]+)"', page)

    assert "Sign in" in page
    assert ":root" in read(house.url + style)
    assert [path.name for path in house.place.iterdir()] == ["var"]
    assert not (installed.packages / "assay" / "var").exists()
    assert installed.files_used() == []


def test_commands_work_on_the_folder_they_are_called_in(installed: Installed, house: House) -> None:
    made = house.command("create_project", "essays", "--protocol", "sws", "--lead", "you@example.org")
    looked = house.command("doctor")

    assert (made.returncode, looked.returncode) == (0, 0), made.stderr + looked.stderr
    assert house.query("SELECT slug FROM annotator_project") == [("essays",)]
    words = "from annotator.presets import guidelines_for; print(guidelines_for('sws'))"
    assert house.command("shell", "--no-imports", "-c", words).stdout.startswith("#")
    assert "Type 'assay help" in house.command("help").stdout
    assert installed.files_used() == []


def test_the_demo_comes_alive(installed: Installed, house: House) -> None:
    """Its worker does all that is to be done, up to the systems, which are made by a command of their own."""
    house.arguments = ("--demo",)
    house.start(seconds=90)

    def has_scores() -> bool:
        return house.query("SELECT count(*) FROM exports_systemrun WHERE state = 'scored'")[0][0] == 2

    wait_until(has_scores, seconds=120, what="the systems of the demo")
    [link, *_] = re.findall(rf"{house.url}/sign-in/\S+", house.log.read_text())
    assert "Sign in" in read(link)
    assert house.query("SELECT kind, message FROM annotator_job WHERE state = 'failed'") == []
    assert not (installed.packages / "assay" / "var").exists()
    assert installed.files_used() == []


def test_a_taken_port_names_the_command_there_is(house: House) -> None:
    with socket.create_server(("127.0.0.1", house.port)):
        done = house.command("up", "--port", str(house.port))

    assert f"PORT={house.port + 1} assay up" in done.stderr
