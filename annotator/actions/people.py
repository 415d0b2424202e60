"""People: accounts, memberships, invitations. Log-in itself is in actions/sessions.py."""

import hashlib
import secrets
from collections.abc import Collection
from datetime import timedelta

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils import timezone

from annotator.actions.assigning import _assign_everyone
from annotator.actions.log import locked, write
from annotator.domain.errors import Conflict, Invalid, NotAllowed, Problem
from annotator.domain.people import ROLES, pseudonym
from annotator.domain.text import collapse_spaces, is_blank, line_problems
from annotator.models import Invitation, LoginAttempt, Membership, Project, User
from annotator.permissions import check_can_lead

INVITATION_DAYS = 14
SIGN_IN_HOURS = 12
MAX_NAME_LENGTH = 100
MAX_EMAIL_LENGTH = 254


def hash_of_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _flags(roles: Collection[str]) -> dict[str, bool]:
    if not roles or set(roles) - set(ROLES):
        raise Invalid([Problem("roles", f"Choose at least one role of {', '.join(ROLES)}.", "roles")])
    return {f"is_{role}": role in roles for role in ROLES}


def clean_email(email: str) -> str:
    email = email.strip().lower()
    try:
        validate_email(email)
        if len(email) > MAX_EMAIL_LENGTH:
            raise ValidationError("too long")
    except ValidationError:
        raise Invalid([Problem("email", f"“{email}” is not an e-mail address.", "email")]) from None
    return email


@transaction.atomic
def create_user(
    *, by: User | None, email: str, name: str = "", can_create_projects: bool = False, is_demo: bool = False
) -> User:
    """An account without a password: a set-password link opens it."""
    email = clean_email(email)
    if User.objects.filter(email=email).exists():
        raise Conflict(f"There is an account for {email} already.", code="email_taken")
    name = collapse_spaces(name) or email.partition("@")[0][:MAX_NAME_LENGTH]
    if is_blank(name):
        raise Invalid([Problem("blank", "A name needs something to be seen.", "name")])
    if problems := line_problems(name, what="The name", path="name", most=MAX_NAME_LENGTH):
        raise Invalid(problems)
    user = User(
        email=email,
        name=name,
        can_create_projects=can_create_projects,
        is_demo=is_demo,
    )
    user.set_unusable_password()
    user.save()
    write(user, "user.created", by=by)
    return user


def user_for(email: str) -> tuple[User, bool]:
    """The account of this address, and whether it was made just now: for an operator who names a lead."""
    user = User.objects.filter(email=clean_email(email)).first()
    if user and not user.is_active:
        raise Conflict(f"{user.email} is disabled and cannot lead a project.", code="disabled")
    return (user, False) if user else (create_user(by=None, email=email), True)


@transaction.atomic
def allow_creating_projects(user: User, *, by: User | None) -> None:
    if by is not None:
        raise NotAllowed("Only an operator may do that.")
    write(user, "user.allowed_to_create_projects", by=by, changes={"can_create_projects": True})


@transaction.atomic
def set_password(user: User, *, by: User | None, password: str) -> None:
    """Ends every other session of the person: sessions are sealed with the password's hash."""
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise Invalid([Problem("password", message, "password") for message in error.messages]) from None
    user.set_password(password)
    write(user, "user.password_set", by=by, changes={"password": user.password})


@transaction.atomic
def disable_user(user: User, *, by: User | None) -> None:
    """Ends all sessions at once; the person's work stays."""
    if by is not None:
        raise NotAllowed("Only an operator may do that.")
    if not user.is_active:
        raise Conflict(f"{user.email} is disabled already.", code="disabled")
    write(user, "user.disabled", by=by, changes={"is_active": False, "sign_in_hash": ""})


@transaction.atomic
def erase_user(user: User, *, by: User | None) -> None:
    """Blanks who the person is, for good. Their work stays, under the pseudonym; no event names them."""
    if by is not None:
        raise NotAllowed("Only an operator may do that.")
    email, blank = user.email, f"erased-{user.uuid}@erased.invalid"
    if email == blank:
        raise Conflict("This person has been erased already.", code="erased")
    for membership in user.memberships.active().select_related("project").order_by("project_id"):
        try:
            remove_member(membership, by=by)
        except Conflict as refusal:
            raise Conflict(f"{membership.project.slug}: {refusal.message}", code=refusal.code) from None
    Invitation.objects.filter(email=email).update(email=blank)
    LoginAttempt.objects.filter(email=email).delete()
    user.set_unusable_password()
    changes = {
        "email": blank,
        "name": "Erased person",
        "password": user.password,
        "is_active": False,
        "is_demo": False,
        "can_create_projects": False,
        "sign_in_hash": "",
        "last_login": None,
    }
    write(user, "user.erased", by=by, changes=changes)


@transaction.atomic
def make_sign_in_link(user: User, *, by: User | None) -> str:
    """The token of a fresh link; only its hash is kept, and it replaces the one before."""
    if not user.is_demo:
        raise NotAllowed("Only demo people sign in by link.")
    token = secrets.token_urlsafe(16)
    changes = {
        "sign_in_hash": hash_of_token(token),
        "sign_in_expires_at": timezone.now() + timedelta(hours=SIGN_IN_HOURS),
    }
    write(user, "user.sign_in_link_made", by=by, changes=changes)
    return token


@transaction.atomic
def add_member(
    project: Project, *, user: User, by: User | None, roles: Collection[str], reserved: Collection[str] = ()
) -> Membership:
    """A new membership, or the old one again for somebody who was removed: their work is where they left it."""
    project = locked(project)
    flags = _flags(roles)
    membership = project.memberships.filter(user=user).first()
    if membership is None:
        is_tested = "annotator" in roles and project.passages.keyed_tests().exists()
        membership = Membership.objects.create(
            qualification="pending" if is_tested else "",
            project=project,
            user=user,
            pseudonym=_free_pseudonym(project, reserved),
            **flags,
        )
        write(membership, "member.joined", by=by, payload={"roles": sorted(roles)})
    elif membership.removed_at is None:
        raise Conflict(f"{user.name} is in this project already.", code="member_already")
    else:
        changes = {"removed_at": None, **flags}
        write(membership, "member.rejoined", by=by, payload={"roles": sorted(roles)}, changes=changes)
    if project.is_open:
        _assign_everyone(project, by=by)
    return membership


def _free_pseudonym(project: Project, reserved: Collection[str]) -> str:
    """Imported voices keep their file's names, which may look like ours."""
    # Counts every membership there ever was: none is deleted, so no pseudonym comes twice.
    ordinal = project.memberships.filter(user__isnull=False).count()
    taken = set(project.memberships.filter(user=None).values_list("pseudonym", flat=True))
    used = set(project.memberships.filter(user__isnull=False).values_list("pseudonym", flat=True))
    while (name := pseudonym(project.seed, ordinal)) in taken | used | set(reserved):
        ordinal += 1
    return name


@transaction.atomic
def change_roles(membership: Membership, *, by: User | None, roles: Collection[str]) -> None:
    check_can_lead(by, membership.project)
    flags = _flags(roles)
    project = locked(membership.project)
    membership = project.memberships.get(pk=membership.pk)
    if membership.is_voice:
        raise Conflict("A voice has no account and only annotates.", code="voice")
    if membership.removed_at:
        raise Conflict("This person has been removed.", code="removed_already")
    if "lead" not in roles:
        _check_another_lead(membership)
        _revoke_invitations_of(membership)
    becomes_annotator = "annotator" in roles and not membership.is_annotator and not membership.assignments.exists()
    changes: dict[str, bool | str] = {**flags}
    if becomes_annotator and project.passages.keyed_tests().exists():
        changes["qualification"] = "pending"
    payload = {"before": sorted(membership.roles), "after": sorted(roles)}
    write(membership, "member.roles_changed", by=by, payload=payload, changes=changes)
    if project.is_open:
        _assign_everyone(project, by=by)


@transaction.atomic
def remove_member(membership: Membership, *, by: User | None) -> None:
    """Ends access at once. What the person submitted stays and counts; drafts are kept."""
    check_can_lead(by, membership.project)
    membership = locked(membership.project).memberships.get(pk=membership.pk)
    if membership.removed_at:
        raise Conflict("This person has been removed already.", code="removed_already")
    if membership.is_voice:
        raise Conflict("A voice has no access to remove.", code="voice")
    _check_another_lead(membership)
    _revoke_invitations_of(membership)
    write(membership, "member.removed", by=by, changes={"removed_at": timezone.now()})


def _check_another_lead(membership: Membership) -> None:
    """The project is locked by then: two leads cannot remove each other at the same moment."""
    others = membership.project.memberships.active().filter(is_lead=True).exclude(pk=membership.pk)
    if membership.is_lead and not others.exists():
        raise Conflict("A project keeps at least one lead. Make somebody else lead first.", code="last_lead")


def _revoke_invitations_of(membership: Membership) -> None:
    """Who does not lead any more must not come back in by a friend's invitation."""
    pending = membership.project.invitations.pending()
    pending.filter(invited_by=membership.user).update(revoked_at=timezone.now())


@transaction.atomic
def invite(project: Project, *, by: User, email: str, roles: Collection[str]) -> tuple[Invitation, str]:
    """The invitation and the token of its link, which is shown once: only the hash is kept."""
    check_can_lead(by, project)
    email, flags = clean_email(email), _flags(roles)
    if project.memberships.active().filter(user__email=email).exists():
        raise Conflict(f"{email} is in this project already.", code="member_already")
    project = locked(project)
    project.invitations.pending().filter(email=email).update(revoked_at=timezone.now())
    token = secrets.token_urlsafe(16)
    invitation = Invitation.objects.create(
        project=project,
        email=email,
        token_hash=hash_of_token(token),
        invited_by=by,
        expires_at=timezone.now() + timedelta(days=INVITATION_DAYS),
        **flags,
    )
    write(project, "invitation.made", by=by, payload={"invitation": invitation.pk, "roles": sorted(roles)})
    return invitation, token


@transaction.atomic
def revoke_invitation(invitation: Invitation, *, by: User) -> None:
    check_can_lead(by, invitation.project)
    project = locked(invitation.project)
    if not Invitation.objects.pending().filter(pk=invitation.pk).update(revoked_at=timezone.now()):
        raise Conflict("This invitation has been used, revoked or has run out.", code="invitation_over")
    write(project, "invitation.revoked", by=by, payload={"invitation": invitation.pk})


@transaction.atomic
def accept_invitation(
    invitation: Invitation, *, by: User | None, name: str = "", password: str = ""
) -> tuple[Membership, User]:
    """`by` is the signed-in owner of the e-mail; None makes the account the invitation was bound to."""
    locked(invitation.project)
    if not Invitation.objects.pending().filter(pk=invitation.pk).update(accepted_at=timezone.now()):
        raise Conflict("This invitation has been used, revoked or has run out.", code="invitation_over")
    if by is None:
        if User.objects.filter(email=invitation.email).exists():
            raise NotAllowed("There is an account for this e-mail: sign in to accept.")
        user = create_user(by=None, email=invitation.email, name=name)
        set_password(user, by=user, password=password)
    elif by.email != invitation.email:
        raise NotAllowed(f"This invitation is for {invitation.email}, and you are signed in as {by.email}.")
    else:
        user = by
    return add_member(invitation.project, user=user, by=user, roles=invitation.roles), user
