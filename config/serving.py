"""The web server: `python -m config.serving --bind 0.0.0.0:8000`. Loads Assay once, then keeps so many copies of
itself alive that all cores can save; they share one listening socket."""

import argparse
import contextlib
import gc
import logging
import mmap
import os
import resource
import signal
import socket
import sys
import time
from types import FrameType
from typing import Any, NoReturn

from config.connections import Bounds, Server

TICK = 0.2  # seconds between two looks at the processes
STUCK_AFTER = 30.0  # seconds without a sign of life
LONGEST_PAUSE = 10.0  # seconds between restarts of one that keeps dying

log = logging.getLogger("config.serving")


class Stop(Exception):
    pass


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise Stop


class Process:
    """One copy, forked again when it dies or hangs."""

    def __init__(self, number: int, signs: mmap.mmap, work: Any) -> None:
        self.number, self.signs, self.work = number, signs, work
        self.pause = 0.0
        self.start()

    def start(self) -> None:
        self.start_at: float | None = None
        self.started, self.missed, self.last_sign = time.monotonic(), 0, -1
        master = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            self._live(master)

    def _live(self, master: int) -> NoReturn:
        try:
            self.work(lambda server: self._give_sign(server, master))
        except BaseException:
            log.exception("The web process stopped")
            os._exit(1)
        # The threads that are left have had their time.
        os._exit(0)

    def _give_sign(self, server: Server, master: int) -> None:
        self.signs[self.number] = (self.signs[self.number] + 1) % 256
        if os.getppid() != master:
            server.stop()

    def tend(self) -> None:
        if self.start_at is not None:
            if time.monotonic() >= self.start_at:
                self.start()
            return
        done, status = os.waitpid(self.pid, os.WNOHANG)
        if done:
            is_steady = time.monotonic() - self.started > STUCK_AFTER
            self.pause = 0.0 if is_steady else min(LONGEST_PAUSE, max(0.2, self.pause * 2))
            self.start_at = time.monotonic() + self.pause
            log.warning("A web process stopped (status %s); starting another.", os.waitstatus_to_exitcode(status))
            return
        # Looks are counted, not seconds: a machine that slept has missed none.
        sign = self.signs[self.number]
        self.missed = self.missed + 1 if sign == self.last_sign else 0
        self.last_sign = sign
        if self.missed * TICK > STUCK_AFTER:
            log.warning("A web process hangs; starting another.")
            self.send(signal.SIGKILL)

    def send(self, number: int) -> None:
        if self.start_at is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def has_ended(self) -> bool:
        if self.start_at is None and os.waitpid(self.pid, os.WNOHANG)[0]:
            self.start_at = float("inf")
        return self.start_at is not None


def serve(listener: socket.socket, *, processes: int, threads: int, grace: float) -> None:
    _raise_file_limit()
    from config.proxies import unnamed
    from config.wsgi import application

    if said := unnamed():
        log.warning(said)
    logging.getLogger("waitress").setLevel(logging.WARNING)
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # that requests wait for a thread is no news
    gc.collect()
    gc.freeze()  # what is loaded stays shared between the copies

    def work(give_sign: Any) -> None:
        server = Server(application, listener, threads=threads, bounds=Bounds())
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the first process's to hear
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda _signal, _frame: server.stop())
        server.run(lambda: give_sign(server), grace=grace)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop)
    crew: list[Process] = []
    try:
        signs = mmap.mmap(-1, processes)
        crew += [Process(number, signs, work) for number in range(processes)]
        while True:
            time.sleep(TICK)
            for process in crew:
                process.tend()
    except Stop:
        pass
    finally:
        _stop_all(crew, grace)


def _stop_all(crew: list[Process], grace: float) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    for process in crew:
        process.send(signal.SIGTERM)
    deadline = time.monotonic() + grace + 0.2
    while not all(process.has_ended() for process in crew) and time.monotonic() < deadline:
        time.sleep(0.02)
    for process in crew:
        process.send(signal.SIGKILL)


def _raise_file_limit() -> None:
    """Every connection is a file to the system, and many shells allow 1,024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4096 if hard == resource.RLIM_INFINITY else min(4096, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _bound(address: str) -> socket.socket:
    host, _, port = address.rpartition(":")
    host = host.strip("[]")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, int(port)), family=family, backlog=1024)


def _inherited(fd: str) -> socket.socket:
    return socket.socket(fileno=int(fd))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m config.serving")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--bind", type=_bound, metavar="HOST:PORT", dest="listener")
    where.add_argument("--fd", type=_inherited, help="a listening socket", dest="listener")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--threads", type=int, default=4, help="of each process")
    parser.add_argument("--grace", type=float, default=8.0, help="seconds to finish requests in hand when stopped")
    serve(**vars(parser.parse_args(sys.argv[1:])))


if __name__ == "__main__":
    main()
