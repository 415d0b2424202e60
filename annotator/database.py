"""Making the database ready: created where missing, copied before it is migrated, guarded afterwards."""

import shutil
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from annotator.guards import install_guards, missing_guards

COPIES_KEPT = 7


def sqlite_file() -> Path | None:
    """The database's file; None for another engine or a database in memory."""
    name = str(connection.settings_dict["NAME"])
    is_file = connection.vendor == "sqlite" and ":memory:" not in name and "mode=memory" not in name
    return Path(name) if is_file else None


def make_missing_sqlite() -> None:
    """A command run right after `make setup` finds a database."""
    path = sqlite_file()
    # Connecting makes the file, so what counts is whether anything was ever migrated in it.
    if path is not None and not MigrationRecorder(connection).applied_migrations():
        migrate()


def pending_migrations() -> list[str]:
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label}.{migration.name}" for migration, _backwards in plan]


def migrate() -> Path | None:
    """Bring the database up to date; the path of the copy made before, where there was something to copy."""
    copy = None
    if pending_migrations():
        copy = copy_before_migrating()
        call_command("migrate", interactive=False, verbosity=0)
    if missing_guards(connection):
        install_guards(connection)
    return copy


def copy_before_migrating() -> Path | None:
    if sqlite_file() is None or not MigrationRecorder(connection).applied_migrations():
        return None
    return copy_sqlite("before-migration")


def copies(name: str) -> list[Path]:
    """The copies of this name, oldest first."""
    return sorted((settings.DATA_DIR / "backups").glob(f"{name}-*.sqlite3"))


def copy_sqlite(name: str) -> Path:
    """A copy of the database's file beside the last few of the same name; people go on saving meanwhile."""
    path = sqlite_file()
    assert path is not None
    folder = settings.DATA_DIR / "backups"
    folder.mkdir(mode=0o700, exist_ok=True)
    if shutil.disk_usage(folder).free < 2 * path.stat().st_size:
        raise OSError(f"There is no room in {folder} for a copy of the database.")
    copy = folder / f"{name}-{datetime.now(UTC):%Y%m%dT%H%M%S%f}.sqlite3"
    half_done = copy.with_suffix(".part")
    for leftover in folder.glob(f"{name}-*.part"):  # of a copy that was killed
        leftover.unlink(missing_ok=True)
    # SQLite's own backup: a plain copy would miss what still stands in the write-ahead log. In one go: in several it
    # would begin anew with every save in between.
    source, target = sqlite3.connect(path, timeout=20), sqlite3.connect(half_done)
    try:
        source.backup(target)
        target.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        half_done.unlink(missing_ok=True)
        raise OSError(f"The database cannot be copied: {error}.") from error
    finally:
        source.close()
        target.close()
    half_done.chmod(0o600)
    half_done.rename(copy)
    for old in copies(name)[:-COPIES_KEPT]:
        old.unlink(missing_ok=True)
    return copy
