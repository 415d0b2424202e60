"""Shapes of what pages take; nothing here saves."""

from django import forms

from annotator.domain.people import DISCARD_REASONS, ROLES


class LogInForm(forms.Form):
    email = forms.CharField(label="E-mail", max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "username"}))
    password = forms.CharField(
        max_length=4096, strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )


class NewPasswordForm(forms.Form):
    password = forms.CharField(
        label="New password",
        max_length=4096,
        strip=False,
        help_text="At least 10 characters.",
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )


class ChangePasswordForm(NewPasswordForm):
    current = forms.CharField(
        label="Current password",
        max_length=4096,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    field_order = ["current", "password"]


class JoinForm(NewPasswordForm):
    name = forms.CharField(label="Your name", max_length=100, widget=forms.TextInput(attrs={"autocomplete": "name"}))
    field_order = ["name", "password"]


class RolesForm(forms.Form):
    roles = forms.MultipleChoiceField(
        choices=[(role, role.capitalize()) for role in ROLES],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one role."},
    )


class InviteForm(RolesForm):
    email = forms.EmailField(label="E-mail", max_length=254)
    field_order = ["email", "roles"]


class DiscardForm(forms.Form):
    reason = forms.ChoiceField(choices=list(DISCARD_REASONS.items()), widget=forms.RadioSelect)
    remark = forms.CharField(required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 2}))


class SeenForm(forms.Form):
    """Which version the person saw, and which request this is: a form sent twice acts once."""

    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    save_id = forms.UUIDField(widget=forms.HiddenInput)
