"""A project, from the shell."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from annotator.actions.accounts import user_for
from annotator.actions.projects import create_project
from annotator.domain.formats.reading import whole
from annotator.domain.protocols import PRESETS, not_yet
from annotator.links import absolute, set_password_link
from annotator.management.base import AssayCommand
from annotator.management.files import opened


class Command(AssayCommand):
    help = "Create a project with its lead; the lead's account is made where there is none."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the project's address: small letters, digits and hyphens")
        parser.add_argument(
            "--protocol",
            required=True,
            help="the rules of work: " + ", ".join(name for name, protocol in PRESETS.items() if not not_yet(protocol)),
        )
        parser.add_argument("--lead", required=True, metavar="EMAIL", help="an account is made where there is none")
        parser.add_argument("--name", default="")
        parser.add_argument("--language", default="en", help="BCP 47, default en")
        parser.add_argument("--time-zone", default="UTC")
        parser.add_argument(
            "--guidelines", type=Path, metavar="FILE", help="Markdown, shown to annotators on the key G"
        )
        parser.add_argument("--look-up-policy", default="", help="which dictionaries and tools annotators may use")

    def run(self, *, slug: str, protocol: str, lead: str, guidelines: Path | None, **options: Any) -> dict[str, Any]:
        given = {key: options[key] for key in ("name", "language", "time_zone", "look_up_policy")}
        if guidelines is not None:
            given["guidelines"] = self._read(guidelines)
        with transaction.atomic():
            user, is_new = user_for(lead, by=None)
            project = create_project(by=None, slug=slug, preset=protocol, lead=user, **given)
        url = absolute(f"/p/{project.slug}/")
        self.say(f"Created {project.slug}, led by {user.email}: {url}", **options)
        result: dict[str, Any] = {"slug": project.slug, "lead": user.email, "lead_created": is_new, "url": url}
        if is_new:
            result["link"] = set_password_link(user)
            self.say(f"The lead's account is new; set its password at:\n  {result['link']}", **options)
        return result

    def _read(self, path: Path) -> str:
        try:
            with opened(path) as source:
                return whole(source).decode("utf-8").replace("\r\n", "\n")
        except UnicodeDecodeError:
            raise CommandError(f"{path} is not UTF-8.") from None
