"""Steps."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotator.doors import project_for_lead
from annotator.views.setup.frame import frame


@require_safe
def setup_rules(request: HttpRequest, slug: str) -> HttpResponse:
    return render(request, "annotator/setup/rules.html", frame(*project_for_lead(request, slug), "rules"))


@require_safe
def setup_guidelines(request: HttpRequest, slug: str) -> HttpResponse:
    return render(request, "annotator/setup/guidelines.html", frame(*project_for_lead(request, slug), "guidelines"))


@require_safe
def setup_people(request: HttpRequest, slug: str) -> HttpResponse:
    return render(request, "annotator/setup/people.html", frame(*project_for_lead(request, slug), "people"))


@require_safe
def setup_test(request: HttpRequest, slug: str) -> HttpResponse:
    return render(request, "annotator/setup/test.html", frame(*project_for_lead(request, slug), "test"))


@require_safe
def setup_open(request: HttpRequest, slug: str) -> HttpResponse:
    return render(request, "annotator/setup/open.html", frame(*project_for_lead(request, slug), "open"))
