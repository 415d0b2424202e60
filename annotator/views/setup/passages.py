"""The set-up's steps about passages."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotator.doors import project_for_lead
from annotator.views.setup.frame import frame


@require_safe
def setup_passages(request: HttpRequest, slug: str) -> HttpResponse:
    return render(request, "annotator/setup/passages.html", frame(*project_for_lead(request, slug), "passages"))


@require_safe
def setup_screening(request: HttpRequest, slug: str) -> HttpResponse:
    return render(request, "annotator/setup/screening.html", frame(*project_for_lead(request, slug), "screening"))
