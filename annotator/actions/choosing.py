"""Which passages make the qualification test."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction

from annotator.actions.assigning import _assign_everyone
from annotator.actions.log import locked, write
from annotator.bulk import BATCH
from annotator.domain.errors import Conflict, Invalid
from annotator.domain.passages import PassageKind
from annotator.models import Assignment, Project, User
from annotator.permissions import check_can_grow, check_can_lead


@transaction.atomic
def choose_tests(project: Project, *, by: User | None, passages: Sequence[UUID], is_test: bool = True) -> int:
    """Make work passages test passages, or the other way round, as long as nobody has been given them. How many."""
    check_can_lead(by, project)
    project = locked(project)
    check_can_grow(project)
    before, after = PassageKind.WORK, PassageKind.TEST
    if not is_test:
        before, after = after, before
    if len(passages) > BATCH:
        raise Invalid.of("passages", f"At most {BATCH} at once.", "passages")
    rows = list(project.passages.in_use().filter(uuid__in=passages, kind=before))
    given = set(Assignment.all_rows.filter(passage__in=rows).values_list("passage_id", flat=True))
    if taken := next((row for row in rows if row.pk in given), None):
        message = f"“{taken.external_id}” has been given to somebody as a {taken.kind} passage: it stays one."
        raise Conflict(message, code="given")
    for row in rows:
        write(row, "passage.kind_changed", by=by, payload={"kind": after}, changes={"kind": after})
    if rows and project.is_open:
        _assign_everyone(project, by=by)
    return len(rows)
