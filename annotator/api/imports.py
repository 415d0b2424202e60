"""Files that come in: sent as they are, then imported by the workers, on the same road as those from commands and
pages."""

from typing import Any
from uuid import UUID

from django.http import Http404
from rest_framework.decorators import api_view, parser_classes
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.actions.importing.answers import answers_options
from annotator.actions.importing.passages import passages_options
from annotator.actions.importing.sent import import_upload, keep_upload
from annotator.api.door import FileParser, kept_body
from annotator.api.operation import operation
from annotator.api.pagination import NumberPagination
from annotator.domain.api_tokens import Scope
from annotator.domain.arrivals import ArrivalKind
from annotator.domain.formats.annotations import table_format
from annotator.domain.formats.passages import format_of
from annotator.domain.formats.tables import check_sheet
from annotator.domain.passages import PassageKind
from annotator.doors import person, project_for_lead
from annotator.models import Project, Upload
from annotator.serializers.arrivals import (
    ArrivalSerializer,
    ArrivalsQuery,
    ArrivalsSerializer,
    ImportSerializer,
    UploadQuery,
    UploadSerializer,
)
from annotator.serializers.base import checked, shown
from annotator.uploads import MAX_UPLOAD

NO_ROW = {"sparse": True, "everyone": False}


def _sending(request: Request, slug: str) -> tuple[Project, str]:
    """Into which project and by what name, before any of the file is read."""
    project, _ = project_for_lead(request, slug)
    name = checked(UploadQuery, request.query_params)["name"]
    format_of(name)
    return project, name


@operation(
    "Send a file, to be imported",
    query=UploadQuery,
    takes_file=True,
    admits=_sending,
    max_body=MAX_UPLOAD,
    gives=UploadSerializer,
    status=201,
    refuses=(404, 409, 411),
    scopes=(Scope.LEAD,),
    creates=True,
)
@api_view(["POST"])
@parser_classes([FileParser])
def uploads(request: Request, slug: str) -> Response:
    """The body is the file. It is kept for a day, readable by nobody, or until you have it imported."""
    project, name = _sending(request, slug)
    kept = keep_upload(project, by=person(request), file=kept_body(request), name=name)
    return Response(shown(UploadSerializer, kept), status=201)


@operation(
    "Files that came in or are on their way",
    method="GET",
    query=ArrivalsQuery,
    gives=ArrivalsSerializer,
    refuses=(404,),
    scopes=(Scope.READ,),
)
@operation(
    "Take a file in, by the workers",
    method="POST",
    takes=ImportSerializer,
    gives=ArrivalSerializer,
    status=202,
    refuses=(404, 409),
    scopes=(Scope.LEAD,),
    creates=True,
)
@api_view(["GET", "POST"])
def imports(request: Request, slug: str) -> Response:
    """In the order in which they were begun. A file is taken whole or not at all; the same file, sent again while it is
    unfinished, goes on where it stopped."""
    project, _ = project_for_lead(request, slug)
    if request.method == "POST":
        given = checked(ImportSerializer, request.data)
        upload = _own_upload(request, project, given["upload"])
        kind, options = ArrivalKind(given["kind"]), _options(given, upload.name)
        arrival = import_upload(upload, by=person(request), kind=kind, options=options)
        return Response(shown(ArrivalSerializer, arrival), status=202)
    given, pages = checked(ArrivalsQuery, request.query_params), NumberPagination()
    rows = project.arrivals.select_related("job")
    found = pages.paginate_queryset(rows, request, limit=given["limit"], after=given.get("after"))
    return pages.get_paginated_response([shown(ArrivalSerializer, row) for row in found])


def _own_upload(request: Request, project: Project, uuid: UUID) -> Upload:
    found = Upload.objects.sent_by(person(request), project).filter(uuid=uuid).select_related("project").first()
    if found is None:
        raise NotFound("You have sent no such file: it is kept for a day, and goes once it is imported.")
    return found


def _options(given: dict[str, Any], name: str) -> dict[str, Any]:
    """As an arrival keeps them; Invalid where no file of that name can be read so."""
    is_answers, sheet = given["kind"] == ArrivalKind.ANSWERS, given.get("sheet")
    check_sheet((table_format if is_answers else format_of)(name), sheet)
    if is_answers:
        is_sparse = NO_ROW.get(given.get("no_row", ""))
        return answers_options(is_sparse=is_sparse, names_differ=given.get("names_differ", False), sheet=sheet)
    return passages_options(kind=given.get("passage_kind", PassageKind.WORK), sheet=sheet)


@operation("One file that came in or is on its way", gives=ArrivalSerializer, refuses=(404,), scopes=(Scope.READ,))
@api_view(["GET"])
def imported(request: Request, slug: str, uuid: UUID) -> Response:
    project, _ = project_for_lead(request, slug)
    found = project.arrivals.select_related("job").filter(uuid=uuid).first()
    if found is None:
        raise Http404
    return Response(shown(ArrivalSerializer, found))
