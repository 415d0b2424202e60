"""Shut an account."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotator.actions.accounts import clean_email, disable_user
from annotator.management.base import AssayCommand
from annotator.models import User


class Command(AssayCommand):
    help = "Disable an account: its sessions end at once, its work stays."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")

    def run(self, *, email: str, **options: Any) -> dict[str, Any]:
        user = User.objects.filter(email=clean_email(email)).first()
        if user is None:
            raise CommandError(f"There is no account for {email}.")
        disable_user(user, by=None)
        self.say(f"{user.email} is disabled.", **options)
        return {"email": user.email, "disabled": True}
