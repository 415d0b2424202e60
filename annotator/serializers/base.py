"""Strict input: what is not named is refused, and nothing is bent into the type that was wanted."""

import re
from functools import cache
from typing import Any
from uuid import UUID

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from annotator.domain.errors import BadRequest, Invalid, Problem, VersionMissing


class StrictInteger(serializers.IntegerField):
    """5 and nothing else: "5", 5.0 and true are no whole numbers."""

    default_error_messages = {
        "shape": "{name} must be a whole number.",
        "min_value": "This must be {min_value} or more.",
        "max_value": "This must be {max_value} or less.",
    }

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("shape", name=self.field_name or "This")
        number: int = data
        return number


class StrictString(serializers.CharField):
    """As it was sent. What the text must hold is for the action to say."""

    default_error_messages = {"shape": "{name} must be a string."}

    def __init__(self, **given: Any) -> None:
        super().__init__(**{"allow_blank": True, "trim_whitespace": False, **given})

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("shape", name=self.field_name or "This")
        return data


class StrictBoolean(serializers.BooleanField):
    """true and false: "yes" and 1 are neither."""

    default_error_messages = {"shape": "{name} must be true or false."}

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("shape", name=self.field_name)
        return data


class StrictUUID(serializers.UUIDField):
    default_error_messages = {"shape": "{name} must be a string.", "uuid": "{name} must be a UUID."}

    def to_internal_value(self, data: Any) -> UUID:
        if not isinstance(data, str):
            self.fail("shape", name=self.field_name or "This")
        # Written out: UUID() also takes braces and urn: prefixes, and "" must not pass for one.
        if not re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", data.lower()):
            self.fail("uuid", name=self.field_name)
        return UUID(data)


class Body(serializers.Serializer[Any]):
    """The JSON object of one call."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if not isinstance(data, dict):
            raise ValidationError({"": [ErrorDetail("The body must be a JSON object.", "shape")]})
        fields = self.fields
        if unknown := sorted(set(data) - set(fields)):
            wrong = {key: [ErrorDetail(f"The body has an unknown key {key!r}.", "unknown_key")] for key in unknown}
            raise ValidationError(wrong)
        wrong = {}
        for name, field in fields.items():
            if name not in data and field.required:
                wrong[name] = [ErrorDetail(f"The body lacks {name!r}.", "missing_key")]
            elif name in data and data[name] is None and "shape" in field.error_messages:
                wrong[name] = [ErrorDetail(field.error_messages["shape"].format(name=name), "shape")]
        if wrong:
            raise ValidationError(wrong)
        return super().run_validation(data)


class Query(serializers.Serializer[Any]):
    """The filters of one list: each stands on the list below, or the call is refused."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if unknown := sorted(set(data) - set(self.fields)):
            known = ", ".join(self.fields)
            raise BadRequest(f"There is no filter {unknown[0]!a}: use {known}.", code="unknown_filter")
        try:
            return super().run_validation(data.dict())
        except ValidationError as error:
            name = next(iter(error.detail))
            if name not in data:
                raise BadRequest(f"The address lacks {name}.", code="bad_filter") from None
            raise BadRequest(f"{data[name]!a} is no {name}.", code="bad_filter") from None


class QueryInteger(serializers.IntegerField):
    """Plain digits: int() would also take " 5", "5.0" and the digits of other scripts."""

    def to_internal_value(self, data: Any) -> int:
        if not re.fullmatch(r"[0-9]{1,12}", data):
            self.fail("invalid")
        return int(data)


class QueryText(serializers.RegexField):
    """As it was sent, spaces and all."""

    def __init__(self, regex: str, **given: Any) -> None:
        super().__init__(regex, trim_whitespace=False, **given)


@cache
def _one(serializer: type[serializers.Serializer[Any]]) -> serializers.Serializer[Any]:
    """Each new one copies its fields, which takes longer than all they do; checking and showing keep nothing."""
    return serializer()


def checked(serializer: type[serializers.Serializer[Any]], data: Any) -> dict[str, Any]:
    """What was sent, as the serializer understands it; ValidationError names every problem."""
    found: dict[str, Any] = _one(serializer).run_validation(data)
    return found


def shown(serializer: type[serializers.Serializer[Any]], value: Any) -> dict[str, Any]:
    """What is told of a value."""
    return _one(serializer).to_representation(value)


def if_match(header: str | None) -> int:
    """The version in `If-Match: "7"`."""
    if header is None:
        raise VersionMissing('Say which version you have seen: If-Match: "7".')
    found = re.fullmatch(r'"(\d{1,9})"', header.strip(), flags=re.ASCII)
    if not found:
        raise Invalid([Problem("if_match", 'If-Match must be one version in quotes, as "7".', "If-Match")])
    return int(found.group(1))
