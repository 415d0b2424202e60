"""What one annotator is given and what they say: drafts on the assignment, submissions for ever."""

import uuid
from typing import Any

from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.expressions import RawSQL
from django.utils import timezone

from annotator.domain.answers import EMPTY_ANSWER
from annotator.domain.passages import LOOK_LIKE_WORK, PassageKind, kind_shown
from annotator.domain.qualification import Qualification
from annotator.domain.screening import Screening
from annotator.domain.states import DISCARD_REASONS, EDITABLE, AssignmentState
from annotator.models.arrivals import Arrival, ArrivedManager, ArrivingQuerySet
from annotator.models.events import Subject
from annotator.models.people import Membership, User
from annotator.models.projects import Passage

WORK_WAITS = (Qualification.PENDING, Qualification.FAILED)


def empty_answer() -> dict[str, object]:
    return dict(EMPTY_ANSWER)


def unless_blind(user: User, *, passage: str = "passage") -> Any:
    """Blindness, in one place: whoever has been given a passage and has not submitted it sees nothing of what others
    did to it, whatever roles they hold. Every `visible_to` over others' work asks this of its own way to a passage."""
    return ~Exists(Assignment.objects.own_open(user).filter(passage=OuterRef(passage)))


class AssignmentQuerySet(ArrivingQuerySet["Assignment"]):
    def own(self, user: User | int) -> "AssignmentQuerySet":
        """The person's own work, while they are an annotator of the project; work that was given to them before they
        were asked to be tested waits for the pass."""
        # Written as a join, not with MembershipQuerySet.of: this stands on the save path.
        own = self.filter(membership__user=user, membership__removed_at=None, membership__is_annotator=True)
        if (only := getattr(user, "only_project_id", None)) is not None:
            own = own.filter(passage__project=only)
        return own.exclude(membership__qualification__in=WORK_WAITS, passage__kind__in=LOOK_LIKE_WORK)

    def visible_to(self, user: User) -> "AssignmentQuerySet":
        """One's own work; for adjudicators and leads also others'."""
        seeing = Membership.objects.of(user).seeing_all().values("project")
        own = Q(pk__in=Assignment.objects.own(user).values("pk"))
        return self.filter(own | (Q(passage__project__in=seeing) & unless_blind(user)))

    def own_open(self, user: User) -> "AssignmentQuerySet":
        """What somebody has been given and has not submitted, whatever flags they hold just now: giving up a role for a
        moment must not open one's eyes. A discard can be undone, so neither does that; a withdrawn passage never comes
        back."""
        done = [AssignmentState.SUBMITTED, AssignmentState.WITHDRAWN]
        return self.filter(membership__user=user).exclude(state__in=done)

    def still_open(self) -> "AssignmentQuerySet":
        """Whose project is open and whose person is an active annotator, asked in the same statement that writes.

        Plain SQL, because the ORM takes longer to write this condition than both engines take to answer it.
        """
        condition = (
            "EXISTS (SELECT 1 FROM annotator_membership m JOIN annotator_project p ON p.id = m.project_id "
            "WHERE m.id = annotator_assignment.membership_id AND m.removed_at IS NULL AND m.paused_at IS NULL "
            "AND m.is_annotator AND p.state = 'open')"
        )
        return self.filter(RawSQL(condition, [], output_field=models.BooleanField()))  # noqa: S611 (fixed text)

    def in_order(self) -> "AssignmentQuerySet":
        return self.order_by("number")

    def that_count(self) -> "AssignmentQuerySet":
        """What merge, agreement and export are made of: repeats, and test, practice and control passages and archived
        ones never are."""
        return self.filter(is_repeat=False, passage__in=Passage.objects.work())

    def with_answers(self) -> "AssignmentQuerySet":
        """Whose answer counts where the passage does: `SubmissionQuerySet.counting` asks for both."""
        counting = [AssignmentState.SUBMITTED, AssignmentState.STARTED]
        return self.filter(is_repeat=False, state__in=counting, submissions_made__gte=1)

    def heard(self) -> "AssignmentQuerySet":
        """With an answer, or a discard, that counts where the passage does."""
        return self.with_answers() | self.filter(is_repeat=False, state=AssignmentState.DISCARDED)

    def like_work(self) -> "AssignmentQuerySet":
        """What an annotator takes for work of their own: controls and repeats are among it."""
        return self.filter(passage__kind__in=LOOK_LIKE_WORK)

    def in_use(self) -> "AssignmentQuerySet":
        """Work on a passage that was archived, or refused at screening, is in no list of its annotator any more."""
        return self.filter(passage__archived_at=None).exclude(passage__screening=Screening.REFUSED)

    def discarded(self) -> "AssignmentQuerySet":
        """Work passages that somebody set aside."""
        return self.that_count().filter(state=AssignmentState.DISCARDED)

    def to_do(self) -> "AssignmentQuerySet":
        return self.filter(state__in=EDITABLE)

    def awaited(self) -> "AssignmentQuerySet":
        """What somebody who is still there has to submit."""
        return self.to_do().filter(is_repeat=False, membership__in=Membership.objects.annotating())


class Assignment(Subject):
    """One passage given to one annotator in one round; the draft answer lives here."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    membership = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="assignments")
    passage = models.ForeignKey(Passage, on_delete=models.PROTECT, related_name="assignments")
    round = models.PositiveSmallIntegerField(default=1)
    # The same passage again, to see how far somebody agrees with themself; it counts nowhere else.
    is_repeat = models.BooleanField(default=False)
    # The person's own running number: addresses made of it give away nothing about anybody else.
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=10, default=AssignmentState.ASSIGNED)
    draft = models.JSONField(default=empty_answer)
    last_save_id = models.UUIDField(null=True, blank=True)
    last_act = models.CharField(max_length=12, blank=True, default="")  # what the last save id was for
    submissions_made = models.PositiveIntegerField(default=0)
    marks = models.PositiveIntegerField(default=0)
    substitutes = models.PositiveIntegerField(default=0)
    substitutes_by_type = models.JSONField(default=dict)
    active_ms = models.PositiveBigIntegerField(default=0)
    discard_reason = models.CharField(max_length=20, blank=True, default="")
    discard_remark = models.TextField(blank=True, default="")
    assigned_at = models.DateTimeField(default=timezone.now)
    changed_at = models.DateTimeField(default=timezone.now)
    arrival = models.ForeignKey(Arrival, null=True, blank=True, on_delete=models.PROTECT, related_name="+")

    objects = ArrivedManager.from_queryset(AssignmentQuerySet)()
    all_rows = AssignmentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["membership", "passage", "round", "is_repeat"], name="assigned_once_per_round"
            ),
            models.UniqueConstraint(fields=["membership", "number"], name="own_number_once"),
            models.CheckConstraint(condition=Q(state__in=list(AssignmentState)), name="assignment_state_is_known"),
            models.CheckConstraint(
                condition=Q(state="discarded", discard_reason__in=list(DISCARD_REASONS))
                | (~Q(state="discarded") & Q(discard_reason="")),
                name="discarded_means_a_reason",
            ),
            models.CheckConstraint(
                condition=~Q(state="submitted") | Q(submissions_made__gte=1), name="submitted_means_a_submission"
            ),
            models.CheckConstraint(condition=Q(number__gte=1) & Q(round__gte=1), name="numbers_start_at_one"),
        ]
        indexes = [
            models.Index(fields=["membership", "state", "number"], name="own_work_by_state"),
            # All that is asked to count the answers of every passage: no row is read for it.
            models.Index(
                fields=["passage", "state", "is_repeat", "submissions_made", "arrival"], name="answers_by_passage"
            ),
            # How long submitted passages took. Saves do not touch it: it has only what is submitted, and the state all
            # the same, or SQLite would read the rows.
            models.Index(
                fields=["membership", "state", "active_ms"], name="time_of_submitted", condition=Q(state="submitted")
            ),
        ]

    @property
    def event_project_id(self) -> int | None:
        return self.passage.project_id

    @property
    def is_editable(self) -> bool:
        return self.state in EDITABLE

    @property
    def kind_shown(self) -> str:
        return kind_shown(self.passage.kind)

    @property
    def can_come_back(self) -> bool:
        """By reopening, or by undoing a discard; a test passage stays as it was submitted, and one that is in use no
        more stays as it is."""
        if not self.passage.is_in_use:
            return False
        is_test = self.passage.kind == PassageKind.TEST
        return self.state == AssignmentState.DISCARDED or (self.state == AssignmentState.SUBMITTED and not is_test)

    @property
    def discard_reason_label(self) -> str:
        return DISCARD_REASONS.get(self.discard_reason, "")


class SubmissionQuerySet(models.QuerySet["Submission"]):
    def counting(self) -> "SubmissionQuerySet":
        """What merge, agreement and export read: the newest of each assignment, while it counts. A reopened one counts
        until the next submit or discard; repeats, test, practice and control passages and archived ones never do."""
        return self.standing().filter(assignment__passage__in=Passage.objects.work())

    def standing(self) -> "SubmissionQuerySet":
        """The newest of each assignment that was neither discarded nor withdrawn since, of whatever kind of passage;
        none of repeats."""
        return self.arrived().filter(
            number=F("assignment__submissions_made"),
            assignment__is_repeat=False,
            assignment__state__in=[AssignmentState.SUBMITTED, AssignmentState.STARTED],
        )

    def of_others(self, assignment: Assignment) -> "SubmissionQuerySet":
        """What others, imported voices too, handed in for the same passage."""
        same = self.filter(assignment__passage=assignment.passage_id)
        return same.exclude(assignment__membership=assignment.membership_id)

    def arrived(self) -> "SubmissionQuerySet":
        """For whoever does not come by way of the assignment, which hides what is on its way by itself."""
        return self.exclude(assignment__arrival__in=Arrival.objects.not_done())

    def visible_to(self, user: User) -> "SubmissionQuerySet":
        return self.filter(assignment__in=Assignment.objects.visible_to(user))


class Submission(models.Model):
    """An answer as it was handed in. Never changed, never deleted: database triggers see to it (guards.py)."""

    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="submissions")
    number = models.PositiveIntegerField()
    answer = models.JSONField()
    sha256 = models.CharField(max_length=64)
    at = models.DateTimeField(default=timezone.now)

    objects = SubmissionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "number"], name="submission_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="submission_numbers_start_at_one"),
        ]
        # What came when, for the first time.
        indexes = [models.Index(fields=["at", "assignment"], name="first_submissions", condition=Q(number=1))]
