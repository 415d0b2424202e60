"""The append-only log, and what every row that has events carries."""

from typing import TYPE_CHECKING

from django.db import models

if TYPE_CHECKING:
    from annotator.models.projects import Project


class Subject(models.Model):
    """A row whose every change leaves an event: `version` is the `seq` of the newest, `chain_head` its hash."""

    version = models.PositiveIntegerField(default=0)
    chain_head = models.CharField(max_length=64, blank=True, default="")

    class Meta:
        abstract = True

    @classmethod
    def subject_name(cls) -> str:
        return cls._meta.model_name or ""

    @property
    def event_project_id(self) -> int | None:
        """The project whose activity the row's events are; None: the house's."""
        raise NotImplementedError


class EventQuerySet(models.QuerySet["Event"]):
    def of(self, subject: Subject) -> "EventQuerySet":
        return self.filter(subject=subject.subject_name(), subject_id=subject.pk).order_by("seq")

    def in_project(self, project: "Project") -> "EventQuerySet":
        return self.filter(project=project)


class Event(models.Model):
    """What happened, to what, by whom. Never changed, never deleted: database triggers see to it (guards.py)."""

    subject = models.CharField(max_length=20)
    subject_id = models.BigIntegerField()
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=40)
    # Null: an operator at the shell, or Assay itself.
    by = models.ForeignKey("annotator.User", null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    # Null: the whole house's. Outside the hash, so that the log could be filled in.
    project = models.ForeignKey(
        "annotator.Project", null=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    payload = models.JSONField(default=dict)  # ids, counts and hashes only, so that a person can be erased
    previous_hash = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64)

    objects = EventQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["subject", "subject_id", "seq"], name="event_once_per_version"),
        ]
        indexes = [models.Index(fields=["project", "id"], name="event_by_project")]
