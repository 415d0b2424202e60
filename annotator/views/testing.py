"""What came of somebody's qualification test, for the leads, and their word on it."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotator.actions.testing import ask_for_test, give_another_try, let_pass
from annotator.domain.errors import Refused
from annotator.doors import person, project_for_lead
from annotator.models import Membership, Project
from annotator.queries.testing import test_lines, unused_tests

ACTS = {
    "let-pass": (let_pass, "They have passed: their work is handed out to them."),
    "try-again": (give_another_try, "They can try again, by test passages that they have not seen."),
    "ask": (ask_for_test, "They are tested first. What they have been given waits for the pass."),
}


@never_cache
@require_safe
def member_test(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    project, membership = project_for_lead(request, slug)
    somebody = _annotator(project, uuid)
    unused, takes = unused_tests(somebody), project.protocol.test_passages
    lines = test_lines(somebody, by=person(request))
    context = {
        "project": project,
        "membership": membership,
        "somebody": somebody,
        "now": [line for line in lines if not line.is_earlier],
        "earlier": [line for line in lines if line.is_earlier],
        "unused": unused,
        "takes": takes,
        "has_enough": unused >= max(1, takes),
        "has_submitted": somebody.assignments.filter(submissions_made__gt=0).exists(),
    }
    return render(request, "annotator/member_test.html", context)


@require_POST
def member_test_act(request: HttpRequest, slug: str, uuid: UUID, act: str) -> HttpResponse:
    project, _ = project_for_lead(request, slug)
    action, told = ACTS[act]
    try:
        action(_annotator(project, uuid), by=person(request))
        messages.success(request, told)
    except Refused as error:
        messages.error(request, error.message)
    return redirect("member_test", slug, uuid)


def _annotator(project: Project, uuid: UUID) -> Membership:
    rows = project.memberships.filter(user__isnull=False, is_annotator=True)
    return get_object_or_404(rows.select_related("project", "user"), uuid=uuid)
