"""Merges, targets, reports and pairs as JSON: what the pages show, to the same people."""

from typing import Any
from uuid import UUID

from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from adjudication.actions.measuring import agreement_settings, ask_for_agreement
from adjudication.actions.merging import ask_to_merge
from adjudication.domain.agreement.pairs import BothEmpty
from adjudication.doors import visible_passage
from adjudication.models import AgreementReport, Merge, Target
from adjudication.models.merges import TargetQuerySet
from adjudication.queries.gold import standing_now
from adjudication.queries.reports import REPORTS_LISTED, pair_page, report_of, told
from adjudication.serializers.merges import (
    JobAskedSerializer,
    MergeAskedSerializer,
    MergeSerializer,
    MergesSerializer,
    PairQuery,
    PairSerializer,
    ReportAskedSerializer,
    ReportLineSerializer,
    ReportSerializer,
    ReportsSerializer,
    TargetSerializer,
    TargetsQuery,
    TargetsSerializer,
)
from annotator.api.operation import operation
from annotator.api.pagination import CursorPagination, NumberPagination
from annotator.domain.api_tokens import Scope
from annotator.doors import person, project_for_adjudicator, project_for_lead
from annotator.models import Job
from annotator.serializers.base import checked, shown


class TargetsPagination(CursorPagination):
    """As they were merged, which an index of theirs has: by their numbers alone all would have to be sorted."""

    key = ("passage_id", "start", "end")

    def position(self, cursor: str) -> tuple[Any, ...]:
        return tuple(map(int, cursor.split("-")))

    def cursor(self, row: Target) -> str:
        return f"{row.passage_id}-{row.start}-{row.end}"


class PairPagination(NumberPagination):
    """By their numbers in the report, which keeps them in one piece and in this order."""

    key = ("passage",)

    def first(self, rows: Any, beyond: tuple[Any, ...] | None, most: int) -> list[Any]:
        [number] = self.key
        return list((rows if beyond is None else rows[rows[number] > beyond[0]])[:most])

    def cursor(self, row: Any) -> str:
        return str(row[self.key[0]])


def _asked(job: Job) -> Response:
    return Response(shown(JobAskedSerializer, job), status=202)


@operation("Merges", method="GET", gives=MergesSerializer, refuses=(404,), scopes=(Scope.READ,))
@operation(
    "Merge anew, by the workers",
    method="POST",
    takes=MergeAskedSerializer,
    gives=JobAskedSerializer,
    status=202,
    refuses=(404, 409),
    scopes=(Scope.LEAD,),
    creates=True,
)
@api_view(["GET", "POST"])
def merges(request: Request, slug: str) -> Response:
    """The current one first, and those that something rests on."""
    if request.method == "POST":
        project, _ = project_for_lead(request, slug)
        given = checked(MergeAskedSerializer, request.data)
        return _asked(ask_to_merge(project, by=person(request), **given))
    project, _ = project_for_adjudicator(request, slug)
    rows = Merge.objects.visible_to(person(request)).of(project).finished().order_by("-is_current", "-finished_at")
    return Response({"results": [shown(MergeSerializer, row) for row in rows]})


@operation("One merge", gives=MergeSerializer, refuses=(404,), scopes=(Scope.READ,))
@api_view(["GET"])
def merge(request: Request, slug: str, uuid: UUID) -> Response:
    return Response(shown(MergeSerializer, _merge(request, slug, uuid)))


def _merge(request: Request, slug: str, uuid: UUID) -> Merge:
    project, _ = project_for_adjudicator(request, slug)
    return get_object_or_404(Merge.objects.visible_to(person(request)).of(project).finished(), uuid=uuid)


@operation("The targets of a merge", query=TargetsQuery, gives=TargetsSerializer, refuses=(404,), scopes=(Scope.READ,))
@api_view(["GET"])
def targets(request: Request, slug: str, uuid: UUID) -> Response:
    """In the order they were merged; none of passages that you have still to annotate yourself."""
    return _targets_page(request, Target.objects.filter(merge=_merge(request, slug, uuid)))


@operation(
    "The targets of one passage",
    query=TargetsQuery, gives=TargetsSerializer, refuses=(404, 409), scopes=(Scope.READ,),
)  # fmt: skip
@api_view(["GET"])
def passage_targets(request: Request, slug: str, uuid: UUID) -> Response:
    """By the current merge, as the page of the passage shows them."""
    standing = standing_now(visible_passage(request, slug, uuid))
    return _targets_page(request, Target.objects.filter(merge=standing.merge, passage=standing.passage))


def _targets_page(request: Request, targets: TargetQuerySet) -> Response:
    given = checked(TargetsQuery, request.query_params)
    rows = targets.visible_to(person(request)).select_related("passage")
    if "kept" in given:
        rows = rows.filter(is_kept=given["kept"] == "yes")
    pages = TargetsPagination()
    found = pages.paginate_queryset(rows, request, limit=given["limit"], after=given.get("after"))
    return pages.get_paginated_response([shown(TargetSerializer, row) for row in found])


@operation("Agreement reports", method="GET", gives=ReportsSerializer, refuses=(404,), scopes=(Scope.READ,))
@operation(
    "Measure agreement, by the workers",
    method="POST",
    takes=ReportAskedSerializer,
    gives=JobAskedSerializer,
    status=202,
    refuses=(404, 409),
    scopes=(Scope.LEAD,),
    creates=True,
)
@api_view(["GET", "POST"])
def reports(request: Request, slug: str) -> Response:
    """The newest first."""
    if request.method == "POST":
        project, _ = project_for_lead(request, slug)
        given = checked(ReportAskedSerializer, request.data)
        for name in ("people", "groups"):
            given[name] = tuple(sorted(set(given.get(name, ()))))
        if "both_empty" in given:
            given["both_empty"] = BothEmpty(given["both_empty"])
        settings = agreement_settings(project, **given)
        return _asked(ask_for_agreement(project, by=person(request), settings=settings))
    project, _ = project_for_adjudicator(request, slug)
    rows = AgreementReport.objects.visible_to(person(request)).of(project).newest_first()[:REPORTS_LISTED]
    return Response({"results": [shown(ReportLineSerializer, row) for row in rows]})


@operation("One agreement report", gives=ReportSerializer, refuses=(404,), scopes=(Scope.READ,))
@api_view(["GET"])
def report(request: Request, uuid: UUID) -> Response:
    found = _report(request, uuid)
    return Response({**shown(ReportSerializer, found), "result": told(found, user=person(request))})


def _report(request: Request, uuid: UUID) -> AgreementReport:
    found = report_of(uuid, user=person(request))
    if found is None:
        raise Http404
    return found


@operation(
    "Two annotators, passage by passage", query=PairQuery, gives=PairSerializer, refuses=(404,), scopes=(Scope.READ,)
)
@api_view(["GET"])
def pair(request: Request, uuid: UUID, a: str, b: str) -> Response:
    """From one number on, in the order of the report."""
    measured = _report(request, uuid)
    given = checked(PairQuery, request.query_params)
    page, pages = pair_page(measured, a, b, user=person(request)), PairPagination()
    rows = pages.paginate_queryset(page.rows, request, limit=given["limit"], after=given.get("after"))
    a, b = page.names
    told = {"a": a, "b": b, "hidden": page.hidden, "results": page.listed(rows), "next": pages.following()}
    return Response(shown(PairSerializer, told))
