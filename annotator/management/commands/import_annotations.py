"""Finished answers, from an annotation table."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotator.actions.importing.answers import import_annotations, import_keys
from annotator.domain.errors import Conflict
from annotator.domain.formats.reading import counted
from annotator.management.base import AssayCommand
from annotator.management.files import opened, project_named, reporting, say_warnings


class Command(AssayCommand):
    help = (
        "Import an annotation table (CSV, TSV, XLSX: sentence_id, annotator, word to change, substitutes, joined by "
        "“;”, and type, a key of the project's types such as refine-usage; where a word occurs more than once also "
        "start and end in characters (code points), or occurrence). Every annotator named is a voice. Where more than "
        "a third of their answers have no row, say what that means: --sparse or --everyone."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument("file", type=Path)
        parser.add_argument("--sheet", help="of a workbook; the first where none is named")
        parser.add_argument("--sparse", action="store_true", help="no row means not asked: count only what has a row")
        parser.add_argument("--everyone", action="store_true", help="no row means: submitted, nothing to improve")
        parser.add_argument(
            "--names-differ", action="store_true", help="names that are nearly equal are different people"
        )
        parser.add_argument("--keys", action="store_true", help="by one annotator: the keys of the test passages")
        parser.add_argument("--report", type=Path, metavar="CSV", help="write problems and warnings of the file here")

    def run(self, *, slug: str, file: Path, keys: bool, report: Path | None, **options: Any) -> dict[str, Any]:
        project = project_named(slug)
        if options["sparse"] and options["everyone"]:
            raise CommandError("--sparse and --everyone exclude each other.")
        if keys:
            with reporting(file, say=self.stderr.write, report_to=report), opened(file) as source:
                number = import_keys(project, by=None, source=source, name=file.name, sheet=options["sheet"])
            self.say(f"{counted(number, 'key')} set. Who joins from now on is tested first.", **options)
            return {"project": slug, "keys": number}
        with reporting(file, say=self.stderr.write, report_to=report), opened(file) as source, _with_options():
            done = import_annotations(
                project,
                by=None,
                source=source,
                name=file.name,
                is_sparse=True if options["sparse"] else False if options["everyone"] else None,
                names_differ=options["names_differ"],
                sheet=options["sheet"],
                progress=self.progress_bar(**options),
            )
        self.say(f"{slug}: {done.says}\nIt can be taken back as arrival {done.arrival.uuid}.", **options)
        say_warnings(file, done.arrival.report, say=self.stderr.write, report_to=report)
        names = ("made", "already", "voices", "empty", "repeated", "warnings")
        found = {name: getattr(done, name) for name in names}
        return {"project": slug, "arrival": str(done.arrival.uuid), "imported": found.pop("made"), **found}


OPTIONS = {
    "dense_or_sparse": "--sparse says the first, --everyone the second.",
    "names_alike": "--names-differ says so.",
}


@contextmanager
def _with_options() -> Iterator[None]:
    """What is asked, with the words that answer it here."""
    try:
        yield
    except Conflict as asked:
        if asked.code in OPTIONS:
            raise Conflict(f"{asked.message} {OPTIONS[asked.code]}", code=asked.code) from None
        raise
