"""Database triggers that keep events, submissions and what other apps ask for as they were written, on both engines.
Only what never arrived (its import was cancelled or taken back) may be deleted.

SQLite drops triggers when Django rebuilds a table, so `up` installs them again after every migration.
"""

from django.db.backends.base.base import BaseDatabaseWrapper

_ACTS = ("update", "delete", "replace")
# What makes a row of each table the same row: SQLite's INSERT OR REPLACE would delete it without a word.
_KEYS: dict[str, tuple[str, ...]] = {
    "annotator_event": ("subject", "subject_id", "seq"),
    "annotator_submission": ("assignment_id", "number"),
}
# By table, of which rows that is true: asked of the row as OLD, once there are arrivals.
_NEVER_ARRIVED: dict[str, str] = {
    "annotator_submission": (
        "EXISTS (SELECT 1 FROM annotator_assignment a JOIN annotator_arrival r ON r.id = a.arrival_id "
        "WHERE a.id = OLD.assignment_id AND r.done_at IS NULL)"
    )
}


def keep_rows_of(table: str, keys: tuple[str, ...], *, unless: str = "") -> None:
    """For the tables of another app, when it is loaded; `keys` as above, `unless` a row never arrived."""
    _KEYS[table] = keys
    if unless:
        _NEVER_ARRIVED[table] = unless


def guarded() -> tuple[str, ...]:
    return tuple(_KEYS)


def install_guards(connection: BaseDatabaseWrapper) -> None:
    remove_guards(connection)
    with connection.cursor() as cursor:
        # The first migrations run before all tables are there.
        there = set(connection.introspection.table_names(cursor))
        make = _postgresql if connection.vendor == "postgresql" else _sqlite
        for statement in make([table for table in _KEYS if table in there], "annotator_arrival" in there):
            cursor.execute(statement)


def remove_guards(connection: BaseDatabaseWrapper) -> None:
    """For restoring a backup and for tests that empty tables; nothing else may call it."""
    with connection.cursor() as cursor:
        there = set(connection.introspection.table_names(cursor))
        for table in there.intersection(_KEYS):
            if connection.vendor == "postgresql":
                cursor.execute(f"DROP TRIGGER IF EXISTS {table}_keep_rows ON {table}")
                cursor.execute(f"DROP TRIGGER IF EXISTS {table}_keep_table ON {table}")
            else:
                for act in _ACTS:
                    cursor.execute(f"DROP TRIGGER IF EXISTS {table}_keep_{act}")


def missing_guards(connection: BaseDatabaseWrapper) -> set[str]:
    """Names of triggers that should be there and are not."""
    if connection.vendor == "postgresql":
        wanted = {f"{table}_keep_{what}" for table in _KEYS for what in ("rows", "table")}
        query = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'D'"
    else:
        wanted = {f"{table}_keep_{act}" for table in _KEYS for act in _ACTS}
        query = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    with connection.cursor() as cursor:
        cursor.execute(query)
        return wanted - {row[0] for row in cursor.fetchall()}


def _sqlite(tables: list[str], has_arrivals: bool) -> list[str]:
    statements = []
    for table in tables:
        refusal = f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        same = " AND ".join(f"{key} = NEW.{key}" for key in _KEYS[table])
        found = f"SELECT 1 FROM {table} WHERE id = NEW.id OR ({same})"  # noqa: S608 (names of our own)
        statements += [
            f"CREATE TRIGGER {table}_keep_update BEFORE UPDATE ON {table} {refusal}",
            f"CREATE TRIGGER {table}_keep_delete BEFORE DELETE ON {table} {_unless(table, has_arrivals)} {refusal}",
            f"CREATE TRIGGER {table}_keep_replace BEFORE INSERT ON {table} WHEN EXISTS ({found}) {refusal}",
        ]
    return statements


def _unless(table: str, has_arrivals: bool) -> str:
    return f"WHEN NOT {_NEVER_ARRIVED[table]}" if has_arrivals and table in _NEVER_ARRIVED else ""


def _postgresql(tables: list[str], has_arrivals: bool) -> list[str]:
    function = (
        "CREATE OR REPLACE FUNCTION assay_refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$"
    )
    triggers = []
    for table in tables:
        by_row = "assay_refuse_change"
        if has_arrivals and table in _NEVER_ARRIVED:
            by_row = f"assay_refuse_change_of_{table}"
            triggers.append(
                f"CREATE OR REPLACE FUNCTION {by_row}() RETURNS trigger LANGUAGE plpgsql AS "
                f"$$ BEGIN IF TG_OP = 'DELETE' AND {_NEVER_ARRIVED[table]} THEN RETURN OLD; END IF; "
                "RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$"
            )
        triggers += [
            f"CREATE TRIGGER {table}_keep_rows BEFORE UPDATE OR DELETE ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION {by_row}()",
            f"CREATE TRIGGER {table}_keep_table BEFORE TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION assay_refuse_change()",
        ]
    return [function, *triggers]
