"""Many rows at once in plain SQL: the ORM takes several times longer to write these statements than both engines take
to carry them out."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import connection, models

BATCH = 500  # rows in one transaction at most: nobody's save waits longer than that takes


def insert_rows(model: type[models.Model], names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """`names` are columns; values are as the engine has them (see `as_stored`)."""
    if not rows:
        return
    columns = ", ".join(connection.ops.quote_name(name) for name in names)
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            places = ", ".join(["%s"] * len(names))
            cursor.executemany(f"INSERT INTO {table} ({columns}) VALUES ({places})", rows)  # noqa: S608 (our own names)


def next_ids(model: type[models.Model], number: int) -> list[int]:
    """Ids for so many rows that are about to be inserted, inside the transaction that inserts them."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            taken = "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)"
            cursor.execute(taken, [table, number])
            return [row[0] for row in cursor.fetchall()]
        # Nobody else writes before this transaction ends.
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        last = (cursor.fetchone() or [0])[0]
        return list(range(last + 1, last + 1 + number))


def as_stored(model: type[models.Model], values: Mapping[str, Any]) -> dict[str, Any]:
    """By column, what a new row has: `values` by field, and of all other fields their defaults."""
    row = model(**values)
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    return {str(field.column): field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields}
