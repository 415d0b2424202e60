"""What every API call passes: who is asking, strict JSON in, an error as JSON with the right status out."""

from typing import Any

from django.db import DataError, InternalError, OperationalError
from django.http import Http404
from rest_framework import exceptions
from rest_framework.authentication import SessionAuthentication
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.domain.answers import MAX_ANSWER
from annotator.domain.errors import (
    BadRequest,
    Conflict,
    Invalid,
    NotAllowed,
    Refused,
    Stale,
    Throttled,
    TooLarge,
    VersionMissing,
)
from annotator.domain.strict_json import parse_json

MAX_BODY = MAX_ANSWER
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


class SessionDoor(SessionAuthentication):
    def authenticate_header(self, request: Request) -> str:
        return "Session"  # makes "nobody is signed in" a 401, which the page can tell from a 403


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
    default_detail = f"The body is larger than {MAX_BODY:,} bytes."


class StrictJSONParser(BaseParser):
    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        body = stream.read(MAX_BODY + 1)
        if len(body) > MAX_BODY:
            raise BodyTooLarge
        return parse_json(body)


def error_response(error: Exception, context: Any) -> Response | None:
    """`{"error": {"code", "message", …}}` for whatever a view raised; None leaves a true bug to the 500 handler."""
    if isinstance(error, Refused):
        return _refusal(error)
    if isinstance(error, Http404):
        error = exceptions.NotFound("There is no such thing here.")
    if isinstance(error, DataError):
        error = exceptions.ParseError("A value in the request cannot be stored.")
    if isinstance(error, OperationalError | InternalError):
        # Disk full, read-only or gone: nothing was written, and the browser keeps its text.
        message = "The database cannot take this now. Nothing was saved; try again."
        return Response(error_body("unavailable", message), status=503, headers={"Retry-After": "5"})
    if isinstance(error, exceptions.APIException):
        headers = {"WWW-Authenticate": error.auth_header} if hasattr(error, "auth_header") else {}
        codes = error.get_codes()
        code = codes if isinstance(codes, str) else "invalid"
        return Response(error_body(code, str(error.detail)), status=error.status_code, headers=headers)
    return None


def status_of(error: Refused) -> int:
    return next((status for kind, status in STATUS.items() if isinstance(error, kind)), 400)


def _refusal(error: Refused) -> Response:
    status = status_of(error)
    body = error_body(error.code, error.message)
    headers = {}
    if isinstance(error, Invalid):
        body["error"]["problems"] = [problem.as_dict() for problem in error.problems]
    if isinstance(error, Stale | Conflict) and error.stored is not None:
        body["stored"] = error.stored
    if isinstance(error, Throttled):
        headers["Retry-After"] = str(error.retry_after)
    return Response(body, status=status, headers=headers)


def error_body(code: str, message: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": message}}
