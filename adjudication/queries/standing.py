"""How things stand: what is under way, what has changed since, and what is hidden from whom."""

from typing import Any

from annotator.domain.arrivals import ArrivalKind
from annotator.models import Arrival, Assignment, Event, Job, Membership, Project, User

# What makes another answer count, or none.
CHANGING = ("assignment.submitted", "assignment.discarded", "assignment.undiscarded", "assignment.withdrawn")


def job_for(project: Project, kind: str, settings: dict[str, Any] | None = None) -> Job | None:
    """What is under way for the very same question."""
    jobs = Job.objects.unfinished().whole().filter(project=project, kind=kind).newest_first()
    return next((job for job in jobs if settings is None or job.params.get("settings") == settings), None)


def changed_since(project: Project, event: int) -> int:
    """How many answers have changed since a list was made."""
    later = Event.objects.in_project(project).filter(pk__gt=event)
    changed = later.filter(kind__in=CHANGING).values("subject_id").distinct().count()
    arrived = later.filter(kind="arrival.done").values_list("subject_id", flat=True)
    files = Arrival.objects.filter(pk__in=list(arrived), kind=ArrivalKind.ANSWERS)
    return changed + sum(row.rows or 0 for row in files)


def hidden_from(user: User, project: Project) -> set[int]:
    """Passages that somebody has still to submit themself: in no list, whatever roles they hold."""
    return set(Assignment.objects.own_open(user).filter(passage__project=project).values_list("passage_id", flat=True))


def names_behind(project: Project) -> dict[str, str]:
    """The people behind pseudonyms, for a lead."""
    rows = Membership.objects.filter(project=project, user__isnull=False).values_list("pseudonym", "user__name")
    return dict(rows)
