"""Controls: passages whose key is known, among the work of everybody, and not to be told from it."""

from collections.abc import Collection, Sequence
from uuid import UUID

from django.db import transaction

from annotator.actions.log import locked, write
from annotator.domain.errors import Conflict, Invalid
from annotator.domain.passages import PassageKind
from annotator.models import Assignment, Passage, Project, User
from annotator.permissions import check_can_lead
from annotator.queries.controls import keyed_passages


@transaction.atomic
def choose_controls(project: Project, *, by: User | None, passages: Sequence[UUID]) -> int:
    """These are the controls from now on: passages with a key that nobody has been given as a test. One that somebody
    has been given stays a control. How many changed."""
    check_can_lead(by, project)
    project = locked(project)
    wanted = set(passages)
    rows = {row.uuid: row for row in keyed_passages(project)}
    if unknown := wanted - rows.keys():
        raise Invalid.of("passages", f"{len(unknown)} of these are no passages with a key.", "passages")
    given = _given(rows.values())
    return sum(_set(row, is_control=uuid in wanted, given=given, by=by) for uuid, row in rows.items())


@transaction.atomic
def set_control(passage: Passage, *, by: User | None, is_control: bool) -> None:
    """One of them alone; the others stay what they are."""
    check_can_lead(by, passage.project)
    row = keyed_passages(locked(passage.project)).filter(pk=passage.pk).first()
    if row is None:
        message = "Only a test passage with a key, neither archived nor refused, can be a control."
        raise Invalid.of("no_key", message, "is_control")
    _set(row, is_control=is_control, given=_given([row]), by=by)


def _given(rows: Collection[Passage]) -> set[int]:
    return set(Assignment.all_rows.filter(passage__in=rows).values_list("passage_id", flat=True))


def _set(row: Passage, *, is_control: bool, given: set[int], by: User | None) -> bool:
    """Whether that changed anything."""
    kind = PassageKind.CONTROL if is_control else PassageKind.TEST
    if kind == row.kind:
        return False
    _check_not_given(row, given)
    write(row, "passage.kind_changed", by=by, payload={"kind": kind}, changes={"kind": kind})
    return True


def _check_not_given(row: Passage, given: set[int]) -> None:
    if row.pk in given:
        message = f"“{row.external_id}” has been given to somebody as a {row.kind} passage: it stays one."
        raise Conflict(message, code="given")
