"""Holds answers of the API against its own document."""

import re
from functools import cache
from typing import Any

from django.http import HttpResponse
from django.test import Client
from jsonschema import Draft202012Validator

# What explains the API is no part of it.
PAGES = {"/api/", "/api/problems", "/api/v1/openapi.json"}
JSON, PROBLEM = "application/json", "application/problem+json"


class CheckedClient(Client):
    """A browser that believes no answer of the API which its document does not know."""

    def request(self, **request: Any) -> Any:
        response = super().request(**request)
        path = request["PATH_INFO"]
        if path.startswith("/api/") and path not in PAGES:
            check_response(request["REQUEST_METHOD"], path, response)
        return response


def operation_of(method: str, path: str) -> dict[str, Any] | None:
    from annotator.api.document import document

    for template, operations in document()["paths"].items():
        pattern = re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(template))
        if re.fullmatch(pattern, path):
            found: dict[str, Any] | None = operations.get(method.lower())
            return found
    return None


@cache
def validator(reference: str) -> Draft202012Validator:
    from annotator.api.document import document

    schema = {"$ref": reference, "components": document()["components"]}
    return Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)


def check_response(method: str, path: str, response: HttpResponse) -> None:
    """Status, content type, headers and body; an address or a method that the document does not know is refused as a
    problem."""
    operation, status = operation_of(method, path), response.status_code
    if operation is None:
        assert status in (400, 401, 403, 404, 405), f"{method} {path} is not in the document, yet answered {status}"
        content: dict[str, Any] = {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}}
        headers: dict[str, Any] = {}
    else:
        assert str(status) in operation["responses"], f"{method} {path}: {status} is not in the document"
        said = operation["responses"][str(status)]
        content, headers = said["content"], said.get("headers", {})
    kind = response.headers["Content-Type"]
    assert kind in content, f"{method} {path}: {status} as {kind}"
    assert set(headers) <= set(response.headers), f"{method} {path}: {status} lacks one of {list(headers)}"
    if "$ref" not in content[kind]["schema"]:
        check_file(response)
        return
    body = response.json()  # type: ignore[attr-defined]
    validator(content[kind]["schema"]["$ref"]).validate(body)
    assert kind == JSON or body["status"] == status


def check_file(response: HttpResponse) -> None:
    """It is kept, not shown, and nobody guesses what it may be."""
    assert response.headers["Content-Disposition"].startswith("attachment; filename=")
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert int(response.headers["Content-Length"]) >= 0
