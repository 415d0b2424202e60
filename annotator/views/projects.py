"""A person's projects, a project's front page, and its people."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotator.actions.invitations import invite, revoke_invitation
from annotator.actions.people import change_roles, pause_member, remove_member, resume_member
from annotator.actions.projects import change_project_state
from annotator.domain.errors import Refused
from annotator.domain.states import PROJECT_MOVES, ProjectState
from annotator.doors import person, project_for_lead, project_for_member
from annotator.forms.people import InviteForm, RolesForm
from annotator.links import absolute
from annotator.models import Membership, Project
from annotator.queries.projects import overview_of, people_of
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


@never_cache
@require_http_methods(["GET", "POST"])
def people(request: HttpRequest, slug: str) -> HttpResponse:
    """Who is in the project; POST invites. The invitation's link is in this one answer and nowhere else."""
    found, membership = project_for_lead(request, slug)
    form = InviteForm(request.POST or None, initial={"roles": ["annotator"]})
    link, invited, status = "", None, 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                invited, token = invite(found, by=person(request), **form.cleaned_data)
                link, status = absolute(reverse("invitation", args=[token])), 200
                form = InviteForm(initial={"roles": ["annotator"]})
            except Refused as error:
                form.add_error("email", error.message)
                status = 409
        if form.errors:
            form.fields["email"].widget.attrs["autofocus"] = True
    context = {
        "project": found,
        "membership": membership,
        "lines": people_of(found),
        "invitations": found.invitations.pending().order_by("-created_at"),
        "form": form,
        "link": link,
        "invited": invited,
        "roles": RolesForm().fields["roles"].choices,  # type: ignore[attr-defined]
    }
    return render(request, "annotator/people.html", context, status=status)


def _member(found: Project, uuid: UUID) -> Membership:
    return get_object_or_404(found.memberships.active().select_related("project", "user"), uuid=uuid)


@require_POST
def member_roles(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    found, _ = project_for_lead(request, slug)
    membership, form = _member(found, uuid), RolesForm(request.POST)
    try:
        change_roles(membership, by=person(request), roles=form.cleaned_data["roles"] if form.is_valid() else [])
        messages.success(request, "The roles are changed.")
    except Refused as error:
        messages.error(request, error.message)
    return _back_to_people(request, found)


@require_POST
def member_remove(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    found, _ = project_for_lead(request, slug)
    membership = _member(found, uuid)
    try:
        remove_member(membership, by=person(request))
        name = membership.user.name if membership.user else membership.pseudonym
        messages.success(request, f"{name} is removed. What they submitted stays and counts; drafts are kept.")
    except Refused as error:
        messages.error(request, error.message)
    return _back_to_people(request, found)


PAUSES = {"pause": pause_member, "resume": resume_member}


@require_POST
def member_pause(request: HttpRequest, slug: str, uuid: UUID, act: str) -> HttpResponse:
    found, _ = project_for_lead(request, slug)
    try:
        PAUSES[act](_member(found, uuid), by=person(request))
        told = {"pause": "Paused: nothing is saved for them until you resume.", "resume": "Resumed: they can go on."}
        messages.success(request, told[act])
    except Refused as error:
        messages.error(request, error.message)
    return _back_to_people(request, found)


@require_POST
def invitation_revoke(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    found, _ = project_for_lead(request, slug)
    invitation = get_object_or_404(found.invitations.select_related("project"), uuid=uuid)
    try:
        revoke_invitation(invitation, by=person(request))
        messages.success(request, f"The invitation for {invitation.email} is revoked.")
    except Refused as error:
        messages.error(request, error.message)
    return _back_to_people(request, found)


def _back_to_people(request: HttpRequest, found: Project) -> HttpResponse:
    """A lead who has just given up the role cannot see the page any more."""
    still_leads = Project.objects.led_by(person(request)).filter(pk=found.pk).exists()
    return redirect("people", found.slug) if still_leads else redirect("home")
