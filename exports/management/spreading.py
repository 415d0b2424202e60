"""One function over many things in several processes: results in order, few of them in memory, nobody left behind."""

import contextlib
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from django.core.management.base import CommandError

MOST_PROCESSES = 256
MOST_WAITING = 3  # things for each process: one that is done, one in work, one to go on with
Thing = TypeVar("Thing")
Result = TypeVar("Result")
_work: Callable[[Any], Any] | None = None  # of this process


def in_order(
    work: Callable[[Thing], Result], things: Iterable[Thing], *, processes: int
) -> Generator[Result, None, None]:
    """`work` goes to each process once; with one process it stays here."""
    if processes == 1:
        yield from map(work, things)
        return
    pool = ProcessPoolExecutor(processes, initializer=_begin, initargs=(work,))
    waiting: deque[Future[Result]] = deque()
    try:
        for thing in things:
            with _later():
                waiting.append(_submitted(pool, thing))
            if len(waiting) == MOST_WAITING * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool:
        raise CommandError("One of the processes was killed: there may be too little memory for so many.") from None
    finally:
        with _later():
            pool.shutdown(cancel_futures=True)


@contextlib.contextmanager
def _later() -> Iterator[None]:
    """Ctrl-C comes when this is over: a pool that is stopped half-way through its own work cannot be shut down."""
    is_heard = signal.getsignal(signal.SIGINT) is not signal.SIG_IGN  # a shell's background job is deaf to it
    if threading.current_thread() is not threading.main_thread() or not is_heard:
        yield
        return
    noted: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: noted.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if noted:
        raise KeyboardInterrupt


def _submitted(pool: ProcessPoolExecutor, thing: Any) -> Future[Any]:
    try:
        return pool.submit(_do, thing)
    except OSError as error:
        raise CommandError(f"The processes cannot be started: {error.strerror}.") from None


def _begin(work: Callable[[Any], Any]) -> None:
    global _work
    _work = work
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all of them; the first one takes the others along
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _do(thing: Any) -> Any:
    assert _work is not None
    return _work(thing)


def _end_with_parent() -> None:
    """One that was killed says no farewell, and its workers would wait for it for ever."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
