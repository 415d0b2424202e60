"""Who is given what, and what stands among it."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django import forms

from annotator.domain.planning import MOST_PASSAGES
from annotator.domain.protocol_changes import MOST_ANSWERS, MOST_PER_HUNDRED
from annotator.models import Membership


class AssignmentForm(forms.Form):
    """How many answers each passage is to have, and for each person how many passages they are to have at most."""

    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    answers_per_passage = forms.IntegerField(
        label="Answers per passage",
        min_value=0,
        max_value=MOST_ANSWERS,
        help_text="How many different people annotate each passage. 0: everyone annotates all of them.",
    )

    def __init__(self, *args: Any, people: Iterable[Membership], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.uuids = {f"most-{row.uuid}": row.uuid for row in people}
        for row in people:
            self.fields[f"most-{row.uuid}"] = forms.IntegerField(
                label=f"Most passages of {row.pseudonym}",
                required=False,
                min_value=0,
                max_value=MOST_PASSAGES,
                initial=row.most_passages,
                widget=forms.NumberInput(attrs={"aria-label": f"Most passages of {row.pseudonym}"}),
            )

    def most(self) -> dict[UUID, int | None]:
        return {uuid: self.cleaned_data[name] for name, uuid in self.uuids.items()}

    def most_of(self, row: Membership) -> forms.BoundField:
        return self[f"most-{row.uuid}"]


class WithdrawForm(forms.Form):
    """What of somebody's unfinished work is withdrawn."""

    begun = forms.ChoiceField(
        choices=[("1", "All that is not finished"), ("0", "Only what is not begun")], required=False
    )


def _per_hundred(label: str, help_text: str) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=0, max_value=MOST_PER_HUNDRED, help_text=help_text)


class RatesForm(forms.Form):
    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    controls_per_hundred = _per_hundred(
        "Controls in a hundred", "Passages whose key you know. Each comes once to a person, at a place nobody can tell."
    )
    repeats_per_hundred = _per_hundred(
        "Repeats in a hundred", "A passage that comes again to the same person, at least 50 passages later."
    )


class ControlsForm(forms.Form):
    """Which of the passages that were shown are to be controls."""

    shown = forms.TypedMultipleChoiceField(required=False, coerce=UUID)
    passages = forms.TypedMultipleChoiceField(required=False, coerce=UUID)

    def __init__(self, *args: Any, keyed: Iterable[UUID], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("shown", "passages"):
            self.fields[name].choices = [(str(uuid), str(uuid)) for uuid in keyed]  # type: ignore[attr-defined]
