"""What an annotator does with a passage beside marking it, and finding one again."""

from urllib.parse import urlencode

from django import forms

from annotator.domain.lengths import MAX_REMARK_LENGTH, MAX_SEARCH_LENGTH
from annotator.domain.states import DISCARD_REASONS, AssignmentState
from annotator.models.work import AssignmentQuerySet


class DiscardForm(forms.Form):
    reason = forms.ChoiceField(choices=list(DISCARD_REASONS.items()), widget=forms.RadioSelect)
    remark = forms.CharField(required=False, max_length=MAX_REMARK_LENGTH, widget=forms.Textarea(attrs={"rows": 2}))


class SeenForm(forms.Form):
    """Which version the person saw, and which request this is: a form sent twice acts once."""

    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    save_id = forms.UUIDField(widget=forms.HiddenInput)


class WorkFilterForm(forms.Form):
    """Search and filter of one's own passages; what makes no sense filters nothing."""

    q = forms.CharField(label="Search", required=False, max_length=MAX_SEARCH_LENGTH)
    state = forms.ChoiceField(
        required=False,
        choices=[("", "All"), *((state, state.capitalize()) for state in AssignmentState)],
        widget=forms.Select,
    )

    def narrow(self, rows: AssignmentQuerySet) -> AssignmentQuerySet:
        given = self.given()
        if "q" in given:
            rows = rows.filter(passage__text__icontains=given["q"])
        return rows.filter(state=given["state"]) if "state" in given else rows

    def given(self) -> dict[str, str]:
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}

    def query(self) -> str:
        """For the link to the next page."""
        return urlencode(self.given())
