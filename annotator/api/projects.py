"""Projects as a whole: one's own, a new one, what it is called, and where it stands."""

from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.actions.projects import begin_project, change_project_state
from annotator.actions.settings import change_settings
from annotator.api.operation import operation
from annotator.api.pagination import CursorPagination
from annotator.domain.api_tokens import Scope
from annotator.domain.project_life import acts_of
from annotator.domain.states import ProjectState
from annotator.doors import own_memberships, person, project_by_name, project_for_lead
from annotator.models import Membership
from annotator.queries.assigning import handing_out
from annotator.queries.projects import was_opened
from annotator.serializers.base import checked, if_match, shown
from annotator.serializers.projects import (
    ChangedProjectSerializer,
    NewProjectSerializer,
    ProjectLineSerializer,
    ProjectSerializer,
    ProjectsQuery,
    ProjectsSerializer,
    StateAskedSerializer,
    StateChangedSerializer,
    project_told,
)

ANYBODYS = (Scope.ANNOTATE, Scope.READ, Scope.SCORE)


class ProjectsPagination(CursorPagination):
    key = ("project__slug",)

    def position(self, cursor: str) -> tuple[str, ...]:
        return (cursor,)

    def cursor(self, row: Membership) -> str:
        return row.project.slug


@operation(
    "One's projects", method="GET", query=ProjectsQuery, gives=ProjectsSerializer, scopes=ANYBODYS
)  # fmt: skip
@operation(
    "A new project of one's own",
    method="POST",
    takes=NewProjectSerializer,
    gives=ProjectSerializer,
    status=201,
    gives_version=True,
    refuses=(409,),
    scopes=(Scope.LEAD,),
    creates=True,
)
@api_view(["GET", "POST"])
def projects(request: Request) -> Response:
    """By their addresses. A new one is a draft, led by who made it; an operator says who may make some."""
    if request.method == "POST":
        made = begin_project(by=person(request), **checked(NewProjectSerializer, request.data))
        return _shown(own_memberships(request).get(project=made), status=201)
    given, pages = checked(ProjectsQuery, request.query_params), ProjectsPagination()
    found = pages.paginate_queryset(own_memberships(request), request, limit=given["limit"], after=given.get("after"))
    return pages.get_paginated_response([shown(ProjectLineSerializer, row) for row in found])


@operation(
    "One project", method="GET", gives=ProjectSerializer, gives_version=True, refuses=(404,), scopes=ANYBODYS
)  # fmt: skip
@operation(
    "Change what it is called, its language or time zone, or who sees names",
    method="PATCH",
    takes=ChangedProjectSerializer,
    gives=ProjectSerializer,
    needs_version=True,
    gives_version=True,
    refuses=(404, 409, 412, 428),
    scopes=(Scope.LEAD,),
)
@api_view(["GET", "PATCH"])
def project(request: Request, slug: str) -> Response:
    """Of a draft, who only annotates sees the name and nothing else."""
    if request.method == "PATCH":
        found, _ = project_for_lead(request, slug)
        wanted, version = checked(ChangedProjectSerializer, request.data), if_match(request.headers.get("If-Match"))
        change_settings(found, by=person(request), wanted=wanted, version=version)
    _, membership = project_by_name(request, slug)
    return _shown(membership)


@operation(
    "Open, pause, close or archive a project",
    takes=StateAskedSerializer,
    gives=StateChangedSerializer,
    gives_version=True,
    refuses=(404, 409),
    scopes=(Scope.LEAD,),
)
@api_view(["POST"])
def project_state(request: Request, slug: str) -> Response:
    """Opening gives everybody their work, by a job where that is much."""
    found, _ = project_for_lead(request, slug)
    body = checked(StateAskedSerializer, request.data)
    changed = change_project_state(found, by=person(request), **body)
    told = shown(StateChangedSerializer, {"project": changed, "job": handing_out(changed)})
    return Response(told, headers={"ETag": f'"{changed.version}"'})


def _shown(membership: Membership, *, status: int = 200) -> Response:
    found, version = membership.project, membership.project.version if membership.is_lead else 0
    acts = []
    if membership.is_lead:
        acts = [act.name for act in acts_of(ProjectState(found.state), was_opened=was_opened(found))]
    told = shown(ProjectSerializer, project_told(membership, acts=acts))
    return Response(told, status=status, headers={"ETag": f'"{version}"'})
