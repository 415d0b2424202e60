"""One access matrix: every route × method × role → expected status, and nothing changes where it is refused.

A route without an entry in `tests/matrix` fails.
"""

from collections.abc import Collection
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve
from django.utils import timezone

from annotator.actions.api_tokens import make_token, revoke_token
from annotator.actions.people import add_member
from annotator.domain.api_tokens import Scope, opens
from annotator.models import ApiToken, LoginAttempt, User
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
    if method == "GET":
        body = None
    if route.is_api:
        by_token = method == "POST" and "HTTP_AUTHORIZATION" in client.defaults
        headers = {**route.headers, "Idempotency-Key": uuid4().hex} if by_token else route.headers
        return getattr(client, method.lower())(path, body, content_type=route.content_type, headers=headers)
    return getattr(client, method.lower())(path, body if method == "POST" else None)


def test_every_route_has_an_entry() -> None:
    assert all_route_names() == set(MATRIX)


# A release is built for each of these: `make check` leaves them to `make test`.
BUILT = [name for name in MATRIX if name.startswith(("release_", "api_release"))]
NAMES = [pytest.param(name, marks=pytest.mark.slow) if name in BUILT else name for name in MATRIX]


# The three that tell most are asked in `make check`, all of them in `make test`.
FIRST = ("stranger", "ann", "lead")
MORE = [pytest.mark.slow, pytest.mark.one_engine]
ASKED = [role if role in FIRST else pytest.param(role, marks=MORE) for role in ROLES]


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


# --- by token ---------------------------------------------------------------------------------------------------------

BY_TOKEN = [name for name, route in MATRIX.items() if route.is_api and name != "api_session"]


LISTS_OF_MINE = ("/api/v1/assignments", "/api/v1/projects")


def program(cast: Cast, role: str, *, scopes: Collection[str] = tuple(Scope), **given: Any) -> CheckedClient:
    user = User.objects.get(pk=cast.person(role).pk)  # its events have gone on
    token = make_token(user, by=user, name="Notebook", scopes=scopes, **given)[1]
    return CheckedClient(raise_request_exception=False, HTTP_AUTHORIZATION=f"Bearer {token}")  # type: ignore[arg-type]


def scopes_of(route: Route, method: str, cast: Cast) -> tuple[Scope, ...]:
    view: Any = resolve(route.path(cast).partition("?")[0]).func
    found: tuple[Scope, ...] = view.cls.operations[method].scopes
    return found


@pytest.mark.slow
@pytest.mark.one_engine
@pytest.mark.parametrize("role", ["stranger", "former", "ann", "adjudicator", "lead", "other_lead"])
@pytest.mark.parametrize("name", BY_TOKEN)
def test_a_token_opens_what_its_person_may_and_nothing_else(cast: Cast, name: str, role: str) -> None:
    route = MATRIX[name]
    route.path(cast)
    for method, statuses in route.allowed.items():
        client, expected = program(cast, role), statuses.get(role, statuses.get("*", 0))

        response = call(client, method, route, cast)

        assert response.status_code == (expected if scopes_of(route, method, cast) else 403), response.content[:200]


@pytest.mark.parametrize("name", BY_TOKEN)
def test_what_opens_nothing_changes_nothing(cast: Cast, name: str) -> None:
    """Run out, revoked, of another scope, of another project: as whoever may do it by the right token."""
    route = MATRIX[name]
    route.path(cast)
    add_member(cast.other_project, user=cast.lead, by=cast.other_lead, roles={"lead", "annotator"})
    add_member(cast.other_project, user=cast.ann, by=cast.other_lead, roles={"lead", "annotator"})
    for method, statuses in route.allowed.items():
        role = "ann" if statuses.get("ann", 404) < 400 else "lead"
        wanted = scopes_of(route, method, cast)
        others = [scope for scope in Scope if not opens([scope], wanted)]
        clients = {name: program(cast, role, scopes=wanted or list(Scope)) for name in ("run out", "revoked")}
        run_out, revoked = ApiToken.objects.order_by("-pk")[:2][::-1]
        ApiToken.objects.filter(pk=run_out.pk).update(expires_at=timezone.now())
        revoke_token(revoked, by=None)
        clients |= {f"scope {scope}": program(cast, role, scopes=[scope]) for scope in others}
        if route.path(cast).partition("?")[0] not in LISTS_OF_MINE:
            clients["project"] = program(cast, role, scopes=wanted or list(Scope), project=cast.other_project)
        before = stored()
        for what, client in clients.items():
            status = call(client, method, route, cast).status_code
            assert status == {"scope": 403, "project": 404 if wanted else 403}.get(what.split()[0], 401), (method, what)
        assert changed(before) <= {"annotator_apitoken"}  # when it was last used


def changed(before: Stored) -> set[str]:
    after = stored()
    return {table for table, rows in after.items() if rows != before[table]}


@pytest.mark.slow
@pytest.mark.one_engine
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
