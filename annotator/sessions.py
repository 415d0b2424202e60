"""Where a request comes from, and how a session begins."""

import time

from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest

from annotator.models import User


def start_session(request: HttpRequest, user: User) -> None:
    """Django's log-in (it rotates the session key), plus the instant from which the longest session is counted."""
    login(request, user)
    request.session["began"] = request.session["renewed"] = int(time.time())


def client_address(request: HttpRequest) -> str:
    """The peer's address; behind PROXIES proxies of ours, the one that the outermost of them saw.

    Counted from the right: what stands further left was written by the client and is not believed.
    """
    peer = request.META.get("REMOTE_ADDR") or "local"
    if not settings.PROXIES:
        return peer[:64]
    seen = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()]
    return (seen[-settings.PROXIES] if len(seen) >= settings.PROXIES else peer)[:64]


def is_local(request: HttpRequest) -> bool:
    """From this machine, by one of its own names: the only place where demo people sign in by link."""
    host = request.get_host().rsplit(":", 1)[0]
    return host in settings.LOCAL_HOSTS and request.META.get("REMOTE_ADDR", "") in ("127.0.0.1", "::1", "")
