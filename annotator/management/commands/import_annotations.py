"""Finished answers, from an annotation table."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotator.actions.importing import import_annotations, import_keys
from annotator.management.base import AssayCommand, counted
from annotator.management.files import opened, project_named, reporting


class Command(AssayCommand):
    help = (
        "Import an annotation table (CSV, TSV, XLSX: sentence_id, annotator, word to change, substitutes, joined by "
        "“;”, and type, a key of the project's types such as refine-usage; where a word occurs more than once also "
        "start and end in characters (code points), or occurrence). Every annotator named is a voice that has "
        "submitted every passage: no row means nothing to improve."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument("file", type=Path)
        parser.add_argument("--sparse", action="store_true", help="no row means not asked: count only what has a row")
        parser.add_argument("--keys", action="store_true", help="by one annotator: the keys of the test passages")
        parser.add_argument("--report", type=Path, metavar="CSV", help="write what is wrong with the file here")

    def run(
        self, *, slug: str, file: Path, sparse: bool, keys: bool, report: Path | None, **options: Any
    ) -> dict[str, Any]:
        project = project_named(slug)
        if keys:
            with reporting(file, say=self.stderr.write, report_to=report), opened(file) as source:
                number = import_keys(project, by=None, source=source, name=file.name)
            self.say(f"{counted(number, 'key')} set. Who joins from now on is tested first.", **options)
            return {"project": slug, "keys": number}
        with reporting(file, say=self.stderr.write, report_to=report), opened(file) as source:
            done = import_annotations(
                project, by=None, source=source, name=file.name, is_sparse=sparse, progress=self.progress_bar(**options)
            )
        already = f" {done.already:,} stood there already." if done.already else ""
        again = f" {counted(done.repeated, 'repeated substitute')} dropped." if done.repeated else ""
        made, voices = counted(done.made, "answer"), counted(done.voices, "new voice")
        self.say(f"{made} imported into {slug}, {voices}.{already}{again}", **options)
        return {
            "project": slug,
            "imported": done.made,
            "already": done.already,
            "voices": done.voices,
            "repeated": done.repeated,
        }
