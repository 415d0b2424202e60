"""A project's people: who is in it, who is let in, and what a lead does about each."""

import csv
import io
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotator.actions.forgotten import make_password_link
from annotator.actions.invitations import invite_many, renew_invitation, revoke_invitation
from annotator.actions.people import bring_back, change_roles, pause_member, remove_member, resume_member
from annotator.domain.errors import Invalid, Problem, Refused
from annotator.domain.formats.cells import neutral
from annotator.doors import person, project_for_lead
from annotator.forms.people import INVITED, InviteForm, PeopleFilterForm, RolesForm
from annotator.links import invitation_link
from annotator.mail import has_mail
from annotator.models import Invitation, Membership, Project
from annotator.queries.people import invitations_of, people_page
from annotator.views.parts import asks_for_part

NEW = {"roles": ["annotator"]}


@dataclass(frozen=True)
class Link:
    """Shown in the one answer in which it was made, and nowhere else."""

    invitation: Invitation
    url: str


@dataclass
class Inviting:
    """What a posted invitation has come to; `form` is empty again where it is done."""

    form: InviteForm
    status: int = 200
    links: list[Link] = field(default_factory=list)
    left_out: list[Problem] = field(default_factory=list)
    others: int = 0  # that could be invited without those that are refused
    is_done: bool = False

    @property
    def as_csv(self) -> str:
        return _csv(self.links)


def inviting(request: HttpRequest, found: Project) -> Inviting:
    """The form to invite by, and where it was posted what came of it: for every page that has it."""
    empty = InviteForm(initial=NEW, has_mail=has_mail())
    if request.method != "POST":
        return Inviting(empty)
    form = InviteForm(request.POST, has_mail=has_mail())
    form.fields["emails"].widget.attrs["autofocus"] = True  # the form may stand far down its page
    if not form.is_valid():
        return Inviting(form, 400)
    given = form.invited()
    try:
        done = invite_many(found, by=person(request), leaves_out="leave_out" in request.POST, **given)
    except Invalid as error:
        for problem in error.problems:
            form.add_error("roles" if problem.path == "roles" else "emails", problem.message)
        is_about_some = all(problem.code in ("email", "member_already") for problem in error.problems)
        asked = {email.strip().lower() for email in given["emails"]}
        others = len(asked) - len(error.problems) if is_about_some else 0
        return Inviting(form, 400, others=max(0, others))
    except Refused as error:
        form.add_error(None, error.message)
        return Inviting(form, 409)
    if done.job:
        count = len(done.made)
        messages.success(request, f"{count} invitation{'s go' if count > 1 else ' goes'} out by e-mail.")
        return Inviting(empty, left_out=done.left_out, is_done=True)
    links = [_link(*made) for made in done.made]
    return Inviting(empty, links=links, left_out=done.left_out, is_done=True)


def _link(invitation: Invitation, token: str) -> Link:
    return Link(invitation, invitation_link(token))


def _csv(links: list[Link]) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(["email", "roles", "link", "runs out"])
    for link in links:
        row = link.invitation
        writer.writerow([neutral(row.email), "; ".join(row.roles), link.url, f"{row.expires_at:%Y-%m-%d}"])
    return buffer.getvalue()


@never_cache
@require_http_methods(["GET", "POST"])
def people(request: HttpRequest, slug: str) -> HttpResponse:
    """Who is in the project; POST invites. The links are in this one answer and nowhere else."""
    found, membership = project_for_lead(request, slug)
    return _page(request, found, membership, inviting(request, found))


def _page(
    request: HttpRequest, found: Project, membership: Membership, invited: Inviting, *, password_link: Any = None
) -> HttpResponse:
    form = PeopleFilterForm(request.GET)
    given, after = form.given(), request.GET.get("after", "")
    page = people_page(form.narrow(found.memberships.all()), found, by=person(request), after=_uuid(after))
    invitations, open_invitations = list[Invitation](), 0
    if given.get("state", INVITED) == INVITED and not after and "role" not in given:
        invitations, open_invitations = invitations_of(found, q=given.get("q", ""))
    context = {
        "project": found,
        "membership": membership,
        "page": page,
        "is_first_page": not after,
        "filter": form,
        "query": form.query(),
        "invitations": invitations,
        "open_invitations": open_invitations,
        "inviting": invited,
        "form": invited.form,
        "has_mail": has_mail(),
        "password_link": password_link,
        "has_tests": found.passages.keyed_tests().exists(),
        "roles": RolesForm().fields["roles"].choices,  # type: ignore[attr-defined]
    }
    is_part = request.method == "GET" and asks_for_part(request)
    name = "annotator/people.html#list" if is_part else "annotator/people.html"
    return render(request, name, context, status=invited.status)


def _uuid(text: str) -> str:
    """What is none begins from the start."""
    try:
        return str(UUID(text))
    except ValueError:
        return ""


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
        said = f"{_name(membership)} is removed. What they submitted stays and counts; drafts are kept."
        messages.success(request, said)
    except Refused as error:
        messages.error(request, error.message)
    return _back_to_people(request, found)


@require_POST
def member_bring_back(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    found, _ = project_for_lead(request, slug)
    rows = found.memberships.exclude(removed_at=None).select_related("project", "user")
    membership = get_object_or_404(rows, uuid=uuid)
    try:
        bring_back(membership, by=person(request))
        messages.success(request, f"{_name(membership)} is in the project again, and finds their work as they left it.")
    except Refused as error:
        messages.error(request, error.message)
    return _back_to_people(request, found)


PAUSES = {"pause": pause_member, "resume": resume_member}


@require_POST
def member_pause(request: HttpRequest, slug: str, uuid: UUID, act: str) -> HttpResponse:
    found, _ = project_for_lead(request, slug)
    membership = _member(found, uuid)
    try:
        PAUSES[act](membership, by=person(request))
        told = {
            "pause": "{} is paused: nothing is saved for them until you resume.",
            "resume": "{} is resumed and can go on.",
        }
        messages.success(request, told[act].format(_name(membership)))
    except Refused as error:
        messages.error(request, error.message)
    return _back_to_people(request, found)


@never_cache
@require_POST
def member_password_link(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """For a forgotten password. The link is in this one answer and nowhere else."""
    found, own = project_for_lead(request, slug)
    membership = _member(found, uuid)
    try:
        link = make_password_link(membership, by=person(request))
    except Refused as error:
        messages.error(request, error.message)
        return _back_to_people(request, found)
    made = {"name": _name(membership), "url": link}
    return _page(request, found, own, Inviting(InviteForm(initial=NEW, has_mail=has_mail())), password_link=made)


@never_cache
@require_POST
def invitation_renew(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """A new link for an old invitation. It is in this one answer and nowhere else, or goes out by e-mail."""
    found, membership = project_for_lead(request, slug)
    invitation = get_object_or_404(found.invitations.select_related("project"), uuid=uuid)
    by_email = "by_email" in request.POST
    try:
        renewed, token = renew_invitation(invitation, by=person(request), by_email=by_email)
    except Refused as error:
        messages.error(request, error.message)
        return _back_to_people(request, found)
    if by_email:
        messages.success(request, f"The invitation for {renewed.email} goes out by e-mail once more.")
        return _back_to_people(request, found)
    made = Inviting(InviteForm(initial=NEW, has_mail=has_mail()), links=[_link(renewed, token)])
    return _page(request, found, membership, made)


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


def _name(membership: Membership) -> str:
    return membership.user.name if membership.user else membership.pseudonym


def _back_to_people(request: HttpRequest, found: Project) -> HttpResponse:
    """A lead who has just given up the role cannot see the page any more."""
    still_leads = Project.objects.led_by(person(request)).filter(pk=found.pk).exists()
    return redirect("people", found.slug) if still_leads else redirect("home")
