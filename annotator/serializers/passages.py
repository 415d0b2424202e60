"""Passages as their leads see them, and what they change of one."""

from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from annotator.domain.lengths import MAX_ID_LENGTH, MAX_SEARCH_LENGTH
from annotator.domain.passage_filter import MOST_ANSWERS, SCREENED, PassageFilter
from annotator.domain.passages import PassageKind
from annotator.domain.screening import SCREENING_REASONS, Screening
from annotator.domain.states import DISCARD_REASONS
from annotator.serializers.base import Body, Query, QueryInteger, QueryText, StrictBoolean, StrictString

NOT_SCREENED = "none"  # what addresses and bodies say for Screening.NONE
YOURS = "Null where you have still to annotate the passage yourself."


class PassagesQuery(Query):
    search = QueryText(
        rf"\A[^\x00-\x1f\x7f]{{1,{MAX_SEARCH_LENGTH}}}\Z", required=False, help_text="Part of the id or of the text."
    )
    kind = serializers.ChoiceField(list(PassageKind), required=False)
    screening = serializers.ChoiceField(list(SCREENED), required=False, help_text="Or why it was refused.")
    answers = QueryInteger(
        required=False, min_value=0, max_value=MOST_ANSWERS, help_text="Just so many answers that count."
    )
    discarded = QueryInteger(required=False, min_value=1, max_value=MOST_ANSWERS, help_text="By so many at least.")
    reason = serializers.ChoiceField(list(DISCARD_REASONS), required=False, help_text="Why somebody discarded it.")
    split = QueryText(rf"\A[^\x00-\x1f\x7f]{{1,{MAX_ID_LENGTH}}}\Z", required=False)
    group = QueryText(rf"\A[^\x00-\x1f\x7f]{{1,{MAX_ID_LENGTH}}}\Z", required=False)
    questions = serializers.ChoiceField(["yes"], required=False, help_text="Only those with questions.")
    archived = serializers.ChoiceField(["yes"], required=False, help_text="The archived ones, in place of the others.")
    limit = QueryInteger(default=50, min_value=1, max_value=10**9, help_text="100 are the most that is given at once.")
    after = QueryInteger(required=False, min_value=0, help_text="As next has it.")


def wanted(given: dict[str, Any]) -> PassageFilter:
    named: dict[str, Any] = {name: value for name, value in given.items() if name not in ("limit", "after")}
    return PassageFilter(**named | {name: True for name in ("questions", "archived") if name in given})


class PassageLineSerializer(serializers.Serializer[Any]):
    """A line of the list: a passage and how far it is."""

    uuid = serializers.UUIDField()
    external_id = serializers.CharField(help_text="Its id in the project's files.")
    text = serializers.CharField()
    kind = serializers.ChoiceField(list(PassageKind))
    group = serializers.CharField(allow_blank=True)
    split = serializers.CharField(allow_blank=True)
    lang = serializers.CharField(allow_blank=True, help_text="Empty: the project's.")
    screening = serializers.ChoiceField([NOT_SCREENED, Screening.ACCEPTED, Screening.REFUSED])
    reason = serializers.ChoiceField(["", *SCREENING_REASONS], help_text="Why it was refused.")
    is_archived = serializers.BooleanField()
    has_key = serializers.BooleanField(help_text="Of a test or control: what annotators are measured by.")
    replaces = serializers.UUIDField(allow_null=True, help_text="The faulty one that it stands for.")
    replaced_by = serializers.UUIDField(allow_null=True, help_text="The one that stands for it.")
    given = serializers.IntegerField(help_text="How many have been given it.")
    answers = serializers.IntegerField(allow_null=True, help_text=f"That count. {YOURS}")
    discards = serializers.IntegerField(allow_null=True, help_text=YOURS)
    questions = serializers.IntegerField(allow_null=True, help_text=YOURS)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        row = instance.passage
        names = ("uuid", "external_id", "text", "kind", "group", "split", "lang")
        told: dict[str, Any] = {name: getattr(row, name) for name in names}
        told |= {name: getattr(instance, name) for name in ("given", "answers", "discards", "questions")}
        told |= {"screening": row.screening or NOT_SCREENED, "reason": row.screening_reason}
        told |= {"is_archived": row.archived_at is not None, "has_key": row.key_answer is not None}
        later = getattr(row, "replaced_by", None)
        told |= {"replaces": row.replaces and row.replaces.uuid, "replaced_by": later and later.uuid}
        return super().to_representation(told)


class PassagesSerializer(serializers.Serializer[Any]):
    """One page of a list."""

    results = PassageLineSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="The address of the next page, null on the last.")


# The changes, and what may go with one.
CHANGES = {"screening": "reason", "text": "external_id", "is_archived": None, "is_control": None}


class PassageChangeSerializer(Body):
    """One change of a passage: `screening` (a refusal with its `reason`), `text` (which makes a new passage that stands
    for it, by the name `external_id`), `is_archived` or `is_control`."""

    screening = serializers.ChoiceField(
        [Screening.ACCEPTED, Screening.REFUSED, NOT_SCREENED], required=False, help_text="none takes it back."
    )
    reason = serializers.ChoiceField(list(SCREENING_REASONS), required=False, help_text="Why it is refused.")
    text = StrictString(required=False, help_text="The text of the one that stands for it.")
    external_id = StrictString(required=False, help_text="Its id; made from that of the old one where none is given.")
    is_archived = StrictBoolean(required=False, help_text="true: it stays so.")
    is_control = StrictBoolean(required=False, help_text="Of a passage with a key; false makes it a test passage.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        named = [name for name in CHANGES if name in attrs]
        if len(named) != 1:
            raise ValidationError({"": [ErrorDetail(f"Name one change: {', '.join(CHANGES)}.", "one_change")]})
        if astray := set(attrs) - {named[0], CHANGES[named[0]]}:
            raise ValidationError({min(astray): [ErrorDetail(f"It does not go with {named[0]}.", "one_change")]})
        if attrs.get("is_archived") is False:
            raise ValidationError({"is_archived": [ErrorDetail("An archived passage stays archived.", "one_way")]})
        return attrs
