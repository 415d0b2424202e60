"""Shapes of how the work goes: the figures of the board, and who did what."""

from typing import Any

from rest_framework import serializers

from annotator.domain.activity import GROUPS
from annotator.serializers.base import Query, QueryInteger

OF_ALL = "Null where there are no two people."


class CoverageSerializer(serializers.Serializer[Any]):
    answers = serializers.IntegerField()
    passages = serializers.IntegerField(help_text="That have so many.")


class AnswersSerializer(serializers.Serializer[Any]):
    """Of work passages."""

    passages = serializers.IntegerField()
    per_passage = serializers.IntegerField(help_text="Wanted; 0: from everybody.")
    wanted = serializers.IntegerField()
    done = serializers.IntegerField()
    discarded = serializers.IntegerField()
    to_go = serializers.IntegerField()
    full = serializers.IntegerField(help_text="Passages that have all the answers they are to have.")
    coverage = CoverageSerializer(many=True)
    pace = serializers.FloatField(
        help_text="Answers and discards a day that bring the end nearer, over whole days before today."
    )
    done_by = serializers.DateField(allow_null=True, help_text="At this pace; null where nobody works.")
    today = serializers.IntegerField(help_text="Submitted so far, which no pace counts yet.")


class ShareSerializer(serializers.Serializer[Any]):
    type = serializers.CharField(help_text="As annotators read it.")
    share = serializers.FloatField()


class QuotaMetSerializer(serializers.Serializer[Any]):
    given = serializers.IntegerField(help_text="Substitutes of the type that is asked for.")
    wanted = serializers.IntegerField()


class WorkSerializer(serializers.Serializer[Any]):
    """`given` and `done` are of what looks like work; marks and types of all that was submitted, time of what is
    submitted just now."""

    given = serializers.IntegerField()
    done = serializers.IntegerField()
    week = serializers.IntegerField(help_text="Submitted since Monday.")
    discards = serializers.IntegerField()
    seconds = serializers.FloatField(source="figures.seconds", allow_null=True, help_text="Per passage.")
    marks = serializers.FloatField(source="figures.each", allow_null=True, help_text="Per passage.")
    mix = ShareSerializer(many=True, help_text="Of the types, in the project's order.")
    quota = QuotaMetSerializer(allow_null=True)
    controls = serializers.IntegerField(source="figures.checks.controls")
    controls_met = serializers.IntegerField(source="figures.checks.met")
    repeats = serializers.IntegerField(source="figures.checks.repeats")
    repeats_agreement = serializers.FloatField(
        source="figures.checks.spans", allow_null=True, help_text="PA_det with oneself."
    )
    repeats_agreement_words = serializers.FloatField(
        source="figures.checks.words", allow_null=True, help_text="PA_sug with oneself."
    )


class PersonsWorkSerializer(WorkSerializer):
    """One person's work."""

    uuid = serializers.UUIDField(source="membership.uuid")
    pseudonym = serializers.CharField(source="membership.pseudonym")
    name = serializers.CharField(source="real_name")
    state = serializers.ChoiceField(["", "paused", "removed"])
    reasons = serializers.ListField(child=serializers.CharField(), help_text="To look at their work.")


class DaySerializer(serializers.Serializer[Any]):
    """Of everybody together, in the project's time zone."""

    day = serializers.DateField()
    submitted = serializers.IntegerField()
    resubmitted = serializers.IntegerField()
    discarded = serializers.IntegerField()
    active_ms = serializers.IntegerField()


class ReasonSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(help_text="As annotators read it.")
    discards = serializers.IntegerField()


class OftenDiscardedSerializer(serializers.Serializer[Any]):
    uuid = serializers.UUIDField()
    passage = serializers.CharField(help_text="Its id in the project's files.")
    discards = serializers.IntegerField()


class DiscardsSerializer(serializers.Serializer[Any]):
    total = serializers.IntegerField()
    reasons = ReasonSerializer(many=True)
    often = OftenDiscardedSerializer(
        many=True, help_text="Passages that three or more have set aside; none that you have still to annotate."
    )


class BoardSerializer(serializers.Serializer[Any]):
    """How the work goes."""

    answers = AnswersSerializer()
    people = PersonsWorkSerializer(many=True)
    all = WorkSerializer(allow_null=True, help_text=OF_ALL)
    days = DaySerializer(many=True, help_text="The last thirty.")
    discards = DiscardsSerializer()
    today = serializers.DateField(help_text="In the project's time zone.")
    summed_at = serializers.DateTimeField(allow_null=True, help_text="When working time was last added up.")


class ActivityLineSerializer(serializers.Serializer[Any]):
    """What somebody did: as a sentence, `who` and `did`."""

    at = serializers.DateTimeField(source="event.at", help_text="Of several in a row, the last.")
    kind = serializers.CharField(source="event.kind", help_text="For programs.")
    person = serializers.UUIDField(source="event.by.uuid", allow_null=True, help_text="Null: Assay, or its operator.")
    who = serializers.CharField()
    did = serializers.CharField()
    times = serializers.IntegerField(help_text="One after the other, on the same day.")


class ActivitySerializer(serializers.Serializer[Any]):
    """One page of a list."""

    results = ActivityLineSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="The address of the next page, null on the last.")


class ActivityQuery(Query):
    person = serializers.UUIDField(required=False, help_text="Whose doing.")
    day = serializers.DateField(required=False, help_text="In the project's time zone.")
    kind = serializers.ChoiceField(list(GROUPS), required=False, help_text="About what.")
    limit = QueryInteger(
        default=50, min_value=1, max_value=10**9, help_text="Events, of which some may make one line; 100 at the most."
    )
    after = QueryInteger(required=False, min_value=0, help_text="As next has it.")
