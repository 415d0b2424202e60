"""Shapes of who is to be given what."""

from typing import Any

from rest_framework import serializers

from annotator.serializers.base import Body, StrictBoolean, StrictUUID

ACTS = ("hand_out", "even_out", "withdraw")


class PlanAskedSerializer(Body):
    """As it stands; or as if somebody’s unfinished work were withdrawn from them."""

    withdrawn_from = StrictUUID(required=False, help_text="A person of the project.")
    with_begun = StrictBoolean(
        default=True, help_text="All that they have not finished; else only what they have not begun."
    )


class MovedSerializer(serializers.Serializer[Any]):
    """What nobody has begun."""

    giver = serializers.CharField(help_text="A pseudonym.")
    taker = serializers.CharField(help_text="A pseudonym.")
    passages = serializers.IntegerField()


class LeftBehindSerializer(serializers.Serializer[Any]):
    pseudonym = serializers.CharField()
    uuid = serializers.UUIDField()
    passages = serializers.IntegerField(help_text="Not finished, which count as given to them.")


class PlanSerializer(serializers.Serializer[Any]):
    """What would happen."""

    gets = serializers.DictField(
        child=serializers.IntegerField(), help_text="By pseudonym: work passages that would be handed out."
    )
    kept = serializers.IntegerField(help_text="Answers kept for who is being tested, or invited.")
    short = serializers.IntegerField(help_text="Answers wanted that nobody is left to give.")
    over = serializers.IntegerField(help_text="Passages that more people have than the rule asks for.")
    even = MovedSerializer(many=True, help_text="Who would pass on how many to whom if it were evened out.")
    idle = serializers.ListField(child=serializers.CharField(), help_text="Who has no work and would get none.")
    left = LeftBehindSerializer(many=True, help_text="Who annotates no more and keeps passages from others.")


class PlannedSerializer(serializers.Serializer[Any]):
    """The plan, or of a large project the job that works it out: its result is the plan."""

    plan = PlanSerializer(allow_null=True)
    job = serializers.UUIDField(source="job.uuid", allow_null=True)


class HandOutSerializer(Body):
    """What is done; the other keys are for withdraw."""

    act = serializers.ChoiceField(ACTS)
    withdrawn_from = StrictUUID(required=False, help_text="A person of the project.")
    with_begun = StrictBoolean(
        default=True, help_text="All that they have not finished; else only what they have not begun."
    )


class HandingOutSerializer(serializers.Serializer[Any]):
    """The job that does it."""

    job = serializers.UUIDField(source="uuid")
    state = serializers.CharField()
