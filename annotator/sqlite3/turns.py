"""The order of writers: SQLite itself lets whoever wakes first go first, and the unlucky wait for seconds.

Every writer of every process draws a number from a small file beside the database and waits for the lower ones. The
order is only a courtesy: SQLite's own lock still decides, so whoever has waited here in vain just goes on.
"""

import fcntl
import os
import threading
import time
from collections import deque

PATIENCE = 10.0  # seconds in the queue; then SQLite's own waiting begins
PAUSE = 0.0005  # seconds between two looks at the writers of other processes
COUNTER = 8  # bytes at the start of the file: the last number drawn
COUNTER_PATIENCE = 0.05  # seconds; whoever holds the counter for longer was stopped in the middle of drawing
HIGHEST = 2**48


class Turn:
    """One writer's place in the queue."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.called = threading.Lock()  # locked until the writers of this process before it are done
        self.called.acquire()


class Turns:
    """The queue at one database, as one process sees it.

    A number is a byte of the file that its process holds locked (`fcntl.lockf`): the system frees it when the process
    dies, however that happens. Such locks are between processes; the threads of one wait for each other by `own`.
    """

    def __init__(self, path: str) -> None:
        # Never closed: with any of its descriptors a process would lose all its locks on a file.
        self.file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        self.begin()

    def begin(self) -> None:
        """Also after a fork: the child has none of its parent's locks and stands in no queue."""
        self.mutex = threading.Lock()
        self.own: deque[Turn] = deque()
        self.passed = COUNTER  # numbers below it are not waited for: somebody has, in vain

    def take(self, seconds: float) -> Turn | None:
        """Wait for one's turn; None where it did not come in this time, or no number can be drawn."""
        deadline = time.monotonic() + seconds
        turn = self._draw()
        if turn is None:
            return None
        has_come = False
        try:
            if turn.called.acquire(timeout=seconds):
                has_come = self._lock(min(self.passed, turn.number - 1), turn.number, deadline)
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
            start = COUNTER if was_first else turn.number  # the first has locked the numbers before it too
            fcntl.lockf(self.file, fcntl.LOCK_UN, turn.number + 1 - start, start)
            if was_first and self.own:
                self.own[0].called.release()

    def _pass_over_those_before(self, turn: Turn) -> None:
        """They may be frozen or lost; without this everybody after them would wait as long as this one did."""
        with self.mutex:
            self.passed = turn.number
            while self.own[0] is not turn:
                self.own.popleft()

    def _draw(self) -> Turn | None:
        with self.mutex:
            if not self._lock(0, COUNTER, time.monotonic() + COUNTER_PATIENCE):
                return None
            try:
                last = int.from_bytes(os.pread(self.file, COUNTER, 0), "little")
                number = max(COUNTER, last % HIGHEST) + 1
                os.pwrite(self.file, number.to_bytes(COUNTER, "little"), 0)
                fcntl.lockf(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, number)
            except OSError:  # no room, or no locks left
                return None
            finally:
                fcntl.lockf(self.file, fcntl.LOCK_UN, COUNTER, 0)
            turn = Turn(number)
            self.own.append(turn)
            if self.own[0] is turn:
                turn.called.release()
            return turn

    def _lock(self, start: int, end: int, deadline: float) -> bool:
        """Bytes [start, end), by looking again and again: the system's own waiting has no end in time."""
        while True:
            try:
                fcntl.lockf(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB, end - start, start)
                return True
            except OSError:
                if time.monotonic() >= deadline:
                    return False
            time.sleep(PAUSE)
