"""Releases, the card that goes with them, and systems that are measured against them."""

import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from adjudication.models import Merge, seen_by
from annotator.domain.lengths import MAX_ID_LENGTH
from annotator.models import Job, Membership, Project, Subject, User
from exports.domain.releases import MAX_RELEASE_NAME, MAX_SPLIT_NAME, ReleaseKind, ReleaseState
from exports.domain.runs import MAX_SYSTEM, MAX_SYSTEM_VERSION, MAX_URL, Mistake, RunState


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

    def measured_by(self, user: User) -> "ReleaseQuerySet":
        """Those that systems are measured against, for whoever may see how they score; never what is in them."""
        projects = Membership.objects.of(user).seeing_scores().values("project")
        return self.filter(project__in=projects).exclude(state=ReleaseState.DRAFT)


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
    def is_own(self) -> bool:
        return self.kind == ReleaseKind.OWN

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


class SystemRunQuerySet(models.QuerySet["SystemRun"]):
    def visible_to(self, user: User) -> "SystemRunQuerySet":
        """All of them to whoever sees everybody's work; one's own to who brings systems."""
        own = Membership.objects.of(user).seeing_scores().values("project")
        return self.filter(Q(release__project__in=seen_by(user)) | Q(by=user, release__project__in=own))

    def on(self, release: Release, split: str) -> "SystemRunQuerySet":
        return self.filter(release=release, split=split)

    def scored(self) -> "SystemRunQuerySet":
        return self.filter(state=RunState.SCORED)

    def newest_first(self) -> "SystemRunQuerySet":
        return self.order_by("-at", "-pk")


class SystemRun(Subject):
    """A system's predictions for one split of a release, and what they scored. The file lies under `files/runs/`."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="runs")
    split = models.CharField(max_length=MAX_SPLIT_NAME)
    system = models.CharField(max_length=MAX_SYSTEM)
    system_version = models.CharField(max_length=MAX_SYSTEM_VERSION, blank=True, default="")
    description = models.TextField(blank=True, default="")
    url = models.CharField(max_length=MAX_URL, blank=True, default="")
    sha256 = models.CharField(max_length=64)
    bytes = models.PositiveBigIntegerField()
    state = models.CharField(max_length=10, default=RunState.WAITING)
    scores = models.JSONField(default=dict)  # by the scorer's names
    counts = models.JSONField(default=dict)  # mistakes by kind; problems of a file that was refused
    errors = models.JSONField(default=list)  # [{code, message, path}] of a file that was refused
    by_sentence = models.BinaryField(default=b"")  # what each sentence adds to the sums: two runs are compared by it
    by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    job = models.ForeignKey(Job, null=True, on_delete=models.PROTECT, related_name="+")

    objects = SystemRunQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["release", "split", "sha256"], name="run_once"),
            models.CheckConstraint(condition=Q(state__in=list(RunState)), name="run_state_is_known"),
        ]
        indexes = [models.Index(fields=["release", "split", "-at"], name="runs_of_a_split")]

    @property
    def event_project_id(self) -> int | None:
        return self.release.project_id

    @property
    def problems(self) -> list[dict[str, str]]:
        """Of a refused file; what a problem says begins with the sentence, which pages show beside it."""
        return [{"path": row["path"], "says": row["message"].removeprefix(f"{row['path']}: ")} for row in self.errors]

    @property
    def is_scored(self) -> bool:
        return self.state == RunState.SCORED

    @property
    def title(self) -> str:
        return f"{self.system} {self.system_version}".strip()

    @property
    def path(self) -> Any:
        return settings.MEDIA_ROOT / "runs" / f"{self.uuid}.json"


class RunSentence(models.Model):
    """One sentence of the gold beside what a system said; only where something is wrong. It can be made again."""

    run = models.ForeignKey(SystemRun, on_delete=models.CASCADE, related_name="sentences")
    number = models.PositiveIntegerField()  # its place in the split
    external_id = models.CharField(max_length=MAX_ID_LENGTH)
    content = models.JSONField()  # text, gold, system: `exports/domain/runs.py`
    missed = models.PositiveIntegerField()
    spurious = models.PositiveIntegerField()
    other = models.PositiveIntegerField()
    missed_weight = models.PositiveIntegerField()
    spurious_weight = models.PositiveIntegerField()
    other_weight = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "number"], name="run_sentence_once")]
        indexes = [
            models.Index(fields=["run", f"-{kind}_weight", "number"], name=f"run_sentences_{kind}") for kind in Mistake
        ]
