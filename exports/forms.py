"""What is typed into the pages of releases and systems; never saves."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from annotator.domain.errors import Invalid
from annotator.domain.lengths import MAX_NOTE_LENGTH
from exports.domain.hosts import MAX_ADDRESS
from exports.domain.releases import (
    CARD_FIELDS,
    MAX_CARD_FIELD,
    MAX_RELEASE_NAME,
    MAX_SPLIT_NAME,
    MAX_SPLITS,
    MOST_SEED,
    ReleaseSettings,
    parse_sizes,
)
from exports.domain.runs import MAX_DESCRIPTION, MAX_SYSTEM, MAX_SYSTEM_VERSION, MAX_URL, System
from exports.domain.webhooks import LABELS


class ReleaseForm(forms.Form):
    name = forms.CharField(
        label="Name", max_length=MAX_RELEASE_NAME, required=False, help_text="empty: the project's, with the number"
    )
    date = forms.DateField(label="Date", widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
    sizes = forms.CharField(label="Splits", help_text="counts or shares, such as validation=200,test=800")
    seed = forms.IntegerField(label="Seed of the splits", min_value=0, max_value=MOST_SEED)
    with_pos = forms.BooleanField(
        label="Tag parts of speech for the card",
        required=False,
        help_text="English only; takes some seconds for each 1,000 passages",
    )
    notes = forms.CharField(
        label="What is new", max_length=MAX_NOTE_LENGTH, required=False, widget=forms.Textarea(attrs={"rows": 3})
    )

    def clean_sizes(self) -> tuple[tuple[str, int], ...]:
        try:
            return parse_sizes(self.cleaned_data["sizes"])
        except Invalid as error:
            raise forms.ValidationError(error.problems[0].message) from None

    def settings(self) -> ReleaseSettings:
        data = self.cleaned_data
        return ReleaseSettings(data["sizes"], data["seed"], data["with_pos"])


class CardForm(forms.Form):
    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        for field in CARD_FIELDS:
            self.fields[field.key] = forms.CharField(
                label=field.label,
                help_text=field.hint,
                required=False,
                max_length=MAX_CARD_FIELD,
                widget=forms.Textarea(attrs={"rows": 2}),
            )

    def values(self) -> dict[str, str]:
        return {field.key: self.cleaned_data[field.key] for field in CARD_FIELDS}


class WithdrawForm(forms.Form):
    why = forms.CharField(label="Why", max_length=MAX_NOTE_LENGTH, widget=forms.Textarea(attrs={"rows": 2}))


class RunForm(forms.Form):
    """What is said of a system; the file goes with it."""

    system = forms.CharField(label="System", max_length=MAX_SYSTEM, help_text="the same name is the same row")
    system_version = forms.CharField(label="Version", max_length=MAX_SYSTEM_VERSION, required=False)
    split = forms.ChoiceField(label="Split")
    url = forms.CharField(label="Address", max_length=MAX_URL, required=False, help_text="a page about it, https://…")
    description = forms.CharField(
        label="What it does", max_length=MAX_DESCRIPTION, required=False, widget=forms.Textarea(attrs={"rows": 2})
    )

    def __init__(self, *given: Any, splits: Sequence[str], **named: Any) -> None:
        super().__init__(*given, **named)
        field = self.fields["split"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(split, split) for split in splits]

    def told(self) -> System:
        return System(*(self.cleaned_data[name] for name in ("system", "system_version", "description", "url")))


class WebhookForm(forms.Form):
    url = forms.CharField(
        label="Address",
        max_length=MAX_ADDRESS,
        widget=forms.TextInput(attrs={"inputmode": "url", "spellcheck": "false"}),
        error_messages={"required": "Give the address that is to be told."},
    )
    news = forms.MultipleChoiceField(
        label="What it is told",
        choices=[(str(news), label) for news, label in LABELS.items()],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose what is to be told."},
    )


class ForeignGoldForm(forms.Form):
    name = forms.CharField(label="Name", max_length=MAX_RELEASE_NAME, required=False)
    date = forms.DateField(label="Date", widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        for number in range(1, MAX_SPLITS + 1):
            self.fields[f"split_{number}"] = forms.CharField(
                label="Its split", max_length=MAX_SPLIT_NAME, required=False, help_text="such as validation or test"
            )

    @property
    def rows(self) -> list[tuple[str, Any]]:
        """Of each file the name it is sent by, and the field that says its split."""
        return [(f"file_{number}", self[f"split_{number}"]) for number in range(1, MAX_SPLITS + 1)]

    @property
    def has_more(self) -> bool:
        """Whether anything was said of more files than two."""
        return any(field.value() or field.errors for _, field in self.rows[2:])

    def of_files(self, sent: Mapping[str, Any]) -> list[tuple[str, Any]]:
        """(split, file) of what was sent; where one is without the other, the form says so."""
        found = []
        for number, (name, _) in enumerate(self.rows, start=1):
            field, file = f"split_{number}", sent.get(name)
            split = self.cleaned_data.get(field, "")
            if file is not None and not split:
                self.add_error(field, "Say what the sentences of this file are for, such as test.")
            elif file is None and split and sent:
                self.add_error(field, f"Choose the file with the sentences of {split}.")
            elif file is not None:
                found.append((split, file))
        return found
