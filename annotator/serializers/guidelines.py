"""Guidelines, and which version of them somebody has read."""

from typing import Any

from rest_framework import serializers

from annotator.domain.lengths import MAX_GUIDELINES_LENGTH, MAX_POLICY_LENGTH
from annotator.serializers.base import Body, Query, QueryInteger, StrictInteger, StrictString


class VersionReadSerializer(Body):
    """The version that was shown."""

    version = StrictInteger(min_value=0, max_value=2**31 - 1)


class GuidelinesSerializer(serializers.Serializer[Any]):
    """As they stand, or as they stood in an earlier version."""

    version = serializers.IntegerField(min_value=1)
    guidelines = serializers.CharField(allow_blank=True, help_text="Markdown.")
    look_up_policy = serializers.CharField(allow_blank=True, help_text="Which dictionaries and tools may be used.")


class ChangedGuidelinesSerializer(Body):
    """The next version, whole."""

    guidelines = StrictString(max_length=MAX_GUIDELINES_LENGTH, help_text="Markdown.")
    look_up_policy = StrictString(max_length=MAX_POLICY_LENGTH, help_text="Which dictionaries and tools may be used.")


class GuidelinesQuery(Query):
    version = QueryInteger(required=False, min_value=1, max_value=999_999, help_text="An earlier one.")


class ReadSerializer(serializers.Serializer[Any]):
    read = serializers.IntegerField(min_value=0, help_text="The newest version that one has read.")
