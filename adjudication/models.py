"""What comes of several people's work: merges with their targets, agreement reports. All of it can be made again."""

import uuid

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from annotator.models import Assignment, Membership, Passage, Project, User


def seen_by(user: User) -> models.QuerySet[Membership]:
    """The memberships by which somebody sees several people's work."""
    return Membership.objects.of(user).filter(Q(is_lead=True) | Q(is_adjudicator=True))


class MergeQuerySet(models.QuerySet["Merge"]):
    def of(self, project: Project) -> "MergeQuerySet":
        return self.filter(project=project)

    def visible_to(self, user: User) -> "MergeQuerySet":
        return self.filter(project__in=seen_by(user).values("project"))

    def finished(self) -> "MergeQuerySet":
        return self.filter(finished_at__isnull=False)

    def current(self) -> "MergeQuerySet":
        return self.filter(is_current=True)


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
        """Not on a passage that they themselves are to answer and have not submitted: the rule is Assignment's."""
        hidden = Assignment.objects.own_open(user).filter(passage=OuterRef("passage"))
        return self.filter(Q(merge__project__in=seen_by(user).values("project")) & ~Exists(hidden))

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
        return self.filter(project__in=seen_by(user).values("project"))


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
