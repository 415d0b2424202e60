"""Which version of the guidelines somebody has read."""

from typing import Any

from rest_framework import serializers

from annotator.serializers.base import Body, StrictInteger


class VersionReadSerializer(Body):
    """The version that was shown."""

    version = StrictInteger(min_value=0, max_value=2**31 - 1)


class ReadSerializer(serializers.Serializer[Any]):
    read = serializers.IntegerField(min_value=0, help_text="The newest version that one has read.")
