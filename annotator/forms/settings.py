"""What a project is called and where it lives, and what a copy of its set-up is to be called."""

from zoneinfo import available_timezones

from django import forms

from annotator.domain.language import MAX_LANG
from annotator.domain.lengths import MAX_PROJECT_NAME_LENGTH
from annotator.forms.beginning import NamedForm
from annotator.models import Project


class SettingsForm(forms.Form):
    """The fields, each with what it showed when the form was made, so that nobody takes back what somebody else has
    changed meanwhile."""

    name = forms.CharField(label="Name", max_length=MAX_PROJECT_NAME_LENGTH)
    language = forms.CharField(
        label="Language of the passages",
        max_length=MAX_LANG,
        help_text="A language tag such as en, de or pt-BR: words, reading direction and findings follow it.",
    )
    time_zone = forms.ChoiceField(
        label="Time zone",
        choices=[(zone, zone) for zone in sorted(available_timezones())],
        help_text="Where the days of the board begin, and every time that is shown.",
    )
    shows_names_to_adjudicators = forms.BooleanField(
        label="Adjudicators see names, not only pseudonyms", required=False
    )
    shown_name = forms.CharField(required=False, widget=forms.HiddenInput)
    shown_language = forms.CharField(required=False, widget=forms.HiddenInput)
    shown_time_zone = forms.CharField(required=False, widget=forms.HiddenInput)
    shown_shows_names_to_adjudicators = forms.BooleanField(required=False, widget=forms.HiddenInput)

    @classmethod
    def of(cls, project: Project) -> "SettingsForm":
        now = {name: getattr(project, name) for name in FIELDS}
        return cls(initial={**now, **{f"shown_{name}": value for name, value in now.items()}})

    def given(self) -> dict[str, dict[str, object]]:
        """As the action takes them."""
        data = self.cleaned_data
        return {"shown": {name: data[f"shown_{name}"] for name in FIELDS}, "wanted": {n: data[n] for n in FIELDS}}


FIELDS = ("name", "language", "time_zone", "shows_names_to_adjudicators")


class CopyForm(NamedForm):
    """What the copy is called, and where it lives."""
