"""What the list of activity is left to."""

from collections.abc import Mapping
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django import forms

from annotator.domain.activity import GROUPS
from annotator.models import Project, User


class PersonField(forms.ModelChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, obj: Any) -> str:
        return str(obj.name)


class ActivityForm(forms.Form):
    person = PersonField(queryset=User.objects.none(), to_field_name="uuid", required=False, empty_label="Everybody")
    day = forms.DateField(required=False, widget=forms.DateInput(attrs={"type": "date"}))
    kind = forms.ChoiceField(required=False, choices=[("", "Everything"), *GROUPS.items()])

    def __init__(self, data: Mapping[str, Any], *, project: Project) -> None:
        super().__init__(data)
        people = User.objects.filter(memberships__project=project).order_by("name", "pk")
        self.fields["person"].queryset = people  # type: ignore[attr-defined]

    def given(self) -> dict[str, User | date | str]:
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}

    def query(self) -> str:
        """For the link to the next page."""
        given = self.given()
        plain = {name: value.uuid if isinstance(value, User) else value for name, value in given.items()}
        return urlencode(plain)
