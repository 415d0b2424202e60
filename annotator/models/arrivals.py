"""What comes from files: an arrival, and the file it comes from. Its rows are nowhere until it is done."""

import uuid
from typing import Any, Self, TypeVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotator.domain.arrivals import ArrivalKind
from annotator.domain.lengths import MAX_FILE_NAME_LENGTH
from annotator.models.events import Subject

Row = TypeVar("Row", bound=models.Model, covariant=True)


class ArrivingQuerySet(models.QuerySet[Row]):
    """Of tables whose rows may come from files."""

    def arrived(self) -> Self:
        """Without the rows of an arrival that is not done, or was taken back."""
        # Not a join: this stands in conditions of UPDATEs too.
        return self.exclude(arrival__in=Arrival.objects.not_done())


class ArrivedManager(models.Manager[Row]):
    """The default: whoever lists or counts gets what has arrived, without having to think of it. `all_rows` is for
    arrivals themselves."""

    def get_queryset(self) -> Any:
        return super().get_queryset().arrived()  # type: ignore[attr-defined]


class ArrivalQuerySet(models.QuerySet["Arrival"]):
    def not_done(self) -> "ArrivalQuerySet":
        return self.filter(done_at=None)

    def done(self) -> "ArrivalQuerySet":
        return self.filter(done_at__isnull=False)

    def unfinished(self) -> "ArrivalQuerySet":
        """On the way: not done, and not over without being done."""
        return self.filter(done_at=None, over_at=None)


class Arrival(Subject):
    """One file on its way into a project, or a whole project on its way in. `done_at` makes all its rows seen at once;
    `over_at` without it: refused, cancelled or taken back."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    # Null: a whole project that has no row yet.
    project = models.ForeignKey(
        "annotator.Project", null=True, blank=True, on_delete=models.PROTECT, related_name="arrivals"
    )
    kind = models.CharField(max_length=10)
    name = models.CharField(max_length=MAX_FILE_NAME_LENGTH)  # of the file
    sha256 = models.CharField(max_length=64)
    options = models.JSONField(default=dict)  # how the file is to be read
    rows = models.PositiveIntegerField(default=0)  # passages or answers in the file
    report = models.JSONField(null=True, blank=True)  # problems and warnings by line
    result = models.JSONField(null=True, blank=True)
    by = models.ForeignKey("annotator.User", null=True, on_delete=models.PROTECT, related_name="+")
    job = models.OneToOneField("annotator.Job", null=True, on_delete=models.PROTECT, related_name="arrival")
    started_at = models.DateTimeField(default=timezone.now)
    done_at = models.DateTimeField(null=True, blank=True)
    over_at = models.DateTimeField(null=True, blank=True)

    objects = ArrivalQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project"], condition=Q(done_at=None, over_at=None), name="one_unfinished_arrival"
            ),
            models.CheckConstraint(condition=Q(kind__in=list(ArrivalKind)), name="arrival_kind_is_known"),
            models.CheckConstraint(condition=Q(done_at=None) | Q(over_at=None), name="done_or_over"),
        ]

    @property
    def state(self) -> str:
        """As people say it; of one that is over, its job tells why."""
        if self.done_at:
            return "done"
        if self.over_at is None:
            return "on its way"
        if self.result is not None:
            return "taken back"
        return "refused" if self.job and self.job.state == "failed" else "cancelled"

    @property
    def tag(self) -> str:
        """The state of a job that looks like this one."""
        return {"done": "done", "on its way": "running", "refused": "failed"}.get(self.state, "cancelled")

    @property
    def event_project_id(self) -> int | None:
        """A project that never arrives leaves no event behind that names it."""
        return None if self.kind == ArrivalKind.PROJECT and self.done_at is None else self.project_id


class UploadQuerySet(models.QuerySet["Upload"]):
    def sent_by(self, user: Any, project: Any) -> "UploadQuerySet":
        return self.filter(by=user, project=project)

    def waiting(self) -> "UploadQuerySet":
        return self.filter(arrival=None)


class Upload(models.Model):
    """A file that was sent and is kept, readable by nobody else, until it is used or a day has passed. One that is sent
    by the API has a name and waits for its sender to say how it is to be read."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    arrival = models.OneToOneField(Arrival, null=True, on_delete=models.CASCADE, related_name="upload")
    project = models.ForeignKey("annotator.Project", null=True, on_delete=models.PROTECT, related_name="uploads")
    by = models.ForeignKey("annotator.User", null=True, on_delete=models.PROTECT, related_name="+")
    name = models.CharField(max_length=MAX_FILE_NAME_LENGTH, blank=True, default="")
    sha256 = models.CharField(max_length=64, blank=True, default="")
    size = models.PositiveBigIntegerField()
    at = models.DateTimeField(default=timezone.now)

    objects = UploadQuerySet.as_manager()
