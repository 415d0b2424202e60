"""Shapes of decisions, gold and comments."""

from typing import Any

from rest_framework import serializers

from adjudication.domain.decisions import CAUSES
from annotator.domain.lengths import MAX_SUBSTITUTE_LENGTH
from annotator.serializers.base import Body, Query, QueryInteger, StrictInteger, StrictString, StrictUUID


class JSONObject(serializers.JSONField):
    """A document that the domain checks whole."""


class DecideSerializer(Body):
    """`act` names this act: the same id with the same body is carried out once."""

    act = StrictUUID()
    content = JSONObject(help_text="What is decided: see the guide.")
    reason = StrictString(required=False, default="", help_text="Why, in words.")
    cause = StrictString(required=False, default="", help_text=f"One of {', '.join(CAUSES)}, or empty.")
    by = StrictString(required=False, help_text="The pseudonym of who decides: refused where the session is another's.")


class UndoSerializer(Body):
    act = StrictUUID(help_text="The id of this act.")
    undoes = StrictUUID(help_text="The act that is taken back, one's own.")
    by = StrictString(required=False, help_text="As with a decision.")


class UniteSerializer(Body):
    act = StrictUUID(help_text="The id of this act.")
    take = StrictString(help_text="both: what both decided alike; or a pseudonym: all that this one decided.")
    by = StrictString(required=False, help_text="As with a decision.")


class VoterList(serializers.ListField):
    child = serializers.CharField()


class SpanField(serializers.ListField):
    child = serializers.IntegerField()


class OfferedSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(allow_blank=True)
    key = serializers.CharField(allow_blank=True, help_text="What a decision names it by.")
    voters = VoterList()


class GoldSuggestionSerializer(OfferedSerializer):
    origin = serializers.CharField(help_text="merged, edited, joined or added.")


class DecisionSerializer(serializers.Serializer[Any]):
    version = serializers.IntegerField()
    content = serializers.JSONField()
    reason = serializers.CharField(allow_blank=True)
    cause = serializers.CharField(allow_blank=True)
    by = serializers.CharField(allow_blank=True, help_text="A pseudonym.")
    at = serializers.DateTimeField()
    act = serializers.UUIDField(allow_null=True)
    is_proposal = serializers.BooleanField(help_text="It waits for somebody else to agree.")
    looks_again = serializers.BooleanField(help_text="What was merged there is not what it was decided on.")
    snapshot = serializers.JSONField(help_text="What was merged there when it was decided.")


class MergedSerializer(serializers.Serializer[Any]):
    is_kept = serializers.BooleanField()
    type = serializers.CharField(allow_blank=True)


class GoldTargetSerializer(serializers.Serializer[Any]):
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    quote = serializers.CharField(allow_blank=True)
    annotators = serializers.IntegerField(help_text="The voting index.")
    of = serializers.IntegerField()
    voters = VoterList()
    type = serializers.CharField(allow_blank=True)
    type_tie = serializers.BooleanField()
    is_kept = serializers.BooleanField()
    fate = serializers.CharField(help_text="merged, decided, added or moved.")
    moved_to = SpanField(allow_null=True)
    moved_from = serializers.ListField(child=SpanField())
    suggestions = GoldSuggestionSerializer(many=True)
    offered = OfferedSerializer(many=True)
    merged = MergedSerializer(allow_null=True)
    variants = serializers.ListField(child=VoterList(), help_text="Keys that are nearly the same, in groups.")
    flags = VoterList(help_text="What asks for somebody.")
    decision = DecisionSerializer(allow_null=True)


class SideDecisionSerializer(serializers.Serializer[Any]):
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    content = serializers.JSONField()
    reason = serializers.CharField(allow_blank=True)
    cause = serializers.CharField(allow_blank=True)


class SideSerializer(serializers.Serializer[Any]):
    """What one of two decided who settled a passage blind to each other."""

    by = serializers.CharField(help_text="A pseudonym.")
    verdict = serializers.CharField(allow_null=True)
    reason = serializers.CharField(allow_blank=True)
    decisions = SideDecisionSerializer(many=True)


class DoubleSerializer(serializers.Serializer[Any]):
    is_done = serializers.BooleanField(help_text="Both have settled the passage: it can be united.")
    sides = SideSerializer(many=True)


class SaidSerializer(serializers.Serializer[Any]):
    voters = VoterList()
    type = serializers.CharField(allow_blank=True)
    suggestions = serializers.ListField(child=serializers.DictField())


class ChangedTargetSerializer(serializers.Serializer[Any]):
    quote = serializers.CharField(allow_blank=True)
    then = SaidSerializer(allow_null=True, help_text="Null where nobody had marked it.")
    now = SaidSerializer(allow_null=True, help_text="Null where nobody marks it any more.")


class ChangesSerializer(serializers.Serializer[Any]):
    """Where a settled passage asks to be looked at again: what was said then and is now."""

    of = serializers.ListField(child=serializers.IntegerField(), help_text="Answers, then and now.")
    discards = serializers.ListField(child=serializers.IntegerField(), help_text="Then and now.")
    targets = ChangedTargetSerializer(many=True)


class StandingSerializer(serializers.Serializer[Any]):
    """A passage: what was merged of it, and what was decided."""

    uuid = serializers.UUIDField()
    id = serializers.CharField(help_text="In the project's files.")
    of = serializers.IntegerField(help_text="Answers.")
    discards = serializers.IntegerField()
    verdict = serializers.CharField(help_text="The merge's: merged, discarded or too few answers.")
    merged_at = serializers.DateTimeField(allow_null=True)
    pa_det = serializers.IntegerField(allow_null=True, help_text="In thousandths.")
    dispute = serializers.IntegerField()
    is_gold = serializers.BooleanField()
    keep_at = serializers.IntegerField()
    folds = serializers.BooleanField(help_text="Whether keys ignore case and spaces.")
    needs_consensus = serializers.BooleanField(help_text="What one decides is a proposal until another agrees.")
    double = DoubleSerializer(allow_null=True, help_text="Where two settle it blind to each other, and you have.")
    decision = DecisionSerializer(allow_null=True, help_text="About the whole passage.")
    changes = ChangesSerializer(allow_null=True, help_text="Since it was settled, where that was on other evidence.")
    targets = GoldTargetSerializer(many=True)


class DecidedSerializer(serializers.Serializer[Any]):
    version = serializers.IntegerField()
    act = serializers.UUIDField(allow_null=True)
    passage = StandingSerializer()


class LaneMarkSerializer(serializers.Serializer[Any]):
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    type = serializers.CharField(allow_blank=True, help_text="The person's; empty where they gave several alike.")
    note = serializers.CharField(allow_blank=True)
    unsure = serializers.BooleanField()
    substitutes = serializers.ListField(child=serializers.DictField(child=serializers.CharField(allow_blank=True)))


class LaneSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(help_text="A pseudonym.")
    seconds = serializers.IntegerField()
    none = serializers.BooleanField(help_text="Said that there is nothing to improve.")
    marks = LaneMarkSerializer(many=True)


class StepSerializer(serializers.Serializer[Any]):
    start = serializers.IntegerField(allow_null=True)
    end = serializers.IntegerField(allow_null=True)
    number = serializers.IntegerField()
    content = serializers.JSONField()
    reason = serializers.CharField(allow_blank=True)
    cause = serializers.CharField(allow_blank=True)
    by = serializers.CharField()
    at = serializers.DateTimeField()
    act = serializers.UUIDField()
    is_undo = serializers.BooleanField(help_text="It takes an act back.")
    is_redo = serializers.BooleanField(help_text="It does again what had been taken back.")
    is_proposal = serializers.BooleanField()
    is_of_two = serializers.BooleanField(help_text="By one of two who settled it blind to each other.")


class SuggestionAskedSerializer(Body):
    """A suggestion to be looked at."""

    start = StrictInteger(min_value=0)
    end = StrictInteger(min_value=0)
    text = StrictString(max_length=MAX_SUBSTITUTE_LENGTH)


class CommentSerializer(serializers.Serializer[Any]):
    uuid = serializers.UUIDField()
    version = serializers.IntegerField()
    start = serializers.IntegerField(allow_null=True)
    end = serializers.IntegerField(allow_null=True)
    text = serializers.CharField()
    by = serializers.CharField(source="by.pseudonym")
    at = serializers.DateTimeField()
    resolved_by = serializers.CharField(source="resolved_by.pseudonym", default=None, allow_null=True)
    resolved_at = serializers.DateTimeField(allow_null=True)


class CommentsSerializer(serializers.Serializer[Any]):
    results = CommentSerializer(many=True)


class CommentAskedSerializer(Body):
    text = StrictString()
    span = serializers.ListField(child=StrictInteger(), required=False, allow_null=True, min_length=2, max_length=2)


class ResolveSerializer(Body):
    is_resolved = serializers.BooleanField(required=False, default=True)


class AdjudicationSerializer(serializers.Serializer[Any]):
    """All that the page shows of one passage."""

    text = serializers.CharField()
    lang = serializers.CharField(allow_blank=True)
    dir = serializers.CharField(help_text="ltr or rtl.")
    context_before = serializers.CharField(allow_blank=True)
    context_after = serializers.CharField(allow_blank=True)
    standing = StandingSerializer()
    lanes = LaneSerializer(many=True)
    discards = serializers.ListField(child=serializers.DictField(child=serializers.CharField(allow_blank=True)))
    type_votes = serializers.ListField(child=serializers.DictField())
    history = StepSerializer(many=True)
    comments = CommentSerializer(many=True)


class ElsewhereTargetSerializer(serializers.Serializer[Any]):
    passage = StrictUUID()
    start = StrictInteger(min_value=0)
    end = StrictInteger(min_value=0)
    version = StrictInteger(min_value=0)


class ElsewhereSerializer(Body):
    act = StrictUUID()
    content = JSONObject()
    reason = StrictString(required=False, default="")
    targets = ElsewhereTargetSerializer(many=True)
    by = StrictString(required=False, help_text="As with a decision.")


class ElsewhereDoneSerializer(serializers.Serializer[Any]):
    targets = serializers.IntegerField(help_text="How many were decided.")
    act = serializers.UUIDField()


class UndoneSerializer(serializers.Serializer[Any]):
    """An act that was taken back wherever it was."""

    act = serializers.UUIDField(help_text="The id of this act.")
    of = serializers.IntegerField(help_text="How many decisions the act was.")
    taken_back = serializers.IntegerField(help_text="The others had been decided anew since, and stay.")
    is_under_way = serializers.BooleanField(help_text="A worker takes them back: there are many.")


class SameWordSerializer(serializers.Serializer[Any]):
    passage = serializers.UUIDField()
    id = serializers.CharField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    before = serializers.CharField(allow_blank=True)
    quote = serializers.CharField()
    after = serializers.CharField(allow_blank=True)
    annotators = serializers.IntegerField()
    of = serializers.IntegerField()
    suggestions = VoterList()
    type = serializers.CharField(allow_blank=True)
    is_kept = serializers.BooleanField()
    is_moved = serializers.BooleanField(
        help_text="Onto another target, or that is proposed: not decided from elsewhere."
    )
    is_in_discarded = serializers.BooleanField(help_text="The passage is not in the gold.")
    is_decided = serializers.BooleanField()
    version = serializers.IntegerField()


class SameWordsSerializer(serializers.Serializer[Any]):
    results = SameWordSerializer(many=True)
    more = serializers.IntegerField(help_text="How many more there are.")


class SameWordsQuery(Query):
    start = QueryInteger(min_value=0)
    end = QueryInteger(min_value=0)


class GoldDecisionSerializer(serializers.Serializer[Any]):
    verdict = serializers.CharField(allow_null=True, help_text="Null where it was changed, or given a reason, only.")
    by = serializers.CharField(allow_blank=True, help_text="A pseudonym.")
    at = serializers.DateTimeField()
    reason = serializers.CharField(allow_blank=True)
    cause = serializers.CharField(allow_blank=True)


class GoldVotesSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(allow_blank=True)
    votes = serializers.IntegerField()
    voters = VoterList()
    origin = serializers.CharField(help_text="merged, edited, joined or added.")


class GoldEntrySerializer(serializers.Serializer[Any]):
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    quote = serializers.CharField(allow_blank=True)
    annotators = serializers.IntegerField(help_text="The voting index.")
    of = serializers.IntegerField()
    voters = VoterList()
    votes = serializers.IntegerField(help_text="The sum of its suggestions' votes.")
    type = serializers.CharField(allow_blank=True)
    is_kept = serializers.BooleanField()
    fate = serializers.CharField(help_text="merged, decided, added or moved.")
    moved_to = SpanField(allow_null=True)
    moved_from = serializers.ListField(child=SpanField())
    suggestions = GoldVotesSerializer(many=True)
    decision = GoldDecisionSerializer(allow_null=True)


class GoldLineSerializer(serializers.Serializer[Any]):
    """As the paper prints it: by target the suggestions with their votes; then each target with voters and decision."""

    passage = serializers.CharField()
    uuid = serializers.UUIDField()
    targets = serializers.DictField()
    dropped = serializers.DictField()
    is_gold = serializers.BooleanField()
    decision = GoldDecisionSerializer(allow_null=True, help_text="About the whole passage.")
    entries = GoldEntrySerializer(many=True)


class GoldSerializer(serializers.Serializer[Any]):
    results = GoldLineSerializer(many=True)
    next = serializers.CharField(allow_null=True)


class GoldQuery(Query):
    limit = QueryInteger(default=50, min_value=1, max_value=10**9, help_text="100 are the most that is given at once.")
    after = QueryInteger(required=False, min_value=0, help_text="As next has it.")
