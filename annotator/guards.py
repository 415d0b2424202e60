"""Database triggers that keep events and submissions as they were written, on both engines.

SQLite drops triggers when Django rebuilds a table, so `up` installs them again after every migration.
"""

from django.db.backends.base.base import BaseDatabaseWrapper

GUARDED = ("annotator_event", "annotator_submission")
_ACTS = ("update", "delete")


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
    return [
        f"CREATE TRIGGER {table}_keep_{act} BEFORE {act.upper()} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        for table in GUARDED
        for act in _ACTS
    ]


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
