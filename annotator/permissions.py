"""May this user, now? `check_can_x` raises. What one may not even know of is a 404 by `visible_to`."""

from django.db.models import Exists, OuterRef, QuerySet

from annotator.domain.errors import Conflict, NotAllowed
from annotator.domain.passages import LOOK_LIKE_WORK
from annotator.domain.states import ProjectState
from annotator.models import Assignment, Invitation, Job, Membership, Project, Question, Submission, User
from annotator.models.work import WORK_WAITS

HAS_ACCOUNT = "There is an account for this e-mail: sign in to accept."
NO_LONGER_BLIND = (
    "As lead or adjudicator you can see, or could, what others answered to this passage: "
    "a new answer would not be blind, so this one stays as it is."
)
INVITATION_OVER = "This invitation has been used, revoked or has run out."


def check_is_operator(user: User | None) -> None:
    """`None` is an operator at the shell."""
    if user is not None:
        raise NotAllowed("Only an operator may do that.")


def check_nobody_is_here() -> None:
    if User.objects.exists():
        raise NotAllowed("Somebody is here already: ask them for an invitation.")


def check_can_change_account(user: User | None, account: User) -> None:
    """Name, e-mail, password and sessions are the person's own. `None` is an operator at the shell."""
    if user is not None and user.pk != account.pk:
        raise NotAllowed("Only the person themself or an operator may do that.")


def check_can_have_token(user: User | None, account: User) -> None:
    """One's own alone, and for as long as the account is open. `None` is an operator at the shell."""
    check_can_change_account(user, account)
    if not account.is_active:
        raise NotAllowed("This account is closed: no token opens it.")


def check_can_have_sign_in_link(account: User) -> None:
    if not account.is_demo:
        raise NotAllowed("Only demo people sign in by link.")


def is_lead(user: User, project: Project) -> bool:
    return Membership.objects.of(user).leading().filter(project=project).exists()


def check_can_lead(user: User | None, project: Project) -> None:
    """`None` is an operator at the shell."""
    if user is not None and not is_lead(user, project):
        raise NotAllowed("Only a lead of this project may do that.")


def is_inviter_leading(invitation: Invitation) -> bool:
    """Who is disabled or does not lead any more lets nobody in. Read anew: the invitation may be an old copy."""
    leads = Membership.objects.leading().filter(project=invitation.project_id, user__is_active=True)
    return leads.filter(user=invitation.invited_by_id).exists()


def check_can_accept(user: User | None, invitation: Invitation) -> None:
    """`None` is somebody without an account."""
    if not is_inviter_leading(invitation):
        raise Conflict(INVITATION_OVER, code="invitation_over")
    if user is None and User.objects.filter(email=invitation.email).exists():
        raise NotAllowed(HAS_ACCOUNT)
    if user is not None and user.email != invitation.email:
        raise NotAllowed(f"This invitation is for {invitation.email}, and you are signed in as {user.email}.")


def check_can_make_password_link(user: User, account: User) -> None:
    """A lead of all the person's projects: they would come to no more than they lead. Not of somebody who may create
    projects, unless they may it, too."""
    if account.pk == user.pk:
        raise NotAllowed("Your own password is changed on the page Account.")
    if account.is_demo or not account.is_active:
        raise NotAllowed("No password opens this account.")
    if not helpable_by(user).filter(pk=account.pk).exists():
        raise NotAllowed("Only somebody who leads all projects of this person may do that, or an operator.")


def helpable_by(user: User) -> QuerySet[User]:
    """Whose forgotten passwords a lead can help with."""
    led = Membership.objects.of(user).leading().values("project")
    own = Membership.objects.active().filter(user=OuterRef("pk"))
    rows = User.objects.filter(Exists(own), ~Exists(own.exclude(project__in=led)), is_active=True, is_demo=False)
    return (
        rows.exclude(pk=user.pk)
        if user.can_create_projects
        else rows.exclude(pk=user.pk).filter(can_create_projects=False)
    )


def check_can_create_projects(user: User | None) -> None:
    if user is not None and (not user.can_create_projects or user.only_project_id is not None):
        raise NotAllowed("You may not create projects. An operator can allow it.")


def check_can_annotate(user: User, assignment: Assignment) -> None:
    """Only the person whose work it is, while they are an active annotator, and after a test that they were asked to
    take; needs `membership` and `passage` loaded."""
    membership = assignment.membership
    if membership.user_id != user.pk or membership.removed_at or not membership.is_annotator:
        raise NotAllowed("This is not your work.")
    if membership.qualification in WORK_WAITS and assignment.passage.kind in LOOK_LIKE_WORK:
        raise NotAllowed("First comes the test: your work opens when you pass.")


def can_answer_anew(assignment: Assignment) -> bool:
    """Whether a new answer would be a blind one: once somebody else's counts, not of a person who has been able to see
    it since they submitted. Of a control the same, or it could be told from work by that. Needs `membership` loaded;
    asks the database only about those who see all."""
    if not assignment.membership.has_seen_all or not assignment.submissions_made:
        return True
    others = Submission.objects.standing().of_others(assignment)
    return not others.filter(assignment__passage__kind__in=LOOK_LIKE_WORK).exists()


def check_can_answer_anew(assignment: Assignment) -> None:
    if not can_answer_anew(assignment):
        raise Conflict(NO_LONGER_BLIND, code="no_longer_blind")


def check_can_save(assignment: Assignment) -> None:
    """Whether work is taken just now: the project is open, and the person is not paused."""
    check_takes_work(assignment.passage.project)
    if assignment.membership.paused_at:
        message = "A lead has paused your work in this project: nothing can be saved now."
        raise Conflict(message, code="member_paused")


def check_can_ask_for_jobs(user: User | None, project: Project | None) -> None:
    """A project's jobs are its leads', those of the whole house the operator's."""
    if project is None:
        check_is_operator(user)
    else:
        check_can_lead(user, project)


def check_can_steer(user: User | None, job: Job) -> None:
    check_can_ask_for_jobs(user, job.project)


def check_can_import(user: User | None, project: Project | None) -> None:
    """Into a project its lead; a whole project the operator."""
    check_can_ask_for_jobs(user, project)


def check_can_answer(user: User, question: Question) -> None:
    """A lead, and not about a passage that they have still to answer themselves."""
    check_can_lead(user, question.assignment.passage.project)
    if not Question.objects.visible_to(user).filter(pk=question.pk).exists():
        raise NotAllowed("This is about a passage that you have still to annotate yourself.")


def check_can_read_guidelines(user: User, membership: Membership) -> None:
    """Nobody says for somebody else that they have read something."""
    if membership.user_id != user.pk or membership.removed_at or not membership.is_annotator:
        raise NotAllowed("Only an annotator of this project, for themself, may do that.")


def check_takes_work(project: Project) -> None:
    if not project.is_open:
        raise Conflict(f"This project is {project.state}: nothing can be saved now.", code=f"project_{project.state}")


def check_can_grow(project: Project) -> None:
    if project.state == ProjectState.ARCHIVED:
        raise Conflict("This project is archived: nothing can be added to it.", code="project_archived")
