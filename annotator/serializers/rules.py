"""Shapes of a project's rules."""

from typing import Any

from rest_framework import serializers

from annotator.serializers.base import Body, StrictObject

SWITCHES = "By name, as GET gives them: see the guide."


class ProtocolSerializer(serializers.Serializer[Any]):
    """The rules of the work, of merging and of handing out."""

    version = serializers.IntegerField(help_text="Of the project.")
    has_work = serializers.BooleanField(help_text="Whether anything was saved: then the rules of the work are fixed.")
    fixed = serializers.ListField(
        child=serializers.CharField(), help_text="Switches that can be changed no more; of types only some of it."
    )
    protocol = serializers.DictField(help_text="Switches by name.")


class ChangedProtocolSerializer(Body):
    """Switches that are not named stay as they are."""

    protocol = StrictObject(help_text=SWITCHES)
