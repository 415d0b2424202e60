"""Signing in. Attempts are counted in the database, so the limit holds across processes and restarts."""

from datetime import datetime, timedelta

from django.contrib.auth import authenticate
from django.db.models import QuerySet
from django.utils import timezone

from annotator.actions.people import hash_of_token
from annotator.domain.errors import NotAllowed, Throttled
from annotator.models import LoginAttempt, User

WINDOW = timedelta(minutes=15)
MOST_PER_EMAIL_AND_ADDRESS = 10
MOST_PER_ADDRESS = 50


def check_password_of(*, email: str, password: str, address: str) -> User:
    """The user, or NotAllowed, or Throttled. An e-mail alone never blocks: nobody can be locked out from afar.

    The attempt is written before the password is looked at, so that guesses sent at once are all counted.
    """
    email = email.strip().lower()[:254]
    now = timezone.now()
    LoginAttempt.objects.filter(at__lt=now - WINDOW).delete()
    attempt = LoginAttempt.objects.create(email=email, address=address, at=now)
    failed = LoginAttempt.objects.filter(address=address, at__gte=now - WINDOW, succeeded=False)
    _check_limit(failed.filter(email=email), MOST_PER_EMAIL_AND_ADDRESS, now)
    _check_limit(failed, MOST_PER_ADDRESS, now)
    user = authenticate(email=email, password=password)
    if not isinstance(user, User):
        raise NotAllowed("E-mail and password do not match.", code="wrong_password")
    LoginAttempt.objects.filter(pk=attempt.pk).update(succeeded=True)
    failed.filter(email=email).delete()
    return user


def _check_limit(failed: QuerySet[LoginAttempt], most: int, now: datetime) -> None:
    times = list(failed.order_by("-at").values_list("at", flat=True)[: most + 1])
    if len(times) > most:
        wait = int((times[most] + WINDOW - now).total_seconds()) + 1
        minutes = max(1, round(wait / 60))
        message = f"Too many attempts. Try again in {minutes} minute{'s' if minutes > 1 else ''}."
        raise Throttled(message, retry_after=max(1, wait))


def demo_user_of_link(token: str) -> User | None:
    """The demo person a sign-in link belongs to, while it is fresh."""
    people = User.objects.filter(is_demo=True, is_active=True, sign_in_expires_at__gt=timezone.now())
    return people.filter(sign_in_hash=hash_of_token(token)).first()
