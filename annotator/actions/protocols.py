"""The rules of work of a project, as far as they can still be changed."""

from typing import Any

from django.db import transaction

from annotator.actions.log import locked, write
from annotator.domain.errors import Conflict, Stale
from annotator.domain.protocol_changes import changed_protocol, is_fixed_by_work, switches_changed
from annotator.models import Project, User
from annotator.permissions import check_can_grow, check_can_lead
from annotator.queries.projects import has_work


@transaction.atomic
def change_protocol(project: Project, *, by: User | None, version: int, changes: dict[str, Any]) -> Project:
    """`version` is the project's that was read. No change makes no version."""
    check_can_lead(by, project)
    project = locked(project)
    check_can_grow(project)
    before = project.protocol
    if project.version != version:
        message = "Somebody has changed this project in the meantime."
        raise Stale(message, stored={"version": project.version, "protocol": project.protocol_data})
    after = changed_protocol(before, changes, has_work=has_work(project))
    changed = switches_changed(before, after)
    if not changed:
        return project
    if project.arrivals.unfinished().exists():
        raise Conflict("A file is being imported under these rules: wait until it is done.", code="arriving")
    if project.is_open and any(map(is_fixed_by_work, changed)):
        raise Conflict("The rules of the work change only while nobody works: pause the project first.", code="open")
    payload = {"switches": changed}
    write(project, "protocol.changed", by=by, payload=payload, changes={"protocol_data": after.as_dict()})
    return project
