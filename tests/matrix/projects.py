"""The API of a project as a whole: its people, rules, board and activity, and who is given what."""

from collections.abc import Callable
from typing import Any

from tests.factories import Cast
from tests.matrix.routes import ASKING, LEADS_API, Route, an_invitation

HERE = "/api/v1/projects/essays"
MEMBERS_API = {"nobody": 401, "ann": 200, "ben": 200, "adjudicator": 200, "lead": 200, "*": 404}
LEADS_MAKE = {**LEADS_API, "lead": 201}


def of_project(tail: str, body: Callable[[Cast], Any] = lambda cast: {}, **allowed: dict[str, int]) -> Route:
    """On the versions that the cast begins with."""
    return Route(lambda cast: HERE + tail, allowed or {"GET": LEADS_API}, body, is_api=True)


def on_version(tail: str, body: Any, version: Callable[[Cast], int], **allowed: dict[str, int]) -> Route:
    """With the version that the call needs."""
    route = of_project(tail, lambda cast: body, **allowed)
    route.path = lambda cast: _named(route, f'"{version(cast)}"', HERE + tail)
    return route


def _named(route: Route, version: str, path: str) -> str:
    route.headers = {"If-Match": version}
    return path


PROJECTS: dict[str, Route] = {
    "api_projects": Route(
        lambda cast: "/api/v1/projects",
        # an operator has allowed none of them to create projects
        {"GET": {"nobody": 401, "*": 200}, "POST": {"nobody": 401, "*": 403}},
        lambda cast: {"name": "New one"},
        is_api=True,
    ),
    "api_project": on_version(
        "", {"name": "Renamed"}, lambda cast: cast.project.version, GET=MEMBERS_API, PATCH=LEADS_API
    ),
    "api_project_state": of_project("/state", lambda cast: {"act": "pause"}, POST=LEADS_API),
    "api_members": of_project("/members"),
    "api_member": Route(
        lambda cast: f"{HERE}/members/{cast.membership('ben').uuid}",
        {"PATCH": LEADS_API},
        lambda cast: {"is_paused": True},
        is_api=True,
    ),
    "api_invitations": of_project(
        "/invitations",
        lambda cast: {"emails": ["new@example.org"], "roles": ["annotator"]},
        GET=LEADS_API,
        POST=LEADS_MAKE,
    ),
    "api_invitation": Route(
        lambda cast: f"{HERE}/invitations/{an_invitation(cast).uuid}",
        {"PATCH": LEADS_API},
        lambda cast: {"is_revoked": True},
        is_api=True,
    ),
    "api_invitation_renew": Route(
        lambda cast: f"{HERE}/invitations/{an_invitation(cast).uuid}/renew", {"POST": LEADS_MAKE}, is_api=True
    ),
    "api_guidelines": on_version(
        "/guidelines",
        {"guidelines": "Mark little.", "look_up_policy": ""},
        lambda cast: cast.project.guidelines_version,
        GET=MEMBERS_API,
        PUT=LEADS_API,
    ),
    "api_protocol": on_version(
        "/protocol", {"protocol": {"keep_at": 3}}, lambda cast: cast.project.version, GET=LEADS_API, PUT=LEADS_API
    ),
    "api_board": of_project("/board"),
    "api_activity": of_project("/activity"),
    "api_assignment_plan": of_project("/assignment-plan", POST=LEADS_API),
    "api_assignment_plan_apply": of_project("/assignment-plan/apply", lambda cast: {"act": "hand_out"}, POST=ASKING),
}
