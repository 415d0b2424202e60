"""Everything in one file."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotator.actions.jobs import enqueue
from annotator.management.base import AssayCommand
from config.archive import back_up


class Command(AssayCommand):
    help = "Write the whole house into one file, which `restore` reads on either engine. People can go on working."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", type=Path)
        parser.add_argument("--queue", action="store_true", help="let a worker do it, into the data folder's backups/")

    def run(self, *, file: Path | None, queue: bool, **options: Any) -> dict[str, Any]:
        if queue == bool(file):
            raise CommandError("Name the file to write, or leave it to a worker with --queue.")
        if queue:
            job = enqueue("backup", by=None)
            self.say(f"Job {job.uuid}: `manage.py jobs` shows how far it is.", **options)
            return {"job": str(job.uuid)}
        assert file is not None
        if file.exists():
            raise CommandError(f"{file} exists already, and a backup never overwrites.")
        manifest = back_up(file, progress=self.progress_bar(**options))
        rows = sum(item["rows"] for item in manifest["tables"])
        self.say(f"{file}: {rows:,} rows, {file.stat().st_size / 1e6:.1f} MB.", **options)
        return {"file": str(file), "rows": rows}
