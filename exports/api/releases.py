"""Releases as JSON, and their files."""

from typing import Any
from uuid import UUID

from django.http import Http404
from django.http.response import HttpResponseBase
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.api.operation import operation
from annotator.api.pagination import NumberPagination
from annotator.domain.api_tokens import Scope
from annotator.doors import person, project_for_adjudicator, project_for_lead
from annotator.models import Job
from annotator.serializers.base import checked, if_match, shown
from exports.actions.releasing import ask_to_build, draft_release, drop_draft, freeze_release, withdraw_release
from exports.api.files import ANY_FILE, piece_by_piece, whole_file
from exports.domain.releases import ReleaseSettings
from exports.doors import release_seen
from exports.models import Release
from exports.permissions import check_not_blind
from exports.queries.documents import begun_document, compared_document, release_document, release_line
from exports.queries.releases import begun_with, difference, file_of
from exports.serializers.releases import (
    DroppedSerializer,
    FreezeSerializer,
    ReleaseAskedSerializer,
    ReleaseBegunSerializer,
    ReleaseLineSerializer,
    ReleasesComparedSerializer,
    ReleaseSerializer,
    ReleasesQuery,
    ReleasesSerializer,
    WithdrawSerializer,
)

ZIP = "release.zip"  # all its files in one, among their names


class ReleasesPagination(NumberPagination):
    key = ("number",)


def _told(release: Release) -> Response:
    told = shown(ReleaseSerializer, release_document(release))
    return Response(told, headers={"ETag": f'"{release.version}"'})


def _begun(release: Release, job: Job) -> Response:
    release.job = job
    return Response(shown(ReleaseBegunSerializer, begun_document(release)), status=202)


@operation(
    "Releases", method="GET", query=ReleasesQuery, gives=ReleasesSerializer, refuses=(404,), scopes=(Scope.READ,)
)
@operation(
    "Draft a release and build it, by the workers",
    method="POST",
    takes=ReleaseAskedSerializer,
    gives=ReleaseBegunSerializer,
    status=202,
    refuses=(404, 409),
    scopes=(Scope.LEAD,),
    creates=True,
)
@api_view(["GET", "POST"])
def releases(request: Request, slug: str) -> Response:
    """In the order of their numbers. A project has one draft: where there is one, it gets these settings."""
    if request.method == "POST":
        project, _ = project_for_lead(request, slug)
        body = checked(ReleaseAskedSerializer, request.data)
        draft = draft_release(project, by=person(request), **_asked(begun_with(project), body))
        return _begun(draft, ask_to_build(draft, by=person(request)))
    project, _ = project_for_adjudicator(request, slug)
    given, pages = checked(ReleasesQuery, request.query_params), ReleasesPagination()
    rows = Release.objects.visible_to(person(request)).of(project).select_related("project", "made_by")
    found = pages.paginate_queryset(rows, request, limit=given["limit"], after=given.get("after"))
    return pages.get_paginated_response([shown(ReleaseLineSerializer, release_line(row)) for row in found])


def _asked(begun: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
    """As the settings begin, but for what was said."""
    if "sizes" in body:
        body = body | {"sizes": [(row["split"], row["size"]) for row in body["sizes"]]}
    given = begun | body
    sizes = tuple((name, size) for name, size in given["sizes"])
    settings = ReleaseSettings(sizes, given["seed"], given["with_pos"])
    return {"settings": settings, **{name: given[name] for name in ("name", "notes", "date")}}


@operation("One release", gives=ReleaseSerializer, gives_version=True, refuses=(404,), scopes=(Scope.READ,))
@api_view(["GET"])
def release(request: Request, uuid: UUID) -> Response:
    """Its state, settings, counts and files; of a draft also what is to be known before it is frozen."""
    return _told(release_seen(request, uuid))


@operation(
    "Build a draft again, from what stands now",
    gives=ReleaseBegunSerializer,
    status=202,
    refuses=(404, 409),
    scopes=(Scope.LEAD,),
    creates=True,
)
@api_view(["POST"])
def release_build(request: Request, uuid: UUID) -> Response:
    found = release_seen(request, uuid, for_lead=True)
    return _begun(found, ask_to_build(found, by=person(request)))


@operation(
    "Freeze a draft",
    takes=FreezeSerializer,
    gives=ReleaseSerializer,
    needs_version=True,
    gives_version=True,
    refuses=(404, 409, 412, 428),
    scopes=(Scope.LEAD,),
)
@api_view(["POST"])
def release_freeze(request: Request, uuid: UUID) -> Response:
    """As it was built and looked at; it never changes from then on. Every warning is ticked by its code."""
    found = release_seen(request, uuid, for_lead=True)
    body, version = checked(FreezeSerializer, request.data), if_match(request.headers.get("If-Match"))
    return _told(freeze_release(found, by=person(request), version=version, ticked=body["ticked"]))


@operation(
    "Withdraw a frozen release",
    takes=WithdrawSerializer,
    gives=ReleaseSerializer,
    gives_version=True,
    refuses=(404, 409, 412),
    scopes=(Scope.LEAD,),
)
@api_view(["POST"])
def release_withdraw(request: Request, uuid: UUID) -> Response:
    """It keeps its number and its files, and says why it should not be used."""
    found = release_seen(request, uuid, for_lead=True)
    body = checked(WithdrawSerializer, request.data)
    return _told(withdraw_release(found, by=person(request), version=found.version, **body))


@operation("Drop a draft", gives=DroppedSerializer, refuses=(404, 409), scopes=(Scope.LEAD,))
@api_view(["POST"])
def release_drop(request: Request, uuid: UUID) -> Response:
    found = release_seen(request, uuid, for_lead=True)
    drop_draft(found, by=person(request))
    return Response(shown(DroppedSerializer, {"number": found.number}))


@operation("One file of a release", gives_file=ANY_FILE, refuses=(404, 409), scopes=(Scope.READ,))
@api_view(["GET"])
def release_file(request: Request, uuid: UUID, name: str) -> HttpResponseBase:
    """By its name among the files of the release; release.zip has them all. It tells the gold of every passage."""
    found = release_seen(request, uuid)
    check_not_blind(person(request), found.project)
    if not found.sha256 or not found.path.exists():
        raise Http404
    if name == ZIP:
        return whole_file(found.path.open("rb"), f"{found.folder}.zip")
    file = file_of(found, name)
    if file is None:
        raise Http404
    return piece_by_piece(*file, name)


@operation(
    "What changed from one release to another", gives=ReleasesComparedSerializer, refuses=(404, 409),
    scopes=(Scope.READ,),
)  # fmt: skip
@api_view(["GET"])
def releases_compared(request: Request, uuid: UUID, other: UUID) -> Response:
    """What the one named first has that the other, of the same project, had otherwise."""
    after, before = release_seen(request, uuid), release_seen(request, other)
    if before.project != after.project:
        raise Http404
    check_not_blind(person(request), after.project)
    return Response(shown(ReleasesComparedSerializer, compared_document(before, after, difference(before, after))))
