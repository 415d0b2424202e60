"""What leaves the house: releases, and the card that goes with them."""

import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from adjudication.models import Merge, seen_by
from annotator.models import Job, Project, Subject, User
from exports.domain.releases import MAX_RELEASE_NAME, ReleaseKind, ReleaseState


class Card(Subject):
    """What people say about a project for the README of its releases: recruitment, pay, consent and the like."""

    project = models.OneToOneField(Project, on_delete=models.PROTECT, related_name="card")
    values = models.JSONField(default=dict)

    @property
    def event_project_id(self) -> int | None:
        return self.project_id


class ReleaseQuerySet(models.QuerySet["Release"]):
    def of(self, project: Project) -> "ReleaseQuerySet":
        return self.filter(project=project)

    def visible_to(self, user: User) -> "ReleaseQuerySet":
        """Whoever sees everybody's work."""
        return self.filter(project__in=seen_by(user))

    def drafts(self) -> "ReleaseQuerySet":
        return self.filter(state=ReleaseState.DRAFT)

    def frozen(self) -> "ReleaseQuerySet":
        return self.filter(state=ReleaseState.FROZEN)

    def numbered(self) -> "ReleaseQuerySet":
        return self.order_by("number")


class Release(Subject):
    """A gold set on its way out. As a draft it is built and built again from what stands then; frozen it never changes.
    Its file lies under `files/releases/`, named by the release's uuid."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="releases")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, default=ReleaseKind.OWN)
    state = models.CharField(max_length=10, default=ReleaseState.DRAFT)
    name = models.CharField(max_length=MAX_RELEASE_NAME, blank=True, default="")
    notes = models.TextField(blank=True, default="")
    date = models.DateField()
    # What it is of: the merge is pinned; a foreign one, read from a file, has none.
    merge = models.ForeignKey(Merge, null=True, on_delete=models.PROTECT, related_name="+")
    settings = models.JSONField(default=dict)  # sizes, seed, parts of speech
    steps = models.BinaryField(default=b"")  # ids of the steps of decisions, as they were listed
    listed = models.JSONField(
        default=dict
    )  # what else was listed: the card, guidelines, agreement, the seal of the log
    warnings = models.JSONField(default=list)  # [{code, text, count}]: to be ticked before it is frozen
    findings = models.JSONField(default=list)  # of the doctor: they block
    counts = models.JSONField(default=dict)  # by split; files; splits with their deviations
    input_hash = models.CharField(max_length=64, blank=True, default="")
    sha256 = models.CharField(max_length=64, blank=True, default="")  # of the zip; "" until it was built
    bytes = models.PositiveBigIntegerField(default=0)
    built_at = models.DateTimeField(null=True)
    took_ms = models.PositiveIntegerField(default=0)
    made_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)
    frozen_at = models.DateTimeField(null=True)
    ticked = models.JSONField(default=list)  # the warnings that whoever froze it took
    withdrawn_why = models.TextField(blank=True, default="")
    job = models.ForeignKey(Job, null=True, on_delete=models.PROTECT, related_name="+")

    objects = ReleaseQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="release_number_once"),
            models.UniqueConstraint(fields=["project"], condition=Q(state="draft"), name="one_draft_of_a_release"),
            models.CheckConstraint(condition=Q(state__in=list(ReleaseState)), name="release_state_is_known"),
            models.CheckConstraint(condition=Q(kind__in=list(ReleaseKind)), name="release_kind_is_known"),
            models.CheckConstraint(condition=Q(state="draft") | ~Q(sha256=""), name="release_is_built"),
            models.CheckConstraint(condition=Q(kind="foreign") | Q(merge__isnull=False), name="release_has_a_merge"),
        ]

    @property
    def event_project_id(self) -> int | None:
        return self.project_id

    @property
    def is_draft(self) -> bool:
        return self.state == ReleaseState.DRAFT

    @property
    def is_frozen(self) -> bool:
        return self.state == ReleaseState.FROZEN

    @property
    def title(self) -> str:
        return self.name or f"{self.project.name}, release {self.number}"

    @property
    def folder(self) -> str:
        """Of its files inside the zip, and the zip's own name."""
        return f"{self.project.slug}-{self.number}"

    @property
    def path(self) -> Any:
        return settings.MEDIA_ROOT / "releases" / f"{self.uuid}.zip"

    @property
    def splits(self) -> list[str]:
        """In the order they were asked for: a database keeps none of its own in JSON."""
        return [name for name, _ in self.settings["sizes"]]

    @property
    def by_split(self) -> list[tuple[str, dict[str, Any]]]:
        """What was counted of each; nothing before it was built."""
        found = self.counts.get("splits", {})
        return [(name, found[name]) for name in self.splits if name in found]
