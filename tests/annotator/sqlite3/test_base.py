"""On SQLite a write stands in the queue and leaves it, whatever becomes of it; a read does not."""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooSlow
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.db import Error, connections, transaction

from annotator.sqlite3 import base
from annotator.sqlite3.base import DatabaseWrapper, queue_at
from annotator.sqlite3.turns import Turns
from tests.house import ROOT

ALIAS = "queued"
# Each row holds the number its writer had drawn.
SAVERS = """
import os, sys
from pathlib import Path
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
from tests.annotator.sqlite3.test_base import save_in_threads
save_in_threads(Path(sys.argv[1]), 50)
"""


def connect(path: Path, **options: Any) -> DatabaseWrapper:
    """This thread's connection, under the settings of the product."""
    defaults = {"ATOMIC_REQUESTS": False, "AUTOCOMMIT": True, "TIME_ZONE": None, "USER": "", "TEST": {}}
    found = {"transaction_mode": "IMMEDIATE", "timeout": 20, "init_command": "PRAGMA journal_mode=WAL;", **options}
    ages = {"CONN_MAX_AGE": None, "CONN_HEALTH_CHECKS": False}
    made = DatabaseWrapper({**defaults, **ages, "NAME": str(path), "OPTIONS": found}, ALIAS)
    connections[ALIAS] = made
    return made


def write(value: int = 1) -> None:
    with connections[ALIAS].cursor() as cursor:
        cursor.execute("INSERT INTO saved (number) VALUES (%s)", [value])


def save_in_threads(path: Path, times: int) -> None:
    """Four of them, as fast as they can."""

    def save() -> None:
        connection = connect(path)
        for _ in range(times):
            with transaction.atomic(using=ALIAS):
                assert connection.turn is not None
                write(connection.turn.number)
        connection.close()

    threads = [threading.Thread(target=save) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.fixture
def path(tmp_path: Path, django_db_blocker: Any) -> Iterator[Path]:
    path = tmp_path / "some.sqlite3"
    with django_db_blocker.unblock():
        connection = connect(path)
        connection.cursor().execute("CREATE TABLE saved (id integer PRIMARY KEY AUTOINCREMENT, number integer UNIQUE)")
        yield path
        connection.close()
        del connections[ALIAS]


@pytest.fixture
def connection(path: Path) -> DatabaseWrapper:
    found: DatabaseWrapper = connections[ALIAS]  # type: ignore[assignment]
    return found


@pytest.fixture
def queue(path: Path) -> Turns:
    found = queue_at(str(path))
    assert found is not None
    return found


def in_another_thread(path: Path, act: Callable[[], Any]) -> Any:
    """A future of what it gives, on a connection of its own."""

    def run() -> Any:
        connection = connect(path)
        try:
            return act()
        finally:
            connection.close()

    pool = ThreadPoolExecutor(1)
    future = pool.submit(run)
    pool.shutdown(wait=False)
    return future


def numbers() -> list[int]:
    with connections[ALIAS].cursor() as cursor:
        return [number for (number,) in cursor.execute("SELECT number FROM saved ORDER BY id").fetchall()]


def test_threads_of_two_processes_write_in_the_order_they_came(path: Path) -> None:
    other = subprocess.Popen([sys.executable, "-c", SAVERS, str(path)], cwd=ROOT)

    save_in_threads(path, 50)
    assert other.wait(60) == 0

    found = numbers()
    assert len(found) == 400
    # A process may be put to sleep between looking at the clock and standing in the queue.
    assert sum(one > next_one for one, next_one in pairwise(found)) <= 8


@pytest.mark.parametrize("statement", ["INSERT INTO saved (number) VALUES (2)", "UPDATE saved SET number = 2"])
def test_a_statement_that_stands_alone_waits_its_turn_and_a_read_does_not(
    path: Path, queue: Turns, statement: str
) -> None:
    write(1)
    before = queue.take(1)
    assert before is not None

    writing = in_another_thread(path, lambda: connections[ALIAS].cursor().execute(statement).rowcount)
    assert in_another_thread(path, numbers).result(10) == [1]
    with pytest.raises(TooSlow):
        writing.result(0.2)
    queue.give_back(before)

    assert writing.result(10) == 1
    assert not queue.own


def test_a_transaction_holds_one_turn_from_begin_to_commit(connection: DatabaseWrapper, queue: Turns) -> None:
    with transaction.atomic(using=ALIAS):
        [turn] = queue.own
        with transaction.atomic(using=ALIAS):
            write(1)
        connection.cursor().executemany("INSERT INTO saved (number) VALUES (%s)", [(2,), (3,)])
        assert list(queue.own) == [turn]

    assert not queue.own
    assert numbers() == [1, 2, 3]


def fails_inside() -> None:
    with transaction.atomic(using=ALIAS):
        write(1)
        raise ZeroDivisionError


def is_refused() -> None:
    write(1)
    write(1)


def is_refused_inside() -> None:
    with transaction.atomic(using=ALIAS):
        is_refused()


def is_closed_inside() -> None:
    with transaction.atomic(using=ALIAS):
        write(1)
        connections[ALIAS].close()
        raise ZeroDivisionError


def cannot_begin() -> None:
    connections[ALIAS].cursor().execute("BEGIN")
    try:
        with transaction.atomic(using=ALIAS):
            pass
    finally:
        connections[ALIAS].cursor().execute("ROLLBACK")


@pytest.mark.parametrize("act", [fails_inside, is_refused, is_refused_inside, is_closed_inside, cannot_begin])
def test_no_turn_is_kept_after_what_goes_wrong(queue: Turns, act: Callable[[], None]) -> None:
    with pytest.raises((ZeroDivisionError, Error)):
        act()

    assert not queue.own
    write(5)
    assert numbers()[-1] == 5


def test_a_write_whose_turn_does_not_come_is_made_all_the_same(
    path: Path, queue: Turns, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody stands in the queue and does not write: SQLite's own lock is free."""
    monkeypatch.setattr(base, "PATIENCE", 0.2)
    frozen = queue.take(1)
    assert frozen is not None

    with transaction.atomic(using=ALIAS):
        write(1)
    write(2)

    assert numbers() == [1, 2]
    assert not queue.own


def test_a_snapshot_takes_no_turn(path: Path, queue: Turns) -> None:
    """As a backup reads it: no transaction mode, so no writer waits for it, and it waits for no writer."""
    write(1)

    def read() -> list[int]:
        del connections[ALIAS]
        connect(path, transaction_mode=None)
        with transaction.atomic(using=ALIAS):
            return numbers()

    with transaction.atomic(using=ALIAS):
        write(2)
        assert in_another_thread(path, read).result(10) == [1]


def test_a_database_in_memory_has_no_queue(path: Path) -> None:
    connection = connect(Path(":memory:"))
    with transaction.atomic(using=ALIAS):
        assert connection.turn is None
    connection.connection.close()
