"""Is the house alive: for supervisors, load balancers and people."""

import os
import secrets
import socket
import sqlite3
import threading
import time
from contextlib import closing
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, connection, transaction
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotator.database import sqlite_file
from annotator.models import Worker

PATIENCE = 0.5  # seconds for the broker, and for the trial write: this page must stay quick while they hang
TRIAL_EVERY = 10.0  # seconds between two trial writes of a process; in between the last verdict stands
# Somebody else is writing, or a migration holds the table: no sign that nothing can be written.
BUSY_IN_POSTGRESQL = ("57014", "55P03", "40P01")


def report() -> dict[str, Any]:
    """`ok`, or what is wrong, by part."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        workers = Worker.objects.alive().count()
    except DatabaseError:
        return {"web": "ok", "database": "does not answer"}
    return {
        "web": "ok",
        "database": "ok" if writing.works() else "cannot be written",
        "broker": _broker(),
        "worker": "ok" if workers else "none",
        "workers": workers,
    }


class Writing:
    """Can anything be saved? Found out by writing a row and taking it back."""

    def __init__(self) -> None:
        self.verdict, self.tried_at = True, float("-inf")
        self.lock = threading.Lock()

    def works(self) -> bool:
        """The last verdict; a new one where it is old and nobody else is at it. A busy database leaves it as it is."""
        if time.monotonic() - self.tried_at < TRIAL_EVERY or not self.lock.acquire(blocking=False):
            return self.verdict
        try:
            found = _try_sqlite() if connection.vendor == "sqlite" else _try_postgresql()
            self.verdict = self.verdict if found is None else found
            self.tried_at = time.monotonic()
        finally:
            self.lock.release()
        return self.verdict


writing = Writing()


def _try_sqlite() -> bool | None:
    """None where somebody else holds the lock for long. The row is larger than the connection's cache, so that it
    really goes to the disk: a small one would wait in memory for a commit that never comes."""
    path = sqlite_file()
    if path is None:
        return None
    try:
        # A connection of its own: the requests' would wait 20 s for the lock.
        with closing(sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)) as trial:
            trial.execute("PRAGMA cache_size = 10")
            trial.execute("BEGIN IMMEDIATE")
            trial.execute(_INSERT.format("zeroblob(200000)", "?"), (-1,))
            trial.execute("ROLLBACK")
        return True
    except sqlite3.Error as error:
        return None if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) else False


def _try_postgresql() -> bool | None:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL statement_timeout = {PATIENCE * 1000:.0f}")
            # A number of its own, not the next one: those are for workers.
            cursor.execute(_INSERT.format("'trial write'", "%s"), [-secrets.randbits(62)])
            transaction.set_rollback(True)
        return True
    except DatabaseError as error:
        return None if getattr(error.__cause__, "sqlstate", "") in BUSY_IN_POSTGRESQL else False


_INSERT = f"INSERT INTO {Worker._meta.db_table} (name, id, slots, seen_at) VALUES ({{}}, {{}}, 0, '2000-01-01')"  # noqa: S608


def _broker() -> str:
    if settings.CELERY_BROKER_URL.startswith("filesystem://"):
        folder = settings.BROKER_DIR / "queue"
        return "ok" if folder.is_dir() and os.access(folder, os.W_OK) else "does not answer"
    import redis  # only where there is one

    try:
        client = redis.Redis.from_url(
            settings.CELERY_BROKER_URL, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE
        )
        with client:
            client.ping()
        return "ok"
    except (redis.RedisError, OSError, ValueError):
        return "does not answer"


def has_worker_here() -> bool:
    """A live worker of this machine (or container): the name carries the host's."""
    host = f"@{socket.gethostname()}:"
    return any(host in name for name in Worker.objects.alive().values_list("name", flat=True))


@login_not_required
@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """200 while the database can be written; broker and worker are reported, jobs wait for them."""
    found = report()
    return JsonResponse(found, status=200 if found["database"] == "ok" else 503)
