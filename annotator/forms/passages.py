"""Finding passages, and replacing one."""

from django import forms

from annotator.domain.lengths import MAX_ID_LENGTH, MAX_PASSAGE_LENGTH, MAX_SEARCH_LENGTH
from annotator.domain.passage_filter import KINDS, MOST_ANSWERS, SCREENED, PassageFilter
from annotator.domain.screening import SCREENING_REASONS, Screening
from annotator.domain.states import DISCARD_REASONS


class PassageFilterForm(forms.Form):
    """What makes no sense filters nothing."""

    search = forms.CharField(required=False, max_length=MAX_SEARCH_LENGTH)
    kind = forms.ChoiceField(required=False, choices=[("", "any kind"), *KINDS.items()])
    screening = forms.ChoiceField(required=False, choices=[("", "any"), *SCREENED.items()])
    answers = forms.IntegerField(required=False, min_value=0, max_value=MOST_ANSWERS)
    split = forms.CharField(required=False, max_length=20)
    group = forms.CharField(required=False, max_length=MAX_ID_LENGTH)
    questions = forms.BooleanField(required=False)
    discarded = forms.IntegerField(required=False, min_value=1, max_value=MOST_ANSWERS)
    reason = forms.ChoiceField(required=False, choices=[("", "any reason"), *DISCARD_REASONS.items()])
    archived = forms.BooleanField(required=False)

    def wanted(self) -> PassageFilter:
        self.is_valid()
        return PassageFilter(**{name: value for name, value in self.cleaned_data.items() if value not in ("", None)})


class ReplaceForm(forms.Form):
    """The rest is asked of the text by the action."""

    text = forms.CharField(
        max_length=MAX_PASSAGE_LENGTH, strip=False, widget=forms.Textarea(attrs={"rows": 5, "dir": "auto"})
    )
    external_id = forms.CharField(label="Id", required=False, max_length=MAX_ID_LENGTH)


class ScreeningForm(forms.Form):
    """accepted, a reason to refuse it, or nothing: taken back."""

    verdict = forms.ChoiceField(required=False, choices=[(Screening.ACCEPTED, "Accept"), *SCREENING_REASONS.items()])

    def given(self) -> dict[str, str]:
        verdict = self.cleaned_data["verdict"]
        if verdict in SCREENING_REASONS:
            return {"verdict": Screening.REFUSED, "reason": verdict}
        return {"verdict": verdict, "reason": ""}
