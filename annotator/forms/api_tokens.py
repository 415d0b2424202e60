"""A token for a program."""

from typing import Any

from django import forms

from annotator.domain.api_tokens import MOST_TOKEN_DAYS, SCOPES, TOKEN_DAYS, Scope
from annotator.domain.lengths import MAX_NAME_LENGTH
from annotator.models import Project, User


class TokenForm(forms.Form):
    name = forms.CharField(
        label="What it is for", max_length=MAX_NAME_LENGTH, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    scopes = forms.MultipleChoiceField(
        label="What it may do",
        choices=[(scope, f"{scope}: {words}") for scope, words in SCOPES.items()],
        widget=forms.CheckboxSelectMultiple,
        initial=[Scope.READ],
        help_text="Never more than you may yourself at that moment.",
    )
    project = forms.ModelChoiceField(
        Project.objects.none(), label="In which project", required=False, empty_label="All of mine"
    )
    days = forms.IntegerField(
        label="Good for so many days",
        min_value=1,
        max_value=MOST_TOKEN_DAYS,
        initial=TOKEN_DAYS,
        help_text=f"{MOST_TOKEN_DAYS} at the most.",
    )

    def __init__(self, *args: Any, user: User, **given: Any) -> None:
        super().__init__(*args, **given)
        self.fields["project"].queryset = Project.objects.visible_to(user).order_by("name")  # type: ignore[attr-defined]
        self.fields["project"].label_from_instance = lambda project: f"{project.name} ({project.slug})"  # type: ignore[attr-defined]
