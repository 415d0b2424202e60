"""Lists in pages that hold still while rows are added."""

from functools import reduce
from typing import Any

from django.db.models import Q, QuerySet
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response

MOST_LISTED = 100


def beginning_after(request: Request, cursor: str) -> str:
    """The address of the same list from there on."""
    query = request.query_params.copy()
    query["after"] = cursor
    return f"{request.path}?{query.urlencode()}"


class CursorPagination(BasePagination):
    """From one unique key on: a row added meanwhile neither repeats nor hides another. DRF's own counts rows where keys
    are equal, and its cursor would be a number that others' work moves."""

    key: tuple[str, ...]  # columns that are unique together, in order

    def position(self, cursor: str) -> tuple[Any, ...]:
        """The values of the key in the query."""
        raise NotImplementedError

    def cursor(self, row: Any) -> str:
        raise NotImplementedError

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None, **given: Any) -> list[Any]:
        """`limit` and `after` are given as the list's query serializer has understood them."""
        limit, after = min(given["limit"], MOST_LISTED), given.get("after")
        page = self.first(queryset, None if after is None else self.position(after), limit + 1)
        self.request, self.has_more, self.page = request, len(page) > limit, page[:limit]
        return self.page

    def first(self, rows: Any, beyond: tuple[Any, ...] | None, most: int) -> list[Any]:
        """So many rows beyond a position, in the order of the key."""
        if beyond is not None:
            rows = rows.filter(self._beyond(beyond))
        ordered: QuerySet[Any] = rows.order_by(*self.key)
        return list(ordered[:most])

    def _beyond(self, values: tuple[Any, ...]) -> Q:
        # The first column once more by itself: an index begins there, where it would not with alternatives.
        begins = Q(**{f"{self.key[0]}__gte": values[0]})
        steps = [
            Q(**{**dict(zip(self.key[:n], values[:n], strict=True)), f"{self.key[n]}__gt": values[n]})
            for n in range(len(self.key))
        ]
        return begins & reduce(Q.__or__, steps)

    def following(self) -> str | None:
        """The address of the next page."""
        if not self.has_more:
            return None
        return beginning_after(self.request, self.cursor(self.page[-1]))

    def get_paginated_response(self, data: Any) -> Response:
        return Response({"results": data, "next": self.following()})


class NumberPagination(CursorPagination):
    """By one whole number of each row."""

    key = ("pk",)

    def position(self, cursor: Any) -> tuple[Any, ...]:
        return (cursor,)

    def cursor(self, row: Any) -> str:
        return str(getattr(row, self.key[0]))


class NewestPagination(NumberPagination):
    """The same from the newest row back."""

    def first(self, rows: Any, beyond: tuple[Any, ...] | None, most: int) -> list[Any]:
        older = rows if beyond is None else rows.filter(pk__lt=beyond[0])
        return list(older.order_by("-pk")[:most])


class OwnWorkPagination(CursorPagination):
    """By project and one's own numbers, which give away nothing about anybody else."""

    key = ("passage__project__slug", "number")

    def position(self, cursor: str) -> tuple[Any, ...]:
        slug, _, number = cursor.partition(":")
        return slug, int(number)

    def cursor(self, row: Any) -> str:
        return f"{row.passage.project.slug}:{row.number}"
