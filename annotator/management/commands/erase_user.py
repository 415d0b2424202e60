"""Forget who somebody is."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotator.actions.accounts import clean_email, erase_user
from annotator.management.base import AssayCommand
from annotator.models import User


class Command(AssayCommand):
    help = "Blank a person's name and e-mail for good; their work stays, under the pseudonym."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")
        parser.add_argument("--yes", action="store_true", help="really: this cannot be undone")

    def run(self, *, email: str, yes: bool, **options: Any) -> dict[str, Any]:
        user = User.objects.filter(email=clean_email(email)).first()
        if user is None:
            raise CommandError(f"There is no account for {email}.")
        if not yes:
            raise CommandError(f"This blanks {user.name} for good and cannot be undone: say so with --yes.")
        erase_user(user, by=None)
        self.say("The person is erased; their work stays, under the pseudonym.", **options)
        return {"user": str(user.uuid), "erased": True}
