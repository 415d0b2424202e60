"""How things stand: what is under way, what has changed since, and what is hidden from whom."""

from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Any

from django.utils import timezone

from annotator.domain.arrivals import ArrivalKind
from annotator.domain.jobs import JobState
from annotator.models import Arrival, Assignment, Event, Job, Membership, Project, User

JOBS_LOOKED_AT = 20  # for the newest one on the same question
# What makes another answer count, or none.
CHANGING = ("assignment.submitted", "assignment.discarded", "assignment.undiscarded", "assignment.withdrawn")


def job_for(project: Project, kind: str, settings: dict[str, Any] | None = None) -> Job | None:
    """What is under way for the very same question."""
    jobs = Job.objects.unfinished().whole().filter(project=project, kind=kind).newest_first()
    return next((job for job in jobs if settings is None or job.params.get("settings") == settings), None)


def changed_since(
    project: Project,
    event: int,
    *,
    people: Sequence[str] = (),
    groups: Sequence[str] = (),
    apart_from: Collection[int] = (),
) -> int:
    """How many answers have changed since a list was made, of these people and groups where some are named; not to
    passages that are hidden from whoever asks."""
    later = Event.objects.in_project(project).filter(pk__gt=event)
    changed = later.filter(kind__in=CHANGING).values("subject_id")
    arrived = later.filter(kind="arrival.done").values("subject_id")
    files = list(Arrival.objects.filter(pk__in=arrived, kind=ArrivalKind.ANSWERS, done_at__isnull=False))
    rows = Assignment.objects.that_count()
    if people:
        rows = rows.filter(membership__pseudonym__in=people)
    if groups:
        rows = rows.filter(passage__group__in=groups)
    if apart_from:
        rows = rows.exclude(passage__in=apart_from)
    # By two statements: asked for both at once, an engine goes through every assignment of the house.
    others = rows.filter(arrival__in=files).exclude(pk__in=changed).count() if files else 0
    return rows.filter(pk__in=changed).count() + others


def found_nothing_new(project: Project, kind: str, settings: dict[str, Any] | None = None) -> bool:
    """Whether whoever has just asked was told that nothing has changed: a minute long."""
    just_now = timezone.now() - timedelta(minutes=1)
    jobs = Job.objects.whole().filter(project=project, kind=kind, ended_at__gt=just_now).newest_first()[:5]
    same = (job for job in jobs if settings is None or job.params.get("settings") == settings)
    newest = next(same, None)
    return newest is not None and (newest.result or {}).get("made") is False


def failed_job(project: Project, kind: str, settings: dict[str, Any] | None = None) -> Job | None:
    """The newest for this question, where it has failed: said until another is asked for."""
    jobs = Job.objects.whole().filter(project=project, kind=kind).newest_first()[:JOBS_LOOKED_AT]
    newest = next((job for job in jobs if settings is None or job.params.get("settings") == settings), None)
    return newest if newest is not None and newest.state == JobState.FAILED else None


def hidden_from(user: User, project: Project) -> set[int]:
    """Passages that somebody has still to submit themself: in no list, whatever roles they hold."""
    return set(Assignment.objects.own_open(user).filter(passage__project=project).values_list("passage_id", flat=True))


def names_behind(project: Project) -> dict[str, str]:
    """The people behind pseudonyms, for a lead."""
    rows = Membership.objects.filter(project=project, user__isnull=False).values_list("pseudonym", "user__name")
    return dict(rows)
