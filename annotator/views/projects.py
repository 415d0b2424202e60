"""A person's projects, and a project's front page."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotator.actions.projects import change_project_state
from annotator.domain.errors import Refused
from annotator.domain.states import PROJECT_MOVES, ProjectState
from annotator.doors import person, project_for_lead, project_for_member
from annotator.models import Membership
from annotator.queries.projects import overview_of
from annotator.queries.work import next_number, own_pace, own_progress


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """My projects; with only one, straight to it."""
    memberships = Membership.objects.of(person(request)).select_related("project").order_by("project__name")
    if len(memberships) == 1:
        return redirect("project", memberships[0].project.slug)
    return render(request, "annotator/home.html", {"memberships": memberships})


@require_safe
def project(request: HttpRequest, slug: str) -> HttpResponse:
    found, membership = project_for_member(request, slug)
    if membership.is_lead and found.state != ProjectState.DRAFT:
        return redirect("board", slug)
    acts = [act for state, act in PROJECT_MOVES if state == found.state and act != "return to draft"]
    context: dict[str, Any] = {"project": found, "membership": membership, "acts": acts if membership.is_lead else []}
    if membership.is_lead:
        context["overview"] = overview_of(found, by=person(request))
    if membership.is_annotator:
        context["progress"] = own_progress(person(request), found)
        context["pace"] = own_pace(membership)
        context["next_number"] = next_number(person(request), found)
    return render(request, "annotator/project.html", context)


@require_POST
def project_state(request: HttpRequest, slug: str) -> HttpResponse:
    found, _ = project_for_lead(request, slug)
    act = request.POST.get("act", "")
    try:
        changed = change_project_state(found, by=person(request), act=act)
        messages.success(request, f"The project is {ProjectState(changed.state)} now.")
        if changed.is_open and changed.jobs.waiting().filter(kind="assign_everyone").exists():
            messages.info(request, "There is much work to hand out: Jobs shows how far it is.")
    except Refused as error:
        messages.error(request, error.message)
    return redirect("project", slug)
