"""What adjudicators decide and say. A decision is known by its passage and span, outlives every merge, and is laid over
it (domain/gold.py); its steps are never changed."""

import uuid
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone

from adjudication.domain.decisions import CAUSES
from adjudication.domain.undoing import Made
from adjudication.models.merges import seen_by
from annotator.models import Membership, Passage, Project, Subject, User, unless_blind

SEATS = (0, 1, 2)  # 0 counts; 1 and 2 are of two who decide blind to each other


class DecisionQuerySet(models.QuerySet["Decision"]):
    def of(self, project: Project) -> "DecisionQuerySet":
        return self.filter(passage__project=project)

    def visible_to(self, user: User) -> "DecisionQuerySet":
        """What one of two decided, blind to the other, only they see until both have settled the passage."""
        both = Q(passage__double__done_1__isnull=False, passage__double__done_2__isnull=False)
        own = Q(seat=1, passage__double__seat_1__user=user) | Q(seat=2, passage__double__seat_2__user=user)
        return self.filter(Q(passage__project__in=seen_by(user)) & unless_blind(user) & (Q(seat=0) | both | own))

    def counting(self) -> "DecisionQuerySet":
        """Those the gold is made with."""
        return self.deciding(seat=0)

    def deciding(self, seat: int) -> "DecisionQuerySet":
        """Those that decide something: for all, or as one of two."""
        return self.filter(seat=seat).saying_something()

    def saying_something(self) -> "DecisionQuerySet":
        """Of a target a reason or a cause alone says something, too: that the guidelines have a gap, for one."""
        has_words = Q(start__isnull=False) & ~Q(reason="", cause="")
        return self.filter(Q(is_empty=False) | has_words)

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
    is_empty = models.BooleanField(default=True)  # its content decides nothing (any more)
    reason = models.TextField(blank=True, default="")
    cause = models.CharField(max_length=10, blank=True, default="")
    evidence = models.CharField(max_length=32, blank=True, default="")  # what was merged there; "" for nothing
    snapshot = models.JSONField(default=dict)
    by = models.ForeignKey(Membership, null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    act = models.UUIDField(null=True)  # of the newest step, whose number is the version
    # The number of a step that waits for somebody else to agree; all but `act` is what is decided without it.
    proposed = models.PositiveIntegerField(null=True)

    # Steps that came with a file: the chain of events begins after them.
    steps_imported = models.PositiveIntegerField(default=0)

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
        indexes = [
            models.Index(fields=["passage"], condition=Q(proposed__isnull=False), name="decision_proposed"),
        ]

    @property
    def event_project_id(self) -> int | None:
        return self.passage.project_id

    @property
    def span(self) -> tuple[int, int] | None:
        return None if self.start is None or self.end is None else (self.start, self.end)

    @property
    def says_something(self) -> bool:
        """As `saying_something` asks it of many."""
        return not self.is_empty or (self.start is not None and bool(self.reason or self.cause))


class DecisionStepQuerySet(models.QuerySet["DecisionStep"]):
    def visible_to(self, user: User) -> "DecisionStepQuerySet":
        return self.filter(decision__in=Decision.objects.visible_to(user))

    def of_act(self, act: Any) -> "DecisionStepQuerySet":
        return self.filter(act=act)

    def proposed(self) -> "DecisionStepQuerySet":
        """What waits for somebody else to agree."""
        return self.filter(decision__proposed__isnull=False, number=models.F("decision__proposed"))

    def other_than_settled(self) -> "DecisionStepQuerySet":
        """What says more than that a passage is settled as it stands."""
        return self.filter(Q(decision__start__isnull=False) | Q(content__verdict__in=["discard", "keep"]))


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

    @property
    def made(self) -> Made:
        return Made(self.number, self.act, self.undoes, self.is_proposal)


class DoubleQuerySet(models.QuerySet["Double"]):
    def of(self, project: Project) -> "DoubleQuerySet":
        return self.filter(passage__project=project)

    def visible_to(self, user: User) -> "DoubleQuerySet":
        return self.filter(Q(passage__project__in=seen_by(user)) & unless_blind(user))

    def being_settled(self) -> "DoubleQuerySet":
        """Not by both yet: what each decides is theirs alone."""
        return self.filter(Q(done_1=None) | Q(done_2=None))

    def settled_by_both(self) -> "DoubleQuerySet":
        return self.filter(done_1__isnull=False, done_2__isnull=False)

    def untouched(self) -> "DoubleQuerySet":
        """Nobody has begun on them: they can be let go without a trace."""
        return self.filter(seat_1=None, seat_2=None)


class Double(Subject):
    """A passage that two settle blind to each other. Whoever decides first takes a free seat; once both have settled
    it, everybody sees both, and it is united by deciding as of any other passage."""

    passage = models.OneToOneField(Passage, on_delete=models.PROTECT, related_name="double")
    seat_1 = models.ForeignKey(Membership, null=True, on_delete=models.PROTECT, related_name="+")
    seat_2 = models.ForeignKey(Membership, null=True, on_delete=models.PROTECT, related_name="+")
    done_1 = models.DateTimeField(null=True)
    done_2 = models.DateTimeField(null=True)
    drawn_at = models.DateTimeField(default=timezone.now)

    objects = DoubleQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(seat_1__isnull=True) | Q(seat_2__isnull=True) | ~Q(seat_1=models.F("seat_2")),
                name="double_by_two_people",
            ),
            models.CheckConstraint(
                condition=(Q(done_1__isnull=True) | Q(seat_1__isnull=False))
                & (Q(done_2__isnull=True) | Q(seat_2__isnull=False)),
                name="double_done_by_somebody",
            ),
        ]

    @property
    def event_project_id(self) -> int | None:
        return self.passage.project_id

    @property
    def is_done(self) -> bool:
        return self.done_1 is not None and self.done_2 is not None

    def holder(self, seat: int) -> Membership | None:
        return self.seat_1 if seat == 1 else self.seat_2

    def seat_of(self, membership: int) -> int | None:
        """Theirs, or a free one that they may take; None where two others hold both."""
        holders = {1: self.seat_1_id, 2: self.seat_2_id}
        own = next((seat for seat, holder in holders.items() if holder == membership), None)
        return own or next((seat for seat, holder in holders.items() if holder is None), None)

    def is_done_by(self, seat: int) -> bool:
        return getattr(self, f"done_{seat}") is not None


class CommentQuerySet(models.QuerySet["Comment"]):
    def visible_to(self, user: User) -> "CommentQuerySet":
        """While two settle a passage blind to each other, only one's own."""
        others = Q(passage__in=Double.objects.being_settled().values("passage")) & ~Q(by__user=user)
        return self.filter(Q(passage__project__in=seen_by(user)) & unless_blind(user) & ~others)

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
