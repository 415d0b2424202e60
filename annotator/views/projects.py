"""A person's projects, and a project's front page."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotator.actions.projects import change_project_state
from annotator.domain.errors import Refused
from annotator.domain.states import ProjectState
from annotator.doors import own_memberships, person, project_by_name, project_for_lead
from annotator.queries.assigning import handing_out
from annotator.queries.work import next_number, own_pace, own_progress, own_test


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """My projects; with only one, straight to it; with none, to a first one of one's own, for whoever may have that."""
    memberships = own_memberships(request).order_by("project__name")
    if len(memberships) == 1:
        return redirect("project", memberships[0].project.slug)
    if not memberships and person(request).can_create_projects:
        return redirect("new_project")
    return render(request, "annotator/home.html", {"memberships": memberships})


@require_safe
def project(request: HttpRequest, slug: str) -> HttpResponse:
    """A lead's first page is the set-up or the board; everybody else's is this."""
    found, membership = project_by_name(request, slug)
    if membership.awaits_opening:
        return render(request, "annotator/not_open.html", {"project": found})
    if membership.is_lead:
        return redirect("setup" if found.state == ProjectState.DRAFT else "board", slug)
    context: dict[str, Any] = {"project": found, "membership": membership}
    if membership.is_annotator:
        context["progress"] = own_progress(person(request), found)
        context["pace"] = own_pace(membership)
        context["test"] = own_test(membership)
        context["next_number"] = next_number(person(request), found)
    return render(request, "annotator/project.html", context)


@require_POST
def project_state(request: HttpRequest, slug: str) -> HttpResponse:
    found, _ = project_for_lead(request, slug)
    act = request.POST.get("act", "")
    try:
        changed = change_project_state(found, by=person(request), act=act)
        messages.success(request, f"The project is {ProjectState(changed.state)} now.")
        if handing_out(changed):
            messages.info(request, "There is much work to hand out: Jobs shows how far it is.")
    except Refused as error:
        messages.error(request, error.message)
    return redirect("project", slug)
