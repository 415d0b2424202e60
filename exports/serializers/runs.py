"""Shapes of systems: runs, their figures and errors, the leaderboard, two runs side by side."""

from typing import Any

from rest_framework import serializers

from annotator.serializers.base import Query, QueryInteger, QueryText, StrictUUID
from exports.domain.releases import MAX_SPLIT_NAME
from exports.domain.runs import (
    BY_KEY,
    MAIN,
    MAX_DESCRIPTION,
    MAX_SYSTEM,
    MAX_SYSTEM_VERSION,
    MAX_URL,
    Mistake,
    RunState,
)
from exports.serializers.releases import JobToldSerializer

SPLIT = rf"\A[-a-z0-9_]{{1,{MAX_SPLIT_NAME}}}\Z"


def _words(most: int, **given: Any) -> QueryText:
    return QueryText(rf"(?s)\A.{{0,{most}}}\Z", **given)


class MeasuredQuery(Query):
    """On what: the newest frozen release and its last split, which is test as a rule, where nothing is said."""

    release = QueryInteger(required=False, min_value=0, help_text="Its number; the newest that is frozen.")
    split = QueryText(SPLIT, required=False, help_text="The last of the release.")


class SubmitQuery(MeasuredQuery):
    """What is said of a system."""

    system = _words(MAX_SYSTEM, help_text="Its name: the same name is the same row of the leaderboard.")
    version = _words(MAX_SYSTEM_VERSION, required=False, default="", allow_blank=True)
    description = _words(MAX_DESCRIPTION, required=False, default="", allow_blank=True, help_text="What it does.")
    url = _words(MAX_URL, required=False, default="", allow_blank=True, help_text="A page about it, https://…")


class RunsQuery(Query):
    release = QueryInteger(required=False, min_value=0, help_text="Only of this one, by its number.")
    split = QueryText(SPLIT, required=False, help_text="Only on this one.")
    limit = QueryInteger(default=50, min_value=1, max_value=10**9, help_text="100 are the most that is given at once.")
    after = StrictUUID(required=False, help_text="As next has it.")


class LeaderboardQuery(MeasuredQuery):
    by = serializers.ChoiceField(list(BY_KEY), default=MAIN, help_text="The figure that it is sorted by.")


class ErrorsQuery(Query):
    kind = serializers.ChoiceField(
        list(Mistake),
        default=Mistake.MISSED,
        help_text="Targets it did not mark, spans that are no target, or right words with another suggestion.",
    )
    limit = QueryInteger(default=50, min_value=1, max_value=10**9, help_text="100 are the most that is given at once.")
    after = QueryText(r"\A[0-9]{1,9}-[0-9]{1,9}\Z", required=False, help_text="As next has it.")


class RunReleaseSerializer(serializers.Serializer[Any]):
    uuid = serializers.UUIDField()
    number = serializers.IntegerField()
    sha256 = serializers.CharField(help_text="Of its zip.")


class RunLineSerializer(serializers.Serializer[Any]):
    """A system's predictions for a split of a release, and what they scored."""

    uuid = serializers.UUIDField()
    project = serializers.CharField(help_text="The project's slug.")
    release = RunReleaseSerializer()
    split = serializers.CharField()
    system = serializers.CharField()
    version = serializers.CharField(allow_blank=True)
    url = serializers.CharField(allow_blank=True)
    state = serializers.ChoiceField(list(RunState), help_text="refused: the file does not fit the gold.")
    at = serializers.DateTimeField()
    by = serializers.CharField(allow_null=True, help_text="Null: it came by a command.")
    sha256 = serializers.CharField(help_text="Of the predictions.")
    bytes = serializers.IntegerField()
    scores = serializers.DictField(child=serializers.JSONField(), help_text="By the scorer's names, once scored.")
    permalink = serializers.CharField(help_text="The address of its page.")


class RunProblemSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    message = serializers.CharField()
    path = serializers.CharField(allow_blank=True, help_text="The id of the sentence, where it is about one.")


class RunSerializer(RunLineSerializer):
    description = serializers.CharField(allow_blank=True)
    counts = serializers.DictField(
        child=serializers.JSONField(), help_text="What was counted; of a refused file how many problems."
    )
    problems = RunProblemSerializer(many=True, help_text="Why it was refused, a thousand at the most.")
    job = JobToldSerializer(allow_null=True)


class RunSubmittedSerializer(serializers.Serializer[Any]):
    """The run, and the job that scores it."""

    job = serializers.UUIDField(allow_null=True)
    state = serializers.CharField(allow_null=True, help_text="Of the job.")
    run = RunSerializer()


class RunsSerializer(serializers.Serializer[Any]):
    """One page of a list."""

    results = RunLineSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="The address of the next page, null on the last.")


class FigureMap(serializers.DictField):
    child = serializers.FloatField(allow_null=True)


class LeaderboardLineSerializer(serializers.Serializer[Any]):
    rank = serializers.IntegerField(allow_null=True, help_text="Null: a person.")
    system = serializers.CharField()
    version = serializers.CharField(allow_blank=True)
    figures = FigureMap(help_text="By the scorer's names.")
    recall = FigureMap(help_text="By voting index, in persons where the gold tells them, else in votes.")
    runs = serializers.IntegerField(allow_null=True, help_text="How often it was scored on this split.")
    run = serializers.UUIDField(allow_null=True, help_text="The newest, where you may look at it.")
    scored_at = serializers.DateTimeField(allow_null=True)


class LeaderboardSerializer(serializers.Serializer[Any]):
    """The newest run of each system, the best first. Each person is scored on a gold of the others."""

    project = serializers.CharField(help_text="The project's slug.")
    release = serializers.IntegerField(help_text="Its number.")
    sha256 = serializers.CharField(help_text="Of its zip.")
    split = serializers.CharField()
    sorted_by = serializers.ChoiceField(list(BY_KEY))
    scored = serializers.IntegerField(help_text="How often, over all systems.")
    systems = LeaderboardLineSerializer(many=True)
    people_on_golds_of_the_others = LeaderboardLineSerializer(many=True)


class GoldOfferSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(allow_blank=True)
    votes = serializers.IntegerField()


class RunSpanField(serializers.ListField):
    child = serializers.IntegerField()


class GoldSpanSerializer(serializers.Serializer[Any]):
    span = RunSpanField(help_text="In code points of the text.")
    type = serializers.CharField()
    suggestions = GoldOfferSerializer(many=True)


class SystemSpanSerializer(serializers.Serializer[Any]):
    span = RunSpanField()
    suggestions = serializers.ListField(child=serializers.CharField(allow_blank=True))


class ErrorSerializer(serializers.Serializer[Any]):
    """A sentence in which something is wrong: the gold beside the system."""

    sentence = serializers.CharField(help_text="Its id in the release.")
    passage = serializers.UUIDField(allow_null=True, help_text="Null where the gold was made elsewhere.")
    text = serializers.CharField()
    missed = serializers.IntegerField()
    spurious = serializers.IntegerField()
    other = serializers.IntegerField(help_text="Right words with a first suggestion that nobody made.")
    gold = GoldSpanSerializer(many=True)
    system = SystemSpanSerializer(many=True)


class ErrorsSerializer(serializers.Serializer[Any]):
    """One page of a list, the heaviest first."""

    results = ErrorSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="The address of the next page, null on the last.")


class DifferenceSerializer(serializers.Serializer[Any]):
    one = serializers.FloatField(allow_null=True)
    two = serializers.FloatField(allow_null=True)
    difference = serializers.FloatField(allow_null=True, help_text="One less two.")
    interval = serializers.ListField(
        child=serializers.FloatField(), allow_null=True, help_text="95 per cent of the draws lie in it."
    )
    p = serializers.FloatField(
        allow_null=True, help_text="Were there no difference, how often a draw would show as much, either way."
    )
    left_out = serializers.IntegerField(help_text="Draws in which it is not defined.")


class AgainstSerializer(serializers.Serializer[Any]):
    """Two runs on the same sentences: a paired bootstrap."""

    one = serializers.UUIDField()
    two = serializers.UUIDField()
    draws = serializers.IntegerField()
    seed = serializers.IntegerField()
    figures = serializers.DictField(child=DifferenceSerializer(), help_text="By the scorer's names.")
