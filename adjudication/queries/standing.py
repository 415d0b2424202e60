"""How things stand: what is under way, what has changed since, and what is hidden from whom."""

from collections.abc import Collection, Iterator, Sequence
from datetime import timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from annotator.bulk import READ
from annotator.domain.arrivals import ArrivalKind
from annotator.domain.jobs import JobState
from annotator.domain.passages import PassageKind
from annotator.domain.screening import Screening
from annotator.domain.states import AssignmentState
from annotator.models import Arrival, Assignment, Event, Job, Membership, Passage, Project, User
from annotator.models.events import EventQuerySet

JOBS_LOOKED_AT = 20  # for the newest one on the same question
# What makes another answer count, or none.
CHANGING = ("assignment.submitted", "assignment.discarded", "assignment.undiscarded", "assignment.withdrawn")
ARCHIVING = ("passage.archived", "passage.replaced")
PUT_BACK = "passage.put_back"  # instead of what replaced it
AT_ONCE = ("passages.screened", "passages.unscreened")  # of many, whom the event names
# What takes a passage with its answers out of use, and what can bring it back.
OUT_OF_USE = (*ARCHIVING, "passage.refused", "passages.screened")
INTO_USE = ("passage.accepted", "passage.unscreened", "passages.unscreened", PUT_BACK)


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
    """How many answers have changed since a list was made, or count no more, or again, for what became of their
    passages; of these people and groups where some are named, and not to passages that are hidden from whoever asks."""
    later = Event.objects.in_project(project).filter(pk__gt=event)
    changed = later.filter(kind__in=CHANGING).values("subject_id")
    arrived = later.filter(kind="arrival.done").values("subject_id")
    files = list(Arrival.objects.filter(pk__in=arrived, kind=ArrivalKind.ANSWERS, done_at__isnull=False))
    every = Assignment.objects.filter(is_repeat=False, passage__kind=PassageKind.WORK)
    if people:
        every = every.filter(membership__pseudonym__in=people)
    if groups:
        every = every.filter(passage__group__in=groups)
    if apart_from:
        every = every.exclude(passage__in=apart_from)
    rows = every.filter(passage__in=Passage.objects.work())
    events = Event.objects.filter(subject=Assignment.subject_name(), subject_id=OuterRef("pk"))
    was_discarded = Exists(events.filter(kind="assignment.discarded"))
    nothing_said = Q(~was_discarded, state=AssignmentState.WITHDRAWN, submissions_made=0)
    # By several statements: asked for both at once, an engine goes through every assignment of the house.
    found = rows.filter(pk__in=changed).exclude(nothing_said).count()
    if files:
        found += rows.filter(arrival__in=files).exclude(pk__in=changed).count()
    came, went = _came_and_went(later)
    for some in _in_parts(came):
        back = rows.heard().filter(passage__in=some)
        found += back.exclude(pk__in=changed).exclude(arrival__in=files).count()
    said_before = Exists(events.filter(kind__in=CHANGING, pk__lte=event)) | Q(arrival__isnull=False)
    for some in _in_parts(went):
        gone = every.filter(passage__in=some).exclude(arrival__in=files)
        found += gone.heard().exclude(pk__in=changed).count()
        found += gone.filter(said_before, pk__in=changed).count()
    return found


def _came_and_went(later: EventQuerySet) -> tuple[list[int], list[int]]:
    """Passages that are in use now and were not before these events, and the other way round. What became first of a
    passage tells what it was before."""
    told = later.filter(Q(kind__in=OUT_OF_USE) | Q(kind__in=INTO_USE, payload__has_key="was_refused")).order_by("pk")
    first: dict[int, tuple[str, bool]] = {}
    put_back: dict[int, bool] = {}  # and whether they were refused when they were replaced
    for kind, subject, payload in told.values_list("kind", "subject_id", "payload"):
        was_refused = bool(payload.get("was_refused"))
        if kind == PUT_BACK:
            put_back.setdefault(subject, was_refused)
        for passage in payload.get("passages", ()) if kind in AT_ONCE else (subject,):
            first.setdefault(passage, (kind, was_refused))
    came, went = [], []
    for some in _in_parts(sorted(first)):
        for passage in Passage.objects.filter(pk__in=some).only("archived_at", "screening"):
            kind, was_out = first[passage.pk]
            if kind in ARCHIVING:  # nothing is said of it at screening after that, unless it is put back
                was_out = put_back.get(passage.pk, passage.screening == Screening.REFUSED)
            was_out = was_out or kind == PUT_BACK
            if was_out and passage.is_in_use:
                came.append(passage.pk)
            elif not was_out and not passage.is_in_use:
                went.append(passage.pk)
    return came, went


def _in_parts(ids: list[int]) -> Iterator[list[int]]:
    yield from (ids[start : start + READ] for start in range(0, len(ids), READ))


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
