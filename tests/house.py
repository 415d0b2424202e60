"""A whole Assay under test: `manage.py up` as a user would start it, with a data folder and a port of its own."""

import contextlib
import fcntl
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from tests.services import free_port, wait_until

PASSWORD = "a-long-enough-pass"  # of everybody who has one in a test
ROOT = Path(__file__).resolve().parent.parent


class House:
    def __init__(self, *arguments: str, **env: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="assay-house-"))
        self.program, self.place, self.data = [sys.executable, "manage.py"], ROOT, self.folder / "data"
        self.arguments, self.port = arguments, free_port()
        inherited = {
            name: value for name, value in os.environ.items() if not name.startswith(("ASSAY_", "DATABASE_", "CELERY_"))
        }
        self.env = {**inherited, "ASSAY_DATA_DIR": str(self.data), **env}
        self.env.pop("DJANGO_ALLOW_ASYNC_UNSAFE", None)
        self.log = self.folder / "log"
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def command(self, *words: str, seconds: float = 300) -> subprocess.CompletedProcess[str]:
        """A `manage.py` command on this house's data."""
        command = [*self.program, *words]
        return subprocess.run(
            command, cwd=self.place, env=self.env, capture_output=True, text=True, check=False, timeout=seconds
        )

    def seed(self, function: str, module: str = "tests.seeds") -> None:
        """Call <module>.<function> inside this house."""
        script = f"from annotator.database import migrate; migrate(); from {module} import {function}; {function}()"
        done = self.command("shell", "--no-imports", "-c", script)
        assert done.returncode == 0, done.stderr

    def start(self, *, seconds: float = 30) -> "House":
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [*self.program, "up", "--port", str(self.port), *self.arguments],
                cwd=self.place, env=self.env, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
            )  # fmt: skip
        wait_until(self.is_healthy, seconds=seconds, what=f"Assay ({self.log.read_text()[-500:]})")
        return self

    def is_healthy(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=1) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def processes(self) -> list[int]:
        """The supervisor and all below it."""
        assert self.process is not None
        found, waiting = [], [self.process.pid]
        while waiting:
            pid = waiting.pop()
            if not Path(f"/proc/{pid}").exists():
                continue
            found.append(pid)
            for task in Path(f"/proc/{pid}/task").glob("*/children"):
                waiting += [int(child) for child in task.read_text().split()]
        return found

    def _signal(self, word: str, number: int) -> None:
        """To all processes with this word in their command line."""
        for pid in self.processes():
            if word in Path(f"/proc/{pid}/cmdline").read_bytes().decode():
                os.kill(pid, number)

    def stop_worker(self) -> None:
        """Frozen, as a machine that has gone to sleep: it does nothing and nobody starts another. Between two writes:
        frozen with the database's lock in its hand, it would keep everybody waiting."""
        wait_until(self._has_stopped_between_writes, seconds=20, what="a moment between two writes")

    def _has_stopped_between_writes(self) -> bool:
        self._signal("config.celery", signal.SIGSTOP)
        if "DATABASE_URL" in self.env or self._others_can_write():
            return True
        self.continue_worker()
        return False

    def _others_can_write(self) -> bool:
        """SQLite's lock is free, and so is the queue of writers."""
        database = self.data / "assay.sqlite3"
        with contextlib.suppress(OSError, sqlite3.OperationalError):
            with database.with_name(f"{database.name}-turns").open("r+b") as turns:
                fcntl.lockf(turns, fcntl.LOCK_EX | fcntl.LOCK_NB)
            connection = sqlite3.connect(database, timeout=0, isolation_level=None)
            try:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("ROLLBACK")
                return True
            finally:
                connection.close()
        return False

    def continue_worker(self) -> None:
        self._signal("config.celery", signal.SIGCONT)

    def freeze_web(self) -> None:
        self._signal("config.serving", signal.SIGSTOP)

    def continue_web(self) -> None:
        self._signal("config.serving", signal.SIGCONT)

    def kill_web(self) -> None:
        self._signal("config.serving", signal.SIGKILL)

    def kill(self) -> None:
        """kill -9 on everything at once, as a power cut would."""
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if self.process is not None:
            self.process.wait()

    def stop(self) -> int:
        """Ctrl-C; the exit code."""
        assert self.process is not None
        self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(20)
        finally:
            self.kill()

    def remove(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Straight from the SQLite file, on a connection of its own."""
        connection = sqlite3.connect(self.data / "assay.sqlite3", timeout=20)
        try:
            rows = connection.execute(sql, values).fetchall()
            connection.commit()
            return rows
        finally:
            connection.close()

    def stored(self, email: str, number: int = 1) -> dict[str, Any]:
        """Draft, version and state of somebody's assignment."""
        [row] = self.query(
            "SELECT a.draft, a.version, a.state, a.submissions_made FROM annotator_assignment a "
            "JOIN annotator_membership m ON m.id = a.membership_id JOIN annotator_user u ON u.id = m.user_id "
            "WHERE u.email = ? AND a.number = ?",
            email,
            number,
        )
        return {"answer": json.loads(row[0]), "version": row[1], "state": row[2], "submissions": row[3]}

    def wait_for(self, email: str, number: int = 1, *, seconds: float = 10, **wanted: Any) -> dict[str, Any]:
        """Until the stored assignment has these values (`words`: all substitutes in order)."""
        deadline = time.monotonic() + seconds
        while True:
            found = self.stored(email, number)
            found["words"] = [s["text"] for mark in found["answer"].get("marks", []) for s in mark["substitutes"]]
            if all(found[key] == value for key, value in wanted.items()):
                return found
            assert time.monotonic() < deadline, f"wanted {wanted}, found {found}"
            time.sleep(0.05)
