"""Signing in, passwords, and what else somebody says of themself."""

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


class ForgottenForm(forms.Form):
    email = forms.CharField(
        label="E-mail", max_length=MAX_EMAIL_LENGTH, widget=forms.EmailInput(attrs={"autocomplete": "username"})
    )


class NewPasswordForm(forms.Form):
    password = forms.CharField(
        label="New password",
        max_length=MAX_PASSWORD_LENGTH,
        strip=False,
        help_text="At least 10 characters.",
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )


class CurrentPasswordForm(forms.Form):
    current = forms.CharField(
        label="Current password",
        max_length=MAX_PASSWORD_LENGTH,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class ChangePasswordForm(NewPasswordForm, CurrentPasswordForm):
    field_order = ["current", "password"]


class NameForm(forms.Form):
    name = forms.CharField(
        label="Name", max_length=MAX_NAME_LENGTH, widget=forms.TextInput(attrs={"autocomplete": "name"})
    )


class EmailForm(CurrentPasswordForm):
    email = forms.CharField(
        label="New e-mail", max_length=MAX_EMAIL_LENGTH, widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )
    field_order = ["email", "current"]


class JoinForm(NewPasswordForm):
    name = forms.CharField(
        label="Your name", max_length=MAX_NAME_LENGTH, widget=forms.TextInput(attrs={"autocomplete": "name"})
    )
    field_order = ["name", "password"]


class FirstPersonForm(JoinForm):
    email = forms.EmailField(
        label="E-mail", max_length=MAX_EMAIL_LENGTH, widget=forms.EmailInput(attrs={"autocomplete": "username"})
    )
    field_order = ["name", "email", "password"]
