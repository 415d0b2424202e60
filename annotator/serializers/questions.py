"""What annotators ask."""

from typing import Any

from rest_framework import serializers

from annotator.serializers.base import Body, StrictString


class AskSerializer(Body):
    """A question about the passage."""

    text = StrictString()


class QuestionSerializer(serializers.Serializer[Any]):
    uuid = serializers.UUIDField()
    text = serializers.CharField()
    asked_at = serializers.DateTimeField()
    answer = serializers.CharField(allow_blank=True)
    answered_at = serializers.DateTimeField(allow_null=True)
