"""A backup back into an empty database, on either engine."""

import fcntl
import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from annotator.management.base import AssayCommand
from config.archive import restore


class Command(AssayCommand):
    help = "Fill an empty database from a backup: also the way from SQLite to PostgreSQL."
    needs_migrated_database = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def run(self, *, file: Path, **options: Any) -> dict[str, Any]:
        self._check_nobody_serves()
        manifest = restore(file, progress=self.progress_bar(**options))
        rows = sum(item["rows"] for item in manifest["tables"])
        self.say(f"Restored {rows:,} rows, as they were on {manifest['made_at'][:19]} UTC.", **options)
        return {"file": str(file), "rows": rows, "made_at": manifest["made_at"]}

    def _check_nobody_serves(self) -> None:
        fd = os.open(settings.DATA_DIR / "up.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CommandError("Assay is running on this data folder: stop it first.") from None
        finally:
            os.close(fd)
