"""What comes of several people's work: merges with their targets, agreement reports. All of it can be made again."""

import uuid
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotator.domain.jobs import OVER
from annotator.models import Job, Membership, Passage, Project, User, unless_blind


def seen_by(user: User) -> models.QuerySet[Any]:
    """The projects in which somebody sees everybody's work."""
    return Membership.objects.of(user).seeing_all().values("project")


class MergeQuerySet(models.QuerySet["Merge"]):
    def of(self, project: Project) -> "MergeQuerySet":
        return self.filter(project=project)

    def visible_to(self, user: User) -> "MergeQuerySet":
        return self.filter(project__in=seen_by(user))

    def finished(self) -> "MergeQuerySet":
        return self.filter(finished_at__isnull=False)

    def current(self) -> "MergeQuerySet":
        return self.filter(is_current=True)

    def prunable(self) -> "MergeQuerySet":
        """Nothing needs them and nobody is making them."""
        is_nobodys = Q(job=None) | Q(job__state__in=OVER)
        return self.filter(is_current=False, is_pinned=False).filter(Q(finished_at__isnull=False) | is_nobodys)


class Merge(models.Model):
    """One run over a fixed list of submissions, known by the hash of its input. Never changed once finished but for
    `is_current`, which points to the one that the gold is."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+")
    by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    input_hash = models.CharField(max_length=64)
    settings = models.JSONField()
    signature = models.CharField(max_length=500)
    started_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)
    is_current = models.BooleanField(default=False)
    is_pinned = models.BooleanField(default=False)  # something rests on it: it is never pruned
    # Who is making it; an unfinished merge whose job is over is nobody's any more.
    job = models.ForeignKey(Job, null=True, on_delete=models.PROTECT, related_name="+")
    passage_ids = models.JSONField(default=list)  # those that were merged, in order: what the gold is about
    passages = models.PositiveIntegerField(default=0)  # how many these are; the next two were left out
    too_few = models.PositiveIntegerField(default=0)
    discarded = models.PositiveIntegerField(default=0)
    answers = models.PositiveIntegerField(default=0)
    targets = models.PositiveIntegerField(default=0)
    kept = models.PositiveIntegerField(default=0)
    suggestions = models.PositiveIntegerField(default=0)  # of the kept targets, and their votes
    votes = models.PositiveIntegerField(default=0)
    type_ties = models.PositiveIntegerField(default=0)  # broken among the kept targets
    least_of = models.PositiveIntegerField(default=0)  # answers per merged passage
    most_of = models.PositiveIntegerField(default=0)

    objects = MergeQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project"], condition=Q(is_current=True), name="one_current_merge"),
            models.UniqueConstraint(
                fields=["project", "input_hash"], condition=Q(finished_at__isnull=False), name="same_input_merged_once"
            ),
            models.CheckConstraint(
                condition=Q(is_current=False) | Q(finished_at__isnull=False), name="current_merge_is_finished"
            ),
        ]


class TargetQuerySet(models.QuerySet["Target"]):
    def kept(self) -> "TargetQuerySet":
        return self.filter(is_kept=True)

    def visible_to(self, user: User) -> "TargetQuerySet":
        return self.filter(Q(merge__project__in=seen_by(user)) & unless_blind(user))

    def in_order(self) -> "TargetQuerySet":
        return self.order_by("passage_id", "start", "end")


class Target(models.Model):
    """A merged span. Every field to sort or filter by is a column; `suggestions`: [{"text", "votes", "voters"}]."""

    merge = models.ForeignKey(Merge, on_delete=models.PROTECT, related_name="+")
    passage = models.ForeignKey(Passage, on_delete=models.PROTECT, related_name="+")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    quote = models.TextField()
    annotators = models.PositiveIntegerField()  # the voting index
    of = models.PositiveIntegerField()
    votes = models.PositiveIntegerField()
    type = models.CharField(max_length=50, blank=True)
    type_tie = models.BooleanField()
    is_kept = models.BooleanField()
    dispute = models.PositiveIntegerField()
    voters = models.JSONField()
    suggestions = models.JSONField()

    objects = TargetQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["merge", "passage", "start", "end"], name="target_once_per_merge"),
            models.CheckConstraint(condition=Q(start__lte=models.F("end")), name="target_is_a_span"),
            models.CheckConstraint(
                condition=Q(annotators__gte=1) & Q(annotators__lte=models.F("of")), name="annotators_are_among_all"
            ),
        ]


class AgreementReportQuerySet(models.QuerySet["AgreementReport"]):
    def of(self, project: Project) -> "AgreementReportQuerySet":
        return self.filter(project=project)

    def visible_to(self, user: User) -> "AgreementReportQuerySet":
        return self.filter(project__in=seen_by(user))


class AgreementReport(models.Model):
    """The figures of one fixed list of submissions under some settings. Never changed."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+")
    by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    input_hash = models.CharField(max_length=64)
    signature = models.CharField(max_length=500)
    result = models.JSONField()
    made_at = models.DateTimeField(default=timezone.now)

    objects = AgreementReportQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "input_hash"], name="same_input_measured_once"),
        ]
