"""Many rows at once in plain SQL: the ORM takes several times longer to write these statements than both engines take
to carry them out."""

import contextlib
import gc
import struct
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
    table, columns = model._meta.db_table, ", ".join(connection.ops.quote_name(name) for name in names)
    in_order: list[Sequence[Any]] = sorted(rows, key=lambda row: row[0])
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Each column as one value: a statement for each row cost both sides three times as much.
            kinds = {field.column: field.db_type(connection) for field in model._meta.concrete_fields}
            values = ", ".join(f"%b::{kinds[name]}[]" for name in names)
            into = f"INSERT INTO {table} ({columns}) SELECT * FROM unnest({values}) ON CONFLICT DO NOTHING"  # noqa: S608
            cursor.execute(into, [list(column) for column in zip(*in_order, strict=True)])
        else:
            places = ", ".join(["%s"] * len(names))
            into = f"INSERT INTO {table} ({columns}) VALUES ({places}) ON CONFLICT DO NOTHING"  # noqa: S608
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
        source = f"{_WANTED} CROSS JOIN LATERAL {_by_key(table, key, also)}"
    else:
        source = f"{table} WHERE {key} IN (SELECT value FROM json_each(%s)){also}"  # noqa: S608 (our own names)
    statement = f"SELECT {select} FROM {source}"  # noqa: S608 (our own names)
    with connection.cursor() as cursor:
        for start in range(0, len(ids), READ):
            cursor.execute(statement, [_as_one_value(ids[start : start + READ]), *given])
            yield from cursor.fetchall()


def read_packed(
    model: type[models.Model],
    column: str,
    ids: Sequence[int],
    *,
    key: str = "id",
    where: str = "",
    given: Sequence[Any] = (),
) -> Iterator[tuple[Sequence[int], bytes]]:
    """The bytes in a column of the rows with these ids, in the order of `ids`, thousands at once and one after another;
    before them how many of them are whose, 0 where there is no such row. Of a hundred thousand rows with a few bytes
    each, to ask for and to hold them one by one costs more than what is done with them."""
    if connection.vendor != "postgresql":
        for start in range(0, len(ids), READ):
            some = ids[start : start + READ]
            found = dict(read_rows(model, f"{key}, {column}", some, key=key, where=where, given=given))
            values = [found.get(wanted, b"") for wanted in some]
            yield [len(value) for value in values], b"".join(values)
        return
    rows = _by_key(model._meta.db_table, key, f" AND {where}" if where else "")
    statement = (
        f"SELECT string_agg(int4send(COALESCE(length({column}), 0)), ''::bytea ORDER BY place), "  # noqa: S608
        f"string_agg({column}, ''::bytea ORDER BY place) FROM {_WANTED} LEFT JOIN LATERAL {rows} ON TRUE"
    )
    with connection.cursor() as cursor, connection.wrap_database_errors:
        for start in range(0, len(ids), READ):
            for sizes, data in cursor.stream(
                statement, [_as_one_value(ids[start : start + READ]), *given], binary=True
            ):
                yield struct.unpack(f"!{len(sizes) // 4}I", sizes), data or b""


# Each by its key: asked for thousands at once, PostgreSQL would read through the whole table every time.
_WANTED = "unnest(%s::bigint[]) WITH ORDINALITY AS wanted (wanted_key, place)"


def _by_key(table: str, key: str, also: str) -> str:
    return f"(SELECT * FROM {table} WHERE {key} = wanted_key{also} OFFSET 0) AS found"  # noqa: S608 (our own names)


def _as_one_value(ids: Sequence[int]) -> str:
    """Written by hand: the driver looks at every number of a list to find its type."""
    listed = ",".join(map(str, ids))
    return f"{{{listed}}}" if connection.vendor == "postgresql" else f"[{listed}]"


def wait_for_no_disk() -> None:
    """In a transaction: PostgreSQL tells of its end before it is on the disk. What this and the next second have
    written may be gone after a power cut, though never a part of it, and nothing of before."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL synchronous_commit TO OFF")


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
