"""Background work as its project's leads see it: what runs, how far it is, and what came of it."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotator.actions.assigning import ask_to_assign_everyone
from annotator.actions.jobs import cancel_job, retry_job
from annotator.domain.errors import Refused
from annotator.domain.formats.reading import Alike, alike
from annotator.doors import person, project_for_lead
from annotator.models import Arrival, Job
from annotator.queries.jobs import job_line, job_lines

REASONS = 100  # shown of the problems, and of the warnings
ACTS = {"cancel": cancel_job, "retry": retry_job}


@never_cache
@require_safe
def jobs(request: HttpRequest, slug: str) -> HttpResponse:
    project, membership = project_for_lead(request, slug)
    lines = job_lines(Job.objects.visible_to(person(request)).filter(project=project).worth_listing())
    context = {
        "project": project,
        "membership": membership,
        "lines": lines,
        "is_busy": any(not line.job.is_over for line in lines),
    }
    return render(request, _page(request, "annotator/jobs.html", "list"), context)


@never_cache
@require_safe
def job(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    project, membership = project_for_lead(request, slug)
    found = _job(request, slug, uuid)
    arrival = Arrival.objects.filter(job=found).first()
    context = {
        "project": project,
        "membership": membership,
        "line": job_line(found),
        "arrival": arrival,
        "report": arrival and arrival.report and any(arrival.report.values()) and arrival.report,
        "wrong": _wrong(arrival.report) if arrival and arrival.report else [],
        "is_for_good": bool(arrival and arrival.over_at),  # nothing is left of its file to try again with
    }
    return render(request, _page(request, "annotator/job.html", "status"), context)


def _wrong(report: dict[str, Any]) -> list[tuple[str, Alike]]:
    """What a file was refused or warned for, each reason once."""
    return [
        (kind, found)
        for kind in ("problem", "warning")
        for found in alike((row["line"], row["reason"]) for row in report.get(f"{kind}s", []))[:REASONS]
    ]


@require_POST
def job_act(request: HttpRequest, slug: str, uuid: UUID, act: str) -> HttpResponse:
    found = _job(request, slug, uuid)
    try:
        ACTS[act](found, by=person(request))
    except Refused as error:
        messages.error(request, error.message)
    return redirect("job", slug, uuid)


@require_POST
def hand_out(request: HttpRequest, slug: str) -> HttpResponse:
    """Gives every annotator what they lack, now."""
    project, _ = project_for_lead(request, slug)
    try:
        asked = ask_to_assign_everyone(project, by=person(request))
    except Refused as error:
        messages.error(request, error.message)
        return redirect("project", slug)
    return redirect("job", slug, asked.uuid)


def _job(request: HttpRequest, slug: str, uuid: UUID) -> Job:
    rows = Job.objects.visible_to(person(request)).filter(project__slug=slug)
    return get_object_or_404(rows.select_related("project", "asked_by"), uuid=uuid)


def _page(request: HttpRequest, template: str, fragment: str) -> str:
    """htmx asks for the part that moves; everybody else gets the page."""
    return f"{template}#{fragment}" if request.headers.get("HX-Request") == "true" else template
