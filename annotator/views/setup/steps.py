"""The steps that bring people in and open the project."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotator.actions.projects import change_project_state
from annotator.domain.errors import Refused
from annotator.domain.formats.reading import counted
from annotator.doors import person, project_for_lead
from annotator.mail import has_mail
from annotator.queries.assigning import handing_out
from annotator.queries.people import invitations_of, people_page
from annotator.queries.setup import annotators_wanted, setup_of
from annotator.views.people import inviting
from annotator.views.setup.frame import frame


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def setup_people(request: HttpRequest, slug: str) -> HttpResponse:
    """Who is there; POST invites. The links are in this one answer and nowhere else."""
    found, membership = project_for_lead(request, slug)
    invited = inviting(request, found)
    invitations, open_invitations = invitations_of(found)
    context = {
        **frame(found, membership, "people"),
        "page": people_page(found.memberships.active(), found, by=person(request)),
        "invitations": invitations,
        "open_invitations": open_invitations,
        "wanted": annotators_wanted(found.protocol),
        "inviting": invited,
        "has_mail": has_mail(),
    }
    return render(request, "annotator/setup/people.html", context, status=invited.status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def setup_open(request: HttpRequest, slug: str) -> HttpResponse:
    """What is missing, in one list; POST opens."""
    found, membership = project_for_lead(request, slug)
    missing = setup_of(found).missing
    is_kept_shut = any(step.is_needed for step in missing)
    if request.method == "POST" and is_kept_shut:
        messages.error(request, next(step.lacks for step in missing if step.is_needed))
    elif request.method == "POST":
        try:
            opened = change_project_state(found, by=person(request), act="open")
            messages.success(request, "The project is open: everybody gets their work.")
            if handing_out(opened):
                messages.info(request, "There is much work to hand out: Jobs shows how far it is.")
            return redirect("project", slug)
        except Refused as error:
            messages.error(request, error.message)
    context = frame(found, membership, "open")
    names = {step.name for step in missing}
    context |= {
        "missing": [line for line in context["lines"] if line.step.name in names],
        "is_kept_shut": is_kept_shut,
        "joined": found.memberships.annotating().count(),
        "passages": counted(found.passages.work().count(), "passage"),
    }
    return render(request, "annotator/setup/open.html", context, status=409 if request.method == "POST" else 200)
