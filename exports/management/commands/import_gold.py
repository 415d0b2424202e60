"""Gold from elsewhere becomes a release, so that systems can be scored on it."""

import datetime
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from annotator import uploads
from annotator.domain.errors import Invalid
from annotator.domain.formats.reading import counted
from annotator.management.base import AssayCommand, Failed
from annotator.management.files import opened, project_named
from exports.actions.foreign import import_gold

SHOWN = 20  # problems at the terminal


class Command(AssayCommand):
    help = "Make a frozen release of gold that was made elsewhere: SWS JSON, a file for each split."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument(
            "files", nargs="+", metavar="[SPLIT=]FILE", help="test=gold.json; without a name it is test"
        )
        parser.add_argument("--name", default="", help="what it is called")
        parser.add_argument("--date", help="the day it bears, as 2026-01-31; today by itself")

    def run(self, *, slug: str, files: list[str], name: str, date: str | None, **options: Any) -> dict[str, Any]:
        project = project_named(slug)
        given = []
        for item in files:
            split, equals, path = item.partition("=")
            split, path = (split, path) if equals else ("test", item)
            with opened(Path(path)) as source:
                given.append((split, Path(path).name, uploads.keep(source)))
        try:
            day = datetime.date.fromisoformat(date) if date else timezone.localdate()
        except ValueError:
            raise CommandError(f"“{date}” is no day such as 2026-01-31.") from None
        try:
            release = import_gold(project, by=None, files=given, date=day, name=name)
        except Invalid as error:
            for problem in error.problems[1:SHOWN]:
                self.stderr.write(problem.message)
            more = f" And {len(error.problems) - SHOWN:,} more." if len(error.problems) > SHOWN else ""
            told = {"problems": [problem.as_dict() for problem in error.problems]}
            raise Failed(f"{error.problems[0].message}{more} Nothing was taken in.", result=told) from None
        for split, found in release.by_split:
            said = f"{counted(found['sentences'], 'sentence')}, {counted(found['targets'], 'target')}"
            self.say(f"{split}: {said}", **options)
        self.say(f"Release {release.number} of {slug} holds it: sha256 {release.sha256}", **options)
        return {"release": str(release.uuid), "number": release.number, "sha256": release.sha256}
