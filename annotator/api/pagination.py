"""Lists in pages that hold still while rows are added."""

from functools import reduce
from typing import Any

from django.db.models import Q, QuerySet
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response

MOST_LISTED = 100


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
        if after is not None:
            queryset = queryset.filter(self._beyond(self.position(after)))
        rows: QuerySet[Any] = queryset.order_by(*self.key)
        page = list(rows[: limit + 1])
        self.request, self.has_more, self.page = request, len(page) > limit, page[:limit]
        return self.page

    def _beyond(self, values: tuple[Any, ...]) -> Q:
        steps = [
            Q(**{**dict(zip(self.key[:n], values[:n], strict=True)), f"{self.key[n]}__gt": values[n]})
            for n in range(len(self.key))
        ]
        return reduce(Q.__or__, steps)

    def get_paginated_response(self, data: Any) -> Response:
        following = None
        if self.has_more:
            query = self.request.query_params.copy()
            query["after"] = self.cursor(self.page[-1])
            following = f"{self.request.path}?{query.urlencode()}"
        return Response({"results": data, "next": following})


class OwnWorkPagination(CursorPagination):
    """By project and one's own numbers, which give away nothing about anybody else."""

    key = ("passage__project__slug", "number")

    def position(self, cursor: str) -> tuple[Any, ...]:
        slug, _, number = cursor.partition(":")
        return slug, int(number)

    def cursor(self, row: Any) -> str:
        return f"{row.passage.project.slug}:{row.number}"
