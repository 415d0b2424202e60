"""How the work of a project goes, and who did what in it."""

from typing import Any
from uuid import UUID

from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.api.operation import operation
from annotator.api.pagination import MOST_LISTED, beginning_after
from annotator.domain.api_tokens import Scope
from annotator.domain.errors import BadRequest
from annotator.doors import person, project_for_lead
from annotator.models import Project, User
from annotator.queries.activity import Activity, Wanted
from annotator.queries.board import Board, Line, board_of
from annotator.queries.tallies import summed_at
from annotator.serializers.base import checked, shown
from annotator.serializers.board import (
    ActivityLineSerializer,
    ActivityQuery,
    ActivitySerializer,
    BoardSerializer,
)


@operation("How the work goes", gives=BoardSerializer, refuses=(404,), scopes=(Scope.READ,))
@api_view(["GET"])
def board(request: Request, slug: str) -> Response:
    """The figures of the board: answers, people, days and discards."""
    project, _ = project_for_lead(request, slug)
    told = board_of(project, by=person(request))
    return Response(shown(BoardSerializer, {**_told(told), "summed_at": summed_at(project)}))


def _told(told: Board) -> dict[str, Any]:
    answers, discards = told.answers, told.discards
    names = ("passages", "per_passage", "wanted", "done", "discarded", "to_go", "full", "pace", "done_by", "today")
    coverage = [{"answers": number, "passages": passages} for number, passages in answers.coverage.items()]
    often = [{"uuid": row.uuid, "passage": row.external_id, "discards": times} for row, times in discards.often]
    reasons = [{"reason": label, "discards": number} for _, label, number in discards.reasons]
    return {
        "answers": {**{name: getattr(answers, name) for name in names}, "coverage": coverage},
        "people": [_line(line) for line in told.lines],
        "all": told.all and _line(told.all),
        "days": told.days,
        "discards": {"total": discards.total, "reasons": reasons, "often": often},
        "today": told.today,
    }


def _line(line: Line) -> dict[str, Any]:
    names = ("membership", "real_name", "state", "reasons", "given", "done", "week", "discards", "figures")
    return {
        **{name: getattr(line, name) for name in names},
        "mix": [{"type": label, "share": share} for label, share in line.mix],
        "quota": line.quota and dict(zip(("given", "wanted"), line.quota, strict=True)),
    }


@operation(
    "Who did what", query=ActivityQuery, gives=ActivitySerializer, refuses=(404,), scopes=(Scope.READ,)
)  # fmt: skip
@api_view(["GET"])
def activity(request: Request, slug: str) -> Response:
    """Newest first; nothing about a passage that you have still to submit yourself. Saves are not told."""
    project, _ = project_for_lead(request, slug)
    given = checked(ActivityQuery, request.query_params)
    wanted = Wanted(_somebody(project, given.get("person")), given.get("day"), given.get("kind", ""))
    told = Activity(project, user=person(request), wanted=wanted)
    lines, following = told.page(given.get("after"), most=min(given["limit"], MOST_LISTED))
    results = [shown(ActivityLineSerializer, line) for line in lines]
    return Response({"results": results, "next": following and beginning_after(request, str(following))})


def _somebody(project: Project, uuid: UUID | None) -> User | None:
    """Who ever was in the project."""
    if uuid is None:
        return None
    found = User.objects.filter(memberships__project=project, uuid=uuid).first()
    if found is None:
        raise BadRequest("There is no such person in this project.", code="bad_filter")
    return found
