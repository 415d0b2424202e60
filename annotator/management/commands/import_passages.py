"""Passages, from a file."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotator.actions.importing.passages import import_passages
from annotator.domain.formats.reading import counted
from annotator.management.base import AssayCommand
from annotator.management.files import opened, project_named, reporting, say_warnings


class Command(AssayCommand):
    help = (
        "Import passages from TXT (one a line), CSV, TSV, XLSX, JSONL or SWS JSON (its sentences, not its targets); "
        "the whole file or nothing of it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument(
            "file",
            type=Path,
            help="columns or keys: id, text; group, lang, context_before, context_after, source_text, (JSONL) tokens",
        )
        parser.add_argument("--sheet", help="of a workbook; the first where none is named")
        parser.add_argument(
            "--kind", default="work", help="work, practice (counts for nothing) or test (qualification)"
        )
        parser.add_argument("--report", type=Path, metavar="CSV", help="write problems and warnings of the file here")

    def run(
        self, *, slug: str, file: Path, kind: str, sheet: str | None, report: Path | None, **options: Any
    ) -> dict[str, Any]:
        project = project_named(slug)
        with reporting(file, say=self.stderr.write, report_to=report), opened(file) as source:
            done = import_passages(
                project,
                by=None,
                source=source,
                name=file.name,
                kind=kind,
                sheet=sheet,
                progress=self.progress_bar(**options),
            )
        already = f" {counted(done.already, 'passage')} {'was' if done.already == 1 else 'were'} there already."
        self.say(f"{counted(done.made, 'passage')} imported into {slug}.{already if done.already else ''}", **options)
        self.say(f"It can be taken back as arrival {done.arrival.uuid}.", **options)
        say_warnings(file, done.arrival.report, say=self.stderr.write, report_to=report)
        return {"project": slug, "arrival": str(done.arrival.uuid), "imported": done.made, "already": done.already}
