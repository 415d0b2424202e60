"""Signing in, and who is signed in."""

from typing import Any

from rest_framework import serializers

from annotator.serializers.base import Body, StrictString


class CredentialsSerializer(Body):
    """Who signs in."""

    email = StrictString()
    password = StrictString()


class SessionSerializer(serializers.Serializer[Any]):
    user = serializers.UUIDField(allow_null=True, help_text="Null where nobody is signed in.")
    name = serializers.CharField(allow_blank=True)
