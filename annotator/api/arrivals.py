"""Files that come in: sent as they are, on the same road as those from commands and pages."""

from typing import Any
from uuid import UUID

from django.http import Http404
from rest_framework.decorators import api_view, parser_classes
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.actions.importing.answers import answers_options
from annotator.actions.importing.arrivals import begin_arrival
from annotator.actions.importing.passages import passages_options
from annotator.api.door import FileParser, kept_body
from annotator.api.operation import operation
from annotator.api.pagination import NumberPagination
from annotator.domain.arrivals import ArrivalKind
from annotator.domain.formats.annotations import table_format
from annotator.domain.formats.passages import format_of
from annotator.domain.formats.tables import check_sheet
from annotator.domain.passages import PassageKind
from annotator.doors import person, project_for_lead
from annotator.serializers.arrivals import ArrivalSerializer, ArrivalsQuery, ArrivalsSerializer, FileQuery
from annotator.serializers.base import checked, shown
from annotator.uploads import MAX_UPLOAD

NO_ROW = {"sparse": True, "everyone": False}


@operation(
    "Files that came in or are on their way",
    method="GET",
    query=ArrivalsQuery,
    gives=ArrivalsSerializer,
    refuses=(404,),
)
@operation(
    "Take a file in, by the workers",
    method="POST",
    query=FileQuery,
    takes_file=True,
    max_body=MAX_UPLOAD,
    gives=ArrivalSerializer,
    status=202,
    refuses=(404, 409, 411),
)
@api_view(["GET", "POST"])
@parser_classes([FileParser])
def arrivals(request: Request, slug: str) -> Response:
    """In the order in which they were begun. A file is taken whole or not at all; sent again while it is unfinished, it
    goes on where it stopped."""
    project, _ = project_for_lead(request, slug)
    if request.method == "POST":
        given = checked(FileQuery, request.query_params)
        kind, name, options = ArrivalKind(given["kind"]), given["name"], _options(given)
        file = kept_body(request)
        arrival = begin_arrival(project, by=person(request), kind=kind, file=file, name=name, options=options)
        return Response(shown(ArrivalSerializer, arrival), status=202)
    given, pages = checked(ArrivalsQuery, request.query_params), NumberPagination()
    rows = project.arrivals.select_related("job")
    found = pages.paginate_queryset(rows, request, limit=given["limit"], after=given.get("after"))
    return pages.get_paginated_response([shown(ArrivalSerializer, row) for row in found])


def _options(given: dict[str, Any]) -> dict[str, Any]:
    """As an arrival keeps them; Invalid where no file of that name can be read so."""
    is_answers, sheet = given["kind"] == ArrivalKind.ANSWERS, given.get("sheet")
    check_sheet((table_format if is_answers else format_of)(given["name"]), sheet)
    if is_answers:
        is_sparse, names_differ = NO_ROW.get(given.get("no_row", "")), given.get("names_differ") == "yes"
        return answers_options(is_sparse=is_sparse, names_differ=names_differ, sheet=sheet)
    return passages_options(kind=given.get("passage_kind", PassageKind.WORK), sheet=sheet)


@operation("One file that came in or is on its way", gives=ArrivalSerializer, refuses=(404,))
@api_view(["GET"])
def arrival(request: Request, slug: str, uuid: UUID) -> Response:
    project, _ = project_for_lead(request, slug)
    found = project.arrivals.select_related("job").filter(uuid=uuid).first()
    if found is None:
        raise Http404
    return Response(shown(ArrivalSerializer, found))
