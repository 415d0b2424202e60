"""The qualification test."""

from decimal import Decimal
from typing import Any

from django import forms

from annotator.domain.protocols import Protocol


def share(label: str, help_text: str) -> forms.DecimalField:
    return forms.DecimalField(
        label=label, required=False, min_value=Decimal(0), max_value=Decimal(1), decimal_places=3, help_text=help_text
    )


class PassForm(forms.Form):
    """What a pass takes."""

    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    qualify_f05 = share("Marks: mean F0.5 at least", "0 to 1; precision counts twice as much as recall.")
    qualify_shared = share(
        "Substitutes: share at least", "Of the marks that are in the key, too, so many have a substitute of the key."
    )
    test_passages = forms.IntegerField(
        label="Passages of one try", min_value=0, max_value=1000, help_text="0: all there are. Others stay for another."
    )

    @classmethod
    def of(cls, protocol: Protocol, version: int) -> "PassForm":
        names = ("qualify_f05", "qualify_shared", "test_passages")
        return cls(initial={"version": version, **{name: getattr(protocol, name) for name in names}})

    def changes(self) -> dict[str, Any]:
        """Switches as stored."""
        given = self.cleaned_data
        decimals = {name: given[name] for name in ("qualify_f05", "qualify_shared")}
        stored = {name: "" if value is None else f"{value.normalize():f}" for name, value in decimals.items()}
        return {**stored, "test_passages": given["test_passages"]}
