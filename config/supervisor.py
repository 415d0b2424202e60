"""The foreground process of `manage.py up`: keeps the web server and the worker alive, and takes them down with it.

Standard library only: `up` becomes this program once everything is ready, so that watching costs 10 MB, not 60.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from types import FrameType

# Seconds from the polite signal to the last one. Saves take milliseconds; an idle Celery worker takes four seconds to
# say goodbye, and whatever it was doing is safe: its job is taken up again.
GRACE = 2.5
LONGEST_PAUSE = 10.0  # seconds between restarts of something that keeps dying
STEADY_AFTER = 30.0  # seconds alive after which a death counts as the first again


class Child:
    """One program, started again when it dies."""

    def __init__(self, name: str, command: list[str], fds: tuple[int, ...] = ()) -> None:
        self.name, self.command, self.fds = name, command, fds
        self.pause = 0.0
        self.start()

    def start(self) -> None:
        # A session of its own: the terminal's Ctrl-C reaches only the supervisor, which then stops things in order.
        self.process = subprocess.Popen(
            self.command, pass_fds=self.fds, start_new_session=True, preexec_fn=_die_with_parent
        )
        self.started = time.monotonic()
        self.start_at: float | None = None

    def tend(self) -> None:
        now = time.monotonic()
        if self.start_at is not None:
            if now >= self.start_at:
                self.start()
        elif self.process.poll() is not None:
            self.kill()  # what the dead one may have left of its group
            self.pause = 0.2 if now - self.started > STEADY_AFTER else min(LONGEST_PAUSE, max(0.2, self.pause * 2))
            self.start_at = now + self.pause
            _say(f"The {self.name} stopped (status {self.process.returncode}); starting it again.")

    def ask_to_stop(self) -> None:
        if self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.terminate()

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def _die_with_parent() -> None:
    """Linux: even `kill -9` of the supervisor leaves nothing running."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 (this is what the person at the terminal reads)


class Stop(Exception):
    pass


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise Stop


def supervise(fd: int, web: list[str], worker: list[str]) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop)
    children: list[Child] = []
    try:
        children.append(Child("web server", web, (fd,)))
        children.append(Child("worker", worker))
        while True:
            for child in children:
                child.tend()
            time.sleep(0.1)
    except Stop:
        _say("Stopping …")
    finally:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        _stop_all(children)


def _stop_all(children: list[Child]) -> None:
    for child in children:
        child.ask_to_stop()
    deadline = time.monotonic() + GRACE
    while time.monotonic() < deadline and any(child.process.poll() is None for child in children):
        time.sleep(0.05)
    for child in children:
        child.kill()


def commands(fd: int, threads: int) -> tuple[list[str], list[str]]:
    web = [
        *(sys.executable, "-m", "config.serving", "--fd", str(fd), "--threads", str(threads)),
        *("--grace", str(GRACE - 0.7)),
    ]
    worker = [
        *(sys.executable, "-m", "celery", "--quiet", "-A", "config.celery", "worker", "--concurrency", "1"),
        *("--loglevel", "WARNING", "--without-gossip", "--without-mingle", "--without-heartbeat"),
    ]
    return web, worker


if __name__ == "__main__":
    supervise(int(sys.argv[1]), *commands(int(sys.argv[1]), threads=4))
