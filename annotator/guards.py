"""Database triggers that keep events and submissions as they were written, on both engines.

SQLite drops triggers when Django rebuilds a table, so `up` installs them again after every migration.
"""

from django.db.backends.base.base import BaseDatabaseWrapper

_ACTS = ("update", "delete", "replace")
# What makes a row of each table the same row: SQLite's INSERT OR REPLACE would delete it without a word.
_KEYS = {
    "annotator_event": ("subject", "subject_id", "seq"),
    "annotator_submission": ("assignment_id", "number"),
}
GUARDED = tuple(_KEYS)


def install_guards(connection: BaseDatabaseWrapper) -> None:
    remove_guards(connection)
    with connection.cursor() as cursor:
        for statement in _postgresql() if connection.vendor == "postgresql" else _sqlite():
            cursor.execute(statement)


def remove_guards(connection: BaseDatabaseWrapper) -> None:
    """For restoring a backup and for tests that empty tables; nothing else may call it."""
    with connection.cursor() as cursor:
        for table in GUARDED:
            if connection.vendor == "postgresql":
                cursor.execute(f"DROP TRIGGER IF EXISTS {table}_keep_rows ON {table}")
                cursor.execute(f"DROP TRIGGER IF EXISTS {table}_keep_table ON {table}")
            else:
                for act in _ACTS:
                    cursor.execute(f"DROP TRIGGER IF EXISTS {table}_keep_{act}")


def missing_guards(connection: BaseDatabaseWrapper) -> set[str]:
    """Names of triggers that should be there and are not."""
    if connection.vendor == "postgresql":
        wanted = {f"{table}_keep_{what}" for table in GUARDED for what in ("rows", "table")}
        query = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'D'"
    else:
        wanted = {f"{table}_keep_{act}" for table in GUARDED for act in _ACTS}
        query = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    with connection.cursor() as cursor:
        cursor.execute(query)
        return wanted - {row[0] for row in cursor.fetchall()}


def _sqlite() -> list[str]:
    statements = []
    for table, keys in _KEYS.items():
        refusal = f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        same = " AND ".join(f"{key} = NEW.{key}" for key in keys)
        found = f"SELECT 1 FROM {table} WHERE id = NEW.id OR ({same})"  # noqa: S608 (names of our own)
        statements += [
            f"CREATE TRIGGER {table}_keep_update BEFORE UPDATE ON {table} {refusal}",
            f"CREATE TRIGGER {table}_keep_delete BEFORE DELETE ON {table} {refusal}",
            f"CREATE TRIGGER {table}_keep_replace BEFORE INSERT ON {table} WHEN EXISTS ({found}) {refusal}",
        ]
    return statements


def _postgresql() -> list[str]:
    function = (
        "CREATE OR REPLACE FUNCTION assay_refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$"
    )
    triggers = []
    for table in GUARDED:
        call = f"ON {table} %s EXECUTE FUNCTION assay_refuse_change()"
        triggers.append(f"CREATE TRIGGER {table}_keep_rows BEFORE UPDATE OR DELETE {call % 'FOR EACH ROW'}")
        triggers.append(f"CREATE TRIGGER {table}_keep_table BEFORE TRUNCATE {call % 'FOR EACH STATEMENT'}")
    return [function, *triggers]
