"""Background work and who does it. Times are the database's clock, which all machines share."""

import uuid
from datetime import timedelta
from typing import Any

from django.db import models
from django.db.models import Count, ExpressionWrapper, F, Q, Sum
from django.db.models.functions import Now
from django.utils import timezone

from annotator.domain.jobs import JOB_MOVES, NO_WORKER_AFTER, OVER, JobState, label_of, routine_kinds
from annotator.models.events import Subject
from annotator.models.people import User
from annotator.models.projects import Project


class JobQuerySet(models.QuerySet["Job"]):
    def visible_to(self, user: User) -> "JobQuerySet":
        """A project's leads; jobs of the whole house are the operator's, at the shell."""
        return self.filter(project__in=Project.objects.led_by(user)).whole()

    def whole(self) -> "JobQuerySet":
        """Without the parts of jobs done in parts."""
        return self.filter(parent=None)

    def waiting(self) -> "JobQuerySet":
        return self.filter(state=JobState.WAITING)

    def due(self) -> "JobQuerySet":
        """Whose time has come."""
        return self.filter(Q(due_at=None) | Q(due_at__lte=Now()))

    def unfinished(self) -> "JobQuerySet":
        return self.exclude(state__in=OVER)

    def move(self, act: str, **changes: Any) -> int:
        """The one way the state of several jobs changes, or of one without an event: those that JOB_MOVES lets do
        this. How many there were."""
        after = {state for (_, move), state in JOB_MOVES.items() if move == act}
        [state] = after
        before = [state for state, move in JOB_MOVES if move == act]
        return self.filter(state__in=before).update(state=state, **changes)

    def running(self) -> "JobQuerySet":
        return self.filter(state=JobState.RUNNING)

    def held_by(self, holder: uuid.UUID) -> "JobQuerySet":
        return self.running().filter(holder=holder)

    def lost(self) -> "JobQuerySet":
        """Running, but without a sign of life for too long."""
        return self.running().filter(lease_until__lt=Now())

    def with_progress(self) -> "JobQuerySet":
        """And what its parts add up to, and whether its worker has given no sign of life for too long."""
        is_unheard = Q(state=JobState.RUNNING, lease_until__lt=Now())
        return self.annotate(
            parts_count=Count("parts"),
            parts_done=Count("parts", filter=Q(parts__state=JobState.DONE)),
            parts_sum_done=Sum("parts__done", default=0),
            parts_sum_total=Sum("parts__total", default=0),
            is_unheard=ExpressionWrapper(is_unheard, output_field=models.BooleanField()),
        )

    def worth_listing(self) -> "JobQuerySet":
        return self.exclude(kind__in=routine_kinds(), state=JobState.DONE)

    def newest_first(self) -> "JobQuerySet":
        return self.order_by("-asked_at", "-pk")


class Job(Subject):
    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    # Null: the whole house's.
    project = models.ForeignKey(Project, null=True, blank=True, on_delete=models.PROTECT, related_name="jobs")
    kind = models.CharField(max_length=40)  # the name of the Celery task
    params = models.JSONField(default=dict)
    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="parts")
    part = models.PositiveIntegerField(null=True, blank=True)
    state = models.CharField(max_length=10, default=JobState.WAITING)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)  # 0: not known yet
    attempts = models.PositiveSmallIntegerField(default=0)  # claims since it was asked for, or tried again by hand
    holder = models.UUIDField(null=True, blank=True)  # of the claim: an older one can write nothing any more
    worker = models.CharField(max_length=200, blank=True, default="")
    lease_until = models.DateTimeField(null=True, blank=True)
    is_cancel_asked = models.BooleanField(default=False)
    message = models.TextField(blank=True, default="")
    result = models.JSONField(null=True, blank=True)
    asked_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(null=True, blank=True)  # null: now
    rung_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["parent", "part"], name="part_once_per_job"),
            models.CheckConstraint(condition=Q(state__in=list(JobState)), name="job_state_is_known"),
            models.CheckConstraint(
                condition=Q(state="running", holder__isnull=False, lease_until__isnull=False)
                | (~Q(state="running") & Q(holder=None, lease_until=None)),
                name="running_means_held",
            ),
            models.CheckConstraint(condition=Q(total=0) | Q(done__lte=F("total")), name="done_within_total"),
        ]
        indexes = [models.Index(fields=["state", "asked_at"], name="job_by_state")]

    @property
    def event_project_id(self) -> int | None:
        return self.project_id

    @property
    def is_over(self) -> bool:
        return self.state in OVER

    @property
    def label(self) -> str:
        return label_of(self.kind)


class WorkerQuerySet(models.QuerySet["Worker"]):
    def alive(self) -> "WorkerQuerySet":
        return self.filter(seen_at__gt=Now() - timedelta(seconds=NO_WORKER_AFTER))


class Worker(models.Model):
    """A worker process that hears the broker; it says so every few seconds."""

    name = models.CharField(max_length=200, unique=True)
    slots = models.PositiveSmallIntegerField(default=1)  # jobs it can do at once
    seen_at = models.DateTimeField()

    objects = WorkerQuerySet.as_manager()
