"""Many rows at once in plain SQL: the ORM takes several times longer to write these statements than both engines take
to carry them out."""

import contextlib
import gc
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db import connection, models

BATCH = 500  # rows in one transaction at most: nobody's save waits longer than that takes
READ = 5000  # rows read at once


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


def insert_missing(model: type[models.Model], names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """The same where another process may have inserted some of them: those stay as they are. Sorted by key, so that
    two who do this at once do not wait for each other."""
    if not rows:
        return
    columns = ", ".join(connection.ops.quote_name(name) for name in names)
    places = ", ".join(["%s"] * len(names))
    into = f"INSERT INTO {model._meta.db_table} ({columns}) VALUES ({places}) ON CONFLICT DO NOTHING"  # noqa: S608
    in_order: list[Sequence[Any]] = sorted(rows, key=lambda row: row[0])
    with connection.cursor() as cursor:
        cursor.executemany(into, in_order)


def read_rows(
    model: type[models.Model],
    select: str,
    ids: Sequence[int],
    *,
    key: str = "id",
    where: str = "",
    given: Sequence[Any] = (),
) -> Iterator[tuple[Any, ...]]:
    """`select` of the rows with these ids, thousands at once: the ids are one value, not a place in the statement for
    each. Values are as the engine has them."""
    table, also = model._meta.db_table, f" AND {where}" if where else ""
    if connection.vendor == "postgresql":
        # Each by its key: asked for thousands at once, PostgreSQL would read through the whole table every time.
        own = f"SELECT * FROM {table} WHERE {key} = wanted_key{also} OFFSET 0"  # noqa: S608 (our own names)
        source = f"unnest(%s::bigint[]) AS wanted(wanted_key) CROSS JOIN LATERAL ({own}) AS found"
    else:
        source = f"{table} WHERE {key} IN (SELECT value FROM json_each(%s)){also}"  # noqa: S608 (likewise)
    statement = f"SELECT {select} FROM {source}"  # noqa: S608 (our own names)
    with connection.cursor() as cursor:
        for start in range(0, len(ids), READ):
            wanted = list(ids[start : start + READ])
            cursor.execute(statement, [wanted if connection.vendor == "postgresql" else str(wanted), *given])
            yield from cursor.fetchall()


def tell_planner(*models_: type[models.Model]) -> None:
    """After many rows at once: until it looks for itself, a minute later, PostgreSQL would plan by what it knew of the
    tables before, and try every assignment for every passage."""
    if connection.vendor == "postgresql":
        tables = ", ".join(connection.ops.quote_name(model._meta.db_table) for model in models_)
        with connection.cursor() as cursor:
            cursor.execute(f"ANALYZE {tables}")


@contextlib.contextmanager
def without_collector() -> Iterator[None]:
    """Thousands of rows are read and let go of, none in a cycle: walking them again and again took most of the time."""
    is_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_on:
            gc.enable()


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
