"""Coming into a project by a link that a lead has made for one e-mail."""

import secrets
from collections.abc import Collection
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from annotator.actions.accounts import _create_user, _set_password, clean_email
from annotator.actions.log import locked, write
from annotator.actions.people import _add_member, _flags
from annotator.domain.errors import Conflict, NotAllowed
from annotator.domain.people import hash_of_token
from annotator.models import Invitation, Membership, Project, User
from annotator.permissions import HAS_ACCOUNT, INVITATION_OVER, check_can_accept, check_can_lead

INVITATION_DAYS = 14


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
