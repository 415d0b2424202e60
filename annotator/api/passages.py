"""The passages of a project, for its leads: the list, and what becomes of one."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.actions.controlling import set_control
from annotator.actions.passages import archive_passage, replace_passage
from annotator.actions.screening import screen_passage
from annotator.api.operation import operation
from annotator.api.pagination import NumberPagination
from annotator.domain.api_tokens import Scope
from annotator.domain.lengths import MAX_PASSAGE_LENGTH
from annotator.domain.screening import Screening
from annotator.doors import passage_for_lead, person, project_for_lead
from annotator.models import Passage, User
from annotator.queries.passages import passage_lines, passages_found
from annotator.serializers.base import checked, shown
from annotator.serializers.passages import (
    NOT_SCREENED,
    PassageChangeSerializer,
    PassageLineSerializer,
    PassagesQuery,
    PassagesSerializer,
    wanted,
)

MAX_CHANGE = 12 * MAX_PASSAGE_LENGTH + 4_000  # bytes: a text, each character escaped, and an id
# What a view of this address with methods of its own says of this one.
CHANGE: dict[str, Any] = {
    "method": "PATCH",
    "takes": PassageChangeSerializer,
    "gives": PassageLineSerializer,
    "refuses": (404, 409),
    "max_body": MAX_CHANGE,
    "scopes": (Scope.LEAD,),
}


@operation("Passages", query=PassagesQuery, gives=PassagesSerializer, refuses=(404,), scopes=(Scope.READ,))
@api_view(["GET"])
def passages(request: Request, slug: str) -> Response:
    """In the order in which they came; the archived ones only where they are asked for."""
    project, _ = project_for_lead(request, slug)
    given, pages = checked(PassagesQuery, request.query_params), NumberPagination()
    rows = passages_found(project, wanted(given), user=person(request)).select_related("replaces", "replaced_by")
    found = pages.paginate_queryset(rows, request, limit=given["limit"], after=given.get("after"))
    return pages.get_paginated_response(
        [shown(PassageLineSerializer, line) for line in passage_lines(found, user=person(request))]
    )


def changed_passage(request: Request, slug: str, uuid: UUID) -> Response:
    passage = passage_for_lead(request, slug, uuid)
    given = checked(PassageChangeSerializer, request.data)
    [change] = given.keys() & ACTS.keys()
    ACTS[change](passage, person(request), given)
    found = Passage.objects.select_related("replaces", "replaced_by").get(pk=passage.pk)
    [line] = passage_lines([found], user=person(request))
    return Response(shown(PassageLineSerializer, line))


def _screen(passage: Passage, by: User, given: dict[str, Any]) -> None:
    verdict = Screening.NONE if given["screening"] == NOT_SCREENED else given["screening"]
    screen_passage(passage, by=by, verdict=verdict, reason=given.get("reason", ""))


def _replace(passage: Passage, by: User, given: dict[str, Any]) -> None:
    replace_passage(passage, by=by, **given)


def _archive(passage: Passage, by: User, given: dict[str, Any]) -> None:
    archive_passage(passage, by=by)


def _control(passage: Passage, by: User, given: dict[str, Any]) -> None:
    set_control(passage, by=by, **given)


ACTS: dict[str, Callable[[Passage, User, dict[str, Any]], None]] = {
    "screening": _screen,
    "text": _replace,
    "is_archived": _archive,
    "is_control": _control,
}
