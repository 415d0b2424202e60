"""Django's SQLite backend with a queue in front of every write; readers never stand in it (docs/decisions/0011)."""

import os
import threading
from typing import Any

from django.db.backends.sqlite3 import base

from annotator.sqlite3.turns import PATIENCE, Turn, Turns

# Statements that write by themselves, outside a transaction. What else may write waits as SQLite does.
WRITES = frozenset(["INSERT", "UPDATE", "DELETE"])
_mutex = threading.Lock()
_queues: dict[str, Turns | None] = {}


def queue_at(database: str) -> Turns | None:
    """This process's view of the queue at this file; None where nothing can be written beside it."""
    with _mutex:
        if database not in _queues:
            try:
                _queues[database] = Turns(f"{os.path.realpath(database)}-turns")
            except OSError:
                _queues[database] = None
        return _queues[database]


def _begin_anew() -> None:
    global _mutex
    _mutex = threading.Lock()
    for queue in _queues.values():
        if queue is not None:
            queue.begin()


os.register_at_fork(after_in_child=_begin_anew)


class DatabaseWrapper(base.DatabaseWrapper):
    """A turn is held from before BEGIN until after COMMIT or ROLLBACK, or around one statement that stands alone."""

    transaction_mode: str | None
    queue: Turns | None = None
    turn: Turn | None = None

    def take_turn(self) -> None:
        if self.turn is None and not self.is_in_memory_db():
            self.queue = queue_at(str(self.settings_dict["NAME"]))
            self.turn = self.queue.take(PATIENCE) if self.queue else None

    def give_back_turn(self) -> None:
        turn, self.turn = self.turn, None
        if turn is not None and self.queue is not None:
            self.queue.give_back(turn)

    def create_cursor(self, name: str | None = None) -> "Cursor":
        cursor: Cursor = self.connection.cursor(factory=Cursor)
        cursor.wrapper = self
        return cursor

    def _start_transaction_under_autocommit(self) -> None:
        if self.transaction_mode is not None:  # without one it begins as a reader
            self.take_turn()
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self.give_back_turn()
            raise

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]
        self.give_back_turn()  # where it failed, a rollback follows

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self.give_back_turn()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self.give_back_turn()


class Cursor(base.SQLiteCursorWrapper):
    wrapper: DatabaseWrapper

    def execute(self, query: str, params: Any = None) -> Any:
        if self._stands_alone(query):
            return self._in_turn(super().execute, query, params)
        return super().execute(query, params)

    def executemany(self, query: str, param_list: Any) -> Any:
        if self._stands_alone(query):
            return self._in_turn(super().executemany, query, param_list)
        return super().executemany(query, param_list)

    def _stands_alone(self, query: str) -> bool:
        return query[:6].upper() in WRITES and not self.connection.in_transaction

    def _in_turn(self, run: Any, query: str, params: Any) -> Any:
        self.wrapper.take_turn()
        try:
            return run(query, params)
        finally:
            self.wrapper.give_back_turn()
