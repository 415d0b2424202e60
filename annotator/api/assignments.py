"""One's own assignments: list, get, save, submit, discard, undo, reopen."""

from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.http import Http404
from rest_framework.decorators import api_view, throttle_classes
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
from annotator.api.operation import operation
from annotator.api.pagination import OwnWorkPagination
from annotator.api.throttles import FindingsThrottle, QuestionsThrottle, ReopenThrottle
from annotator.domain.answers import MAX_ANSWER, parse_answer
from annotator.domain.api_tokens import Scope
from annotator.domain.findings import find
from annotator.domain.lengths import MAX_PASSAGE_LENGTH
from annotator.doors import person, project_for_annotator, project_for_lead
from annotator.models import Assignment
from annotator.prepared import Prepared
from annotator.queries.work import own_pace, own_progress, own_quota, place_of
from annotator.serializers.assignments import (
    ActSerializer,
    AssignmentLineSerializer,
    AssignmentSerializer,
    AssignmentsQuery,
    AssignmentsSerializer,
    DiscardSerializer,
    FindingsAskedSerializer,
    FindingsSerializer,
    ProgressSerializer,
    SavedSerializer,
    SaveSerializer,
    TextFindingsAskedSerializer,
)
from annotator.serializers.base import checked, if_match, shown
from annotator.serializers.guidelines import ReadSerializer, VersionReadSerializer
from annotator.serializers.questions import AskSerializer, QuestionSerializer

MAX_TRIAL = MAX_ANSWER + 12 * MAX_PASSAGE_LENGTH  # bytes: an answer and the text it is about, each character escaped

# What a call that changes an assignment takes, gives, and may be refused with.
CHANGE: dict[str, Any] = {
    "gives": SavedSerializer,
    "needs_version": True,
    "gives_version": True,
    "refuses": (404, 409, 412, 428),
    "scopes": (Scope.ANNOTATE,),
}

OWN = Prepared(
    lambda user_id, uuid: (
        Assignment.objects.own(user_id).select_related("membership", "passage__project").filter(uuid=uuid)
    ),
    -1,
    UUID(int=1),
)


def _own(request: Request, uuid: UUID) -> Assignment:
    user = person(request)
    found = OWN.first(user.pk, uuid)
    # As `own` has it, which would be compiled anew for each project that a token is for.
    if found is None or user.only_project_id not in (None, found.passage.project_id):
        raise Http404
    return found


@operation("One's own assignments", query=AssignmentsQuery, gives=AssignmentsSerializer, scopes=(Scope.ANNOTATE,))
@api_view(["GET"])
def assignments(request: Request) -> Response:
    """By project and one's own numbers; `next` leads to the next page."""
    given = checked(AssignmentsQuery, request.query_params)
    rows = Assignment.objects.own(person(request)).in_use().select_related("passage__project")
    if "project" in given:
        rows = rows.filter(passage__project__slug=given["project"])
    if "state" in given:
        rows = rows.filter(state=given["state"])
    pages = OwnWorkPagination()
    page = pages.paginate_queryset(rows, request, limit=given["limit"], after=given.get("after"))
    return pages.get_paginated_response(AssignmentLineSerializer(page, many=True).data)


@operation(
    "One assignment, with all that the work page needs",
    gives=AssignmentSerializer, gives_version=True, refuses=(404,), scopes=(Scope.ANNOTATE,),
)  # fmt: skip
@api_view(["GET"])
def assignment(request: Request, uuid: UUID) -> Response:
    row = _own(request, uuid)
    told = AssignmentSerializer(row, context={"place": place_of(row)})
    return Response(told.data, headers={"ETag": f'"{row.version}"'})


@operation("Save the draft", takes=SaveSerializer, max_body=MAX_ANSWER, **CHANGE)
@api_view(["PUT"])
def answer(request: Request, uuid: UUID) -> Response:
    """The same answer as stored writes nothing; a request sent again is answered as the first was."""
    row, body, version = _own(request, uuid), checked(SaveSerializer, request.data), _version(request)
    return _saved(save_answer(row, by=person(request), version=version, **body))


@operation(
    "What a careful colleague would point out about an answer",
    takes=FindingsAskedSerializer, gives=FindingsSerializer, max_body=MAX_ANSWER, refuses=(404, 429),
    scopes=(Scope.ANNOTATE,),
)  # fmt: skip
@api_view(["POST"])
@throttle_classes([FindingsThrottle])
def findings(request: Request, uuid: UUID) -> Response:
    """Reads only; never on the save path."""
    row, body = _own(request, uuid), checked(FindingsAskedSerializer, request.data)
    passage, project = row.passage, row.passage.project
    parsed = parse_answer(body["answer"], text=passage.text, protocol=project.protocol, is_old=True)
    found = find(parsed, text=passage.text, lang=passage.lang or project.language, protocol=project.protocol)
    return Response(shown(FindingsSerializer, {"findings": [item.as_dict() for item in found]}))


@operation(
    "The same about any text, for a lead who tries the rules: nothing is kept",
    takes=TextFindingsAskedSerializer, gives=FindingsSerializer, max_body=MAX_TRIAL, refuses=(404, 429),
    scopes=(Scope.READ,),
)  # fmt: skip
@api_view(["POST"])
@throttle_classes([FindingsThrottle])
def text_findings(request: Request, slug: str) -> Response:
    project, _ = project_for_lead(request, slug)
    body = checked(TextFindingsAskedSerializer, request.data)
    text, lang = body["text"], body.get("lang") or project.language
    parsed = parse_answer(body["answer"], text=text, protocol=project.protocol, is_old=True)
    found = find(parsed, text=text, lang=lang, protocol=project.protocol)
    return Response(shown(FindingsSerializer, {"findings": [item.as_dict() for item in found]}))


@operation(
    "Ask the lead",
    takes=AskSerializer, gives=QuestionSerializer, status=201, refuses=(404, 429),
    scopes=(Scope.ANNOTATE,), creates=True,
)  # fmt: skip
@api_view(["POST"])
@throttle_classes([QuestionsThrottle])
def questions(request: Request, uuid: UUID) -> Response:
    row, body = _own(request, uuid), checked(AskSerializer, request.data)
    return Response(shown(QuestionSerializer, ask_question(row, by=person(request), **body)), status=201)


@operation(
    "One's own progress: how far, how fast, and the quota",
    gives=ProgressSerializer, refuses=(404,), scopes=(Scope.ANNOTATE,),
)  # fmt: skip
@api_view(["GET"])
def progress(request: Request, slug: str) -> Response:
    _, membership = project_for_annotator(request, slug)
    done, quota = own_progress(person(request), membership.project), own_quota(membership)
    own = {"done": done.done, "pace": own_pace(membership), "quota": asdict(quota) if quota else None}
    return Response(shown(ProgressSerializer, {**asdict(done), **own}))


@operation(
    "Say which version of the guidelines one has read",
    takes=VersionReadSerializer, gives=ReadSerializer, refuses=(404,), scopes=(Scope.ANNOTATE,),
)  # fmt: skip
@api_view(["POST"])
def guidelines_read(request: Request, slug: str) -> Response:
    """An older one never takes back a newer one."""
    _, membership = project_for_annotator(request, slug)
    body = checked(VersionReadSerializer, request.data)
    read_guidelines(membership, by=person(request), **body)
    return Response(shown(ReadSerializer, {"read": max(body["version"], membership.guidelines_read)}))


@operation("Save and hand in, at once", takes=SaveSerializer, max_body=MAX_ANSWER, **CHANGE)
@api_view(["POST"])
def submit(request: Request, uuid: UUID) -> Response:
    row, body, version = _own(request, uuid), checked(SaveSerializer, request.data), _version(request)
    return _saved(submit_assignment(row, by=person(request), version=version, **body))


@operation("Set the passage aside, with a reason", takes=DiscardSerializer, **CHANGE)
@api_view(["POST"])
def discard(request: Request, uuid: UUID) -> Response:
    """The draft is kept."""
    row, body, version = _own(request, uuid), checked(DiscardSerializer, request.data), _version(request)
    return _saved(discard_assignment(row, by=person(request), version=version, **body))


@operation("Take a discarded passage back into work", takes=ActSerializer, **CHANGE)
@api_view(["POST"])
def undo(request: Request, uuid: UUID) -> Response:
    row, body, version = _own(request, uuid), checked(ActSerializer, request.data), _version(request)
    return _saved(undo_discard(row, by=person(request), version=version, **body))


@operation(
    "Take a submitted passage back into work", takes=ActSerializer, **{**CHANGE, "refuses": (404, 409, 412, 428, 429)}
)
@api_view(["POST"])
@throttle_classes([ReopenThrottle])
def reopen(request: Request, uuid: UUID) -> Response:
    """Its votes count until the next submit or discard."""
    row, body, version = _own(request, uuid), checked(ActSerializer, request.data), _version(request)
    return _saved(reopen_assignment(row, by=person(request), version=version, **body))


def _version(request: Request) -> int:
    return if_match(request.headers.get("If-Match"))


def _saved(saved: Saved) -> Response:
    return Response(shown(SavedSerializer, saved), headers={"ETag": f'"{saved.version}"'})
