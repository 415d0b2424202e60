"""Before there is anything to set up: the first person of an empty Assay, and a new project."""

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotator.actions.accounts import create_first_user
from annotator.actions.projects import begin_project
from annotator.authentication import remember_browser, start_session
from annotator.domain.errors import Conflict, Refused
from annotator.doors import person
from annotator.forms.accounts import FirstPersonForm
from annotator.forms.beginning import NewProjectForm, zones
from annotator.forms.refusals import add_refusal
from annotator.links import first_token
from annotator.models import User
from annotator.presets import offered


@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def first_person(request: HttpRequest, token: str) -> HttpResponse:
    """The link that `up` prints while nobody has an account."""
    if User.objects.exists() or not constant_time_compare(token, first_token()):
        return render(request, "annotator/link_over.html", {"what": "link"}, status=410)
    form, status = FirstPersonForm(request.POST or None), 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                user = create_first_user(**form.cleaned_data)
                start_session(request, user)
                response = redirect("new_project")
                remember_browser(request, response, user)
                return response
            except Refused as error:
                add_refusal(form, error)
    return render(request, "annotator/first_person.html", {"form": form}, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_project(request: HttpRequest) -> HttpResponse:
    """For whoever may create projects: they lead it, and go on to its set-up."""
    by = person(request)
    if not by.can_create_projects:
        raise Http404
    form, status = NewProjectForm(request.POST or None), 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                project = begin_project(by=by, **form.cleaned_data)
                return redirect("setup_rules", project.slug)
            except Refused as error:
                add_refusal(form, error, field="slug" if isinstance(error, Conflict) else None)
    choices = [(choice, offered()[choice.data["value"]]) for choice in form["preset"]]
    context = {"form": form, "choices": choices, "zones": zones()}
    return render(request, "annotator/new_project.html", context, status=status)
