"""Reads that give something other than a QuerySet."""

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from functools import lru_cache
from math import ceil
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, F, Q, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone

from annotator.domain.guidelines import ChangedLine, changed_lines
from annotator.domain.jobs import JobState, percent, sentence_of, spoken_time
from annotator.domain.passages import PassageKind
from annotator.domain.states import EDITABLE, AssignmentState
from annotator.models import Assignment, Job, Membership, Project, Question, Submission, User, Worker
from annotator.models.jobs import JobQuerySet


@dataclass(frozen=True)
class Progress:
    """One person's own progress; nothing in it depends on anybody else's work."""

    total: int
    submitted: int
    started: int
    discarded: int
    to_do: int
    marks: int
    substitutes: int

    @property
    def done(self) -> int:
        return self.submitted + self.discarded

    @property
    def percent(self) -> int:
        return percent(self.done, self.total)


def own_progress(user: User, project: Project) -> Progress:
    states = AssignmentState
    counted = (
        Assignment.objects.own(user)
        .filter(passage__project=project, passage__kind=PassageKind.WORK)
        .exclude(state=states.WITHDRAWN)
        .aggregate(
            total=Count("pk"),
            submitted=Count("pk", filter=Q(state=states.SUBMITTED)),
            started=Count("pk", filter=Q(state=states.STARTED)),
            discarded=Count("pk", filter=Q(state=states.DISCARDED)),
            to_do=Count("pk", filter=Q(state__in=EDITABLE)),
            marks=Sum("marks", default=0),
            substitutes=Sum("substitutes", default=0),
        )
    )
    return Progress(**counted)


PACE_DAYS = 14


def own_pace(membership: Membership) -> int | None:
    """Passages a day, over the days of the fortnight before today on which any was handed in; None without such."""
    zone = ZoneInfo(membership.project.time_zone)
    today = timezone.now().astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    firsts = Submission.objects.filter(assignment__membership=membership, assignment__passage__kind=PassageKind.WORK)
    recent = firsts.filter(number=1, at__gte=today - timedelta(days=PACE_DAYS), at__lt=today)
    found = recent.aggregate(passages=Count("pk"), days=Count(TruncDate("at", tzinfo=zone), distinct=True))
    return round(found["passages"] / found["days"]) if found["days"] else None


def next_number(user: User, project: Project, *, after: int = 0) -> int | None:
    """The next own passage still to do: the first after `after`, else the first from the start."""
    membership = Membership.objects.of(user).filter(project=project, is_annotator=True).first()
    found = membership and next_assignment(membership, after=after)
    return found.number if found else None


def next_assignment(membership: Membership, *, after: int = 0) -> Assignment | None:
    """State by state: each is one step into an index, however much work there is. Practice only when asked for."""
    own = membership.assignments.in_order().exclude(passage__kind=PassageKind.PRACTICE)
    for rows in (own.filter(number__gt=after), own):
        found = [row for state in EDITABLE if (row := rows.filter(state=state).first())]
        if found:
            return min(found, key=lambda row: row.number)
    return None


def place_of(assignment: Assignment) -> dict[str, Any]:
    """Where an own passage stands among one's own: how many there are, which comes next, what was asked about it."""
    membership = assignment.membership
    following = next_assignment(membership, after=assignment.number)
    if following == assignment:
        following = None
    return {
        "place": _place(assignment),
        "following": {"uuid": str(following.uuid), "number": following.number} if following else None,
        "questions": [
            {"text": text, "answer": answer}
            for text, answer in Question.objects.filter(assignment=assignment)
            .order_by("pk")
            .values_list("text", "answer")
        ],
    }


def _place(assignment: Assignment) -> str:
    """28 of 72; test and practice passages stand apart."""
    if assignment.passage.kind != PassageKind.WORK:
        return f"{assignment.number} ({assignment.passage.kind})"
    work = assignment.membership.assignments.filter(passage__kind=PassageKind.WORK)
    last = work.order_by("-number").values_list("number", flat=True).first()
    return f"{assignment.number} of {last}"


@dataclass(frozen=True)
class GuidelinesText:
    version: int
    guidelines: str
    look_up_policy: str


def guidelines_at(project: Project, version: int) -> GuidelinesText | None:
    """As they stand, or as they stood until they were changed; None where there never was such a version."""
    if version == project.guidelines_version:
        return GuidelinesText(version, project.guidelines, project.look_up_policy)
    earlier = project.earlier_guidelines.filter(version=version).first()
    return GuidelinesText(version, earlier.guidelines, earlier.look_up_policy) if earlier else None


def guidelines_changes(project: Project, *, since: int) -> list[ChangedLine]:
    """What somebody who has read version `since` has not seen yet; nothing where that version is not known."""
    before = guidelines_at(project, since)
    if before is None:
        return []
    policy = changed_lines(before.look_up_policy, project.look_up_policy)
    return [*_changed_guidelines(before.guidelines, project.guidelines), *policy]


@lru_cache(maxsize=4)
def _changed_guidelines(old: str, new: str) -> tuple[ChangedLine, ...]:
    """Once for all readers of a change. By the texts, which never differ for a version: ids are given out again when a
    database is restored."""
    return tuple(changed_lines(old, new))


@dataclass(frozen=True)
class Quota:
    """At least so many substitutes of one type, as the project's protocol asks for."""

    label: str
    given: int
    wanted: int

    @property
    def percent(self) -> int:
        return percent(min(self.given, self.wanted), self.wanted)


def own_quota(membership: Membership) -> Quota | None:
    protocol = membership.project.protocol
    kind = protocol.type_named(protocol.quota_type)
    if kind is None or not protocol.quota_per_passage:
        return None
    own = membership.assignments.filter(passage__kind=PassageKind.WORK).exclude(
        state__in=[AssignmentState.WITHDRAWN, AssignmentState.DISCARDED]
    )
    counted = list(own.values_list("substitutes_by_type", flat=True))
    wanted = ceil(Decimal(protocol.quota_per_passage) * len(counted))
    return Quota(kind.label, sum(by_type.get(kind.key, 0) for by_type in counted), wanted)


@dataclass(frozen=True)
class Overview:
    """A project in a few figures, for its leads; voices' imported answers are not work to be done."""

    passages: int
    people: int
    annotators: int
    voices: int
    assigned: int
    submitted: int
    discarded: int
    open_questions: int

    @property
    def percent(self) -> int:
        return percent(self.submitted, self.assigned)


def overview_of(project: Project, *, by: User) -> Overview:
    members = project.memberships.active().aggregate(
        people=Count("pk", filter=Q(user__isnull=False)),
        annotators=Count("pk", filter=Q(user__isnull=False, is_annotator=True)),
        voices=Count("pk", filter=Q(user=None)),
    )
    states = AssignmentState
    work = Assignment.objects.filter(
        membership__project=project, membership__user__isnull=False, passage__kind=PassageKind.WORK
    )
    counted = work.exclude(state=states.WITHDRAWN).aggregate(
        assigned=Count("pk"),
        submitted=Count("pk", filter=Q(state=states.SUBMITTED)),
        discarded=Count("pk", filter=Q(state=states.DISCARDED)),
    )
    asked = Question.objects.visible_to(by).filter(assignment__passage__project=project, answered_at=None).count()
    return Overview(passages=project.passages.work().count(), open_questions=asked, **members, **counted)


@dataclass(frozen=True)
class PersonLine:
    membership: Membership
    label: str
    email: str


def people_of(project: Project) -> list[PersonLine]:
    """For a lead: names behind pseudonyms; voices by the name their file gave them."""
    rows = (
        project.memberships.active().select_related("user").order_by(F("user__name").asc(nulls_last=True), "pseudonym")
    )
    return [PersonLine(row, *((row.user.name, row.user.email) if row.user else (row.pseudonym, ""))) for row in rows]


JOBS_LISTED = 50


@dataclass(frozen=True)
class JobLine:
    """A job as it truly stands: also when nobody works on it."""

    job: Job
    done: int
    total: int
    parts: int
    parts_done: int
    has_worker: bool
    is_unheard: bool  # its worker has given no sign of life

    @property
    def percent(self) -> int:
        return 100 if self.job.state == JobState.DONE else min(99, percent(self.done, self.total))

    @property
    def age(self) -> str:
        return spoken_time((timezone.now() - self.job.asked_at).total_seconds())

    @property
    def took(self) -> str:
        begun = self.job.started_at or self.job.asked_at
        return spoken_time(((self.job.ended_at or timezone.now()) - begun).total_seconds())

    @property
    def state(self) -> str:
        """A job that its parts are working on is running, to whoever waits for it."""
        return JobState.RUNNING if self.job.state == JobState.DIVIDED else self.job.state

    @property
    def says(self) -> str:
        return self._of_an_end if self.job.is_over else self._of_the_way

    @property
    def _of_the_way(self) -> str:
        is_held = self.job.state == JobState.RUNNING
        if self.job.is_cancel_asked:
            is_deaf = is_held and (self.is_unheard or not self.has_worker)
            return "Its worker is gone; it ends within a minute." if is_deaf else "Stopping after the current step."
        if not self.has_worker:
            return "No worker is running. The job goes on as soon as one does."
        if is_held and self.is_unheard:
            return "Its worker has stopped answering. Another one takes over within a minute."
        return "Waiting for a worker." if self.job.state == JobState.WAITING else ""

    @property
    def _of_an_end(self) -> str:
        return sentence_of(self.job.kind, JobState(self.job.state), self.job.result or {}) or self.job.message


def job_line(job: Job) -> JobLine:
    """As it stands now, whatever `job` was when it was read."""
    [line] = job_lines(Job.objects.filter(pk=job.pk))
    return line


def job_lines(jobs: JobQuerySet) -> list[JobLine]:
    """The newest, in two statements however many they are: the page asks every other second."""
    has_worker = Worker.objects.alive().exists()
    rows = jobs.with_progress().select_related("project", "asked_by").newest_first()[:JOBS_LISTED]
    return [_line(row, has_worker) for row in rows]


def _line(job: Any, has_worker: bool) -> JobLine:
    done, total = (job.parts_sum_done, job.parts_sum_total) if job.parts_count else (job.done, job.total)
    return JobLine(job, done, total, job.parts_count, job.parts_done, has_worker, job.is_unheard)
