"""Decisions, gold and comments as JSON."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.http import Http404
from rest_framework.decorators import api_view, throttle_classes
from rest_framework.request import Request
from rest_framework.response import Response

from adjudication.actions.comments import add_comment, resolve_comment
from adjudication.actions.deciding import decide_passage, decide_span, undo_decisions
from adjudication.actions.doubles import unite_double
from adjudication.actions.settling import Elsewhere, decide_elsewhere
from adjudication.actions.settling import undo_act as undo_act_everywhere
from adjudication.actions.steps import Decided
from adjudication.doors import passage_to_settle, visible_passage, visible_passages
from adjudication.models import Comment
from adjudication.queries.adjudicating import (
    adjudication_document,
    comments_on,
    findings_on,
    standing_document,
)
from adjudication.queries.gold import in_gold, merge_now, standing_now, standings
from adjudication.queries.gold_lines import gold_line
from adjudication.queries.same_words import words_elsewhere
from adjudication.serializers.decisions import (
    AdjudicationSerializer,
    CommentAskedSerializer,
    CommentSerializer,
    CommentsSerializer,
    DecidedSerializer,
    DecideSerializer,
    ElsewhereDoneSerializer,
    ElsewhereSerializer,
    GoldLineSerializer,
    GoldQuery,
    GoldSerializer,
    ResolveSerializer,
    SameWordsQuery,
    SameWordsSerializer,
    SuggestionAskedSerializer,
    UndoneSerializer,
    UndoSerializer,
    UniteSerializer,
)
from annotator.api.operation import operation
from annotator.api.pagination import NumberPagination
from annotator.api.passages import CHANGE as CHANGE_OF_PASSAGE
from annotator.api.passages import changed_passage
from annotator.api.throttles import FindingsThrottle
from annotator.domain.api_tokens import Scope
from annotator.domain.errors import Conflict, Invalid
from annotator.doors import person, project_for_adjudicator
from annotator.models import Membership, Passage, unless_blind
from annotator.serializers.assignments import FindingsSerializer
from annotator.serializers.base import checked, if_match, shown

CHANGE: dict[str, Any] = {
    "takes": DecideSerializer,
    "gives": DecidedSerializer,
    "needs_version": True,
    "gives_version": True,
    "refuses": (404, 409, 412, 428),
    "scopes": (Scope.LEAD,),
}
MANY_TARGETS = 100_000  # bytes of a body that names two hundred


class GoldPagination(NumberPagination):
    key = ("passage_id",)


def _own_act(request: Request, membership: Membership, shape: Any) -> dict[str, Any]:
    """The body, unless somebody else is signed in by now than did this: a browser may hold acts for long."""
    body = checked(shape, request.data)
    if body.pop("by", membership.pseudonym) != membership.pseudonym:
        raise Conflict("Somebody else is signed in in this browser by now.", code="somebody_else")
    return body


def _decided(passage: Passage, membership: Membership, done: Decided) -> Response:
    standing = standing_now(passage, membership)
    told = {"version": done.version, "act": done.act, "passage": standing_document(standing)}
    return Response(shown(DecidedSerializer, told), headers={"ETag": f'"{done.version}"'})


@operation("Screen, replace or archive a passage, or make it a control", **CHANGE_OF_PASSAGE)
@operation(
    "A passage with everybody's marks, the merge and the decisions",
    method="GET",
    gives=AdjudicationSerializer, refuses=(404, 409), scopes=(Scope.READ,),
)  # fmt: skip
@api_view(["GET", "PATCH"])
def passage(request: Request, slug: str, uuid: UUID) -> Response:
    """Adjudicators and leads read it, of work passages alone; leads change one of any kind, by one change at a time."""
    if request.method == "PATCH":
        return changed_passage(request, slug, uuid)
    passage, membership = passage_to_settle(request, slug, uuid)
    return Response(shown(AdjudicationSerializer, adjudication_document(passage, membership)))


@operation("Decide about a span", **CHANGE)
@api_view(["PUT"])
def decision(request: Request, slug: str, uuid: UUID, start: int, end: int) -> Response:
    """Keep, drop, move, retype, edit, join, add: the whole decision, which takes the place of the one before."""
    passage, membership = passage_to_settle(request, slug, uuid)
    body, version = _own_act(request, membership, DecideSerializer), if_match(request.headers.get("If-Match"))
    return _decided(
        passage, membership, decide_span(passage, (start, end), by=person(request), version=version, **body)
    )


@operation("Decide about a passage", **CHANGE)
@api_view(["PUT"])
def passage_decision(request: Request, slug: str, uuid: UUID) -> Response:
    """Settled, discarded with a reason, or kept against discards."""
    passage, membership = passage_to_settle(request, slug, uuid)
    body, version = _own_act(request, membership, DecideSerializer), if_match(request.headers.get("If-Match"))
    return _decided(passage, membership, decide_passage(passage, by=person(request), version=version, **body))


@operation(
    "Take an act of one's own back",
    takes=UndoSerializer, gives=DecidedSerializer, refuses=(404, 409, 412), scopes=(Scope.LEAD,),
)  # fmt: skip
@api_view(["POST"])
def undo_act(request: Request, slug: str, uuid: UUID) -> Response:
    """A further step says again what stood there before; undoing that does the act again."""
    passage, membership = passage_to_settle(request, slug, uuid)
    body = _own_act(request, membership, UndoSerializer)
    first, *_ = undo_decisions(passage, by=person(request), **body)
    return _decided(passage, membership, replace(first, act=body["act"]))


@operation(
    "Unite what two decided",
    takes=UniteSerializer, gives=DecidedSerializer, refuses=(404, 409), scopes=(Scope.LEAD,),
)  # fmt: skip
@api_view(["POST"])
def unite(request: Request, slug: str, uuid: UUID) -> Response:
    """Of a passage that two settled blind to each other: what both say, or all that one says, becomes what counts."""
    passage, membership = passage_to_settle(request, slug, uuid)
    body = _own_act(request, membership, UniteSerializer)
    return _decided(passage, membership, unite_double(passage, by=person(request), **body))


@operation(
    "What a careful colleague would point out about a suggestion",
    takes=SuggestionAskedSerializer, gives=FindingsSerializer, refuses=(404, 429), scopes=(Scope.READ,),
)  # fmt: skip
@api_view(["POST"])
@throttle_classes([FindingsThrottle])
def suggestion_findings(request: Request, slug: str, uuid: UUID) -> Response:
    """Reads only."""
    passage, body = visible_passage(request, slug, uuid), checked(SuggestionAskedSerializer, request.data)
    found = findings_on(passage, (body["start"], body["end"]), body["text"])
    return Response(shown(FindingsSerializer, {"findings": found}))


@operation(
    "The same word in other passages",
    query=SameWordsQuery, gives=SameWordsSerializer, refuses=(404, 409), scopes=(Scope.READ,),
)  # fmt: skip
@api_view(["GET"])
def same_words(request: Request, slug: str, uuid: UUID) -> Response:
    """How it was marked and settled there."""
    passage, given = visible_passage(request, slug, uuid), checked(SameWordsQuery, request.query_params)
    span = (given["start"], given["end"])
    return Response(shown(SameWordsSerializer, words_elsewhere(standing_now(passage), span, person(request))))


@operation(
    "Decide the same word in other passages",
    takes=ElsewhereSerializer,
    gives=ElsewhereDoneSerializer,
    max_body=MANY_TARGETS,
    refuses=(404, 409),
    scopes=(Scope.LEAD,),
)
@api_view(["POST"])
def decide_same(request: Request, slug: str) -> Response:
    """All of them, or none: keep, drop or a type."""
    project, membership = project_for_adjudicator(request, slug)
    body = _own_act(request, membership, ElsewhereSerializer)
    named = {target["passage"] for target in body["targets"]}
    passages = {row.uuid: row for row in visible_passages(request, project).filter(uuid__in=named)}
    if lacking := named - passages.keys():
        raise Invalid.of("passage", f"There is no passage {min(lacking)} here.", "targets")
    targets = [
        Elsewhere(passages[item["passage"]], (item["start"], item["end"]), item["version"]) for item in body["targets"]
    ]
    given = {name: body[name] for name in ("act", "content", "reason")}
    times = decide_elsewhere(project, by=person(request), targets=targets, **given)
    return Response(shown(ElsewhereDoneSerializer, {"targets": times, "act": body["act"]}))


@operation(
    "Take an act of one's own back, wherever it was",
    takes=UndoSerializer, gives=UndoneSerializer, refuses=(404, 409), scopes=(Scope.LEAD,),
)  # fmt: skip  # fmt: skip
@api_view(["POST"])
def undo_everywhere(request: Request, slug: str) -> Response:
    """Such as the same word in many passages: what was decided anew since stays."""
    project, membership = project_for_adjudicator(request, slug)
    job = undo_act_everywhere(project, by=person(request), **_own_act(request, membership, UndoSerializer))
    result = job.result or {}
    times = {"of": result.get("of", 0), "taken_back": result.get("passages", 0)}
    told = {"act": job.params["act"], "is_under_way": not job.is_over, **times}
    return Response(shown(UndoneSerializer, told))


@operation("Comments on a passage", method="GET", gives=CommentsSerializer, refuses=(404, 409), scopes=(Scope.READ,))
@operation(
    "Comment on a passage",
    method="POST",
    takes=CommentAskedSerializer,
    gives=CommentSerializer,
    status=201,
    refuses=(404, 409),
    scopes=(Scope.LEAD,),
    creates=True,
)
@api_view(["GET", "POST"])
def comments(request: Request, slug: str, uuid: UUID) -> Response:
    passage = visible_passage(request, slug, uuid)
    if request.method == "GET":
        found = comments_on(standing_now(passage), person(request))
        return Response({"results": [shown(CommentSerializer, row) for row in found]})
    body = checked(CommentAskedSerializer, request.data)
    span = (body["span"][0], body["span"][1]) if body.get("span") else None
    made = add_comment(passage, by=person(request), text=body["text"], span=span)
    return Response(shown(CommentSerializer, made), status=201)


@operation(
    "Resolve a comment, or take it up again",
    takes=ResolveSerializer,
    gives=CommentSerializer,
    needs_version=True,
    refuses=(404, 409, 412, 428),
    scopes=(Scope.LEAD,),
)
@api_view(["POST"])
def resolve(request: Request, slug: str, uuid: UUID) -> Response:
    project, _ = project_for_adjudicator(request, slug)
    rows = Comment.objects.visible_to(person(request)).filter(passage__project=project, uuid=uuid)
    comment = rows.select_related("passage__project", "by", "resolved_by").first()
    if comment is None:
        raise Http404
    body, version = checked(ResolveSerializer, request.data), if_match(request.headers.get("If-Match"))
    return Response(shown(CommentSerializer, resolve_comment(comment, by=person(request), version=version, **body)))


@operation(
    "The gold, passage by passage", query=GoldQuery, gives=GoldSerializer, refuses=(404, 409), scopes=(Scope.READ,)
)
@api_view(["GET"])
def gold(request: Request, slug: str) -> Response:
    """In the order of the passages; none that you have still to annotate yourself."""
    project, _ = project_for_adjudicator(request, slug)
    given = checked(GoldQuery, request.query_params)
    merge, pages = merge_now(project), GoldPagination()
    rows = in_gold(merge).filter(unless_blind(person(request)))
    found = pages.paginate_queryset(rows, request, limit=given["limit"], after=given.get("after"))
    lines = [gold_line(standing) for standing in standings(merge, [row.passage_id for row in found])]
    return pages.get_paginated_response([shown(GoldLineSerializer, line) for line in lines])


@operation("The gold of one passage", gives=GoldLineSerializer, refuses=(404, 409), scopes=(Scope.READ,))
@api_view(["GET"])
def gold_of(request: Request, slug: str, uuid: UUID) -> Response:
    return Response(shown(GoldLineSerializer, gold_line(standing_now(visible_passage(request, slug, uuid)))))
