"""Agreement reports, and what they and merges are made from. All of it can be made again."""

import json
import uuid
from typing import Any

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from adjudication.models.merges import seen_by
from annotator.domain.canonical import canonical_json
from annotator.domain.jobs import OVER
from annotator.domain.lengths import MAX_NAME_LENGTH
from annotator.models import Assignment, Job, Project, Submission, User


class AgreementReportQuerySet(models.QuerySet["AgreementReport"]):
    def of(self, project: Project) -> "AgreementReportQuerySet":
        return self.filter(project=project)

    def visible_to(self, user: User) -> "AgreementReportQuerySet":
        """A report on some people or groups tells of few passages: it is for nobody who has still to annotate any."""
        is_blind = Exists(Assignment.objects.own_open(user).filter(passage__project=OuterRef("project")))
        return self.done().filter(Q(is_whole=True) | ~is_blind, project__in=seen_by(user))

    def done(self) -> "AgreementReportQuerySet":
        return self.filter(is_done=True)

    def prunable(self) -> "AgreementReportQuerySet":
        """Done, or nobody is making them any more."""
        return self.filter(Q(is_done=True) | Q(job=None) | Q(job__state__in=OVER))

    def newest_first(self) -> "AgreementReportQuerySet":
        return self.order_by("-made_at", "-pk")


class AgreementReport(models.Model):
    """The figures of one fixed list of submissions under some settings. Never changed once it is done."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+")
    by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    input_hash = models.CharField(max_length=64)
    settings_hash = models.CharField(max_length=64)
    settings = models.JSONField(default=dict)
    is_whole = models.BooleanField(default=False)  # of all people and all groups
    signature = models.TextField()
    result = models.JSONField()
    passage_ids = models.BinaryField(default=b"")  # 64 bits each, in the order that pairs number them
    # The newest event of the project when the list was made: what came after it has changed since.
    listed_at_event = models.BigIntegerField(default=0)
    made_at = models.DateTimeField(default=timezone.now)
    took_ms = models.PositiveIntegerField(default=0)
    is_done = models.BooleanField(default=False)  # its pairs are written, too
    job = models.ForeignKey(Job, null=True, on_delete=models.PROTECT, related_name="+")  # who is making it

    objects = AgreementReportQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "input_hash"], condition=Q(is_done=True), name="same_input_measured_once"
            ),
        ]
        indexes = [models.Index(fields=["project", "settings_hash", "made_at"], name="report_by_settings")]

    @property
    def figures(self) -> dict[str, Any]:
        """The result with its keys in order: PostgreSQL gives them back in one of its own, and what leaves the house
        is the same on both engines, to the byte."""
        found: dict[str, Any] = json.loads(canonical_json(self.result))
        return found


class AgreementPairQuerySet(models.QuerySet["AgreementPair"]):
    def of_person(self, name: str) -> "AgreementPairQuerySet":
        return self.filter(Q(a=name) | Q(b=name))


class AgreementPair(models.Model):
    """Two annotators in a report: for each passage that both submitted, what they share in small whole numbers
    (`KEPT` in domain/agreement/table.py), so that their page opens in a moment."""

    report = models.ForeignKey(AgreementReport, on_delete=models.CASCADE, related_name="pairs", db_index=False)
    a = models.CharField(max_length=MAX_NAME_LENGTH)
    b = models.CharField(max_length=MAX_NAME_LENGTH)
    rows = models.BinaryField()

    objects = AgreementPairQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["report", "a", "b"], name="pair_once_per_report")]


class AnnotatorCurve(models.Model):
    """What fewer annotators would give: made after its report, by a job of its own."""

    report = models.OneToOneField(AgreementReport, on_delete=models.CASCADE, related_name="curve")
    result = models.JSONField()
    made_at = models.DateTimeField(default=timezone.now)


class SubmissionDigest(models.Model):
    """A submission packed for counting (domain/digest.py). A submission never changes, so this is never stale; it is
    made by jobs, never on the save path. No constraint of the database: where a wrongly imported file is taken back,
    its submissions go first, and ids do not come again."""

    submission = models.ForeignKey(
        Submission, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    folds = models.BooleanField()  # how its substitutes' keys were made
    data = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["submission", "folds"], name="digest_once_per_submission")]


class ShardData(models.Model):
    """What a part of a job in this app is given and what it hands over, until the sum is made."""

    job = models.ForeignKey(Job, on_delete=models.PROTECT, related_name="+", db_index=False)  # the whole
    number = models.PositiveIntegerField()
    given = models.BinaryField()
    counted = models.BinaryField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["job", "number"], name="shard_once_per_job")]
