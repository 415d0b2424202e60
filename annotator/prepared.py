"""A query compiled once: on the save path the ORM takes longer to write a SELECT than both engines to answer it."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db import connection, models
from django.db.models.query import get_related_populators

Row = TypeVar("Row", bound=models.Model)


class Prepared(Generic[Row]):
    """The first row of a queryset, built by `build(*samples)`; later calls put their own values where the samples were.

    Each sample stands once in the query, and they are all different.
    """

    def __init__(self, build: Callable[..., models.QuerySet[Row]], *samples: Any) -> None:
        self.build, self.samples = build, samples
        self.compiled: dict[str, Callable[[tuple[Any, ...]], Row | None]] = {}

    def first(self, *values: Any) -> Row | None:
        if connection.vendor not in self.compiled:
            self.compiled[connection.vendor] = self._compile()
        return self.compiled[connection.vendor](values)

    def _compile(self) -> Callable[[tuple[Any, ...]], Row | None]:
        queryset = self.build(*self.samples)
        compiler = queryset.query.get_compiler("default")
        sql, params = compiler.as_sql()
        stored = [_as_stored(value) for value in self.samples]
        places = [(stored.index(p), None) if p in stored else (None, p) for p in params]
        assert sorted(place for place, _ in places if place is not None) == list(range(len(stored))), (sql, params)
        info = compiler.klass_info or {}
        columns = info["select_fields"]
        start, end = columns[0], columns[-1] + 1
        names = [compiler.select[column][0].target.attname for column in columns]
        populators = get_related_populators(info, compiler.select, "default")  # type: ignore[call-arg]
        converters = compiler.get_converters([expression for expression, _, _ in compiler.select])

        def first(values: tuple[Any, ...]) -> Row | None:
            given = [constant if place is None else _as_stored(values[place]) for place, constant in places]
            with connection.cursor() as cursor:
                cursor.execute(sql, given)
                found = cursor.fetchone()
            if found is None:
                return None
            [row] = compiler.apply_converters([found], converters)
            made = queryset.model.from_db("default", names, row[start:end])
            for populator in populators:
                populator.populate(row, made)
            return made

        return first


def _as_stored(value: Any) -> Any:
    """As the engine has it: a UUID is text in SQLite."""
    return value.hex if connection.vendor == "sqlite" and isinstance(value, UUID) else value
