"""The rules of a project, in words."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

from django import forms

from annotator.domain.lengths import MAX_TYPE_HINT_LENGTH, MAX_TYPE_LENGTH
from annotator.domain.protocol_changes import MOST_ANSWERS, is_fixed_by_work
from annotator.domain.protocols import Protocol


class YesNoField(forms.TypedChoiceField):
    """A switch whose two ways are both said in words."""

    def __init__(self, label: str, yes: str, no: str) -> None:
        choices = [("yes", yes), ("no", no)]
        super().__init__(label=label, choices=choices, coerce=lambda value: value == "yes", widget=forms.RadioSelect)


def count(label: str, *, least: int = 0, most: int = 50, **given: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=least, max_value=most, **given)


class RulesForm(forms.Form):
    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    spans_may_overlap = YesNoField("Marks over one another", "They may overlap", "Each word is in one mark at most")
    spans_may_cross_sentences = YesNoField("Marks over the end of a sentence", "Allowed", "Not allowed")
    warn_below_marks = count("Marks asked for in a passage", help_text="0: as many as there are.")
    min_substitutes = count("Substitutes, at least")
    max_substitutes = count("Substitutes, at most", least=1, required=False, help_text="Empty: no limit.")
    separator = forms.CharField(label="Sign between substitutes", max_length=3)
    fixes_type_order = YesNoField("Order of the types", "The same for everybody", "Each person’s own")
    quota_type = forms.ChoiceField(label="Quota: of which type", required=False)
    quota_per_passage = forms.DecimalField(
        label="Quota: substitutes a passage", required=False, min_value=Decimal(0), max_value=Decimal(100)
    )
    answers_per_passage = count("People for each passage", most=MOST_ANSWERS, help_text="0: everybody.")
    keep_at = count("Kept in the gold from so many people on", least=1)
    min_answers = count("Answers a passage needs for the gold", least=1)
    drops_discarded = YesNoField("More discards than answers", "The passage leaves the gold", "Its answers count")
    needs_consensus = YesNoField("Adjudicators", "Two must agree", "One decides")

    GROUPS = (
        ("Marks", ("spans_may_overlap", "spans_may_cross_sentences", "warn_below_marks")),
        ("Substitutes", ("min_substitutes", "max_substitutes", "separator", "fixes_type_order")),
        ("Quota", ("quota_type", "quota_per_passage")),
        ("People", ("answers_per_passage",)),
        ("Gold", ("keep_at", "min_answers", "drops_discarded", "needs_consensus")),
    )

    def __init__(self, data: Any, *, protocol: Protocol, version: int, has_work: bool) -> None:
        super().__init__(data, initial={"version": version, **_initial(protocol)})
        types = [(item.key, item.label) for item in protocol.open_types]
        self.fields["quota_type"].choices = [("", "No quota"), *types]  # type: ignore[attr-defined]
        for name, field in self.fields.items():
            field.disabled = has_work and name != "version" and is_fixed_by_work(name)

    def changes(self) -> dict[str, Any]:
        """Switches as stored."""
        given = {name: self.cleaned_data[name] for _, names in self.GROUPS for name in names}
        rate = given["quota_per_passage"]
        return {**given, "quota_per_passage": "" if rate is None else f"{rate.normalize():f}"}

    def looked_at(self, protocol: Protocol) -> Protocol:
        """As far as it makes sense already: what is wrong stays as it was."""
        given = self.changes() if self.is_valid() else {}
        return replace(protocol, **given)


def _initial(protocol: Protocol) -> dict[str, Any]:
    values = {name: getattr(protocol, name) for _, names in RulesForm.GROUPS for name in names}
    return {name: ("yes" if value else "no") if isinstance(value, bool) else value for name, value in values.items()}


class TypeForm(forms.Form):
    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    label = forms.CharField(label="Name", max_length=MAX_TYPE_LENGTH)
    hint = forms.CharField(label="In a few words", required=False, max_length=MAX_TYPE_HINT_LENGTH)
