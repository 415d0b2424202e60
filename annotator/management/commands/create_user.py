"""An account, or a new link for a forgotten password."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotator.actions.accounts import allow_creating_projects, clean_email, create_user
from annotator.links import set_password_link
from annotator.management.base import AssayCommand
from annotator.models import User


class Command(AssayCommand):
    help = "Create an account and print its set-password link; for an existing account, print a new link."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")
        parser.add_argument("--name", default="")
        parser.add_argument("--can-create-projects", action="store_true")

    def run(self, *, email: str, name: str, can_create_projects: bool, **options: Any) -> dict[str, Any]:
        user = User.objects.filter(email=clean_email(email)).first()
        is_new = user is None
        if user is None:
            user = create_user(by=None, email=email, name=name, can_create_projects=can_create_projects)
        elif can_create_projects and not user.can_create_projects:
            allow_creating_projects(user, by=None)
        if not user.is_active:
            raise CommandError(f"{user.email} is disabled: no link opens it.")
        link = set_password_link(user)
        self.say(f"{'Created' if is_new else 'Found'} {user.email}.", **options)
        self.say(f"Set a password within three days, once, at:\n  {link}", **options)
        return {"email": user.email, "created": is_new, "link": link}
