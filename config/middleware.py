"""Two small things every request passes."""

import time
from collections.abc import Callable

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse

from annotator.api.door import status_of
from annotator.authentication import keep_sign_in
from annotator.domain.errors import Refused
from annotator.serializers.problems import PROBLEM_JSON
from config.errors import answer

Door = Callable[[HttpRequest], HttpResponse]


class HelpfulErrors:
    """Bare refusals (wrong method, oversized form, an action's refusal that no view caught) get a page to read, or
    a problem under /api/; NUL, which no database takes, is refused before anything looks at it."""

    def __init__(self, get_response: Door) -> None:
        self.get_response = get_response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if isinstance(error, Refused):
            return answer(request, status_of(error), message=error.message, code=error.code)
        return None

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "\x00" in request.path or "%00" in request.META.get("QUERY_STRING", "") or _has_nul(request.COOKIES):
            return answer(request, 400)
        response = self.get_response(request)
        if request.path.startswith("/api/"):
            response.headers.setdefault("Cache-Control", "no-store")
        if response.status_code == 302 and request.headers.get("HX-Request") and not request.user.is_authenticated:
            # Or the sign-in page would be put into the part that wanted to be refreshed.
            return HttpResponse(status=401, headers={"HX-Refresh": "true"})
        if response.status_code < 400 or response.streaming:
            return response
        is_problem = response.headers.get("Content-Type", "").startswith(PROBLEM_JSON)
        if (request.path.startswith("/api/") and not is_problem) or not response.content:
            helpful = answer(request, response.status_code)
            for name in ("Allow", "Retry-After", "WWW-Authenticate"):
                if name in response.headers:
                    helpful[name] = response.headers[name]
            helpful.cookies = response.cookies
            return helpful
        return response


def _has_nul(cookies: dict[str, str]) -> bool:
    return any("\x00" in value for value in cookies.values())


class SessionRenewal:
    """Keeps people signed in while they work: the idle time starts anew, hourly at most; thirty days are the end."""

    EVERY = 3600
    LONGEST = 30 * 24 * 3600

    def __init__(self, get_response: Door) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated and "began" in request.session:
            now = int(time.time())
            if now - request.session["began"] > self.LONGEST:
                request.session.flush()
                request.user = AnonymousUser()
            elif now - request.session["renewed"] > self.EVERY:
                request.session["renewed"] = now
                keep_sign_in(request, request.user)
        return self.get_response(request)
