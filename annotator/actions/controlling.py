"""Controls: passages whose key is known, among the work of everybody, and not to be told from it."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction

from annotator.actions.log import locked, write
from annotator.domain.errors import Conflict, Invalid
from annotator.domain.passages import PassageKind
from annotator.models import Assignment, Passage, Project, User
from annotator.permissions import check_can_lead


@transaction.atomic
def choose_controls(project: Project, *, by: User | None, passages: Sequence[UUID]) -> int:
    """These are the controls from now on: passages with a key that nobody has been given as a test. One that somebody
    has been given stays a control. How many changed."""
    check_can_lead(by, project)
    project = locked(project)
    wanted = set(passages)
    candidates = project.passages.in_use().filter(kind__in=[PassageKind.TEST, PassageKind.CONTROL])
    rows = {row.uuid: row for row in candidates.filter(key_answer__isnull=False)}
    if unknown := wanted - rows.keys():
        raise Invalid.of("passages", f"{len(unknown)} of these are no passages with a key.", "passages")
    given = set(Assignment.all_rows.filter(passage__in=rows.values()).values_list("passage_id", flat=True))
    changed = 0
    for uuid, row in rows.items():
        kind = PassageKind.CONTROL if uuid in wanted else PassageKind.TEST
        if kind != row.kind:
            _check_not_given(row, given)
            write(row, "passage.kind_changed", by=by, payload={"kind": kind}, changes={"kind": kind})
            changed += 1
    return changed


def _check_not_given(row: Passage, given: set[int]) -> None:
    if row.pk in given:
        message = f"“{row.external_id}” has been given to somebody as a {row.kind} passage: it stays one."
        raise Conflict(message, code="given")
