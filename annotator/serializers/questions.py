"""What annotators ask."""

from typing import Any

from rest_framework import serializers

from annotator.models import Question
from annotator.serializers.base import Body, Query, QueryInteger, StrictBoolean, StrictString


class AskSerializer(Body):
    """A question about the passage."""

    text = StrictString()


class QuestionSerializer(serializers.Serializer[Any]):
    uuid = serializers.UUIDField()
    text = serializers.CharField()
    asked_at = serializers.DateTimeField()
    answer = serializers.CharField(allow_blank=True)
    answered_at = serializers.DateTimeField(allow_null=True)


class AskedAboutSerializer(serializers.Serializer[Any]):
    uuid = serializers.UUIDField()
    external_id = serializers.CharField(help_text="Its id in the project's files.")


class ProjectQuestionSerializer(QuestionSerializer):
    """A question as leads see it."""

    version = serializers.IntegerField(min_value=0, help_text="For If-Match.")
    by = serializers.CharField(help_text="The pseudonym of who asks.")
    passage = AskedAboutSerializer()
    answered_by = serializers.CharField(allow_null=True)

    def to_representation(self, instance: Question) -> dict[str, Any]:
        names = ("uuid", "text", "asked_at", "answer", "answered_at", "version")
        told: dict[str, Any] = {name: getattr(instance, name) for name in names}
        told |= {"by": instance.assignment.membership.pseudonym, "passage": instance.assignment.passage}
        return super().to_representation({**told, "answered_by": instance.answered_by and instance.answered_by.name})


class QuestionsSerializer(serializers.Serializer[Any]):
    """One page of a list."""

    results = ProjectQuestionSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="The address of the next page, null on the last.")


class QuestionsQuery(Query):
    state = serializers.ChoiceField(["open", "answered"], required=False)
    limit = QueryInteger(default=50, min_value=1, max_value=10**9, help_text="100 are the most that is given at once.")
    after = QueryInteger(required=False, min_value=0, help_text="As next has it.")


class AnswerQuestionSerializer(Body):
    """An answer, which may go into the guidelines too, as their next version."""

    text = StrictString()
    add_to_guidelines = StrictBoolean(default=False)
    under = StrictString(
        default="",
        help_text="The heading to add it under. Where there is none of that name, question and answer are added at the "
        "end, under a heading for both.",
    )
