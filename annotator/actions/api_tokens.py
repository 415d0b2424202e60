"""Tokens for programs: made and revoked by their owner, or by an operator at the shell."""

import secrets
from collections.abc import Collection
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from annotator.actions.accounts import _clean_name
from annotator.actions.log import write
from annotator.domain.api_tokens import MOST_TOKEN_DAYS, SCOPES, TOKEN_DAYS
from annotator.domain.errors import Conflict, Invalid
from annotator.domain.people import hash_of_token
from annotator.models import ApiToken, Membership, Project, User
from annotator.permissions import check_can_change_account, check_can_have_token

MOST_TOKENS = 50  # that open something, of one person
BEGINS = "assay_"  # so that people and programs that look for secrets know one
SHOWN = len(BEGINS) + 6  # characters, for its owner to know it by


@transaction.atomic
def make_token(
    user: User,
    *,
    by: User | None,
    name: str,
    scopes: Collection[str],
    project: Project | None = None,
    days: int = TOKEN_DAYS,
) -> tuple[ApiToken, str]:
    """The row and the token itself, which nobody can be shown again."""
    check_can_have_token(by, user)
    if not scopes or set(scopes) - set(SCOPES):
        raise Invalid.of("scopes", f"Choose at least one of {', '.join(SCOPES)}.", "scopes")
    if not 1 <= days <= MOST_TOKEN_DAYS:
        raise Invalid.of("days", f"A token is good for 1 to {MOST_TOKEN_DAYS} days.", "days")
    if project and not Membership.objects.of(user).filter(project=project).exists():
        raise Invalid.of("project", f"{user.email} is not in that project.", "project")
    if user.api_tokens.live().count() >= MOST_TOKENS:
        raise Conflict(f"There are {MOST_TOKENS} tokens already: revoke those that nothing uses.", code="too_many")
    token = BEGINS + secrets.token_urlsafe(32)
    row = ApiToken.objects.create(
        user=user,
        name=_clean_name(name),
        prefix=token[:SHOWN],
        sha256=hash_of_token(token),
        scopes=[scope for scope in SCOPES if scope in scopes],
        project=project,
        expires_at=timezone.now() + timedelta(days=days),
    )
    payload = {"token": row.pk, "scopes": row.scopes, "project": project.pk if project else None, "days": days}
    write(user, "user.token_made", by=by, payload=payload)
    return row, token


@transaction.atomic
def revoke_token(token: ApiToken, *, by: User | None) -> None:
    """At once: the next request with it is nobody's."""
    check_can_change_account(by, token.user)
    if not ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now()):
        raise Conflict("This token has been revoked already.", code="revoked_already")
    write(token.user, "user.token_revoked", by=by, payload={"token": token.pk})
