"""Who is to be given what: what handing out would do, and doing it. Nothing moves but by a lead's act."""

from typing import Any
from uuid import UUID

from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.actions.assigning import ask_for_plan, ask_to_assign_everyone
from annotator.actions.moving import even_out, withdraw_work
from annotator.api.operation import operation
from annotator.domain.api_tokens import Scope
from annotator.domain.errors import Invalid
from annotator.doors import person, project_for_lead
from annotator.models import Job, Membership, Project
from annotator.queries.assigning import Planned, preview, somebody_of
from annotator.serializers.assigning import (
    HandingOutSerializer,
    HandOutSerializer,
    PlanAskedSerializer,
    PlannedSerializer,
)
from annotator.serializers.base import checked, shown


@operation(
    "What handing out work would do",
    takes=PlanAskedSerializer,
    gives=PlannedSerializer,
    also=(202,),
    refuses=(404,),
    scopes=(Scope.LEAD,),
    creates=True,
)
@api_view(["POST"])
def assignment_plan(request: Request, slug: str) -> Response:
    """It changes nothing. Of a large project a job works it out, whose result is the plan: 202."""
    project, _ = project_for_lead(request, slug)
    given = checked(PlanAskedSerializer, request.data)
    given["withdrawn_from"] = _somebody(project, given["withdrawn_from"]) if "withdrawn_from" in given else None
    seen = preview(project, **given)
    if seen.found and seen.job is None:
        return Response(shown(PlannedSerializer, {"plan": _told(seen.found), "job": None}))
    job = ask_for_plan(project, by=person(request), **given)
    return Response(shown(PlannedSerializer, {"plan": None, "job": job}), status=202)


@operation(
    "Hand out work, even it out, or withdraw somebody's",
    takes=HandOutSerializer,
    gives=HandingOutSerializer,
    status=202,
    refuses=(404, 409),
    scopes=(Scope.LEAD,),
    creates=True,
)
@api_view(["POST"])
def assignment_plan_apply(request: Request, slug: str) -> Response:
    """By a job, from what stands there when it begins. hand_out gives everybody what they lack; even_out moves what
    nobody has begun from those with most to do to those with least; withdraw takes somebody's unfinished work, which
    goes to others where a passage lacks people then."""
    project, _ = project_for_lead(request, slug)
    return Response(shown(HandingOutSerializer, _begun(project, request)), status=202)


def _begun(project: Project, request: Request) -> Job:
    body, by = checked(HandOutSerializer, request.data), person(request)
    act, whose = body["act"], body.get("withdrawn_from")
    if (act == "withdraw") != (whose is not None):
        raise Invalid.of("withdrawn_from", "To withdraw, and for nothing else, say whose work.", "withdrawn_from")
    if whose is not None:
        return withdraw_work(_somebody(project, whose), by=by, with_begun=body["with_begun"])
    return (even_out if act == "even_out" else ask_to_assign_everyone)(project, by=by)


def _somebody(project: Project, uuid: UUID) -> Membership:
    found = somebody_of(project).filter(uuid=uuid).first()
    if found is None:
        raise Invalid.of("unknown_person", "There is no such person in this project.", "withdrawn_from")
    return found


def _told(found: Planned) -> dict[str, Any]:
    even = [dict(zip(("giver", "taker", "passages"), way, strict=True)) for way in found.even]
    left = [dict(zip(("pseudonym", "uuid", "passages"), line, strict=True)) for line in found.left]
    return {**found.as_dict(), "even": even, "left": left}
