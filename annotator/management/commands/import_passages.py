"""Passages, from a file."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotator.actions.importing import import_passages
from annotator.management.base import AssayCommand, counted
from annotator.management.files import opened, project_named, reporting


class Command(AssayCommand):
    help = (
        "Import passages from TXT (one a line), CSV, TSV, XLSX (its first sheet), JSONL or SWS JSON (its sentences, "
        "not its targets); the whole file or nothing of it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument(
            "file",
            type=Path,
            help="columns or keys: id, text; group, lang, context_before, context_after, source_text, (JSONL) tokens",
        )
        parser.add_argument(
            "--kind", default="work", help="work, practice (counts for nothing) or test (qualification)"
        )
        parser.add_argument("--report", type=Path, metavar="CSV", help="write what is wrong with the file here")

    def run(self, *, slug: str, file: Path, kind: str, report: Path | None, **options: Any) -> dict[str, Any]:
        project = project_named(slug)
        with reporting(file, say=self.stderr.write, report_to=report), opened(file) as source:
            done = import_passages(project, by=None, source=source, name=file.name, kind=kind)
        already = f" {done.already:,} stood there already." if done.already else ""
        self.say(f"{counted(done.made, 'passage')} imported into {slug}.{already}", **options)
        return {"project": slug, "imported": done.made, "already": done.already}
