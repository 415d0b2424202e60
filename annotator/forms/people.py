"""Who is let in, and in which roles."""

from django import forms

from annotator.domain.lengths import MAX_EMAIL_LENGTH
from annotator.domain.people import ROLES


class RolesForm(forms.Form):
    roles = forms.MultipleChoiceField(
        choices=[(role, role.capitalize()) for role in ROLES],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one role."},
    )


class InviteForm(RolesForm):
    email = forms.EmailField(label="E-mail", max_length=MAX_EMAIL_LENGTH)
    field_order = ["email", "roles"]
