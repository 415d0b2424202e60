"""Who is asking: what Django is told in the settings (people, sessions, passwords), and what is known of a browser."""

import secrets
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import login, logout
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.sessions.backends.db import SessionStore as DatabaseSessions
from django.contrib.sessions.models import Session
from django.db import OperationalError
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from annotator.domain.browsers import browser_name
from annotator.models import ApiToken, SignIn, User
from annotator.prepared import Prepared

# The two reads that every request of a signed-in person begins with, and the one of a program.
USER = Prepared(lambda pk: User.objects.filter(pk=pk), -1)
TOKEN = Prepared(lambda sha256: ApiToken.objects.select_related("user").filter(sha256=sha256), "sample")
SESSION = Prepared(lambda key: Session.objects.filter(session_key=key), "sample")

TOKEN_USE = timedelta(hours=1)
BROWSER_COOKIE = "assay_browser"
BROWSER_SALT = "annotator.authentication.browser"
BROWSER_AGE = 365 * 24 * 3600  # seconds
MOST_PEOPLE = 8  # of one browser, such as that of a computer room


class Backend(ModelBackend):
    def get_user(self, user_id: Any) -> User | None:
        user = USER.first(user_id)
        return user if user and self.user_can_authenticate(user) else None


class SessionStore(DatabaseSessions):
    """Django's sessions in the database; named in settings by the module, as Django wants it."""

    def _get_session_from_db(self) -> Session | None:
        found = SESSION.first(self.session_key)
        if found is None or found.expire_date <= timezone.now():
            self._session_key = None
            return None
        return found


class Argon2(Argon2PasswordHasher):
    """OWASP's smallest recommended setting: 19 MiB, two passes; a log-in must not cost 100 MB of a small server."""

    memory_cost = 19 * 1024  # KiB
    time_cost = 2
    parallelism = 1


def start_session(request: HttpRequest, user: User) -> None:
    """Django's log-in (it rotates the session key), plus the instant from which the longest session is counted."""
    login(request, user)
    request.session["began"] = request.session["renewed"] = int(time.time())
    keep_sign_in(request, user)


def keep_sign_in(request: HttpRequest, user: User) -> None:
    """Of a session that has begun, or is renewed, for its owner to see; those that are over are forgotten."""
    if not request.session.session_key:
        request.session.create()  # it would be named at the end of the request only
    own = SignIn.objects.filter(user_id=user.pk)
    own.exclude(pk__in=own.live().values("pk")).delete()
    seen = {
        "user_id": user.pk,
        "browser": browser_name(request.headers.get("User-Agent", "")),
        "seen_at": timezone.now(),
    }
    SignIn.objects.update_or_create(session_key=request.session.session_key, defaults=seen)


def keep_use(token: ApiToken) -> None:
    """To the hour, for its owner to see. What is only read goes on where nothing can be written."""
    now = timezone.now()
    if token.used_at is None or now - token.used_at > TOKEN_USE:
        with suppress(OperationalError):
            ApiToken.objects.filter(pk=token.pk, used_at=token.used_at).update(used_at=now)


def end_session(request: HttpRequest) -> None:
    SignIn.objects.filter(session_key=request.session.session_key or "").delete()
    logout(request)


@dataclass(frozen=True)
class Browser:
    """A browser by its cookie: a name of its own, and a seal of everybody who signed in there with a password. It opens
    nothing; guesses from elsewhere only do not slow down who is known here."""

    name: str = ""
    seals: tuple[str, ...] = ()

    def knows(self, user: User) -> bool:
        return any(constant_time_compare(seal, _seal_of(user)) for seal in self.seals)


def _seal_of(user: User) -> str:
    """Another one after the password has changed."""
    return salted_hmac(BROWSER_SALT, f"{user.uuid}:{user.password}", algorithm="sha256").hexdigest()[:32]


def browser_of(request: HttpRequest) -> Browser:
    """An unknown one where the cookie is missing, too old or not ours."""
    signed = request.get_signed_cookie(BROWSER_COOKIE, default="", salt=BROWSER_SALT, max_age=BROWSER_AGE)
    name, *seals = (signed or "").split(".")
    return Browser(name, tuple(seals))


def remember_browser(request: HttpRequest, response: HttpResponseBase, user: User) -> None:
    """After a right or a new password."""
    browser, seal = browser_of(request), _seal_of(user)
    seals = [seal, *(other for other in browser.seals if other != seal)][:MOST_PEOPLE]
    response.set_signed_cookie(
        BROWSER_COOKIE,
        ".".join([browser.name or secrets.token_hex(16), *seals]),
        salt=BROWSER_SALT,
        max_age=BROWSER_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict",
    )


def client_address(request: HttpRequest) -> str:
    """The peer's address; behind PROXIES proxies of ours, the one that the outermost of them saw.

    Counted from the right: what stands further left was written by the client and is not believed.
    """
    peer = request.META.get("REMOTE_ADDR") or "local"
    if not settings.PROXIES:
        return peer[:64]
    seen = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()]
    return (seen[-settings.PROXIES] if len(seen) >= settings.PROXIES else peer)[:64]


def origin_of(request: HttpRequest) -> dict[str, Any]:
    """Whom attempts to sign in are counted for."""
    return {"address": client_address(request), "browser": browser_of(request)}


def is_local(request: HttpRequest) -> bool:
    """From this machine, by one of its own names: the only place where demo people sign in by link."""
    host = request.get_host().rsplit(":", 1)[0]
    return host in settings.LOCAL_HOSTS and request.META.get("REMOTE_ADDR", "") in ("127.0.0.1", "::1", "")
