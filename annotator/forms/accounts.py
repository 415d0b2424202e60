"""Signing in, and passwords."""

from django import forms

from annotator.domain.lengths import MAX_EMAIL_LENGTH, MAX_NAME_LENGTH, MAX_PASSWORD_LENGTH


class LogInForm(forms.Form):
    email = forms.CharField(
        label="E-mail", max_length=MAX_EMAIL_LENGTH, widget=forms.EmailInput(attrs={"autocomplete": "username"})
    )
    password = forms.CharField(
        max_length=MAX_PASSWORD_LENGTH,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class NewPasswordForm(forms.Form):
    password = forms.CharField(
        label="New password",
        max_length=MAX_PASSWORD_LENGTH,
        strip=False,
        help_text="At least 10 characters.",
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )


class ChangePasswordForm(NewPasswordForm):
    current = forms.CharField(
        label="Current password",
        max_length=MAX_PASSWORD_LENGTH,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    field_order = ["current", "password"]


class JoinForm(NewPasswordForm):
    name = forms.CharField(
        label="Your name", max_length=MAX_NAME_LENGTH, widget=forms.TextInput(attrs={"autocomplete": "name"})
    )
    field_order = ["name", "password"]
