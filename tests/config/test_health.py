"""Health: what cannot be written is not well, what is only busy is; trying leaves nothing behind."""

import contextlib
import resource
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test import Client

from annotator.database import sqlite_file
from annotator.models import Worker
from config import health


@pytest.fixture(autouse=True)
def fresh(unguarded: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Real transactions, and nothing known from before."""
    monkeypatch.setattr(health, "writing", health.Writing())


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "TRIAL_EVERY", 0)


@pytest.fixture
def only_reading() -> Iterator[Any]:
    """Call it, and nothing can be written any more: a full disk (no file may grow), or a read-only server."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)

    def begin() -> None:
        if connection.vendor == "sqlite":
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
        else:
            with connection.cursor() as cursor:
                cursor.execute("SET default_transaction_read_only = on")

    yield begin
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("RESET default_transaction_read_only")


@contextlib.contextmanager
def other_writer() -> Iterator[None]:
    """Somebody who holds the database's lock, or the table's."""
    if (path := sqlite_file()) is not None:
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
    else:
        with contextlib.closing(connection.copy()) as server:
            server.set_autocommit(False)
            server.cursor().execute("LOCK TABLE annotator_worker IN EXCLUSIVE MODE")
            yield


def test_a_trial_write_leaves_nothing(always: None) -> None:
    response = Client().get("/healthz")

    assert (response.status_code, response.json()["database"]) == (200, "ok")
    assert list(Worker.objects.all()) == []


def test_what_cannot_be_written_is_not_well(always: None, only_reading: Any) -> None:
    only_reading()

    response = Client().get("/healthz")

    assert (response.status_code, response.json()["database"]) == (503, "cannot be written")
    with pytest.raises(CommandError, match="Something is missing"):
        call_command("health")


def test_between_trials_the_last_verdict_stands(only_reading: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert health.report()["database"] == "ok"
    only_reading()

    between = health.report()["database"]
    monkeypatch.setattr(health, "TRIAL_EVERY", 0)
    after = health.report()["database"]

    assert (between, after) == ("ok", "cannot be written")


@pytest.mark.parametrize("verdict", [True, False])
def test_a_busy_database_leaves_the_verdict_as_it_was(always: None, verdict: bool) -> None:
    health.writing.verdict = verdict
    with other_writer():
        found = health.writing.works()

    assert found == verdict
    assert health.writing.works() is True


def test_inside_a_transaction_of_somebody_nothing_is_undone(always: None) -> None:
    with transaction.atomic():
        Worker.objects.create(name="w", seen_at="2026-01-01T00:00Z")
        assert health.writing.works()

    assert Worker.objects.count() == 1
