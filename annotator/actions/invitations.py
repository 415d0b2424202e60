"""Coming into a project by a link that a lead has had made for one e-mail."""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from annotator.actions.accounts import _create_user, _set_password, clean_email
from annotator.actions.jobs import _enqueue
from annotator.actions.log import locked, write
from annotator.actions.people import _add_member, _flags
from annotator.domain.errors import Conflict, Invalid, NotAllowed, Problem
from annotator.domain.people import hash_of_token
from annotator.mail import has_mail
from annotator.models import Invitation, Job, Membership, Project, User
from annotator.permissions import HAS_ACCOUNT, INVITATION_OVER, check_can_accept, check_can_lead

INVITATION_DAYS = 14
MOST_INVITED = 200  # at once
SEND_INVITATIONS = "send_invitations"


@dataclass(frozen=True)
class Invited:
    """Who was invited, each with the token of their link, which is shown once: only its hash is kept. Where they go by
    e-mail there are none: the job that sends them makes them. `left_out`: what was wrong with the others."""

    made: list[tuple[Invitation, str]]
    left_out: list[Problem]
    job: Job | None = None


@transaction.atomic
def invite(project: Project, *, by: User, email: str, roles: Collection[str]) -> tuple[Invitation, str]:
    """The invitation and the token of its link."""
    check_can_lead(by, project)
    email = clean_email(email)
    if project.memberships.active().filter(user__email=email).exists():
        raise Conflict(f"{email} is in this project already.", code="member_already")
    project = locked(project)
    [(invitation, token)] = _invite(project, by=by, emails=[email], roles=roles)
    write(project, "invitation.made", by=by, payload={"invitation": invitation.pk, "roles": sorted(roles)})
    return invitation, token


@transaction.atomic
def invite_many(
    project: Project,
    *,
    by: User,
    emails: Sequence[str],
    roles: Collection[str],
    by_email: bool = False,
    leaves_out: bool = False,
) -> Invited:
    """All of them or, with a problem for each that will not do, none; `leaves_out`: all others then."""
    check_can_lead(by, project)
    _check_email_goes_out(by_email)
    good, problems = _sorted_out(project, emails)
    if problems and not (leaves_out and good):
        raise Invalid(problems)
    project = locked(project)
    made = _invite(project, by=by, emails=good, roles=roles, by_email=by_email)
    pks = [invitation.pk for invitation, _ in made]
    write(project, "invitations.made", by=by, payload={"invitations": pks, "links": len(pks), "roles": sorted(roles)})
    if not by_email:
        return Invited(made, problems)
    job = _enqueue(SEND_INVITATIONS, by=by, project=project, params={"invitations": pks})
    return Invited([(invitation, "") for invitation, _ in made], problems, job)


def _sorted_out(project: Project, emails: Sequence[str]) -> tuple[list[str], list[Problem]]:
    """Each address once, as it is kept, and what is wrong with the others."""
    if not emails:
        return [], [Problem("required", "Give at least one e-mail address.", "emails")]
    if len(emails) > MOST_INVITED:
        message = f"These are {len(emails):,} addresses: {MOST_INVITED} are the most at once."
        return [], [Problem("too_many", message, "emails")]
    good, problems = list[str](), list[Problem]()
    members = project.memberships.active().filter(user__isnull=False)
    there = set(members.values_list("user__email", flat=True))
    for given in emails:
        try:
            email = clean_email(given)
            if email in there:
                raise Invalid.of("member_already", f"{email} is in this project already.", "emails")
            good.append(email)
        except Invalid as refusal:
            problems += refusal.problems
    return list(dict.fromkeys(good)), list(dict.fromkeys(problems))


def _invite(
    project: Project, *, by: User, emails: Sequence[str], roles: Collection[str], by_email: bool = False
) -> list[tuple[Invitation, str]]:
    """The project is locked. Whoever was invited already has a new link, and the old one is over."""
    flags, now = _flags(roles), timezone.now()
    project.invitations.unanswered().filter(email__in=emails).update(revoked_at=now)
    tokens = [secrets.token_urlsafe(16) for _ in emails]
    rows = [
        Invitation(
            project=project,
            email=email,
            token_hash=hash_of_token(token),
            invited_by=by,
            expires_at=now + timedelta(days=INVITATION_DAYS),
            goes_by_email=by_email,
            **flags,
        )
        for email, token in zip(emails, tokens, strict=True)
    ]
    return list(zip(Invitation.objects.bulk_create(rows), tokens, strict=True))


@transaction.atomic
def renew_invitation(invitation: Invitation, *, by: User, by_email: bool = False) -> tuple[Invitation, str]:
    """A new link, good for as long as the first was; the old one is over. One that ran out can be renewed, too."""
    check_can_lead(by, invitation.project)
    _check_email_goes_out(by_email)
    project = locked(invitation.project)
    found = project.invitations.unanswered().filter(pk=invitation.pk).first()
    if found is None:
        raise Conflict(INVITATION_OVER, code="invitation_over")
    if project.memberships.active().filter(user__email=found.email).exists():
        raise Conflict(f"{found.email} is in this project already.", code="member_already")
    token = _renew(found, by=by, by_email=by_email)
    write(project, "invitation.renewed", by=by, payload={"invitation": found.pk})
    if by_email:
        _enqueue(SEND_INVITATIONS, by=by, project=project, params={"invitations": [found.pk]})
    return found, "" if by_email else token


def _renew(invitation: Invitation, *, by: User, by_email: bool) -> str:
    """From now on it is this lead's, and counts for as long as they lead."""
    token = secrets.token_urlsafe(16)
    Invitation.objects.filter(pk=invitation.pk).update(
        token_hash=hash_of_token(token),
        invited_by=by,
        expires_at=timezone.now() + timedelta(days=INVITATION_DAYS),
        goes_by_email=by_email,
        emailed_at=None,
        mail_refusal=None,
    )
    invitation.refresh_from_db()
    return token


def _check_email_goes_out(by_email: bool) -> None:
    if by_email and not has_mail():
        raise Conflict("Assay sends no e-mail here: pass the links on yourself.", code="no_mail")


@transaction.atomic
def revoke_invitation(invitation: Invitation, *, by: User) -> None:
    check_can_lead(by, invitation.project)
    project = locked(invitation.project)
    if not Invitation.objects.unanswered().filter(pk=invitation.pk).update(revoked_at=timezone.now()):
        raise Conflict(INVITATION_OVER, code="invitation_over")
    write(project, "invitation.revoked", by=by, payload={"invitation": invitation.pk})


@transaction.atomic
def accept_invitation(
    invitation: Invitation, *, by: User | None, name: str = "", password: str = ""
) -> tuple[Membership, User]:
    """`by` is the signed-in owner of the e-mail; None makes the account the invitation was bound to."""
    locked(invitation.project)
    if not Invitation.objects.pending().filter(pk=invitation.pk).update(accepted_at=timezone.now()):
        raise Conflict(INVITATION_OVER, code="invitation_over")
    check_can_accept(by, invitation)
    user = by or _new_account(invitation, name=name, password=password)
    return _add_member(invitation.project, user=user, by=user, roles=invitation.roles), user


def _new_account(invitation: Invitation, *, name: str, password: str) -> User:
    try:
        user = _create_user(by=None, email=invitation.email, name=name)
    except Conflict:  # they have accepted another project's invitation at the same moment
        raise NotAllowed(HAS_ACCOUNT) from None
    _set_password(user, by=user, password=password)
    return user
