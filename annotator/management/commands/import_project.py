"""A whole project, from Assay JSONL."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotator.actions.importing.projects import import_project
from annotator.domain.formats.reading import counted
from annotator.links import set_password_link
from annotator.management.base import AssayCommand
from annotator.management.files import opened, reporting


class Command(AssayCommand):
    help = "Make a project of what `export --format assay` wrote: passages, and everybody's answers as voices."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the new project's address: small letters, digits and hyphens")
        parser.add_argument("file", type=Path)
        parser.add_argument("--lead", required=True, metavar="EMAIL")
        parser.add_argument("--report", type=Path, metavar="CSV", help="write what is wrong with the file here")

    def run(self, *, slug: str, file: Path, lead: str, report: Path | None, **options: Any) -> dict[str, Any]:
        with reporting(file, say=self.stderr.write, report_to=report), opened(file) as source:
            done = import_project(by=None, slug=slug, lead=lead, source=source, progress=self.progress_bar(**options))
        user, is_new, passages = done.lead, done.is_lead_new, done.passages
        self.say(f"{slug}: {counted(passages, 'passage')} imported, led by {user.email}.", **options)
        result: dict[str, Any] = {"slug": slug, "passages": passages, "lead": user.email, "lead_created": is_new}
        if is_new:
            result["link"] = set_password_link(user)
            self.say(f"The lead's account is new; set its password at:\n  {result['link']}", **options)
        return result
