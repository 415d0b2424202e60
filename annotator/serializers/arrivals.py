"""Shapes of files that come in."""

from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from annotator.domain.arrivals import ArrivalKind
from annotator.domain.lengths import MAX_FILE_NAME_LENGTH, MAX_NAME_LENGTH
from annotator.domain.passages import PassageKind
from annotator.models import Arrival
from annotator.serializers.base import Body, Query, QueryInteger, QueryText, StrictBoolean, StrictString, StrictUUID

STATES = ("on its way", "done", "refused", "cancelled", "taken back")
ONLY_FOR = {
    "passage_kind": ArrivalKind.PASSAGES,
    "no_row": ArrivalKind.ANSWERS,
    "names_differ": ArrivalKind.ANSWERS,
}


class UploadQuery(Query):
    name = QueryText(
        rf"\A[^\x00-\x1f\x7f/\\]{{1,{MAX_FILE_NAME_LENGTH}}}\Z",
        help_text="Of the file: its ending says in which format it is.",
    )


class UploadSerializer(serializers.Serializer[Any]):
    """A file that is kept for a day, or until it is imported."""

    uuid = serializers.UUIDField()
    name = serializers.CharField()
    size = serializers.IntegerField(min_value=1, help_text="Bytes.")
    sha256 = serializers.CharField(help_text="Of what arrived: compare it with that of what you sent.")


class ImportSerializer(Body):
    """How a file is to be read."""

    upload = StrictUUID(help_text="Of a file that you have sent, and that was not imported yet.")
    kind = serializers.ChoiceField([ArrivalKind.PASSAGES, ArrivalKind.ANSWERS], help_text="What the file brings.")
    sheet = StrictString(
        required=False,
        allow_blank=False,
        max_length=MAX_NAME_LENGTH,
        help_text="Of a workbook; the first where none is named.",
    )
    passage_kind = serializers.ChoiceField(
        list(PassageKind), required=False, help_text="Of passages: work where nothing is said."
    )
    no_row = serializers.ChoiceField(
        ["sparse", "everyone"],
        required=False,
        help_text="Of answers, an annotator without a row for a passage: was not asked, or found nothing to improve. "
        "Where nothing is said and it matters, the file is refused.",
    )
    names_differ = StrictBoolean(
        required=False, help_text="Of answers: names that are nearly equal are different people."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        wrong = {
            name: [ErrorDetail(f"{name} is for {kind} only.", "other_kind")]
            for name, kind in ONLY_FOR.items()
            if name in attrs and attrs["kind"] != kind
        }
        if wrong:
            raise ValidationError(wrong)
        return attrs


class FileProblemSerializer(serializers.Serializer[Any]):
    line = serializers.IntegerField(allow_null=True, help_text="Of the file; null where it is about the whole.")
    reason = serializers.CharField()


class ArrivalSerializer(serializers.Serializer[Any]):
    """A file on its way in, or what became of it."""

    uuid = serializers.UUIDField()
    kind = serializers.ChoiceField(list(ArrivalKind))
    name = serializers.CharField(help_text="Of the file.")
    state = serializers.ChoiceField(STATES)
    job = serializers.UUIDField(source="job.uuid", allow_null=True, help_text="Tells how far it is.")
    rows = serializers.IntegerField(help_text="Passages or answers in the file, once it is done.")
    result = serializers.DictField(allow_null=True, help_text="Null until it is done; says tells it in words.")
    problems = FileProblemSerializer(many=True, help_text="Why it was refused, a thousand at the most.")

    def to_representation(self, instance: Arrival) -> dict[str, Any]:
        told = {name: getattr(instance, name) for name in ("uuid", "kind", "name", "state", "job", "rows", "result")}
        return super().to_representation({**told, "problems": _problems(instance)})


def _problems(arrival: Arrival) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (arrival.report or {}).get("problems", [])
    if not found and arrival.state == "refused" and arrival.job:
        return [{"line": None, "reason": arrival.job.message}]
    return found


class ArrivalsSerializer(serializers.Serializer[Any]):
    """One page of a list."""

    results = ArrivalSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="The address of the next page, null on the last.")


class ArrivalsQuery(Query):
    limit = QueryInteger(default=50, min_value=1, max_value=10**9, help_text="100 are the most that is given at once.")
    after = QueryInteger(required=False, min_value=0, help_text="As next has it.")
