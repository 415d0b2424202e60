"""Who there is, what they may do in which project, and how they came in."""

import uuid

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.contrib.sessions.models import Session
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone

from annotator.domain.lengths import MAX_EMAIL_LENGTH, MAX_NAME_LENGTH
from annotator.domain.passages import PassageKind
from annotator.domain.people import MemberState
from annotator.domain.qualification import Qualification
from annotator.domain.states import ProjectState
from annotator.models.arrivals import Arrival, ArrivedManager, ArrivingQuerySet
from annotator.models.events import Subject


class UserManager(BaseUserManager["User"]):
    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email=(username or "").strip().lower())


class User(AbstractBaseUser, Subject):
    """A person who can sign in. No global power but `can_create_projects`; roles are on memberships."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    email = models.EmailField(unique=True)
    name = models.CharField(max_length=MAX_NAME_LENGTH)
    can_create_projects = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    # Demo people sign in by link, on loopback only; the link itself is not kept.
    is_demo = models.BooleanField(default=False)
    sign_in_hash = models.CharField(max_length=64, blank=True, default="")
    sign_in_expires_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=timezone.now)

    # Of somebody who comes by a token of one project: they are in no other then.
    only_project_id: int | None = None

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS = ["name"]
    objects = UserManager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(email=Lower("email")), name="user_email_is_lower_case"),
            models.CheckConstraint(condition=~Q(name=""), name="user_has_a_name"),
        ]

    @property
    def event_project_id(self) -> int | None:
        return None

    @property
    def initials(self) -> str:
        words = self.name.split()
        return "".join(word[0] for word in words[:1] + words[1:][-1:]).upper()


HAS_A_ROLE = Q(is_annotator=True) | Q(is_adjudicator=True) | Q(is_lead=True) | Q(is_submitter=True)


class MembershipQuerySet(ArrivingQuerySet["Membership"]):
    def active(self) -> "MembershipQuerySet":
        return self.filter(removed_at=None)

    def of(self, user: User) -> "MembershipQuerySet":
        own = self.active().filter(user=user)
        return own if user.only_project_id is None else own.filter(project=user.only_project_id)

    def annotating(self) -> "MembershipQuerySet":
        """Active annotators; voices have nothing to do any more."""
        return self.active().filter(is_annotator=True, user__isnull=False)

    def given_work(self) -> "MembershipQuerySet":
        return self.annotating().filter(paused_at=None)

    def leading(self) -> "MembershipQuerySet":
        return self.active().filter(is_lead=True)

    def seeing_all(self) -> "MembershipQuerySet":
        """Who sees everybody's work."""
        return self.active().filter(Q(is_lead=True) | Q(is_adjudicator=True))

    def bringing_systems(self) -> "MembershipQuerySet":
        return self.active().filter(Q(is_lead=True) | Q(is_submitter=True))

    def seeing_scores(self) -> "MembershipQuerySet":
        return self.seeing_all() | self.bringing_systems()

    def in_state(self, state: MemberState) -> "MembershipQuerySet":
        """As `Membership.state` has it."""
        states, tests = MemberState, Qualification
        there = self.active()
        if state == states.REMOVED:
            return self.exclude(removed_at=None)
        if state == states.PAUSED:
            return there.exclude(paused_at=None)
        going = there.filter(paused_at=None)
        tested = {states.TESTING: tests.PENDING, states.FAILED: tests.FAILED}
        if state in tested:
            return going.filter(is_annotator=True, qualification=tested[state])
        return going.exclude(is_annotator=True, qualification__in=tested.values())

    def known_by(self, text: str) -> "MembershipQuerySet":
        """Part of a name, an e-mail or a pseudonym."""
        names = Q(user__name__icontains=text) | Q(user__email__icontains=text)
        return self.filter(names | Q(pseudonym__icontains=text))

    def narrowed(self, *, state: str = "", role: str = "", q: str = "") -> "MembershipQuerySet":
        """As a list of people is: where no state is named, to all who are in."""
        rows = self.in_state(MemberState(state)) if state else self.active()
        rows = rows.filter(**{f"is_{role}": True}) if role else rows
        return rows.known_by(q) if q else rows

    def visible_to(self, user: User) -> "MembershipQuerySet":
        led = Membership.objects.of(user).leading().values("project")
        return self.filter(Q(user=user, removed_at=None) | Q(project__in=led))


KINDS_GIVEN: dict[Qualification, tuple[PassageKind, ...]] = {
    Qualification.NONE: (PassageKind.PRACTICE, PassageKind.WORK, PassageKind.CONTROL),
    Qualification.PASSED: (PassageKind.PRACTICE, PassageKind.WORK, PassageKind.CONTROL),
    Qualification.PENDING: (PassageKind.PRACTICE, PassageKind.TEST),
    Qualification.FAILED: (),
}


class Membership(Subject):
    """A person in a project; several roles are several flags. A voice (imported answers) has no user."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey("annotator.Project", on_delete=models.PROTECT, related_name="memberships")
    user = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="memberships")
    pseudonym = models.CharField(max_length=MAX_NAME_LENGTH)
    is_annotator = models.BooleanField(default=False)
    is_adjudicator = models.BooleanField(default=False)
    is_lead = models.BooleanField(default=False)
    is_submitter = models.BooleanField(default=False)
    # Was lead or adjudicator once, if only for a moment; never taken back.
    has_seen_all = models.BooleanField(default=False)
    most_passages = models.PositiveIntegerField(null=True, blank=True)  # of work that they are to be given
    qualification = models.CharField(max_length=10, blank=True, default=Qualification.NONE)
    qualification_result = models.JSONField(null=True, blank=True)
    tests_from = models.PositiveIntegerField(default=1)  # own number: test passages before it were an earlier try
    guidelines_read = models.PositiveIntegerField(default=0)  # the version last seen
    joined_at = models.DateTimeField(default=timezone.now)
    removed_at = models.DateTimeField(null=True, blank=True)
    paused_at = models.DateTimeField(null=True, blank=True)
    arrival = models.ForeignKey(Arrival, null=True, blank=True, on_delete=models.PROTECT, related_name="+")

    objects = ArrivedManager.from_queryset(MembershipQuerySet)()
    all_rows = MembershipQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "user"], name="member_once_per_project"),
            models.UniqueConstraint(fields=["project", "pseudonym"], name="pseudonym_once_per_project"),
            models.CheckConstraint(condition=HAS_A_ROLE, name="member_has_a_role"),
            models.CheckConstraint(condition=Q(user__isnull=False) | Q(is_lead=False), name="voice_leads_nothing"),
            models.CheckConstraint(
                condition=Q(has_seen_all=True) | Q(is_adjudicator=False, is_lead=False), name="seeing_all_is_remembered"
            ),
            models.CheckConstraint(condition=Q(qualification__in=list(Qualification)), name="qualification_is_known"),
        ]

    @property
    def event_project_id(self) -> int | None:
        return self.project_id

    @property
    def kinds_given(self) -> tuple[PassageKind, ...]:
        """The kinds of passages this person is to be given now, in this order: practice counts for nothing, work opens
        after a pass."""
        return KINDS_GIVEN[Qualification(self.qualification)]

    @property
    def state(self) -> MemberState:
        if self.removed_at:
            return MemberState.REMOVED
        if self.paused_at:
            return MemberState.PAUSED
        tests = {Qualification.PENDING: MemberState.TESTING, Qualification.FAILED: MemberState.FAILED}
        return (
            tests.get(Qualification(self.qualification), MemberState.WORKING)
            if self.is_annotator
            else MemberState.WORKING
        )

    @property
    def awaits_opening(self) -> bool:
        """Of a draft, who only annotates sees the name, and nothing else."""
        return self.project.state == ProjectState.DRAFT and not (self.is_lead or self.is_adjudicator)

    @property
    def is_voice(self) -> bool:
        return self.user_id is None

    @property
    def roles(self) -> list[str]:
        return roles_held(self)


def roles_held(row: "Membership | Invitation") -> list[str]:
    return [role for role in ("lead", "adjudicator", "annotator", "submitter") if getattr(row, f"is_{role}")]


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def unanswered(self) -> "InvitationQuerySet":
        """Neither used nor revoked; it may have run out."""
        return self.filter(accepted_at=None, revoked_at=None)

    def pending(self) -> "InvitationQuerySet":
        return self.unanswered().filter(expires_at__gt=timezone.now())


class Invitation(models.Model):
    """One use, one e-mail, one project, fixed roles; only the hash of the link's token is kept."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey("annotator.Project", on_delete=models.PROTECT, related_name="invitations")
    email = models.EmailField()
    is_annotator = models.BooleanField(default=False)
    is_adjudicator = models.BooleanField(default=False)
    is_lead = models.BooleanField(default=False)
    is_submitter = models.BooleanField(default=False)
    token_hash = models.CharField(max_length=64, unique=True)
    invited_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    # By a job: nobody but the person invited then sees the link.
    goes_by_email = models.BooleanField(default=False)
    emailed_at = models.DateTimeField(null=True, blank=True)
    mail_refusal = models.PositiveSmallIntegerField(null=True, blank=True)  # the code of a server that did not take it

    objects = InvitationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=HAS_A_ROLE, name="invitation_has_a_role"),
        ]

    @property
    def roles(self) -> list[str]:
        return roles_held(self)

    @property
    def has_run_out(self) -> bool:
        return self.expires_at <= timezone.now()


class SignInQuerySet(models.QuerySet["SignIn"]):
    def live(self) -> "SignInQuerySet":
        """Whose session is still there, and has not run out."""
        sessions = Session.objects.filter(expire_date__gt=timezone.now())
        return self.filter(session_key__in=sessions.values("session_key"))


class SignIn(models.Model):
    """A session of somebody, for them to see and to end; what is in it stays where Django keeps it."""

    session_key = models.CharField(max_length=40, unique=True)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="sign_ins")
    browser = models.CharField(max_length=100, blank=True, default="")  # as it names itself, in short
    began_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(default=timezone.now)  # to the hour: with the renewal of the session

    objects = SignInQuerySet.as_manager()


class LoginAttempt(models.Model):
    """Kept for fifteen minutes, to slow down guessing; shared by all web processes through the database."""

    email = models.CharField(max_length=MAX_EMAIL_LENGTH)
    address = models.CharField(max_length=64)
    at = models.DateTimeField()
    succeeded = models.BooleanField(default=False)

    class Meta:
        indexes = [models.Index(fields=["address", "at"], name="login_attempt_by_address")]
