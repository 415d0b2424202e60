"""Files."""

from typing import Any

from django import forms

from annotator.domain.arrivals import ArrivalKind
from annotator.domain.lengths import MAX_NAME_LENGTH
from annotator.domain.passages import PassageKind


class ImportForm(forms.Form):
    """A file of passages or of finished answers; the file itself is taken by its handler as it streams in."""

    NO_ROW = {"": "Ask me if it matters", "sparse": "They were not asked", "everyone": "They found nothing to improve"}

    kind = forms.ChoiceField(
        label="What is in it",
        choices=[(ArrivalKind.PASSAGES, "Passages"), (ArrivalKind.ANSWERS, "Finished answers, as an annotation table")],
        widget=forms.RadioSelect,
        initial=ArrivalKind.PASSAGES,
    )
    sheet = forms.CharField(
        label="Sheet",
        required=False,
        max_length=MAX_NAME_LENGTH,
        help_text="Of a workbook; the first where none is named.",
    )
    no_row = forms.ChoiceField(
        label="Answers: an annotator without a row for a passage",
        required=False,
        choices=list(NO_ROW.items()),
        widget=forms.Select,
    )
    names_differ = forms.BooleanField(label="Answers: names that are nearly equal are different people", required=False)

    def options(self) -> dict[str, Any]:
        """As the import takes them."""
        given = self.cleaned_data
        sheet = given["sheet"] or None
        if given["kind"] == ArrivalKind.PASSAGES:
            return {"kind": PassageKind.WORK, "sheet": sheet}
        is_sparse = {"sparse": True, "everyone": False}.get(given["no_row"])
        return {"is_sparse": is_sparse, "names_differ": given["names_differ"], "sheet": sheet}
