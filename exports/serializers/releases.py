"""Shapes of releases, their files, and what changed from one to another."""

import re
from datetime import date
from typing import Any

from rest_framework import serializers

from annotator.serializers.base import Body, Query, QueryInteger, QueryText, StrictBoolean, StrictInteger, StrictString
from exports.domain.exporting import ALL, FORMATS
from exports.domain.releases import MAX_SIZE, MAX_SPLIT_NAME, MAX_SPLITS, MOST_SEED, ReleaseKind, ReleaseState


class StrictDate(serializers.DateField):
    """2026-11-18: no week, no day of the year."""

    default_error_messages = {"shape": "{name} must be a string."}

    def to_internal_value(self, data: Any) -> date:
        if not isinstance(data, str):
            self.fail("shape", name=self.field_name)
        if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", data):
            self.fail("invalid", format="YYYY-MM-DD")
        found: date = super().to_internal_value(data)
        return found


class JobToldSerializer(serializers.Serializer[Any]):
    """The work on it, as far as it is."""

    uuid = serializers.UUIDField()
    state = serializers.CharField()
    percent = serializers.IntegerField()
    message = serializers.CharField(allow_blank=True)


class SizeSerializer(serializers.Serializer[Any]):
    split = StrictString()
    size = StrictInteger(min_value=0, max_value=MAX_SIZE, help_text="A count, or a share where all add up to another.")


class ReleaseAskedSerializer(Body):
    """What is not said is as in the draft there is, or in the last release."""

    name = StrictString(required=False, help_text="Empty: the project's, with the number.")
    date = StrictDate(required=False, help_text="Today where nothing is said.")
    sizes = serializers.ListField(child=SizeSerializer(), required=False, max_length=MAX_SPLITS)
    seed = StrictInteger(required=False, min_value=0, max_value=MOST_SEED, help_text="Of the splits.")
    with_pos = StrictBoolean(required=False, help_text="Tag parts of speech for the card.")
    notes = StrictString(required=False, help_text="What is new.")


class ReleaseLineSerializer(serializers.Serializer[Any]):
    """A release, as lists have it."""

    uuid = serializers.UUIDField()
    project = serializers.CharField(help_text="The project's slug.")
    number = serializers.IntegerField()
    title = serializers.CharField()
    kind = serializers.ChoiceField(list(ReleaseKind), help_text="foreign: gold that was made elsewhere.")
    state = serializers.ChoiceField(list(ReleaseState))
    date = serializers.DateField()
    made_by = serializers.CharField(allow_null=True)
    made_at = serializers.DateTimeField()
    built_at = serializers.DateTimeField(allow_null=True, help_text="Null: nothing was built yet.")
    frozen_at = serializers.DateTimeField(allow_null=True)
    withdrawn_why = serializers.CharField(allow_blank=True)
    splits = serializers.ListField(child=serializers.CharField())
    sha256 = serializers.CharField(allow_blank=True, help_text="Of the zip; empty until it was built.")
    bytes = serializers.IntegerField(help_text="Of the zip.")
    permalink = serializers.CharField(help_text="The address of its page.")


class SettingsSerializer(serializers.Serializer[Any]):
    sizes = SizeSerializer(many=True)
    seed = serializers.IntegerField()
    with_pos = serializers.BooleanField()


class WarningSerializer(serializers.Serializer[Any]):
    code = serializers.CharField(help_text="What it is ticked by.")
    text = serializers.CharField()
    count = serializers.IntegerField()
    is_ticked = serializers.BooleanField(help_text="By whoever froze it.")


class DoctorSerializer(serializers.Serializer[Any]):
    """What the doctor said of the project when it was built."""

    findings = serializers.ListField(child=serializers.CharField(), help_text="Any of them keeps it from being frozen.")
    looked_at = serializers.DictField(child=serializers.IntegerField(), help_text="How much, in each part.")
    seconds = serializers.FloatField(allow_null=True)


class SplitShareSerializer(serializers.Serializer[Any]):
    """One split: what was asked and what came of it."""

    split = serializers.CharField()
    asked = serializers.IntegerField()
    got = serializers.IntegerField()
    deviation = serializers.IntegerField()
    groups = serializers.IntegerField()
    new = serializers.IntegerField(help_text="Passages that no earlier release had placed.")
    words = serializers.FloatField(allow_null=True, help_text="Of a passage, on average.")
    votes = serializers.FloatField(allow_null=True, help_text="Of a passage, on average.")


class StratumSerializer(serializers.Serializer[Any]):
    """Passages of some length, or with some number of votes."""

    what = serializers.CharField()
    low = serializers.IntegerField()
    high = serializers.IntegerField(allow_null=True)
    times = serializers.IntegerField()
    by_split = serializers.DictField(child=serializers.IntegerField())


class ReleaseFileSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    bytes = serializers.IntegerField()
    sha256 = serializers.CharField()
    holds = serializers.CharField(allow_blank=True)


class ReleaseSerializer(ReleaseLineSerializer):
    """One release: before it is frozen what is to be known, after it what it is."""

    version = serializers.IntegerField(help_text="What If-Match names.")
    name = serializers.CharField(allow_blank=True)
    notes = serializers.CharField(allow_blank=True)
    merge = serializers.UUIDField(allow_null=True)
    settings = SettingsSerializer()
    counts = serializers.DictField(child=serializers.JSONField(), help_text="By split what is in it.")
    left_out = serializers.DictField(child=serializers.IntegerField(), help_text="Merged passages, by why.")
    decisions = serializers.IntegerField(allow_null=True)
    warnings = WarningSerializer(many=True)
    doctor = DoctorSerializer()
    deviations = SplitShareSerializer(many=True)
    strata = StratumSerializer(many=True)
    newer = serializers.ListField(child=serializers.CharField(), help_text="What came since a draft was built.")
    files = ReleaseFileSerializer(many=True)
    is_here = serializers.BooleanField(help_text="No: its file is not in the data folder.")
    job = JobToldSerializer(allow_null=True)


class ReleaseBegunSerializer(serializers.Serializer[Any]):
    """The release, and the job that builds it."""

    job = serializers.UUIDField()
    state = serializers.CharField(help_text="Of the job.")
    release = ReleaseSerializer()


class ReleasesSerializer(serializers.Serializer[Any]):
    """One page of a list."""

    results = ReleaseLineSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="The address of the next page, null on the last.")


class ReleasesQuery(Query):
    limit = QueryInteger(default=50, min_value=1, max_value=10**9, help_text="100 are the most that is given at once.")
    after = QueryInteger(required=False, min_value=0, help_text="As next has it.")


class ExportQuery(Query):
    format = serializers.ChoiceField(list(FORMATS), help_text="The gold as SWS JSON; or everything, as Assay JSONL.")
    split = QueryText(
        rf"\A[-a-z0-9_]{{1,{MAX_SPLIT_NAME}}}\Z", default=ALL, help_text="all, or of sws one that a release drew."
    )
    decisions = serializers.ChoiceField(["yes", "no"], default="yes", help_text="Of sws; no: the bare merge.")
    off_tokens = serializers.ChoiceField(
        ["refuse", "leave_out"], default="refuse", help_text="Of sws: where a target is no span of tokens."
    )


class FreezeSerializer(Body):
    ticked = serializers.ListField(
        child=StrictString(), max_length=100, help_text="The codes of the warnings, all of them."
    )


class WithdrawSerializer(Body):
    why = StrictString(help_text="Why it should not be used any more.")


class DroppedSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField(help_text="Free again.")


class PlaceSerializer(serializers.Serializer[Any]):
    passage = serializers.CharField(help_text="Its id in the project's files.")
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    quote = serializers.CharField(allow_blank=True)


class ChangedPlaceSerializer(PlaceSerializer):
    before = serializers.CharField(help_text="The type, and the suggestions with their votes.")
    after = serializers.CharField()


class TimesSerializer(serializers.Serializer[Any]):
    passages_added = serializers.IntegerField()
    passages_gone = serializers.IntegerField()
    added = serializers.IntegerField()
    gone = serializers.IntegerField()
    changed = serializers.IntegerField()


class ReleasesComparedSerializer(serializers.Serializer[Any]):
    """What changed from one release to another: passages by id, targets by passage and span; a thousand of each kind at
    the most."""

    before = serializers.UUIDField()
    after = serializers.UUIDField()
    counts = TimesSerializer(help_text="Of each kind, all of them.")
    passages_added = serializers.ListField(child=serializers.CharField())
    passages_gone = serializers.ListField(child=serializers.CharField())
    added = PlaceSerializer(many=True)
    gone = PlaceSerializer(many=True)
    changed = ChangedPlaceSerializer(many=True)
