"""What every API call passes: who is asking, strict JSON in, an error as a problem with the right status out."""

import hashlib
from collections.abc import Iterator
from typing import Any, cast

from django.db import DataError, InternalError, OperationalError
from django.http import Http404
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.authentication import TOKEN, keep_use
from annotator.domain.api_tokens import opening, opens
from annotator.domain.errors import (
    BadRequest,
    Conflict,
    Invalid,
    NotAllowed,
    Problem,
    Refused,
    Stale,
    Throttled,
    TooLarge,
    VersionMissing,
)
from annotator.domain.formats.reading import EMPTY
from annotator.domain.people import hash_of_token
from annotator.domain.strict_json import parse_json
from annotator.models import ApiToken, User
from annotator.serializers.problems import INPUT_PROBLEMS, PROBLEM_JSON, problem
from annotator.uploads import KeptFile, keep

# TooLarge before Invalid, of which it is a kind.
STATUS = {
    BadRequest: 400,
    NotAllowed: 403,
    Conflict: 409,
    Stale: 412,
    TooLarge: 413,
    Invalid: 422,
    VersionMissing: 428,
    Throttled: 429,
}


class TokenDoor(BaseAuthentication):
    """`Authorization: Bearer assay_…`: a program, as the person whose token it is. No cookie comes with it, so no other
    site can send it."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        kind, _, given = request.headers.get("Authorization", "").partition(" ")
        if kind.lower() != "bearer":
            return None
        token = TOKEN.first(hash_of_token(given.strip()))
        if token is None or token.revoked_at or not token.user.is_active:
            raise exceptions.AuthenticationFailed("No such token opens anything here.", code="bad_token")
        if token.has_run_out:
            raise exceptions.AuthenticationFailed("This token has run out: make a new one.", code="bad_token")
        token.user.only_project_id = token.project_id
        keep_use(token)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer, Session"  # makes "nobody is signed in" a 401, which the page can tell from a 403


class WithinScopes(BasePermission):
    """Of what the person may do, a token opens what its scopes name."""

    def has_permission(self, request: Request, view: Any) -> bool:
        said = view.operations.get(request.method)
        if said is None or not isinstance(request.auth, ApiToken):
            return True
        if not said.scopes:
            raise NotAllowed("No token opens this: sign in.", code="scope")
        if not opens(request.auth.scopes, said.scopes):
            wanted = " or ".join(f"“{scope}”" for scope in opening(said.scopes))
            raise NotAllowed(f"This token may not do that: it takes the scope {wanted}.", code="scope")
        return True


class SessionDoor(SessionAuthentication):
    def authenticate_header(self, request: Request) -> str:
        return "Session"

    def enforce_csrf(self, request: Request) -> None:
        try:
            super().enforce_csrf(request)
        except exceptions.PermissionDenied as error:
            raise exceptions.PermissionDenied(str(error.detail), code="csrf") from None


class AlwaysJSON(BaseContentNegotiation):
    """Whatever the Accept header says: there is nothing but JSON here."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        wanted = request.content_type.partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == wanted), None)

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        return renderers[0], renderers[0].media_type


class BodyTooLarge(exceptions.APIException):
    status_code = 413
    default_code = "too_large"


class StrictJSONParser(BaseParser):
    """No body larger than its view's `@operation` says is read to the end."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        most = parser_context["view"].operations[parser_context["request"].method].max_body
        body = stream.read(most + 1)
        if len(body) > most:
            raise BodyTooLarge(f"The body is larger than {most:,} bytes.")
        parser_context["request"].body_sha256 = hashlib.sha256(body).hexdigest()
        return parse_json(body)


class FileParser(BaseParser):
    """The body is the file. Nothing of it is read here: nobody has looked yet whether its sender may send it."""

    media_type = "application/octet-stream"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        return stream


class LengthMissing(exceptions.APIException):
    status_code = 411
    default_code = "no_length"


def kept_body(request: Request) -> KeptFile:
    """The file that is the body, kept as it streams in, and no more of it than `@operation` says."""
    if found := getattr(request, "kept", None):  # read already, to know whether the request has come before
        return cast(KeptFile, found)
    length = request.META.get("CONTENT_LENGTH") or ""
    if not (length.isascii() and length.isdigit()):
        raise LengthMissing("Say how large the file is: Content-Length.")
    source: Any = request.data
    most = request.parser_context["view"].operations[request.method].max_body
    if int(length) > most:
        raise TooLarge.of("too_large", f"The file is larger than {most // 1_000_000} MB.")
    if not source:
        raise Invalid.of("empty_file", EMPTY)
    file = keep(source, most=most)
    if file.size != int(length):
        file.discard()
        raise BadRequest(f"The file broke off after {file.size:,} of {int(length):,} bytes.")
    return file


def error_response(error: Exception, context: Any) -> Response | None:
    """A problem for whatever a view raised; None leaves a true bug to the 500 handler."""
    if isinstance(error, exceptions.ValidationError):
        error = Invalid(list(_problems(error.detail)))
    if isinstance(error, Refused):
        return _refusal(error)
    if isinstance(error, Http404):
        error = exceptions.NotFound("There is no such thing here.")
    if isinstance(error, DataError):
        return _answer("bad_request", "A value in the request cannot be stored.", status=400)
    if isinstance(error, OperationalError | InternalError):
        # Disk full, read-only or gone: nothing was written, and the browser keeps its text.
        message = "The database cannot take this now. Nothing was saved; try again."
        return _answer("unavailable", message, status=503, headers={"Retry-After": "5"})
    if isinstance(error, exceptions.Throttled):
        wait = max(1, round(getattr(error, "wait", None) or 60))
        message = f"That was asked too often in a short time. Try again in {wait} seconds."
        return _answer("throttled", message, status=429, headers={"Retry-After": str(wait)})
    if isinstance(error, exceptions.APIException):
        headers = {"WWW-Authenticate": error.auth_header} if hasattr(error, "auth_header") else {}
        codes = error.get_codes()
        code = codes if isinstance(codes, str) else "invalid"
        return _answer(code, str(error.detail), status=error.status_code, headers=headers)
    return None


def status_of(error: Refused) -> int:
    return next((status for kind, status in STATUS.items() if isinstance(error, kind)), 400)


def _problems(detail: Any, path: str = "") -> Iterator[Problem]:
    """What a serializer found, also in lists and in the objects of lists: targets[0].start."""
    if isinstance(detail, exceptions.ErrorDetail):
        yield Problem(detail.code if detail.code in INPUT_PROBLEMS else "invalid", str(detail), path)
    elif isinstance(detail, dict):
        for name, inner in detail.items():
            yield from _problems(inner, _step(path, name))
    else:
        for place, inner in enumerate(detail):
            yield from _problems(inner, path if isinstance(inner, exceptions.ErrorDetail) else f"{path}[{place}]")


def _step(path: str, name: str | int) -> str:
    if name == "non_field_errors":  # of a list as a whole
        return path
    return f"{path}[{name}]" if isinstance(name, int) else f"{path}.{name}" if path else name


def _refusal(error: Refused) -> Response:
    more: dict[str, Any] = {}
    headers = {}
    if isinstance(error, Invalid):
        more["problems"] = [problem.as_dict() for problem in error.problems]
    if isinstance(error, Stale | Conflict) and error.stored is not None:
        more["stored"] = error.stored
    if isinstance(error, Throttled):
        headers["Retry-After"] = str(error.retry_after)
    return _answer(error.code, error.message, status=status_of(error), headers=headers, **more)


def _answer(code: str, detail: str, *, status: int, headers: dict[str, str] | None = None, **more: Any) -> Response:
    body = {**problem(code, detail, status=status), **more}
    return Response(body, status=status, headers=headers, content_type=PROBLEM_JSON)
