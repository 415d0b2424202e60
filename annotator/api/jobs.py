"""Background work, for the leads of its project."""

from collections.abc import Callable
from uuid import UUID

from django.shortcuts import get_object_or_404
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.actions.jobs import cancel_job, retry_job
from annotator.api.operation import operation
from annotator.api.pagination import NewestPagination
from annotator.domain.api_tokens import Scope
from annotator.doors import person, project_for_lead
from annotator.models import Job
from annotator.queries.jobs import job_line, lines_of
from annotator.serializers.base import checked, shown
from annotator.serializers.jobs import JobSerializer, JobsQuery, JobsSerializer


@operation("Background work", query=JobsQuery, gives=JobsSerializer, refuses=(404,), scopes=(Scope.READ,))
@api_view(["GET"])
def jobs(request: Request, slug: str) -> Response:
    """The newest first."""
    project, _ = project_for_lead(request, slug)
    given, pages = checked(JobsQuery, request.query_params), NewestPagination()
    rows = Job.objects.visible_to(person(request)).filter(project=project).worth_listing()
    found = pages.paginate_queryset(rows, request, limit=given["limit"], after=given.get("after"))
    return pages.get_paginated_response([shown(JobSerializer, line) for line in lines_of(found)])


@operation("One job: how far it is, and what came of it", gives=JobSerializer, refuses=(404,), scopes=(Scope.READ,))
@api_view(["GET"])
def job(request: Request, uuid: UUID) -> Response:
    return _told(_job(request, uuid))


@operation("Cancel a job", gives=JobSerializer, refuses=(404, 409), scopes=(Scope.LEAD,))
@api_view(["POST"])
def job_cancel(request: Request, uuid: UUID) -> Response:
    """At once where nobody works on it; otherwise its worker stops after the current step."""
    return _told(_steered(request, uuid, cancel_job))


@operation("Try a job again", gives=JobSerializer, status=202, refuses=(404, 409), scopes=(Scope.LEAD,), creates=True)
@api_view(["POST"])
def job_retry(request: Request, uuid: UUID) -> Response:
    """One that failed or was cancelled goes on where it stopped."""
    return _told(_steered(request, uuid, retry_job), status=202)


def _job(request: Request, uuid: UUID) -> Job:
    return get_object_or_404(Job.objects.visible_to(person(request)).select_related("project"), uuid=uuid)


def _steered(request: Request, uuid: UUID, act: Callable[..., Job]) -> Job:
    return act(_job(request, uuid), by=person(request))


def _told(found: Job, *, status: int = 200) -> Response:
    return Response(shown(JobSerializer, job_line(found)), status=status)
