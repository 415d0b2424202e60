"""Every component on one page, for whoever draws the next screen and for the camera; only in the demo."""

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotator.authentication import is_local
from annotator.domain.jobs import JobState
from annotator.domain.states import AssignmentState, ProjectState
from annotator.forms.accounts import EmailForm
from annotator.forms.people import RolesForm

COLOURS = (
    *("ink", "ink-2", "ink-3", "paper", "surface", "sunken", "line", "line-2"),
    *("accent", "accent-soft", "good", "warn", "bad", "info"),
)


@login_not_required
@require_safe
def styleguide(request: HttpRequest) -> HttpResponse:
    if not settings.DEMO or not is_local(request):
        raise Http404
    refused = EmailForm({"email": "not an address"})
    refused.add_error("email", "“not an address” is not an e-mail address.")
    context = {
        "colours": COLOURS,
        "form": RolesForm(initial={"roles": ["annotator"]}),
        "refused": refused,
        "states": [*AssignmentState, *ProjectState, *(state for state in JobState if state != JobState.DIVIDED)],
    }
    return render(request, "annotator/styleguide.html", context)
