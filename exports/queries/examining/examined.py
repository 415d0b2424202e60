"""One check of the doctor, and what it found."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet

from annotator.models import Project

CHUNK = 1000


@dataclass
class Examined:
    """What one check looked at, and what it found wrong. `project`: only what is in it; None: everything."""

    check: str
    project: Project | None = None
    looked_at: int = 0
    problems: list[str] = field(default_factory=list)

    def rows(self, rows: QuerySet[Any], way: str) -> QuerySet[Any]:
        return rows if self.project is None else rows.filter(**{way: self.project.pk})


Check = Callable[[Examined], Iterator[str]]
Progress = Callable[[int, int], None]


def examined_by(
    checks: dict[str, Check], *, project: Project | None = None, progress: Progress = lambda done, total: None
) -> list[Examined]:
    examined = []
    for number, (name, check) in enumerate(checks.items()):
        progress(number, len(checks))
        found = Examined(name, project)
        found.problems += check(found)
        examined.append(found)
    progress(len(checks), len(checks))
    return examined
