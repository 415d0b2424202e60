"""Before the servers start: the database up to date and guarded."""

from typing import Any

from annotator.database import migrate
from annotator.management.base import AssayCommand


class Command(AssayCommand):
    help = "Bring the database up to date (SQLite is copied first). `up` does this by itself."
    needs_migrated_database = False

    def run(self, **options: Any) -> dict[str, Any]:
        copy = migrate()
        self.say("The database is ready." + (f" It was copied to {copy} before." if copy else ""), **options)
        return {"copy": str(copy) if copy else None}
