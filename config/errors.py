"""Every refusal that is not a view's own: a problem under /api/, a helpful page elsewhere."""

import sys
from typing import Any

from django.db import DataError, InternalError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string

from annotator.serializers.problems import OF_STATUS, PROBLEM_JSON, problem

# status: (title, what it means and what to do)
PAGES = {
    400: ("That request cannot be read", "Something in the address or the form is broken. Go back and try again."),
    403: ("Not allowed", "You are signed in, but this is not for you. A lead of the project can change your roles."),
    404: (
        "Nothing here",
        "There is no such page, or it is not for you. Start again from your projects.",
    ),
    405: ("Not that way", "This address does not take that kind of request. Start again from your projects."),
    409: ("Not now", "Things have changed since this page was made. Reload it and look again."),
    413: ("Too large", "What was sent is larger than Assay takes."),
    500: ("Something broke", "An error of ours, now in the log. Nothing half-done was saved. Try again in a moment."),
    503: ("Not now", "The database does not answer or cannot be written to. Nothing was saved; try again in a moment."),
}
CSRF_MESSAGE = (
    "The form is out of date: it was open too long, or you signed in again elsewhere. Reload the page and try again."
)


def answer(request: HttpRequest, status: int, *, message: str = "", code: str = "") -> HttpResponse:
    title, advice = PAGES.get(status, ("That did not work", "The request was refused."))
    if request.path.startswith("/api/"):
        body = problem(code or OF_STATUS.get(status, ""), message or advice, status=status)
        return JsonResponse(body, status=status, content_type=PROBLEM_JSON)
    # Without the request: an error page must not need session, person or database.
    context = {"status": status, "title": title, "advice": message or advice}
    return HttpResponse(render_to_string("error.html", context), status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return answer(request, 400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return answer(request, 403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return answer(request, 404)


def server_error(request: HttpRequest) -> HttpResponse:
    cause = sys.exc_info()[1]
    if isinstance(cause, DataError):  # a value that no column can hold
        return answer(request, 400)
    if isinstance(cause, OperationalError | InternalError):
        response = answer(request, 503)
        response["Retry-After"] = "5"
        return response
    return answer(request, 500)


def csrf_failure(request: HttpRequest, reason: str = "", **kwargs: Any) -> HttpResponse:
    return answer(request, 403, message=CSRF_MESSAGE, code="csrf")
