"""One access matrix: every route × method × role → expected status, and nothing changes where it is refused.

A route without an entry in `tests/matrix` fails.
"""

from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from annotator.models import LoginAttempt
from tests.document import CheckedClient
from tests.factories import Cast
from tests.kept import Stored, everything_stored
from tests.matrix import MATRIX
from tests.matrix.routes import ROLES, SAVE_ID, Route

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


def all_route_names() -> set[str]:
    names, waiting = set(), list(get_resolver().url_patterns)
    while waiting:
        item = waiting.pop()
        if isinstance(item, URLResolver):
            waiting += item.url_patterns
        elif isinstance(item, URLPattern):
            names.add(item.name or repr(item.pattern))
    return names


def stored() -> Stored:
    return everything_stored(apart_from=(LoginAttempt, Session))


def client_for(cast: Cast, role: str) -> Client:
    client = CheckedClient(raise_request_exception=False)
    if role != "nobody":
        client.force_login(cast.person(role))
    return client


def call(client: Client, method: str, route: Route, cast: Cast) -> Any:
    path, body = route.path(cast) + route.query.get(method, ""), route.body(cast)
    if method == "GET" and isinstance(body, bytes):
        body = None
    if route.is_api:
        return getattr(client, method.lower())(path, body, content_type=route.content_type, headers=route.headers)
    return getattr(client, method.lower())(path, body if method == "POST" else None)


def test_every_route_has_an_entry() -> None:
    assert all_route_names() == set(MATRIX)


# A release is built for each of these: `make check` leaves them to `make test`.
BUILT = [name for name in MATRIX if name.startswith("release_")]
NAMES = [pytest.param(name, marks=pytest.mark.slow) if name in BUILT else name for name in MATRIX]


# The three that tell most are asked in `make check`, all of them in `make test`.
FIRST = ("stranger", "ann", "lead")
ASKED = [role if role in FIRST else pytest.param(role, marks=pytest.mark.slow) for role in ROLES]


@pytest.mark.parametrize("role", ASKED)
@pytest.mark.parametrize("name", NAMES)
def test_the_matrix(cast: Cast, name: str, role: str) -> None:
    route = MATRIX[name]
    route.path(cast)  # makes what the address names
    for method, statuses in route.allowed.items():
        client, expected = client_for(cast, role), statuses.get(role, statuses.get("*", 0))
        before = stored() if expected >= 400 else {}

        response = call(client, method, route, cast)

        assert response.status_code == expected, (method, response.content[:200])
        if expected >= 400:
            assert stored() == before


@pytest.mark.slow
@pytest.mark.parametrize("role", ["nobody", "ann", "lead"])
@pytest.mark.parametrize("name", MATRIX)
def test_other_methods_are_refused_and_change_nothing(cast: Cast, name: str, role: str) -> None:
    route = MATRIX[name]
    route.path(cast)
    client = client_for(cast, role)
    before = stored()
    for method in METHODS:
        if method in route.allowed:
            continue
        response = call(client, method, route, cast)

        # Nobody is asked to sign in first; an API door asks who it is before it says what it takes.
        assert response.status_code in ({302, 401, 403, 405} if role == "nobody" else {405}), (
            method,
            response.status_code,
        )
        if response.status_code == 405:
            assert response["Allow"]
    assert stored() == before


@pytest.mark.parametrize("act", ["discard", "undo-discard", "reopen"])
def test_a_form_on_anothers_number_acts_on_ones_own_work(cast: Cast, act: str) -> None:
    """The same address means ben's own passage for ben: ann's is out of reach."""
    before = cast.assignment("ann").version

    client_for(cast, "ben").post(f"/p/essays/work/1/{act}", {"version": 0, "save_id": SAVE_ID, "reason": "grammar"})

    assert cast.assignment("ann").version == before


def test_a_lead_cannot_reach_members_of_another_project(cast: Cast) -> None:
    client = client_for(cast, "other_lead")
    uuid = cast.membership("ben").uuid

    answers = [client.post(f"/p/letters/people/{uuid}/{act}", {"roles": ["lead"]}) for act in ("roles", "remove")]

    assert [answer.status_code for answer in answers] == [404, 404]
    assert cast.membership("ben").roles == ["annotator"]
