"""Very many rows of whole numbers, as columns: row by row, a driver takes longer over them than the engine."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
from django.db import connection

from adjudication.domain.agreement.marks import Ints
from annotator.bulk import READ

TOGETHER = 1000  # ids of the first column: what is held of the answer at once


def read_columns(rows: Any) -> Iterator[Ints]:
    """The rows of `values_list`, all of one moment, some at a time and in no order: [column, row]."""
    if connection.vendor == "postgresql":
        yield from _packed(rows)
        return
    found = rows.iterator(chunk_size=READ)
    while some := list(islice(found, READ)):
        yield np.array(some, dtype=np.int64).T


def _packed(rows: Any) -> Iterator[Ints]:
    """PostgreSQL puts each column into one value; and as this is no cursor, it may look on several cores."""
    statement, given = rows.query.sql_with_params()
    names = [f"c{number}" for number in range(len(rows.query.selected))]
    columns = ", ".join(f"string_agg(int8send({name}::bigint), ''::bytea)" for name in names)
    listed = f"({statement}) AS listed ({', '.join(names)})"
    packed = f"SELECT {columns} FROM {listed} GROUP BY c0 / {TOGETHER}"  # noqa: S608 (our own names)
    with connection.cursor() as cursor, connection.wrap_database_errors:
        for some in cursor.stream(packed, given, binary=True):
            yield np.array([np.frombuffer(column, dtype=">i8") for column in some], dtype=np.int64)
