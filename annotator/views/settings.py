"""A project's settings, with what can be done with it as a whole, and copying its set-up."""

from django.conf import settings as configured
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotator.actions.settings import change_settings, copy_setup
from annotator.domain.errors import Invalid, Refused, Stale
from annotator.domain.project_life import acts_of
from annotator.domain.states import ProjectState
from annotator.doors import person, project_for_lead
from annotator.forms.settings import CopyForm, SettingsForm
from annotator.models import Membership, Project
from annotator.queries.projects import was_opened


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    project, membership = project_for_lead(request, slug)
    if request.method != "POST":
        return _page(request, project, membership, SettingsForm.of(project))
    form = SettingsForm(request.POST)
    status = 422
    try:
        if form.is_valid():
            given = form.given()
            changed = change_settings(project, by=person(request), shown=given["shown"], wanted=given["wanted"])
            messages.success(request, "The settings are changed." if changed else "Nothing was changed.")
            return redirect("settings", slug)
    except Stale as error:
        status = 409
        form.add_error(None, f"{error.message} Below is what you typed; what stands there now is said beside it.")
        for name, value in error.stored.items():
            form.add_error(name, f"Now: {value}")
        form.data = {**request.POST.dict(), **{f"shown_{name}": value for name, value in error.stored.items()}}
    except Invalid as error:
        for problem in error.problems:
            form.add_error(problem.path if problem.path in form.fields else None, problem.message)
    except Refused as error:
        status = 409
        form.add_error(None, error.message)
    return _page(request, project, membership, form, status=status)


def _page(
    request: HttpRequest, project: Project, membership: Membership, form: SettingsForm, status: int = 200
) -> HttpResponse:
    context = {
        "project": project,
        "membership": membership,
        "form": form,
        "acts": acts_of(ProjectState(project.state), was_opened=was_opened(project)),
        "protocol": project.protocol,
        "has_webhooks": bool(configured.WEBHOOK_HOSTS),
    }
    return render(request, "annotator/settings.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def setup_copy(request: HttpRequest, slug: str) -> HttpResponse:
    project, membership = project_for_lead(request, slug)
    form = CopyForm(request.POST if request.method == "POST" else None)
    status = 200
    if request.method == "POST":
        status = 422
        try:
            if form.is_valid():
                made = copy_setup(project, by=person(request), **form.cleaned_data)
                messages.success(request, f"{made.name} is a draft of yours, with the set-up of {project.name}.")
                return redirect("project", made.slug)
        except Invalid as error:
            for problem in error.problems:
                form.add_error(problem.path if problem.path in form.fields else None, problem.message)
        except Refused as error:
            status = 403 if error.code == "not_allowed" else 409
            form.add_error("slug" if error.code == "slug_taken" else None, error.message)
    context = {"project": project, "membership": membership, "form": form}
    return render(request, "annotator/setup_copy.html", context, status=status)
