"""What comes of several people's work: merges with their targets. All of it can be made again."""

import uuid
from typing import Any

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from adjudication.domain.flags import MAX_QUOTE_KEY
from adjudication.domain.merge import Verdict
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
        """Nothing needs them and nobody is making them: of a job that was cancelled, a part may be in its last step."""
        is_over = Q(job__state__in=OVER) & ~Exists(Job.objects.running().filter(parent=OuterRef("job")))
        is_nobodys = Q(job=None) | is_over
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
    types = models.JSONField(default=list)  # [[key, code], …] by the protocol it was made by
    started_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)
    is_current = models.BooleanField(default=False)
    is_pinned = models.BooleanField(default=False)  # something rests on it: it is never pruned
    # Who is making it; an unfinished merge whose job is over is nobody's any more.
    job = models.ForeignKey(Job, null=True, on_delete=models.PROTECT, related_name="+")
    took_ms = models.PositiveIntegerField(default=0)
    passages = models.PositiveIntegerField(default=0)  # in the gold; the next two are left out
    too_few = models.PositiveIntegerField(default=0)
    discarded = models.PositiveIntegerField(default=0)
    answers = models.PositiveIntegerField(default=0)
    # The newest event of the project when the list was made: what came after it has changed since.
    listed_at_event = models.BigIntegerField(default=0)
    targets = models.PositiveIntegerField(default=0)
    kept = models.PositiveIntegerField(default=0)
    suggestions = models.PositiveIntegerField(default=0)  # of the kept targets, and their votes
    votes = models.PositiveIntegerField(default=0)
    type_ties = models.PositiveIntegerField(default=0)  # broken among the kept targets
    discarded_targets = models.PositiveIntegerField(default=0)  # of passages that discards outnumber; not in `targets`
    asking = models.PositiveIntegerField(default=0)  # passages with a flag that asks for somebody
    least_of = models.PositiveIntegerField(default=0)  # answers per merged passage
    most_of = models.PositiveIntegerField(default=0)
    by_annotators = models.JSONField(default=dict)  # {voting index: [targets, suggestions, votes]}, kept and dropped
    # Against the merge before: {"added", "gone", "kept", "dropped", "moved", "retyped": how many targets}; by passage
    # and span the gone ones, and the votes and the type that the changed ones had.
    changes = models.JSONField(default=dict)

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

    @property
    def counted_changes(self) -> dict[str, int]:
        """How many targets of each kind of change."""
        return {name: self.changes[name] for name in (*Change.values, "gone") if name in self.changes}


class MergeInput(models.Model):
    """What a merge was made from, by ids: the submissions that counted, and who discarded what, as a Shard. With it
    whatever rests on a merge can tell the answers of that very moment."""

    merge = models.OneToOneField(Merge, on_delete=models.PROTECT, related_name="input")
    listed = models.BinaryField()


class PassageResultQuerySet(models.QuerySet["PassageResult"]):
    def merged(self) -> "PassageResultQuerySet":
        """Those the gold is about."""
        return self.filter(verdict=Verdict.MERGED)

    def visible_to(self, user: User) -> "PassageResultQuerySet":
        return self.filter(Q(merge__project__in=seen_by(user)) & unless_blind(user))

    def in_order(self) -> "PassageResultQuerySet":
        return self.order_by("passage_id")


class PassageResult(models.Model):
    """What a merge made of one passage. The flags count its targets; the first four and `discards` without a majority
    ask for somebody (`asks`), *near* and *single* are filters."""

    merge = models.ForeignKey(Merge, on_delete=models.PROTECT, related_name="+", db_index=False)
    passage = models.ForeignKey(Passage, on_delete=models.PROTECT, related_name="+")
    of = models.PositiveIntegerField()
    discards = models.PositiveIntegerField()
    verdict = models.CharField(max_length=20)
    targets = models.PositiveIntegerField()
    kept = models.PositiveIntegerField()
    dispute = models.PositiveIntegerField()
    pa_det = models.PositiveIntegerField(null=True)  # mean over its pairs, in thousandths
    type_ties = models.PositiveIntegerField()
    overlaps = models.PositiveIntegerField()
    variants = models.PositiveIntegerField()
    near_misses = models.PositiveIntegerField()
    near = models.PositiveIntegerField()
    singles = models.PositiveIntegerField()
    asks = models.BooleanField()
    evidence = models.CharField(max_length=32)

    objects = PassageResultQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["merge", "passage"], name="result_once_per_merge"),
            models.CheckConstraint(condition=Q(kept__lte=models.F("targets")), name="kept_are_among_targets"),
        ]
        # As the queue has them: most disputed first.
        indexes = [models.Index(fields=["merge", "asks", "-dispute", "passage"], name="result_most_disputed")]


class Change(models.TextChoices):
    """What became of a target since the merge before."""

    ADDED = "added", "added"
    KEPT = "kept", "newly kept"
    DROPPED = "dropped", "newly dropped"
    MOVED = "moved", "votes moved"
    RETYPED = "retyped", "types changed"


class TargetQuerySet(models.QuerySet["Target"]):
    def kept(self) -> "TargetQuerySet":
        return self.filter(is_kept=True)

    def visible_to(self, user: User) -> "TargetQuerySet":
        return self.filter(Q(merge__project__in=seen_by(user)) & unless_blind(user))

    def in_order(self) -> "TargetQuerySet":
        return self.order_by("passage_id", "start", "end")


class Target(models.Model):
    """A merged span. Every field to sort or filter by is a column; `suggestions`: [{"text", "votes", "voters"}]."""

    merge = models.ForeignKey(Merge, on_delete=models.PROTECT, related_name="+", db_index=False)
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
    is_overlapping = models.BooleanField()
    has_variants = models.BooleanField()
    is_near_miss = models.BooleanField()
    quote_key = models.CharField(max_length=MAX_QUOTE_KEY)  # the same word elsewhere
    evidence = models.CharField(max_length=32)
    change = models.CharField(max_length=8, blank=True, choices=Change.choices)
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
        indexes = [
            models.Index(fields=["merge", "quote_key"], name="target_by_quote"),
            models.Index(fields=["merge", "change"], condition=~Q(change=""), name="target_by_change"),
        ]
