"""The one way a row changes: a conditional UPDATE and its event, sealed to the event before."""

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from annotator.domain.errors import Conflict
from annotator.domain.events import event_hash
from annotator.models import Event, Project, Subject, User


def locked(project: Project) -> Project:
    """The project's row, held until the transaction ends. Acts that touch several rows take it first, so that two of
    them never wait for each other."""
    return Project.all_rows.select_for_update(no_key=True).get(pk=project.pk)


class Overtaken(Conflict):
    """Somebody else changed the row since it was read."""

    code = "overtaken"


def write(
    subject: Subject,
    kind: str,
    *,
    by: User | None,
    payload: dict[str, Any] | None = None,
    rows: QuerySet[Any] | None = None,
    changes: dict[str, Any] | None = None,
) -> None:
    """Change `subject` and log it; call inside `atomic()`. Nothing is written, and Overtaken raised, where the row
    is no longer at the version that was read (or no longer among `rows`)."""
    at, payload, changes = timezone.now(), payload or {}, changes or {}
    seq = subject.version + 1
    sealed = event_hash(
        previous=subject.chain_head,
        subject=subject.subject_name(),
        subject_id=subject.pk,
        seq=seq,
        kind=kind,
        by_id=by.pk if by else None,
        at=at.isoformat(),
        payload=payload,
    )
    # Not type(): the person of a request comes wrapped in a lazy object.
    rows = subject._meta.model._base_manager.all() if rows is None else rows
    if not rows.filter(pk=subject.pk, version=subject.version).update(version=seq, chain_head=sealed, **changes):
        raise Overtaken("Somebody else changed this at the same moment. Look again, then try again.")
    Event.objects.create(
        subject=subject.subject_name(),
        subject_id=subject.pk,
        seq=seq,
        kind=kind,
        by=by,
        project_id=subject.event_project_id,
        at=at,
        payload=payload,
        previous_hash=subject.chain_head,
        hash=sealed,
    )
    for name, value in {**changes, "version": seq, "chain_head": sealed}.items():
        setattr(subject, name, value)
