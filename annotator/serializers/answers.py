"""An answer, as the document of the API describes it. `parse_answer` reads it, whole, and it is given as stored."""

from typing import Any

from rest_framework import serializers

from annotator.domain.answers import MAX_MARKS, MAX_SUBSTITUTES, VIAS
from annotator.domain.lengths import MAX_NOTE_LENGTH, MAX_SUBSTITUTE_LENGTH


class SubstituteSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(allow_blank=True, max_length=MAX_SUBSTITUTE_LENGTH)
    type = serializers.CharField(help_text="The key of one of the project's types.")
    via = serializers.ChoiceField(VIAS, required=False, help_text="How it came; typed where nothing is said.")


class MarkSerializer(serializers.Serializer[Any]):
    start = serializers.IntegerField(min_value=0, help_text="In code points of the passage.")
    end = serializers.IntegerField(min_value=0, help_text="The first code point after the mark.")
    quote = serializers.CharField(allow_blank=True, help_text="The text between them.")
    note = serializers.CharField(required=False, allow_blank=True, max_length=MAX_NOTE_LENGTH)
    unsure = serializers.BooleanField(required=False)
    substitutes = serializers.ListField(child=SubstituteSerializer(), max_length=MAX_SUBSTITUTES)


class MarksSerializer(serializers.Serializer[Any]):
    """What is marked, in order of entry."""

    marks = serializers.ListField(child=MarkSerializer(), max_length=MAX_MARKS)


class NothingSerializer(serializers.Serializer[Any]):
    """There is nothing to improve."""

    none = serializers.ChoiceField([True])


class AnswerField(serializers.Field[Any, Any, Any, Any]):
    """Any JSON in: the action that stores the answer says what is wrong with it."""

    default_error_messages = {"shape": "answer must be an object."}

    def to_internal_value(self, data: Any) -> Any:
        return data

    def to_representation(self, value: Any) -> Any:
        return value
