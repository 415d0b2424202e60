"""Files."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from annotator.domain.arrivals import ArrivalKind
from annotator.domain.formats.columns import columns_from
from annotator.domain.lengths import MAX_NAME_LENGTH


class HowForm(forms.Form):
    """How a file is to be read, beside what its columns are."""

    NO_ROW = {"": "Ask me if it matters", "sparse": "They were not asked", "everyone": "They found nothing to improve"}
    SPARSE = {"": None, "sparse": True, "everyone": False}

    kind = forms.ChoiceField(
        label="What is in it",
        choices=[(ArrivalKind.PASSAGES, "Passages"), (ArrivalKind.ANSWERS, "Finished answers, as an annotation table")],
        required=False,
    )
    has_header = forms.ChoiceField(
        label="The first row", choices=[("yes", "names the columns"), ("no", "is a passage")], required=False
    )
    sheet = forms.CharField(
        label="Sheet",
        required=False,
        max_length=MAX_NAME_LENGTH,
        help_text="Of a workbook; the first where none is named.",
    )
    no_row = forms.ChoiceField(
        label="An annotator without a row for a passage", required=False, choices=list(NO_ROW.items())
    )
    names_differ = forms.BooleanField(label="Names that are nearly equal are different people", required=False)

    def __init__(self, data: Any = None, *, initial: Mapping[str, Any] | None = None, is_answers: bool) -> None:
        """`initial`: the options of a preview."""
        given = dict(initial or {})
        given["kind"] = ArrivalKind.ANSWERS if is_answers else ArrivalKind.PASSAGES
        given["has_header"] = "no" if given.get("has_header") is False else "yes"
        given["no_row"] = next(key for key, value in self.SPARSE.items() if value == given.get("is_sparse"))
        super().__init__(data, initial=given)

    def options(self, roles: Sequence[str], result: Mapping[str, Any] | None) -> dict[str, Any]:
        """As a preview keeps them. Where another row is to be the header, columns are guessed anew, save those that
        somebody chose by hand; on another sheet all are. Invalid where the columns make no passage."""
        given = self.cleaned_data
        is_same_sheet = (given["sheet"] or None) == (self.initial.get("sheet") or None)
        by_hand = dict(self.initial.get("chosen") or {}) if is_same_sheet else {}
        options: dict[str, Any] = {
            "kind": given["kind"] or None,
            "sheet": given["sheet"] or None,
            "is_sparse": self.SPARSE[given["no_row"]],
            "names_differ": given["names_differ"],
            "has_header": {"yes": True, "no": False}.get(given["has_header"]),
            "columns": None,
            "chosen": by_hand,
        }
        is_of_passages = result and result["is_table"] and not result["broken"] and "people" not in result["counts"]
        if result and is_of_passages and not roles:  # a page that shows no columns
            roles = [column["role"] for column in result["columns"]]
        is_seen = result and roles and is_same_sheet and len(roles) == len(result["columns"])
        if result and is_seen and given["kind"] != ArrivalKind.ANSWERS:
            has_header = result["has_header"] if options["has_header"] is None else options["has_header"]
            columns = columns_from({"roles": list(roles), "has_header": has_header})
            seen = [column["role"] for column in result["columns"]]
            by_hand |= {
                str(place): role for place, role in enumerate(roles) if role != seen[place] or str(place) in by_hand
            }
            if columns and has_header == result["has_header"]:
                options["columns"] = columns.as_dict()
        return options
