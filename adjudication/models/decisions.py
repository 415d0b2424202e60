"""What adjudicators decide and say. A decision is known by its passage and span, outlives every merge, and is laid over
it (domain/gold.py); its steps are never changed."""

import uuid
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone

from adjudication.domain.decisions import CAUSES
from adjudication.models.merges import seen_by
from annotator.models import Membership, Passage, Project, Subject, User, unless_blind

SEATS = (0, 1, 2)  # 0 counts; 1 and 2 are of two who decide blind to each other


class DecisionQuerySet(models.QuerySet["Decision"]):
    def of(self, project: Project) -> "DecisionQuerySet":
        return self.filter(passage__project=project)

    def visible_to(self, user: User) -> "DecisionQuerySet":
        return self.filter(Q(passage__project__in=seen_by(user)) & unless_blind(user))

    def counting(self) -> "DecisionQuerySet":
        """Those the gold is made with."""
        return self.filter(seat=0, is_empty=False)

    def about_spans(self) -> "DecisionQuerySet":
        return self.filter(start__isnull=False)

    def about_passages(self) -> "DecisionQuerySet":
        return self.filter(start__isnull=True)

    def in_order(self) -> "DecisionQuerySet":
        return self.order_by("passage_id", "start", "end")


class Decision(Subject):
    """As its newest step has it. `start` and `end` are null where it is about the whole passage."""

    passage = models.ForeignKey(Passage, on_delete=models.PROTECT, related_name="decisions")
    start = models.PositiveIntegerField(null=True)
    end = models.PositiveIntegerField(null=True)
    seat = models.PositiveSmallIntegerField(default=0)
    content = models.JSONField()
    verdict = models.CharField(max_length=10, blank=True, default="")  # of the content
    is_empty = models.BooleanField(default=True)  # nothing is decided (any more)
    reason = models.TextField(blank=True, default="")
    cause = models.CharField(max_length=10, blank=True, default="")
    evidence = models.CharField(max_length=32, blank=True, default="")  # what was merged there; "" for nothing
    snapshot = models.JSONField(default=dict)
    by = models.ForeignKey(Membership, null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    act = models.UUIDField(null=True)  # of the newest step, whose number is the version
    proposed = models.PositiveIntegerField(null=True)  # the number of a step that waits for somebody else to agree

    objects = DecisionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["passage", "start", "end", "seat"],
                condition=Q(start__isnull=False),
                name="decision_once_per_span",
            ),
            models.UniqueConstraint(
                fields=["passage", "seat"], condition=Q(start__isnull=True), name="decision_once_per_passage"
            ),
            models.CheckConstraint(
                condition=Q(start__isnull=True, end__isnull=True) | Q(start__lte=models.F("end")),
                name="decision_is_about_a_span_or_all",
            ),
            models.CheckConstraint(condition=Q(seat__in=SEATS), name="decision_seat_is_known"),
            models.CheckConstraint(condition=Q(cause__in=["", *CAUSES]), name="decision_cause_is_known"),
        ]

    @property
    def event_project_id(self) -> int | None:
        return self.passage.project_id

    @property
    def span(self) -> tuple[int, int] | None:
        return None if self.start is None or self.end is None else (self.start, self.end)


class DecisionStepQuerySet(models.QuerySet["DecisionStep"]):
    def visible_to(self, user: User) -> "DecisionStepQuerySet":
        return self.filter(decision__in=Decision.objects.visible_to(user))

    def of_act(self, act: Any) -> "DecisionStepQuerySet":
        return self.filter(act=act)


class DecisionStep(models.Model):
    """One act on a decision, for ever: database triggers see to it (annotator/guards.py). `act`: the id its request
    came with, shared by all steps of one act; undoing writes a further step."""

    decision = models.ForeignKey(Decision, on_delete=models.PROTECT, related_name="steps")
    number = models.PositiveIntegerField()
    content = models.JSONField()
    reason = models.TextField(blank=True)
    cause = models.CharField(max_length=10, blank=True)
    evidence = models.CharField(max_length=32, blank=True)
    snapshot = models.JSONField()
    merge = models.CharField(max_length=64)  # the hash of what it was made from: merges come and go
    # An imported voice's, too.
    by = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    is_proposal = models.BooleanField(default=False)
    at = models.DateTimeField(default=timezone.now)
    act = models.UUIDField()
    undoes = models.UUIDField(null=True)  # the act that this one took back

    objects = DecisionStepQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["decision", "number"], name="step_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="step_numbers_start_at_one"),
        ]
        indexes = [models.Index(fields=["act"], name="step_by_act")]


class CommentQuerySet(models.QuerySet["Comment"]):
    def visible_to(self, user: User) -> "CommentQuerySet":
        return self.filter(Q(passage__project__in=seen_by(user)) & unless_blind(user))

    def unresolved(self) -> "CommentQuerySet":
        return self.filter(resolved_at=None)

    def in_order(self) -> "CommentQuerySet":
        return self.order_by("pk")


class Comment(Subject):
    """What adjudicators and leads say to each other about a passage, or a span of it."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    passage = models.ForeignKey(Passage, on_delete=models.PROTECT, related_name="comments")
    start = models.PositiveIntegerField(null=True)
    end = models.PositiveIntegerField(null=True)
    text = models.TextField()
    by = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    resolved_by = models.ForeignKey(Membership, null=True, on_delete=models.PROTECT, related_name="+")
    resolved_at = models.DateTimeField(null=True)

    objects = CommentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(start__isnull=True, end__isnull=True) | Q(start__lte=models.F("end")),
                name="comment_is_about_a_span_or_all",
            ),
        ]
        indexes = [models.Index(fields=["passage"], condition=Q(resolved_at=None), name="comment_unresolved")]

    @property
    def event_project_id(self) -> int | None:
        return self.passage.project_id
