"""What every step of the set-up shows around itself, and the way to the first that is not done."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from annotator.actions.setting_up import skip_step
from annotator.domain.errors import Refused
from annotator.domain.setting_up import Step
from annotator.domain.states import ProjectState
from annotator.doors import person, project_for_lead
from annotator.models import Membership, Project
from annotator.queries.setup import setup_of


@dataclass(frozen=True)
class StepLine:
    step: Step
    page: str  # its address


def frame(project: Project, membership: Membership, name: str, *, unseen: int | None = None) -> dict[str, Any]:
    """For a page of the step `name`, whose template extends `annotator/setup/_frame.html`."""
    setup = setup_of(project, unseen=unseen)

    def line(step: Step | None) -> StepLine | None:
        return StepLine(step, page_of(project, step.name)) if step else None

    return {
        "project": project,
        "membership": membership,
        "setup": setup,
        "lines": [line(step) for step in setup.steps],
        "step": setup.step(name),
        "before": line(setup.before(name)),
        "after": line(setup.after(name)),
    }


def page_of(project: Project, name: str) -> str:
    return reverse(f"setup_{name}", args=[project.slug])


@require_safe
def setup(request: HttpRequest, slug: str) -> HttpResponse:
    """To the first step that is not done; once the project has been opened, to the project."""
    found, _ = project_for_lead(request, slug)
    if found.state != ProjectState.DRAFT:
        return redirect("project", slug)
    return redirect(page_of(found, setup_of(found).first_undone.name))


@require_POST
def setup_skip(request: HttpRequest, slug: str, step: str) -> HttpResponse:
    """A step is done without, or, with `undo`, taken up again."""
    found, _ = project_for_lead(request, slug)
    is_undone = "undo" in request.POST
    try:
        skip_step(found, by=person(request), step=step, is_skipped=not is_undone)
    except Refused as error:
        messages.error(request, error.message)
        return redirect("setup", slug)
    after = setup_of(found).after(step)
    return redirect(page_of(found, step if is_undone or after is None else after.name))
