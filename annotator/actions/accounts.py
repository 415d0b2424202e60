"""Accounts, from the first day to the last, and signing in. Attempts are counted in the database, so that the limits
hold across processes and restarts."""

import math
import secrets
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib.auth import authenticate
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotator.actions.log import write
from annotator.actions.people import remove_member
from annotator.actions.sign_ins import _end_sign_ins
from annotator.authentication import Browser
from annotator.domain.errors import Conflict, Invalid, NotAllowed, Problem, Throttled
from annotator.domain.lengths import MAX_EMAIL_LENGTH, MAX_NAME_LENGTH
from annotator.domain.people import hash_of_token, network_of
from annotator.domain.text import collapse_spaces, is_blank, line_problems
from annotator.models import IdempotencyKey, Invitation, LoginAttempt, User
from annotator.permissions import (
    check_can_change_account,
    check_can_have_sign_in_link,
    check_is_operator,
    check_nobody_is_here,
)

SIGN_IN_HOURS = 12

WINDOW = timedelta(minutes=15)
MOST_PER_EMAIL_AND_ADDRESS = 10
MOST_PER_ADDRESS = 50
# Of one e-mail from anywhere; then one at a time, with a pause that grows by two seconds with every failure.
MOST_PER_EMAIL = 30
PAUSE, LONGEST_PAUSE = 30, 90  # seconds
KNOWN = "browser "  # before the name of a known browser, where an attempt otherwise has its address


# --- the account ------------------------------------------------------------------------------------------------------


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
    check_is_operator(by)
    return _create_user(by=by, email=email, name=name, can_create_projects=can_create_projects, is_demo=is_demo)


def _create_user(
    *, by: User | None, email: str, name: str, can_create_projects: bool = False, is_demo: bool = False, **given: Any
) -> User:
    email = clean_email(email)
    taken = Conflict(f"There is an account for {email} already.", code="email_taken")
    if User.objects.filter(email=email).exists():
        raise taken
    name = _clean_name(collapse_spaces(name) or email.partition("@")[0][:MAX_NAME_LENGTH])
    user = User(email=email, name=name, can_create_projects=can_create_projects, is_demo=is_demo, **given)
    user.set_unusable_password()
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError:
        raise taken from None  # at the same moment, somewhere else
    write(user, "user.created", by=by)
    return user


def _clean_name(name: str) -> str:
    name = collapse_spaces(name)
    if is_blank(name):
        raise Invalid([Problem("blank", "A name needs something to be seen.", "name")])
    if problems := line_problems(name, what="The name", path="name", most=MAX_NAME_LENGTH):
        raise Invalid(problems)
    return name


@transaction.atomic
def change_name(user: User, *, by: User | None, name: str) -> None:
    """What leads and, where the project says so, adjudicators see; pseudonyms stay."""
    check_can_change_account(by, user)
    write(user, "user.renamed", by=by, changes={"name": _clean_name(name)})


@transaction.atomic
def change_email(user: User, *, by: User | None, email: str) -> None:
    """By it the person signs in, and is invited, from now on. Links to set a password that are still about end."""
    check_can_change_account(by, user)
    email = clean_email(email)
    if email == user.email:
        raise Invalid.of("same", "This is your e-mail already.", "email")
    taken = Conflict(f"There is another account for {email}.", code="email_taken")
    if User.objects.filter(email=email).exists():
        raise taken
    try:
        with transaction.atomic():
            write(user, "user.email_changed", by=by, changes={"email": email})
    except IntegrityError:
        raise taken from None  # at the same moment, somewhere else


# Of whoever comes first: two at the same moment cannot both have it.
FIRST = UUID(int=1)


@transaction.atomic
def create_first_user(*, by: User | None = None, email: str, name: str, password: str) -> User:
    """Whoever opens the link of an empty Assay: they may create projects. Nobody comes first twice."""
    check_nobody_is_here()
    user = _create_user(by=by, email=email, name=name, can_create_projects=True, uuid=FIRST)
    _set_password(user, by=user, password=password)
    return user


def user_for(email: str, *, by: User | None) -> tuple[User, bool]:
    """The account of this address, and whether it was made just now: for an operator who names a lead."""
    check_is_operator(by)
    user = User.objects.filter(email=clean_email(email)).first()
    if user and not user.is_active:
        raise Conflict(f"{user.email} is disabled and cannot lead a project.", code="disabled")
    return (user, False) if user else (create_user(by=by, email=email), True)


@transaction.atomic
def allow_creating_projects(user: User, *, by: User | None) -> None:
    check_is_operator(by)
    write(user, "user.allowed_to_create_projects", by=by, changes={"can_create_projects": True})


@transaction.atomic
def set_password(user: User, *, by: User | None, password: str) -> None:
    """Ends every other session of the person: sessions are sealed with the password's hash."""
    check_can_change_account(by, user)
    _set_password(user, by=by, password=password)


def _set_password(user: User, *, by: User | None, password: str) -> None:
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise Invalid([Problem("password", message, "password") for message in error.messages]) from None
    user.set_password(password)
    write(user, "user.password_set", by=by, changes={"password": user.password})
    _end_sign_ins(user.sign_ins.all())


@transaction.atomic
def disable_user(user: User, *, by: User | None) -> None:
    """Ends all sessions, tokens and invitations at once; the person's work stays."""
    check_is_operator(by)
    if not user.is_active:
        raise Conflict(f"{user.email} is disabled already.", code="disabled")
    _end_invitations_by(user)
    write(user, "user.disabled", by=by, changes={"is_active": False, "sign_in_hash": ""})
    _end_sign_ins(user.sign_ins.all())
    user.api_tokens.filter(revoked_at=None).update(revoked_at=timezone.now())


def _end_invitations_by(user: User) -> None:
    Invitation.objects.pending().filter(invited_by=user).update(revoked_at=timezone.now())


@transaction.atomic
def erase_user(user: User, *, by: User | None) -> None:
    """Blanks who the person is, for good. Their work stays, under the pseudonym; no event names them."""
    check_is_operator(by)
    email, blank = user.email, f"erased-{user.uuid}@erased.invalid"
    if email == blank:
        raise Conflict("This person has been erased already.", code="erased")
    for membership in user.memberships.active().select_related("project").order_by("project_id"):
        try:
            remove_member(membership, by=by)
        except Conflict as refusal:
            raise Conflict(f"{membership.project.slug}: {refusal.message}", code=refusal.code) from None
    _end_invitations_by(user)
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
    _end_sign_ins(user.sign_ins.all())
    user.api_tokens.all().delete()  # their names are the person's own words
    IdempotencyKey.objects.filter(user=user).delete()


# --- signing in -------------------------------------------------------------------------------------------------------


def check_password_of(*, email: str, password: str, address: str, browser: Browser) -> User:
    """The user, or NotAllowed, or Throttled. An e-mail alone never blocks: guesses from afar slow down browsers that
    its owner has not used yet, and no other. What is not looked at is not counted.

    The attempt is written before the password is looked at, so that guesses sent at once are all counted.
    """
    email = email.strip().lower()[:MAX_EMAIL_LENGTH]
    now = timezone.now()
    LoginAttempt.objects.filter(at__lt=now - WINDOW).delete()
    owner = User.objects.filter(email=email).first()
    is_known = owner is not None and browser.knows(owner)
    source = f"{KNOWN}{browser.name}" if is_known else network_of(address)
    attempt = LoginAttempt.objects.create(email=email, address=source, at=now)
    failed = LoginAttempt.objects.filter(at__gte=now - WINDOW, succeeded=False)
    here, of_email = failed.filter(address=source), failed.filter(email=email)
    try:
        _check_limit(here.filter(email=email), MOST_PER_EMAIL_AND_ADDRESS, now)
        if not is_known:
            _check_limit(here, MOST_PER_ADDRESS, now)
            _check_pause(of_email.exclude(address__startswith=KNOWN), attempt)
    except Throttled:
        attempt.delete()
        raise
    user = authenticate(email=email, password=password)
    if not isinstance(user, User):
        raise NotAllowed("E-mail and password do not match.", code="wrong_password")
    LoginAttempt.objects.filter(pk=attempt.pk).update(succeeded=True)
    here.filter(email=email).delete()
    return user


def _check_limit(failed: QuerySet[LoginAttempt], most: int, now: datetime) -> None:
    times = list(failed.order_by("-at").values_list("at", flat=True)[: most + 1])
    if len(times) > most:
        raise _throttled((times[most] + WINDOW - now).total_seconds())


def _check_pause(failed: QuerySet[LoginAttempt], attempt: LoginAttempt) -> None:
    """`failed` counts this attempt too. Two at the same moment see each other and both wait: never do both pass."""
    over = failed.count() - MOST_PER_EMAIL
    if over <= 0:
        return
    pause = timedelta(seconds=min(PAUSE + 2 * (over - 1), LONGEST_PAUSE))
    last = failed.exclude(pk=attempt.pk).order_by("at").last()
    wait = (last.at + pause - attempt.at).total_seconds() if last else 0
    if wait > 0:
        raise _throttled(wait)


def _throttled(seconds: float) -> Throttled:
    wait = max(1, math.ceil(seconds))
    number, unit = (wait, "second") if wait < 60 else (round(wait / 60), "minute")
    return Throttled(f"Too many attempts. Try again in {number} {unit}{'s' if number > 1 else ''}.", retry_after=wait)


@transaction.atomic
def make_sign_in_link(user: User, *, by: User | None) -> str:
    """The token of a fresh link; only its hash is kept, and it replaces the one before."""
    check_is_operator(by)
    check_can_have_sign_in_link(user)
    token = secrets.token_urlsafe(16)
    changes = {
        "sign_in_hash": hash_of_token(token),
        "sign_in_expires_at": timezone.now() + timedelta(hours=SIGN_IN_HOURS),
    }
    write(user, "user.sign_in_link_made", by=by, changes=changes)
    return token


def demo_user_of_link(token: str) -> User | None:
    """The demo person a sign-in link belongs to, while it is fresh."""
    people = User.objects.filter(is_demo=True, is_active=True, sign_in_expires_at__gt=timezone.now())
    return people.filter(sign_in_hash=hash_of_token(token)).first()
