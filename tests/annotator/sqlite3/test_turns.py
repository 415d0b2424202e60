"""The queue of writers: the order of arrival, over threads and processes, whoever dies or freezes in it."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from annotator.sqlite3.base import queue_at
from annotator.sqlite3.turns import Turns
from tests.house import ROOT
from tests.services import wait_until

# Takes its turn, leaves its name behind, and ends when its input does.
WRITER = """
import os, sys
from annotator.sqlite3.turns import Turns
turns = Turns(sys.argv[1])
turn = turns.take(30)
print("has it", flush=True)
log = os.open(sys.argv[2], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
os.write(log, sys.argv[3].encode() + b" ")
if len(sys.argv) > 4:
    sys.stdin.read()
turns.give_back(turn)
"""


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "some.sqlite3-turns")


@pytest.fixture
def turns(path: str) -> Turns:
    return Turns(path)


def has_drawn(path: str, pid: int) -> bool:
    """By the system's list: opening and closing the file here would free the locks of this process."""
    inode = os.stat(path).st_ino
    lines = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
    return any(str(pid) in line and any(word.endswith(f":{inode}") for word in line) for line in lines)


@contextmanager
def writer(path: str, name: str, *, stays: bool = False) -> Iterator[subprocess.Popen[str]]:
    """Another process that has drawn its number."""
    words = [sys.executable, "-c", WRITER, path, str(Path(path).with_name("log")), name, *(["stays"] if stays else [])]
    pipe = subprocess.PIPE
    process = subprocess.Popen(words, cwd=ROOT, stdin=pipe, stdout=pipe, text=True)
    try:
        wait_until(lambda: has_drawn(path, process.pid), seconds=30, what="the writer")
        yield process
    finally:
        process.kill()
        process.communicate()


def has_it(process: subprocess.Popen[str]) -> bool:
    assert process.stdout is not None
    return process.stdout.readline() == "has it\n"


def seconds_of(act: Callable[[], object]) -> float:
    began = time.monotonic()
    act()
    return time.monotonic() - began


def test_threads_and_processes_come_in_the_order_they_came(turns: Turns, path: str) -> None:
    log = os.open(Path(path).with_name("log"), os.O_RDWR | os.O_APPEND | os.O_CREAT)

    def in_a_thread(name: str) -> threading.Thread:
        def write() -> None:
            turn = turns.take(30)
            assert turn is not None
            os.write(log, f"{name} ".encode())
            turns.give_back(turn)

        before = turns.newest
        thread = threading.Thread(target=write)
        thread.start()
        wait_until(lambda: turns.newest > before, seconds=30, what="the thread")
        return thread

    first = turns.take(1)
    assert first is not None
    threads = [in_a_thread("a"), in_a_thread("b")]
    with writer(path, "c") as one:
        threads.append(in_a_thread("d"))
        with writer(path, "e") as two:
            threads.append(in_a_thread("f"))
            turns.give_back(first)
            for thread in threads:
                thread.join(30)
            one.wait(30)
            two.wait(30)

    assert os.pread(log, 100, 0).split() == [b"a", b"b", b"c", b"d", b"e", b"f"]
    assert not turns.own


def test_nobody_who_comes_later_goes_first(turns: Turns) -> None:
    """However often a thread comes back at once: of four, each waits for three others at most."""
    served: list[int] = []

    def write(who: int) -> None:
        for _ in range(50):
            turn = turns.take(30)
            assert turn is not None
            served.append(turn.number)
            turns.give_back(turn)

    threads = [threading.Thread(target=write, args=(who,)) for who in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(served) == 200
    assert served == sorted(served)


def test_a_writer_killed_in_its_turn_holds_nobody_up(turns: Turns, path: str) -> None:
    with writer(path, "dies", stays=True) as process:
        assert has_it(process)
        assert turns.take(0.05) is None
        turns = Turns(path)  # one that has not waited in vain yet
        waiting = threading.Timer(0.2, process.send_signal, [signal.SIGKILL])
        waiting.start()

        turn = turns.take(20)

        assert turn is not None
        assert process.wait(5) == -signal.SIGKILL


def test_a_writer_killed_in_the_queue_does_not_let_others_past_the_first(turns: Turns, path: str) -> None:
    with writer(path, "first", stays=True) as first, writer(path, "dies") as second:
        assert has_it(first)
        second.kill()
        second.wait()

        assert turns.take(0.2) is None


def test_whoever_waits_in_vain_goes_on_and_so_do_those_after(turns: Turns, path: str) -> None:
    with writer(path, "frozen", stays=True) as process:
        assert has_it(process)
        process.send_signal(signal.SIGSTOP)

        waited = seconds_of(lambda: turns.take(0.3))
        next_one = turns.take(20)

        assert 0.3 <= waited < 5
        assert next_one is not None  # at once: nobody waits again for what was waited for in vain
        assert not [turn for turn in turns.own if turn is not next_one]


def test_a_thread_that_never_gives_back_is_passed_over(turns: Turns) -> None:
    lost = turns.take(1)
    assert lost is not None
    assert turns.take(0.1) is None

    turn = turns.take(20)
    turns.give_back(lost)  # late, and no harm

    assert turn is not None
    assert list(turns.own) == [turn]


def test_where_no_number_is_free_nobody_waits(turns: Turns, path: str) -> None:
    """As under a process whose clock runs ahead."""
    script = "import fcntl, sys; f = open(sys.argv[1], 'r+'); fcntl.lockf(f, fcntl.LOCK_EX); print(flush=True); input()"
    held = subprocess.Popen([sys.executable, "-c", script, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert held.stdout is not None
    held.stdout.readline()

    found = []
    waited = seconds_of(lambda: found.append(turns.take(20)))

    assert found == [None]
    assert waited < 5
    held.communicate(b"\n")
    assert turns.take(20) is not None


def test_a_forked_process_stands_in_no_queue_but_waits_for_its_parent(tmp_path: Path) -> None:
    turns = queue_at(str(tmp_path / "some.sqlite3"))
    assert turns is not None
    turn = turns.take(1)
    assert turn is not None

    pid = os.fork()
    if not pid:
        is_right = not turns.own and turns.take(0.1) is None
        os._exit(0 if is_right else 1)

    assert os.waitpid(pid, 0)[1] == 0
    assert list(turns.own) == [turn]


def test_where_nothing_can_be_written_there_is_no_queue(tmp_path: Path) -> None:
    assert queue_at(str(tmp_path / "nowhere" / "some.sqlite3")) is None
