"""Background work as it truly stands."""

from typing import Any

from rest_framework import serializers

from annotator.domain.jobs import JobState
from annotator.serializers.base import Query, QueryInteger

# One that its parts are working on is running, to whoever waits for it.
STATES = [state for state in JobState if state != JobState.DIVIDED]


class JobSerializer(serializers.Serializer[Any]):
    """A job, how far it is, and what came of it."""

    uuid = serializers.UUIDField(source="job.uuid")
    project = serializers.CharField(source="job.project.slug")
    kind = serializers.CharField(source="job.kind")
    work = serializers.CharField(source="job.label", help_text="The kind, as people read it.")
    state = serializers.ChoiceField(STATES)
    percent = serializers.IntegerField(min_value=0, max_value=100)
    done = serializers.IntegerField()
    total = serializers.IntegerField(help_text="0: not known yet.")
    parts = serializers.IntegerField(help_text="0: it is done in one piece.")
    parts_done = serializers.IntegerField()
    message = serializers.CharField(
        source="says", allow_blank=True, help_text="What it waits for, why it failed or what came of it."
    )
    made = serializers.DictField(
        child=serializers.UUIDField(), help_text="Of what it made: a merge, report, release or run. Empty until then."
    )
    asked_at = serializers.DateTimeField(source="job.asked_at")
    started_at = serializers.DateTimeField(source="job.started_at", allow_null=True)
    ended_at = serializers.DateTimeField(source="job.ended_at", allow_null=True)


class JobsSerializer(serializers.Serializer[Any]):
    """One page of a list."""

    results = JobSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="The address of the next page, null on the last.")


class JobsQuery(Query):
    limit = QueryInteger(default=50, min_value=1, max_value=10**9, help_text="100 are the most that is given at once.")
    after = QueryInteger(required=False, min_value=0, help_text="As next has it.")
