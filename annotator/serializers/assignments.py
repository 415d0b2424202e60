"""One's own assignments: what is sent to change one, what is told of one."""

from typing import Any

from rest_framework import serializers

from annotator.domain.answers import MAX_MARKS, MAX_SUBSTITUTES
from annotator.domain.language import MAX_LANG, direction
from annotator.domain.lengths import (
    MAX_NOTE_LENGTH,
    MAX_PASSAGE_LENGTH,
    MAX_QUESTION_LENGTH,
    MAX_REMARK_LENGTH,
    MAX_SUBSTITUTE_LENGTH,
)
from annotator.domain.passages import PassageKind
from annotator.domain.people import type_order
from annotator.domain.protocols import page_rules
from annotator.domain.states import DISCARD_REASONS, AssignmentState, ProjectState
from annotator.models import Assignment
from annotator.serializers.answers import AnswerField, MarkSerializer
from annotator.serializers.base import Body, Query, QueryInteger, QueryText, StrictInteger, StrictString, StrictUUID

KIND_NOTES: dict[str, str] = {
    PassageKind.PRACTICE: "Practice: this passage counts for nothing.",
    PassageKind.TEST: "Test passage: your work opens when you have passed.",
}
DAY_MS = 24 * 3600 * 1000
# What the page lets somebody type; of marks and substitutes their number.
LENGTHS = {
    "substitute": MAX_SUBSTITUTE_LENGTH,
    "note": MAX_NOTE_LENGTH,
    "remark": MAX_REMARK_LENGTH,
    "question": MAX_QUESTION_LENGTH,
    "marks": MAX_MARKS,
    "substitutes": MAX_SUBSTITUTES,
}
SAVE_ID = "A UUID of your own, new for each body: a request sent again is carried out once."


class SaveSerializer(Body):
    """An answer to be stored."""

    save_id = StrictUUID(help_text=SAVE_ID)
    active_ms = StrictInteger(
        default=0, min_value=0, max_value=DAY_MS, help_text="Milliseconds worked since the last save."
    )
    answer = AnswerField()


class ActSerializer(Body):
    """Reopen and undo-discard take nothing else."""

    save_id = StrictUUID(help_text=SAVE_ID)


class DiscardSerializer(Body):
    """Why the passage is set aside."""

    save_id = StrictUUID(help_text=SAVE_ID)
    reason = StrictString(help_text=f"One of {', '.join(DISCARD_REASONS)}; other needs a remark.")
    remark = StrictString(default="")


class FindingsAskedSerializer(Body):
    """An answer to be looked at."""

    answer = AnswerField()


class TextFindingsAskedSerializer(FindingsAskedSerializer):
    """An answer about any text, of which nothing is kept."""

    text = StrictString(max_length=MAX_PASSAGE_LENGTH)
    lang = StrictString(required=False, max_length=MAX_LANG, help_text="BCP 47; the project’s where none is given.")


class SavedSerializer(serializers.Serializer[Any]):
    """Where the assignment stands now."""

    version = serializers.IntegerField(min_value=0)
    state = serializers.ChoiceField(list(AssignmentState))
    number = serializers.IntegerField(min_value=1, help_text="One's own running number.")
    submission = serializers.IntegerField(min_value=0, help_text="How often it was handed in.")


class StoredSerializer(serializers.Serializer[Any]):
    """What stands there instead: of an assignment its state and answer, of a decision its content and what it may
    name, of a comment whether it is resolved, of a question the text of its answer, of a project its settings, rules or
    guidelines."""

    version = serializers.IntegerField(min_value=0)
    state = serializers.ChoiceField(list(AssignmentState), required=False)
    answer = AnswerField(required=False)
    content = serializers.JSONField(required=False)
    reason = serializers.CharField(allow_blank=True, required=False)
    cause = serializers.CharField(allow_blank=True, required=False)
    by = serializers.CharField(allow_blank=True, required=False)
    keys = serializers.ListField(child=serializers.CharField(allow_blank=True), required=False)
    resolved = serializers.BooleanField(required=False)
    text = serializers.CharField(allow_blank=True, required=False)
    name = serializers.CharField(required=False)
    language = serializers.CharField(required=False)
    time_zone = serializers.CharField(required=False)
    shows_names_to_adjudicators = serializers.BooleanField(required=False)
    protocol = serializers.DictField(required=False)
    guidelines = serializers.CharField(allow_blank=True, required=False)
    look_up_policy = serializers.CharField(allow_blank=True, required=False)
    has_arrived = serializers.BooleanField(
        required=False, help_text="What was sent had been stored on the version named, and was changed since."
    )


class AssignmentsQuery(Query):
    project = QueryText(r"\A[-a-zA-Z0-9_]{1,50}\Z", required=False, help_text="The project's slug.")
    state = serializers.ChoiceField(list(AssignmentState), required=False)
    limit = QueryInteger(default=50, min_value=1, max_value=10**9, help_text="100 are the most that is given at once.")
    after = QueryText(r"\A[-a-zA-Z0-9_]{0,50}:[0-9]{1,9}\Z", required=False, help_text="As next has it.")


class AssignmentLineSerializer(serializers.Serializer[Any]):
    """One assignment in a list."""

    uuid = serializers.UUIDField()
    project = serializers.CharField()
    number = serializers.IntegerField(min_value=1)
    state = serializers.ChoiceField(list(AssignmentState))
    version = serializers.IntegerField(min_value=0)
    marks = serializers.IntegerField(min_value=0)
    substitutes = serializers.IntegerField(min_value=0)

    def to_representation(self, instance: Assignment) -> dict[str, Any]:
        # By hand: field by field, a page of a hundred takes three times as long.
        return {
            "uuid": str(instance.uuid),
            "project": instance.passage.project.slug,
            "number": instance.number,
            "state": instance.state,
            "version": instance.version,
            "marks": instance.marks,
            "substitutes": instance.substitutes,
        }


class AssignmentsSerializer(serializers.Serializer[Any]):
    """One page of a list."""

    results = AssignmentLineSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="The address of the next page, null on the last.")


class DiscardedSerializer(serializers.Serializer[Any]):
    reason = serializers.ChoiceField(["", *DISCARD_REASONS])
    remark = serializers.CharField(allow_blank=True)


class PassageSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    context_before = serializers.CharField(allow_blank=True)
    context_after = serializers.CharField(allow_blank=True)
    lang = serializers.CharField(help_text="BCP 47.")
    dir = serializers.ChoiceField(["ltr", "rtl"])
    tokens = serializers.ListField(
        child=serializers.ListField(),
        allow_null=True,
        help_text="[start, end], or [start, end, token], of each, where they were given.",
    )


class TypeSerializer(serializers.Serializer[Any]):
    key = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    hint = serializers.CharField(allow_blank=True)
    line = serializers.IntegerField(min_value=0, help_text="How the type is drawn; the same for everybody.")


class SpansSerializer(serializers.Serializer[Any]):
    are_free = serializers.BooleanField()
    may_overlap = serializers.BooleanField()
    may_be_empty = serializers.BooleanField()
    may_cross_sentences = serializers.BooleanField()


class LengthsSerializer(serializers.Serializer[Any]):
    """The most characters of a text; of marks and substitutes the most there may be."""

    substitute = serializers.IntegerField(min_value=1)
    note = serializers.IntegerField(min_value=1)
    remark = serializers.IntegerField(min_value=1)
    question = serializers.IntegerField(min_value=1)
    marks = serializers.IntegerField(min_value=1)
    substitutes = serializers.IntegerField(min_value=1)


class RulesSerializer(serializers.Serializer[Any]):
    """What the project asks for."""

    spans = SpansSerializer()
    separator = serializers.CharField(allow_blank=True, help_text="Of substitutes; empty: there is none.")
    folds = serializers.BooleanField(help_text="Substitutes are trimmed and compared without case; else to the letter.")
    min_substitutes = serializers.IntegerField(min_value=0)
    max_substitutes = serializers.IntegerField(min_value=0, allow_null=True)
    substitutes_may_be_empty = serializers.BooleanField()
    flags = serializers.ListField(child=serializers.CharField())
    types = TypeSerializer(many=True)
    warn_below_marks = serializers.IntegerField(min_value=0)
    lengths = LengthsSerializer()


class GuidelinesSeenSerializer(serializers.Serializer[Any]):
    version = serializers.IntegerField(min_value=0)
    read = serializers.IntegerField(min_value=0, help_text="The newest version that one has read.")


class FollowingSerializer(serializers.Serializer[Any]):
    uuid = serializers.UUIDField()
    number = serializers.IntegerField(min_value=1)


class AskedSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    answer = serializers.CharField(allow_blank=True)


class AssignmentSerializer(AssignmentLineSerializer):
    """Everything the work page needs to know of one's own assignment."""

    # context["place"] is `place_of` the assignment: a query, and so the door's to ask.
    project_state = serializers.ChoiceField(list(ProjectState))
    kind = serializers.ChoiceField([PassageKind.WORK, PassageKind.TEST, PassageKind.PRACTICE])
    kind_note = serializers.CharField(allow_blank=True)
    answer = AnswerField()
    discard = DiscardedSerializer()
    passage = PassageSerializer()
    rules = RulesSerializer()
    guidelines = GuidelinesSeenSerializer()
    place = serializers.CharField(help_text="As in 28 of 72.")
    following = FollowingSerializer(allow_null=True)
    questions = AskedSerializer(many=True)

    def to_representation(self, instance: Assignment) -> dict[str, Any]:
        passage, project = instance.passage, instance.passage.project
        lang = passage.lang or project.language
        return {
            **super().to_representation(instance),
            "project_state": project.state,
            "kind": instance.kind_shown,
            "kind_note": KIND_NOTES.get(passage.kind, ""),
            "answer": instance.draft,
            "discard": {"reason": instance.discard_reason, "remark": instance.discard_remark},
            "passage": {
                "text": passage.text,
                "context_before": passage.context_before,
                "context_after": passage.context_after,
                "lang": lang,
                "dir": direction(lang, passage.text),
                "tokens": passage.tokens,
            },
            "rules": page_rules(project.protocol, types=_types(instance), lengths=LENGTHS),
            "guidelines": {
                "version": project.guidelines_version,
                "read": instance.membership.guidelines_read if project.has_guidelines else project.guidelines_version,
            },
            **self.context["place"],
        }


def _types(assignment: Assignment) -> list[dict[str, Any]]:
    """In this person's own order, unless the project fixes it; `line` is how the type is drawn, the same for all."""
    project = assignment.passage.project
    protocol = project.protocol
    lines = {item.key: index for index, item in enumerate(protocol.types)}
    keys = [item.key for item in protocol.open_types]
    if not protocol.fixes_type_order:
        keys = type_order(project.seed, assignment.membership.pseudonym, keys)
    by_key = {item.key: item for item in protocol.open_types}
    return [{"key": k, "label": by_key[k].label, "hint": by_key[k].hint, "line": lines[k]} for k in keys]


class FixSerializer(serializers.Serializer[Any]):
    label = serializers.CharField()  # type: ignore[assignment]
    mark = MarkSerializer(help_text="The whole mark as it would be.")


class FindingSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    severity = serializers.ChoiceField(["info", "warning"])
    guideline = serializers.CharField(allow_blank=True)
    message = serializers.CharField()
    path = serializers.CharField(allow_blank=True, help_text="As in marks[0].substitutes[1].")
    fix = FixSerializer(allow_null=True)


class FindingsSerializer(serializers.Serializer[Any]):
    findings = FindingSerializer(many=True)


class QuotaSerializer(serializers.Serializer[Any]):
    label = serializers.CharField()  # type: ignore[assignment]
    given = serializers.IntegerField(min_value=0)
    wanted = serializers.IntegerField(min_value=0)


class ProgressSerializer(serializers.Serializer[Any]):
    """Nothing in it depends on anybody else's work."""

    total = serializers.IntegerField(min_value=0)
    submitted = serializers.IntegerField(min_value=0)
    started = serializers.IntegerField(min_value=0)
    discarded = serializers.IntegerField(min_value=0)
    to_do = serializers.IntegerField(min_value=0)
    marks = serializers.IntegerField(min_value=0)
    substitutes = serializers.IntegerField(min_value=0)
    done = serializers.IntegerField(min_value=0)
    pace = serializers.IntegerField(min_value=0, allow_null=True, help_text="Passages a day.")
    quota = QuotaSerializer(allow_null=True)
