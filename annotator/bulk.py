"""Many rows at once in plain SQL: the ORM takes several times longer to write these statements than both engines take
to carry them out."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import connection, models


def insert_rows(model: type[models.Model], names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """`names` are columns; values are as the engine has them (see `as_stored`)."""
    columns = ", ".join(connection.ops.quote_name(name) for name in names)
    places = ", ".join(["%s"] * len(names))
    statement = f"INSERT INTO {model._meta.db_table} ({columns}) VALUES ({places})"  # noqa: S608 (names of our own)
    with connection.cursor() as cursor:
        cursor.executemany(statement, rows)


def as_stored(model: type[models.Model], values: Mapping[str, Any]) -> dict[str, Any]:
    """By column, what a new row has: `values` by field, and of all other fields their defaults."""
    row = model(**values)
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    return {str(field.column): field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields}
