"""A token for a program."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotator.actions.accounts import clean_email
from annotator.actions.api_tokens import make_token
from annotator.domain.api_tokens import MOST_TOKEN_DAYS, SCOPES, TOKEN_DAYS
from annotator.management.base import AssayCommand
from annotator.models import Project, User


class Command(AssayCommand):
    help = "Make a token by which a program uses the API as one person, and print it once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", help="whose: it opens what this person may do, and no more")
        parser.add_argument("--name", default="Made at the shell", help="what it is for")
        parser.add_argument("--scopes", default="read", help=f"of {', '.join(SCOPES)}; several parted by commas")
        parser.add_argument("--project", metavar="SLUG", help="in this project only; else in all of the person's")
        parser.add_argument("--days", type=int, default=TOKEN_DAYS, help=f"{MOST_TOKEN_DAYS} at the most")

    def run(
        self, *, email: str, name: str, scopes: str, project: str | None, days: int, **options: Any
    ) -> dict[str, Any]:
        user = User.objects.filter(email=clean_email(email)).first()
        if user is None:
            raise CommandError(f"There is no account for {email}.")
        within = Project.objects.filter(slug=project).first() if project else None
        if project and within is None:
            raise CommandError(f"There is no project {project!r}.")
        wanted = [scope.strip() for scope in scopes.split(",") if scope.strip()]
        row, token = make_token(user, by=None, name=name, scopes=wanted, project=within, days=days)
        self.say(f"Send it as `Authorization: Bearer …`. It is shown this once:\n  {token}", **options)
        return {"token": token, "email": user.email, "scopes": row.scopes, "expires_at": row.expires_at.isoformat()}
