"""Shapes of merges, targets, reports and pairs."""

from typing import Any

from rest_framework import serializers

from adjudication.domain.agreement.pairs import BothEmpty
from annotator.serializers.base import Body, Query, QueryInteger, QueryText, StrictInteger, StrictString

COUNTS = (
    *("answers", "passages", "too_few", "discarded", "targets", "kept", "suggestions", "votes", "type_ties"),
    *("discarded_targets", "asking", "least_of", "most_of"),
)


class JobAskedSerializer(serializers.Serializer[Any]):
    """Background work: its page tells how far it is."""

    job = serializers.UUIDField(source="uuid")
    state = serializers.CharField()


class MergeAskedSerializer(Body):
    """By the project's rules."""

    shards = StrictInteger(required=False, min_value=1, max_value=10_000, help_text="In so many parts.")


class MergeSerializer(serializers.Serializer[Any]):
    uuid = serializers.UUIDField()
    is_current = serializers.BooleanField()
    made_at = serializers.DateTimeField(source="finished_at")
    signature = serializers.CharField()
    input = serializers.CharField(source="input_hash")
    answers = serializers.IntegerField()
    passages = serializers.IntegerField(help_text="In the gold.")
    too_few = serializers.IntegerField(help_text="Passages with too few answers.")
    discarded = serializers.IntegerField(help_text="Passages that discards outnumber.")
    targets = serializers.IntegerField()
    kept = serializers.IntegerField()
    suggestions = serializers.IntegerField(help_text="Of the kept targets.")
    votes = serializers.IntegerField(help_text="Of these suggestions.")
    type_ties = serializers.IntegerField()
    discarded_targets = serializers.IntegerField(help_text="Targets of discarded passages; not among targets.")
    asking = serializers.IntegerField(help_text="Passages with a flag that asks for somebody.")
    least_of = serializers.IntegerField()
    most_of = serializers.IntegerField()
    by_annotators = serializers.DictField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="By voting index: targets, suggestions, votes.",
    )
    changes = serializers.DictField(
        source="counted_changes",
        child=serializers.IntegerField(),
        help_text="Targets against the merge before: added, gone, newly kept, newly dropped, moved (with other votes), "
        "retyped (with the same votes and other types). Empty where there was none.",
    )


class MergesSerializer(serializers.Serializer[Any]):
    results = MergeSerializer(many=True)


class SuggestionSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(allow_blank=True)
    votes = serializers.IntegerField()
    voters = serializers.ListField(child=serializers.CharField(), help_text="Pseudonyms.")


class TargetSerializer(serializers.Serializer[Any]):
    passage = serializers.CharField(source="passage.external_id")
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    quote = serializers.CharField(allow_blank=True)
    annotators = serializers.IntegerField(help_text="The voting index.")
    of = serializers.IntegerField()
    votes = serializers.IntegerField()
    type = serializers.CharField(allow_blank=True)
    type_tie = serializers.BooleanField()
    is_kept = serializers.BooleanField()
    is_overlapping = serializers.BooleanField()
    has_variants = serializers.BooleanField()
    is_near_miss = serializers.BooleanField()
    dispute = serializers.IntegerField()
    voters = serializers.ListField(child=serializers.CharField())
    suggestions = SuggestionSerializer(many=True)


class TargetsSerializer(serializers.Serializer[Any]):
    """One page of a list."""

    results = TargetSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="The address of the next page, null on the last.")


class TargetsQuery(Query):
    kept = serializers.ChoiceField(["yes", "no"], required=False, help_text="Only the kept, or only the dropped.")
    limit = QueryInteger(default=50, min_value=1, max_value=10**9, help_text="100 are the most that is given at once.")
    after = QueryText(r"\A[0-9]{1,12}-[0-9]{1,9}-[0-9]{1,9}\Z", required=False, help_text="As next has it.")


class ReportAskedSerializer(Body):
    """What the report is to be about; nothing named means all people, all groups, and the defaults."""

    people = serializers.ListField(child=StrictString(), required=False, max_length=1000)
    groups = serializers.ListField(child=StrictString(), required=False, max_length=1000)
    both_empty = serializers.ChoiceField(list(BothEmpty), required=False)
    resamples = StrictInteger(required=False, min_value=0, max_value=10_000)


class ReportLineSerializer(serializers.Serializer[Any]):
    uuid = serializers.UUIDField()
    made_at = serializers.DateTimeField()
    signature = serializers.CharField()
    pa_det = serializers.FloatField(source="result.pa_det", allow_null=True)
    pa_sug = serializers.FloatField(source="result.pa_sug", allow_null=True)


class ReportsSerializer(serializers.Serializer[Any]):
    results = ReportLineSerializer(many=True)


class ReportSerializer(ReportLineSerializer):
    """`result` is what `manage.py agreement --json` prints."""

    input = serializers.CharField(source="input_hash")
    result = serializers.JSONField()


class PairPassageSerializer(serializers.Serializer[Any]):
    passage = serializers.CharField(help_text="Its id in the project's files.")
    number = serializers.IntegerField()
    common = serializers.IntegerField(help_text="Spans that both marked.")
    either = serializers.IntegerField(help_text="Spans that one of them marked.")
    shared = serializers.IntegerField(help_text="Of the common ones, those with a substitute in common.")
    retyped = serializers.IntegerField(help_text="Of the common ones, those with different types.")


class PairSerializer(serializers.Serializer[Any]):
    """Two annotators and the passages both submitted, in the report's order."""

    a = serializers.CharField()
    b = serializers.CharField()
    hidden = serializers.IntegerField(help_text="Passages left out: you have still to annotate them yourself.")
    results = PairPassageSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="The address of the next page, null on the last.")


class PairQuery(Query):
    limit = QueryInteger(default=50, min_value=1, max_value=10**9, help_text="100 are the most that is given at once.")
    after = QueryInteger(required=False, min_value=0, help_text="As next has it.")
