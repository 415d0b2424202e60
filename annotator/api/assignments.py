"""One's own assignments: list, get, save, submit, discard, undo, reopen."""

import re
from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.actions.assignments import (
    Saved,
    discard_assignment,
    reopen_assignment,
    save_answer,
    submit_assignment,
    undo_discard,
)
from annotator.actions.guidelines import read_guidelines
from annotator.actions.questions import ask_question
from annotator.domain.answers import parse_answer
from annotator.domain.errors import BadRequest
from annotator.domain.findings import find
from annotator.domain.states import AssignmentState
from annotator.models import Assignment, Membership, User
from annotator.prepared import Prepared
from annotator.queries.work import own_pace, own_progress, own_quota, place_of
from annotator.serializers import (
    act_request,
    answer_request,
    assignment_line,
    assignment_page,
    discard_request,
    if_match,
    question_line,
    save_request,
    text_request,
    version_request,
)

MOST_LISTED = 100


OWN = Prepared(
    lambda user_id, uuid: (
        Assignment.objects.own(user_id).select_related("membership", "passage__project").filter(uuid=uuid)
    ),
    -1,
    UUID(int=1),
)


def _own(request: Request, uuid: UUID) -> Assignment:
    found = OWN.first(_person(request).pk, uuid)
    if found is None:
        raise Http404
    return found


@api_view(["GET"])
def assignments(request: Request) -> Response:
    """Mine, by project and my own numbers; `next` leads to the next page."""
    params = _list_params(request)
    rows = Assignment.objects.own(_person(request)).select_related("passage__project")
    if "project" in params:
        rows = rows.filter(passage__project__slug=params["project"])
    if "state" in params:
        rows = rows.filter(state=params["state"])
    slug, number = params["after"]
    beyond = Q(passage__project__slug__gt=slug) | Q(passage__project__slug=slug, number__gt=number)
    page = list(rows.filter(beyond).order_by("passage__project__slug", "number")[: params["limit"] + 1])
    more, page = len(page) > params["limit"], page[: params["limit"]]
    following = None
    if more:
        query = request.query_params.copy()
        query["after"] = f"{page[-1].passage.project.slug}:{page[-1].number}"
        following = f"{reverse('api_assignments')}?{query.urlencode()}"
    return Response({"results": [assignment_line(row) for row in page], "next": following})


def _list_params(request: Request) -> dict[str, Any]:
    given = request.query_params
    if unknown := sorted(set(given) - {"project", "state", "limit", "after"}):
        raise BadRequest(f"There is no filter {unknown[0]!r}: use project, state, limit, after.", code="unknown_filter")
    params: dict[str, Any] = {"limit": given.get("limit", "50"), "after": given.get("after", ":0")}
    params |= {key: given[key] for key in ("project", "state") if key in given}
    shapes = {
        "limit": r"\d{1,12}",
        "after": r"[-\w]{0,50}:\d{1,9}",
        "project": r"[-\w]{1,50}",
        "state": "|".join(AssignmentState),
    }
    for key, value in params.items():
        if not re.fullmatch(shapes[key], value, flags=re.ASCII):
            raise BadRequest(f"{value!a} is no {key}.", code="bad_filter")
    slug, _, number = params["after"].partition(":")
    return {**params, "after": (slug, int(number)), "limit": max(1, min(int(params["limit"]), MOST_LISTED))}


@api_view(["GET"])
def assignment(request: Request, uuid: UUID) -> Response:
    row = _own(request, uuid)
    return Response({**assignment_page(row), **place_of(row)}, headers={"ETag": f'"{row.version}"'})


@api_view(["PUT"])
def answer(request: Request, uuid: UUID) -> Response:
    row, body, version = _own(request, uuid), save_request(request.data), _version(request)
    return _saved(save_answer(row, by=_person(request), version=version, **vars(body)))


@api_view(["POST"])
def findings(request: Request, uuid: UUID) -> Response:
    """What a careful colleague would point out about this answer. Reads only; never on the save path."""
    row, answer = _own(request, uuid), answer_request(request.data)
    passage, project = row.passage, row.passage.project
    parsed = parse_answer(answer, text=passage.text, protocol=project.protocol, is_old=True)
    found = find(parsed, text=passage.text, lang=passage.lang or project.language, protocol=project.protocol)
    return Response({"findings": [item.as_dict() for item in found]})


@api_view(["POST"])
def questions(request: Request, uuid: UUID) -> Response:
    row, text = _own(request, uuid), text_request(request.data)
    return Response(question_line(ask_question(row, by=_person(request), text=text)), status=201)


@api_view(["GET"])
def progress(request: Request, slug: str) -> Response:
    """One's own: how far, how fast, and the quota."""
    membership = _membership(request, slug)
    done, quota = own_progress(_person(request), membership.project), own_quota(membership)
    own = {"done": done.done, "pace": own_pace(membership), "quota": asdict(quota) if quota else None}
    return Response({**asdict(done), **own})


@api_view(["POST"])
def guidelines_read(request: Request, slug: str) -> Response:
    membership, version = _membership(request, slug), version_request(request.data)
    read_guidelines(membership, by=_person(request), version=version)
    return Response({"read": max(version, membership.guidelines_read)})


def _membership(request: Request, slug: str) -> Membership:
    rows = Membership.objects.of(_person(request)).filter(project__slug=slug, is_annotator=True)
    return get_object_or_404(rows.select_related("project"))


@api_view(["POST"])
def submit(request: Request, uuid: UUID) -> Response:
    row, body, version = _own(request, uuid), save_request(request.data), _version(request)
    return _saved(submit_assignment(row, by=_person(request), version=version, **vars(body)))


@api_view(["POST"])
def discard(request: Request, uuid: UUID) -> Response:
    row, body, version = _own(request, uuid), discard_request(request.data), _version(request)
    return _saved(discard_assignment(row, by=_person(request), version=version, **vars(body)))


@api_view(["POST"])
def undo(request: Request, uuid: UUID) -> Response:
    row, save_id, version = _own(request, uuid), act_request(request.data), _version(request)
    return _saved(undo_discard(row, by=_person(request), version=version, save_id=save_id))


@api_view(["POST"])
def reopen(request: Request, uuid: UUID) -> Response:
    row, save_id, version = _own(request, uuid), act_request(request.data), _version(request)
    return _saved(reopen_assignment(row, by=_person(request), version=version, save_id=save_id))


def _version(request: Request) -> int:
    return if_match(request.headers.get("If-Match"))


def _person(request: Request) -> User:
    assert isinstance(request.user, User)  # IsAuthenticated has seen to it
    return request.user


def _saved(saved: Saved) -> Response:
    return Response(asdict(saved), headers={"ETag": f'"{saved.version}"'})
