"""Systems as JSON: predictions in, figures out. What is in the gold is told to those only who see everybody's work."""

from typing import Any
from uuid import UUID

from django.http import Http404
from django.http.response import HttpResponseBase
from rest_framework.decorators import api_view, parser_classes
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.api.door import FileParser, kept_body
from annotator.api.operation import operation
from annotator.api.pagination import CursorPagination, NumberPagination
from annotator.domain.api_tokens import Scope
from annotator.domain.errors import BadRequest, Conflict
from annotator.doors import person, project_for_adjudicator, project_for_scores, project_for_submitter
from annotator.models import Project
from annotator.serializers.base import checked, shown
from exports.actions.runs import submit_run
from exports.api.files import ANY_FILE, whole_text
from exports.domain.runs import MAX_PREDICTIONS, Mistake, System
from exports.doors import run_seen
from exports.models import Release, RunSentence, SystemRun
from exports.permissions import check_can_submit_runs, check_not_blind
from exports.queries.documents import (
    against_document,
    error_documents,
    leaderboard_document,
    run_document,
    run_line,
    submitted_document,
)
from exports.queries.leaderboard import leaderboard as leaderboard_of
from exports.queries.runs import (
    chosen,
    compared_runs,
    measured_releases,
    passages_named,
    sentences_of,
    type_names,
    wrong_sentences,
)
from exports.serializers.runs import (
    AgainstSerializer,
    ErrorSerializer,
    ErrorsQuery,
    ErrorsSerializer,
    LeaderboardQuery,
    LeaderboardSerializer,
    RunLineSerializer,
    RunSerializer,
    RunsQuery,
    RunsSerializer,
    RunSubmittedSerializer,
    SubmitQuery,
)

FIGURES = (Scope.SCORE, Scope.READ)


class RunsPagination(NumberPagination):
    """The newest first. A cursor is the id of a run: a number would tell how many others have sent theirs."""

    def position(self, cursor: Any) -> tuple[Any, ...]:
        found = SystemRun.objects.visible_to(person(self.asked)).filter(uuid=cursor).values_list("pk").first()
        if found is None:
            raise BadRequest(f"'{cursor}' is no after.", code="bad_filter")
        return found

    def first(self, rows: Any, beyond: tuple[Any, ...] | None, most: int) -> list[Any]:
        return list((rows if beyond is None else rows.filter(pk__lt=beyond[0])).order_by("-pk")[:most])

    def cursor(self, row: Any) -> str:
        return str(row.uuid)

    def __init__(self, asked: Request) -> None:
        self.asked = asked


class ErrorsPagination(CursorPagination):
    """The heaviest first, as the page has them."""

    def __init__(self, kind: Mistake) -> None:
        self.kind = kind

    def position(self, cursor: str) -> tuple[Any, ...]:
        weight, _, number = cursor.partition("-")
        return int(weight), int(number)

    def first(self, rows: Any, beyond: tuple[Any, ...] | None, most: int) -> list[RunSentence]:
        after = None if beyond is None else (beyond[0], beyond[1])
        return wrong_sentences(rows, self.kind, after=after, most=most)

    def cursor(self, row: Any) -> str:
        return f"{getattr(row, f'{self.kind}_weight')}-{row.number}"


def _measured(request: Request, project: Project, given: dict[str, Any]) -> tuple[Release, str]:
    releases = measured_releases(project, person(request))
    if not releases:
        raise Conflict("Nothing is frozen yet: systems are scored on a frozen release.", code="no_release")
    found = chosen(releases, number=str(given.get("release", "")), split=given.get("split"))
    if found is None:
        raise Http404
    return found


def _asked(request: Request, slug: str) -> tuple[Release, str, System]:
    """All that can be known before the file is read."""
    project, _ = project_for_submitter(request, slug)
    given = checked(SubmitQuery, request.query_params)
    check_can_submit_runs(person(request), project)
    release, split = _measured(request, project, given)
    return release, split, System(*(given[name] for name in ("system", "version", "description", "url")))


@operation(
    "Runs of systems", method="GET", query=RunsQuery, gives=RunsSerializer, refuses=(404,), scopes=FIGURES
)  # fmt: skip
@operation(
    "Submit a system's predictions, scored by the workers",
    method="POST",
    query=SubmitQuery,
    takes_file=True,
    max_body=MAX_PREDICTIONS,
    gives=RunSubmittedSerializer,
    status=202,
    refuses=(404, 409, 411),
    scopes=(Scope.SCORE,),
    admits=_asked,
    creates=True,
)
@api_view(["GET", "POST"])
@parser_classes([FileParser])
def runs(request: Request, slug: str) -> Response:
    """The newest first: all of them to who sees everybody's work, one's own to who brings systems. The same predictions
    for the same split are one run, however often they are sent."""
    if request.method == "POST":
        return _submitted(request, slug)
    project, _ = project_for_scores(request, slug)
    given, pages = checked(RunsQuery, request.query_params), RunsPagination(request)
    wanted = {"release__number": given.get("release"), "split": given.get("split")}
    rows = SystemRun.objects.visible_to(person(request)).filter(release__project=project)
    rows = rows.filter(**{name: value for name, value in wanted.items() if value is not None})
    rows = rows.select_related("release__project", "by").defer("errors", "by_sentence", "description")
    found = pages.paginate_queryset(rows, request, limit=given["limit"], after=given.get("after"))
    return pages.get_paginated_response([shown(RunLineSerializer, run_line(row)) for row in found])


def _submitted(request: Request, slug: str) -> Response:
    release, split, system = _asked(request, slug)
    found = submit_run(release, by=person(request), split=split, system=system, file=kept_body(request))
    return Response(shown(RunSubmittedSerializer, submitted_document(found)), status=202)


@operation("One run", gives=RunSerializer, refuses=(404,), scopes=FIGURES)
@api_view(["GET"])
def run(request: Request, uuid: UUID) -> Response:
    """Every figure; of a file that was refused, all that is wrong."""
    return Response(shown(RunSerializer, run_document(run_seen(request, uuid))))


@operation(
    "What a run got wrong", query=ErrorsQuery, gives=ErrorsSerializer, refuses=(404, 409), scopes=(Scope.READ,)
)  # fmt: skip
@api_view(["GET"])
def run_errors(request: Request, uuid: UUID) -> Response:
    """Gold beside the system, sentence by sentence: for leads and adjudicators who have nothing left to annotate
    themselves."""
    found = run_seen(request, uuid)
    project, _ = project_for_adjudicator(request, found.release.project.slug)
    check_not_blind(person(request), project)
    if not found.is_scored:
        raise Conflict("This run is not scored.", code="not_scored")
    given = checked(ErrorsQuery, request.query_params)
    pages = ErrorsPagination(Mistake(given["kind"]))
    rows = pages.paginate_queryset(found, request, limit=given["limit"], after=given.get("after"))
    passages = passages_named(found.release, [row.external_id for row in rows])
    told = error_documents(rows, type_names(found.release), passages)
    return pages.get_paginated_response([shown(ErrorSerializer, row) for row in told])


@operation("Two runs on the same sentences", gives=AgainstSerializer, refuses=(404, 409), scopes=FIGURES)
@api_view(["GET"])
def runs_against(request: Request, uuid: UUID, other: UUID) -> Response:
    """How sure is it that one is better? A paired bootstrap, the same figures whenever it is asked for."""
    one, two = run_seen(request, uuid), run_seen(request, other)
    return Response(shown(AgainstSerializer, against_document(one, two, compared_runs(one, two))))


@operation(
    "The leaderboard", query=LeaderboardQuery, gives=LeaderboardSerializer, refuses=(404, 409), scopes=FIGURES
)  # fmt: skip
@api_view(["GET"])
def leaderboard(request: Request, slug: str) -> Response:
    project, _ = project_for_scores(request, slug)
    given = checked(LeaderboardQuery, request.query_params)
    found = leaderboard_of(*_measured(request, project, given), by=given["by"])
    seen = SystemRun.objects.visible_to(person(request)).on(found.release, found.split)
    return Response(shown(LeaderboardSerializer, leaderboard_document(found, seen.values_list("pk", flat=True))))


@operation("The sentences that systems are asked about", gives_file=ANY_FILE, refuses=(404, 409), scopes=FIGURES)
@api_view(["GET"])
def sentences(request: Request, slug: str, number: int, split: str) -> HttpResponseBase:
    """SWS JSON without its targets: no gold."""
    project, _ = project_for_scores(request, slug)
    check_not_blind(person(request), project)
    found = chosen(measured_releases(project, person(request)), number=str(number), split=split)
    if found is None:
        raise Http404
    return whole_text(*sentences_of(*found))
