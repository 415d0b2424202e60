"""The document of the API (OpenAPI 3.1), made from the views' `@operation` and the serializers.

Nothing imports this at start: drf-spectacular is large, and no save needs it.
"""

from functools import cache
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework.permissions import AllowAny

from annotator.api.door import FileParser
from annotator.api.examples import add_examples
from annotator.api.operation import Operation
from annotator.domain.api_tokens import opening
from annotator.serializers.answers import MarksSerializer, NothingSerializer
from annotator.serializers.problems import PROBLEM_JSON, ProblemSerializer

FILE = {"type": "string", "format": "binary"}
VERSION = {"type": "string", "pattern": '^"[0-9]{1,9}"$', "examples": ['"7"']}
NAME = {"type": "string", "pattern": "^[!-~]{1,100}$", "examples": ["import-of-monday"]}
WHY = {
    400: "The request cannot be read.",
    401: "Nobody is signed in, or no such token opens anything.",
    403: "Not allowed, or not by this token, or the form token is missing.",
    404: "There is no such thing, or it is not yours.",
    409: "The project or the passage is in a state that does not allow this.",
    412: "Changed elsewhere since the version named; stored is what stands there.",
    411: "Content-Length is lacking.",
    413: "Too large.",
    415: "Not sent as what is taken here.",
    422: "A rule is broken; problems names each.",
    428: "No version was named.",
    429: "Asked too often; Retry-After says when to try again.",
    500: "An error of ours.",
    503: "The database cannot take this now. Nothing was saved; try again.",
}


class OurSchema(AutoSchema):
    """Reads what `@operation` says instead of guessing."""

    @property
    def said(self) -> Operation:
        return self._operations[self.method]

    @property
    def _operations(self) -> dict[str, Operation]:
        view: Any = self.view
        found: dict[str, Operation] = view.operations
        return found

    def get_operation_id(self) -> str:
        name = self.view.__class__.__name__
        return name if len(self._operations) == 1 else f"{self.method.lower()}_{name}"

    def get_summary(self) -> str:
        return self.said.summary

    def get_tags(self) -> list[str]:
        return [self.path.split("/")[3]]

    def get_request_serializer(self) -> Any:
        return self.said.takes

    def _get_request_body(self, direction: Any = "request") -> Any:
        if self.said.takes_file:
            return {"content": {FileParser.media_type: {"schema": FILE}}, "required": True}
        return super()._get_request_body(direction)  # type: ignore[no-untyped-call]

    def get_response_serializers(self) -> Any:
        refusals = {(status, PROBLEM_JSON): OpenApiResponse(ProblemSerializer, WHY[status]) for status in self._refuses}
        body = self.said.gives or OpenApiTypes.BINARY
        done = {self._done: OpenApiResponse(body, "Done.")}
        return {**done, **{status: OpenApiResponse(body, "Done.") for status in self.said.also}, **refusals}

    @property
    def _done(self) -> Any:
        """The status of what was done, with the type of a file."""
        return (self.said.status, self.said.gives_file) if self.said.gives_file else self.said.status

    @property
    def _refuses(self) -> list[int]:
        """Beside what the operation names: what every call of its kind may be answered with."""
        found = {400, 500, 503, *self.said.refuses}
        if not self._is_open:
            found |= {401}
        if self.method != "GET" or not self._is_open:
            found |= {403}
        if self.said.scopes and (self.method == "GET" or self.said.creates):
            found |= {429}
        if self.said.creates:
            found |= {409, 422}
        if self.said.takes or self.said.takes_file:
            found |= {413, 415, 422}
        return sorted(found)

    @property
    def _is_open(self) -> bool:
        return any(isinstance(permission, AllowAny) for permission in self.view.get_permissions())

    def get_auth(self) -> list[Any]:
        """The cookie of a session, and with what writes the form token; or a token with one of these scopes."""
        names = [*([] if self._is_open else ["session"]), *([] if self.method == "GET" else ["form_token"])]
        by_token = [{"token": opening(self.said.scopes)}] if self.said.scopes else []
        return [{name: [] for name in names}, *by_token]

    def get_override_parameters(self) -> list[Any]:
        found: list[Any] = [self.said.query] if self.said.query else []
        if self.said.needs_version:
            what = "The version you have seen."
            found.append(OpenApiParameter("If-Match", VERSION, OpenApiParameter.HEADER, True, description=what))
        if self.said.creates:
            what = "A name of your own for this request, the same when it is sent again. By a token it is needed."
            found.append(OpenApiParameter("Idempotency-Key", NAME, OpenApiParameter.HEADER, description=what))
        if self.said.gives_version:
            what, codes = "The version as it stands now.", [self.said.status]
            found.append(OpenApiParameter("ETag", VERSION, OpenApiParameter.HEADER, description=what, response=codes))
        if self.said.gives_file:
            what, codes = "An attachment, and the name of the file.", [self.said.status]
            found.append(
                OpenApiParameter("Content-Disposition", str, OpenApiParameter.HEADER, description=what, response=codes)
            )
        if {429, 503} & set(self._refuses):
            what, codes = "Seconds to wait.", [429, 503]
            found.append(
                OpenApiParameter("Retry-After", int, OpenApiParameter.HEADER, description=what, response=codes)
            )
        return found

    def _is_list_view(self, serializer: Any = None) -> bool:
        return False  # a page of a list is a serializer of its own


class AnswerScheme(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    target_class = "annotator.serializers.answers.AnswerField"

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Any) -> dict[str, Any]:
        kinds = [auto_schema.resolve_serializer(kind, direction).ref for kind in (MarksSerializer, NothingSerializer)]
        schema = {"oneOf": kinds}
        component = ResolvedComponent("Answer", ResolvedComponent.SCHEMA, schema, "Answer")  # type: ignore[no-untyped-call]
        auto_schema.registry.register_on_missing(component)
        return component.ref


class Generator(SchemaGenerator):
    """Gives each view our schema here: as a setting, it would load drf-spectacular with the first view."""

    def create_view(self, callback: Any, method: str, request: Any = None) -> Any:
        view = super().create_view(callback, method, request)  # type: ignore[no-untyped-call]
        self._set_schema_to_view(view, OurSchema())  # type: ignore[no-untyped-call]
        return view


def close_objects(result: dict[str, Any], **given: Any) -> dict[str, Any]:
    """No object has keys that are not named: in, they are refused; out, there are none."""
    for schema in result["components"]["schemas"].values():
        if "properties" in schema:
            schema["additionalProperties"] = False
    _drop_enum_ids(result)
    add_examples(result)
    return result


def _drop_enum_ids(value: Any) -> None:
    """drf-spectacular's notes to a hook of its own, which we do not use."""
    if isinstance(value, dict):
        value.pop("x-spec-enum-id", None)
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _drop_enum_ids(item)


@cache
def document() -> dict[str, Any]:
    """Made once per process."""
    found: dict[str, Any] = Generator().get_schema(public=True)  # type: ignore[no-untyped-call]
    return found
