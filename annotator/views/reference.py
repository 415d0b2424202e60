"""The API explained: its document for programs, the same as a page for people. Open to everybody: it tells nothing
but what the source tells."""

import json
from functools import cache

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from annotator.serializers.problems import INPUT_PROBLEMS, PROBLEMS


@login_not_required
@require_safe
def openapi(request: HttpRequest) -> HttpResponse:
    return HttpResponse(_document_bytes(), content_type="application/json")


@login_not_required
@require_safe
def api(request: HttpRequest) -> HttpResponse:
    from annotator.api.reading import groups, shapes

    problems = [
        {"code": code, "status": status, "title": title, "means": means}
        for code, (status, title, means) in PROBLEMS.items()
    ]
    context = {"groups": groups(), "shapes": shapes(), "problems": problems, "inputs": INPUT_PROBLEMS.items()}
    return render(request, "annotator/api.html", context)


@login_not_required
@require_safe
def api_problems(request: HttpRequest) -> HttpResponse:
    """Where the `type` of a problem leads: browsers take the part after # along."""
    return redirect("api")


@cache
def _document_bytes() -> bytes:
    from annotator.api.document import document

    return json.dumps(document(), ensure_ascii=False).encode()
