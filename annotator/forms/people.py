"""Who is let in, in which roles, and who is looked for."""

from typing import Any
from urllib.parse import urlencode

from django import forms

from annotator.domain.lengths import MAX_SEARCH_LENGTH
from annotator.domain.people import ROLES, MemberState, addresses_in
from annotator.models.people import MembershipQuerySet

INVITED = "invited"  # a state of the list; the person is no member yet
MAX_ADDRESSES_LENGTH = 60_000  # of all that is pasted at once


class RolesForm(forms.Form):
    roles = forms.MultipleChoiceField(
        choices=[(role, role.capitalize()) for role in ROLES],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one role."},
    )


class InviteForm(RolesForm):
    emails = forms.CharField(
        label="E-mail addresses",
        max_length=MAX_ADDRESSES_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        help_text="One or many, up to 200: as you paste them.",
        error_messages={"required": "Give at least one e-mail address."},
    )
    by_email = forms.BooleanField(label="Send the links by e-mail", required=False, initial=True)
    field_order = ["emails", "roles", "by_email"]

    def __init__(self, *given: Any, has_mail: bool, **named: Any) -> None:
        super().__init__(*given, **named)
        if not has_mail:
            del self.fields["by_email"]

    def invited(self) -> dict[str, Any]:
        """As the action takes it."""
        given = self.cleaned_data
        addresses = addresses_in(given["emails"])
        return {"emails": addresses, "roles": given["roles"], "by_email": given.get("by_email", False)}


class PeopleFilterForm(forms.Form):
    """Search and filter of a project's people; what makes no sense filters nothing."""

    q = forms.CharField(label="Search", required=False, max_length=MAX_SEARCH_LENGTH)
    state = forms.ChoiceField(
        required=False,
        choices=[
            ("", "All who are in"),
            (INVITED, "Invited"),
            *((state.value, state.value.capitalize()) for state in MemberState),
        ],
        widget=forms.Select,
    )
    role = forms.ChoiceField(
        required=False, choices=[("", "All"), *((role, role.capitalize()) for role in ROLES)], widget=forms.Select
    )

    def narrow(self, rows: MembershipQuerySet) -> MembershipQuerySet:
        given = self.given()
        return rows.none() if given.get("state") == INVITED else rows.narrowed(**given)

    def given(self) -> dict[str, str]:
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}

    def query(self) -> str:
        """For the link to the next page."""
        return urlencode(self.given())
