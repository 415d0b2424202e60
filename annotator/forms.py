"""Shapes of what pages take; nothing here saves."""

from typing import Any
from urllib.parse import urlencode

from django import forms

from annotator.domain.arrivals import ArrivalKind
from annotator.domain.lengths import (
    MAX_EMAIL_LENGTH,
    MAX_GUIDELINES_LENGTH,
    MAX_NAME_LENGTH,
    MAX_PASSWORD_LENGTH,
    MAX_POLICY_LENGTH,
    MAX_QUESTION_LENGTH,
    MAX_REMARK_LENGTH,
    MAX_SEARCH_LENGTH,
)
from annotator.domain.passages import PassageKind
from annotator.domain.people import ROLES
from annotator.domain.states import DISCARD_REASONS, AssignmentState
from annotator.models.work import AssignmentQuerySet


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


class RolesForm(forms.Form):
    roles = forms.MultipleChoiceField(
        choices=[(role, role.capitalize()) for role in ROLES],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one role."},
    )


class InviteForm(RolesForm):
    email = forms.EmailField(label="E-mail", max_length=MAX_EMAIL_LENGTH)
    field_order = ["email", "roles"]


class DiscardForm(forms.Form):
    reason = forms.ChoiceField(choices=list(DISCARD_REASONS.items()), widget=forms.RadioSelect)
    remark = forms.CharField(required=False, max_length=MAX_REMARK_LENGTH, widget=forms.Textarea(attrs={"rows": 2}))


class AnswerForm(forms.Form):
    """A lead's answer to a question, and which version of it they saw."""

    text = forms.CharField(label="Answer", max_length=MAX_QUESTION_LENGTH, widget=forms.Textarea(attrs={"rows": 2}))
    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)


class VersionForm(forms.Form):
    version = forms.IntegerField(min_value=1, max_value=1_000_000, widget=forms.HiddenInput)


class GuidelinesForm(VersionForm):
    """The guidelines as a lead writes them, and which version they began with."""

    guidelines = forms.CharField(
        required=False,
        max_length=MAX_GUIDELINES_LENGTH,
        widget=forms.Textarea(attrs={"rows": 24}),
        help_text="Markdown: # headings, - lists, 1. numbers, > examples, | tables |, **bold**, *italic*, `code`, "
        "[links](https://…).",
    )
    look_up_policy = forms.CharField(
        label="Looking things up",
        required=False,
        max_length=MAX_POLICY_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Which dictionaries and tools annotators may use.",
    )


class WorkFilterForm(forms.Form):
    """Search and filter of one's own passages; what makes no sense filters nothing."""

    q = forms.CharField(label="Search", required=False, max_length=MAX_SEARCH_LENGTH)
    state = forms.ChoiceField(
        required=False,
        choices=[("", "All"), *((state, state.capitalize()) for state in AssignmentState)],
        widget=forms.Select,
    )

    def narrow(self, rows: AssignmentQuerySet) -> AssignmentQuerySet:
        given = self.given()
        if "q" in given:
            rows = rows.filter(passage__text__icontains=given["q"])
        return rows.filter(state=given["state"]) if "state" in given else rows

    def given(self) -> dict[str, str]:
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}

    def query(self) -> str:
        """For the link to the next page."""
        return urlencode(self.given())


class SeenForm(forms.Form):
    """Which version the person saw, and which request this is: a form sent twice acts once."""

    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    save_id = forms.UUIDField(widget=forms.HiddenInput)


class ImportForm(forms.Form):
    """A file of passages or of finished answers; the file itself is taken by its handler as it streams in."""

    NO_ROW = {"": "Ask me if it matters", "sparse": "They were not asked", "everyone": "They found nothing to improve"}

    kind = forms.ChoiceField(
        label="What is in it",
        choices=[(ArrivalKind.PASSAGES, "Passages"), (ArrivalKind.ANSWERS, "Finished answers, as an annotation table")],
        widget=forms.RadioSelect,
        initial=ArrivalKind.PASSAGES,
    )
    sheet = forms.CharField(
        label="Sheet",
        required=False,
        max_length=MAX_NAME_LENGTH,
        help_text="Of a workbook; the first where none is named.",
    )
    no_row = forms.ChoiceField(
        label="Answers: an annotator without a row for a passage",
        required=False,
        choices=list(NO_ROW.items()),
        widget=forms.Select,
    )
    names_differ = forms.BooleanField(label="Answers: names that are nearly equal are different people", required=False)

    def options(self) -> dict[str, Any]:
        """As the import takes them."""
        given = self.cleaned_data
        sheet = given["sheet"] or None
        if given["kind"] == ArrivalKind.PASSAGES:
            return {"kind": PassageKind.WORK, "sheet": sheet}
        is_sparse = {"sparse": True, "everyone": False}.get(given["no_row"])
        return {"is_sparse": is_sparse, "names_differ": given["names_differ"], "sheet": sheet}
