"""Two small things every request passes."""

import time
from collections.abc import Callable

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse

from config.errors import answer

Door = Callable[[HttpRequest], HttpResponse]


class HelpfulErrors:
    """Bare refusals (wrong method, oversized form …) get a page to read, or JSON under /api/."""

    def __init__(self, get_response: Door) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code < 400 or response.streaming:
            return response
        is_json = response.headers.get("Content-Type", "").startswith("application/json")
        if (request.path.startswith("/api/") and not is_json) or not response.content:
            helpful = answer(request, response.status_code)
            for name in ("Allow", "Retry-After", "WWW-Authenticate"):
                if name in response.headers:
                    helpful[name] = response.headers[name]
            helpful.cookies = response.cookies
            return helpful
        return response


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
        return self.get_response(request)
