"""Fixtures for every test that touches the database or the web."""

import contextlib
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.test import Client
from hypothesis import settings as hypothesis_settings

from annotator.authentication import Argon2
from annotator.guards import install_guards, remove_guards
from annotator.models import Assignment, User
from tests.document import CheckedClient
from tests.factories import Cast, load_cast, make_cast
from tests.handlers import share_middleware
from tests.kept import once

collect_ignore = ["loading"]  # in an environment of its own: tests.run loading
SHARED = Path(__file__).resolve().parent.parent.parent / "shared"


# `make check` is to stay under 90 seconds; `make test` tries as many examples as Hypothesis does by itself.
hypothesis_settings.register_profile("quick", max_examples=25, deadline=None)
hypothesis_settings.register_profile("full", deadline=None)
hypothesis_settings.load_profile(os.environ.get("TEST_EXAMPLES", "full"))


def pytest_configure(config: pytest.Config) -> None:
    share_middleware()
    # Each of several processes counts for itself what tests ask for.
    settings.CACHES["default"]["LOCATION"] += f"-{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
    if not hasattr(config, "workerinput"):  # once, not in every parallel worker
        call_command("collectstatic", interactive=False, verbosity=0)


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        shutil.rmtree(settings.DATA_DIR.parent, ignore_errors=True)


@pytest.hookimpl(tryfirst=True)  # before -m is looked at
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What asks for no database gets none, so it says the same on both: the second need not ask it again."""
    for item in items:
        asked = {"db", "transactional_db"}.intersection(item.fixturenames)  # type: ignore[attr-defined]
        if not asked and item.get_closest_marker("django_db") is None:
            item.add_marker("pure")


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """SQLite in a file, as in the product: a database in memory has other locks."""
    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")
        database.setdefault("TEST", {})["NAME"] = str(settings.DATA_DIR / f"test-{worker}.sqlite3")


@pytest.fixture
def _guarded_again(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """After the flush of a test with real transactions: those that come later find the guards where they were."""
    yield
    with django_db_blocker.unblock():
        install_guards(connection)


@pytest.fixture
def unguarded(_guarded_again: None, transactional_db: None) -> Iterator[None]:
    """For tests with real transactions: the guards stand during the test and are lifted for the flush after it."""
    install_guards(connection)
    yield
    remove_guards(connection)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """The cast is made once; every test then works in a transaction of its own that is rolled back."""
    with django_db_blocker.unblock():
        make_cast()


COSTS = {"memory_cost": Argon2.memory_cost, "time_cost": Argon2.time_cost}


@pytest.fixture(scope="session", autouse=True)
def _cheap_passwords() -> None:
    """Argon2 all the same, at its least: a hundred tests sign in with a password."""
    Argon2.memory_cost, Argon2.time_cost = 8, 1


@pytest.fixture
def costly_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a password costs outside the tests."""
    for name, cost in COSTS.items():
        monkeypatch.setattr(Argon2, name, cost)


@pytest.fixture(autouse=True)
def _nobody_has_asked_yet() -> None:
    """Throttles count people, and tests share their cast."""
    cache.clear()


@pytest.fixture
def cast(db: None) -> Cast:
    # A test with real transactions has emptied the database before this one.
    return _cast()


def _cast() -> Cast:
    if not User.objects.filter(email="lead@example.org").exists():
        once(make_cast)
    return load_cast()


@pytest.fixture
def cast_committed(unguarded: None) -> Cast:
    """The cast in a database whose transactions are real."""
    return _cast()


class Api:
    """The JSON API as one person; every answer is as the document of the API says, or the test fails."""

    def __init__(self, user: User | None, *, token: str = "") -> None:
        given = {"HTTP_AUTHORIZATION": f"Bearer {token}"} if token else {}
        self.client = CheckedClient(raise_request_exception=False, **given)  # type: ignore[arg-type]
        if user:
            self.client.force_login(user)

    def call(self, method: str, path: str, body: Any = None, *, if_match: int | str | None = None, **extra: Any) -> Any:
        headers = {} if if_match is None else {"If-Match": f'"{if_match}"' if isinstance(if_match, int) else if_match}
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        return self.client.generic(method, path, data, content_type="application/json", headers=headers, **extra)

    def save(self, row: Assignment, body: Any, version: int | str | None) -> Any:
        return self.call("PUT", f"/api/v1/assignments/{row.uuid}/answer", body, if_match=version)

    def act(self, row: Assignment, act: str, body: Any, version: int | str | None) -> Any:
        return self.call("POST", f"/api/v1/assignments/{row.uuid}/{act}", body, if_match=version)


@pytest.fixture
def api(cast: Cast) -> Api:
    """As ann."""
    return Api(cast.ann)


@pytest.fixture
def client_of(cast: Cast) -> Any:
    """client_of("ben") is a browser signed in as ben; client_of(None) is nobody."""

    def make(name: str | None) -> Client:
        client = CheckedClient(raise_request_exception=False)
        if name:
            client.force_login(cast.person(name))
        return client

    return make


@contextlib.contextmanager
def nothing_written() -> Iterator[None]:
    """Asserts that no INSERT, UPDATE or DELETE runs inside."""
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as queries:
        yield
    writes = [q["sql"] for q in queries if q["sql"].lstrip().upper().startswith(("INSERT", "UPDATE", "DELETE"))]
    assert writes == []
