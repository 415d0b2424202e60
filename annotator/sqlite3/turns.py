"""The order of writers: SQLite itself lets whoever wakes first go first, and the unlucky wait for seconds.

Every writer of every process takes the time it came as its number and waits for the lower ones. The order is only a
courtesy: SQLite's own lock still decides, so whoever has waited here in vain just goes on.
"""

import fcntl
import os
import threading
import time
from collections import deque

PATIENCE = 10.0  # seconds in the queue; then SQLite's own waiting begins
PAUSE = 0.0005  # seconds between two looks at the writers of other processes
DRAWS = 100  # after so many numbers that are taken something is wrong: the clock of another process, perhaps


class Turn:
    """One writer's place in the queue."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.called = threading.Lock()  # locked until the writers of this process before it are done
        self.called.acquire()


class Turns:
    """The queue at one database, as one process sees it.

    A number is a byte of an empty file that its process holds locked (`fcntl.lockf`): the system frees it when the
    process dies, however that happens. Such locks are between processes; the threads of one wait for each other by
    `own`. Whose turn it is has locked all bytes up to its own.
    """

    def __init__(self, path: str) -> None:
        # Never closed: with any of its descriptors a process would lose all its locks on a file.
        self.file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        self.begin()

    def begin(self) -> None:
        """Also after a fork: the child has none of its parent's locks and stands in no queue."""
        self.mutex = threading.Lock()
        self.own: deque[Turn] = deque()
        self.newest = 0  # the last number drawn here
        self.passed = 0  # numbers below it are not waited for: somebody has, in vain

    def take(self, seconds: float) -> Turn | None:
        """Wait for one's turn; None where it did not come in this time, or no number can be drawn."""
        deadline = time.monotonic() + seconds
        turn = self._draw()
        if turn is None:
            return None
        has_come = False
        try:
            if turn.called.acquire(timeout=seconds):
                has_come = self._wait_for_others(turn, deadline)
            if not has_come:
                self._pass_over_those_before(turn)
        finally:
            if not has_come:
                self.give_back(turn)
        return turn if has_come else None

    def give_back(self, turn: Turn) -> None:
        with self.mutex:
            if turn not in self.own:
                return  # passed over, or drawn before a fork
            was_first = self.own[0] is turn
            self.own.remove(turn)
            start = 0 if was_first else turn.number
            fcntl.lockf(self.file, fcntl.LOCK_UN, turn.number + 1 - start, start)
            if was_first and self.own:
                self.own[0].called.release()

    def _draw(self) -> Turn | None:
        with self.mutex:
            for _ in range(DRAWS):
                number = time.monotonic_ns()  # one clock for all processes of a machine
                # A number is taken where another process drew the same, or one that came later has its turn already.
                if number > self.newest and self._lock(number, number + 1):
                    self.newest, turn = number, Turn(number)
                    self.own.append(turn)
                    if self.own[0] is turn:
                        turn.called.release()
                    return turn
        return None

    def _wait_for_others(self, turn: Turn, deadline: float) -> bool:
        # By looking again and again: the system's own waiting has no end in time.
        while not self._lock(self.passed, turn.number):
            if time.monotonic() >= deadline:
                return False
            time.sleep(PAUSE)
        return True

    def _pass_over_those_before(self, turn: Turn) -> None:
        """They may be frozen or lost; without this everybody after them would wait as long as this one did."""
        with self.mutex:
            self.passed = turn.number
            while self.own[0] is not turn:
                self.own.popleft()

    def _lock(self, start: int, end: int) -> bool:
        try:
            fcntl.lockf(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB, end - start, start)
        except OSError:
            return False
        return True
