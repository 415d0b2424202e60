"""Forgotten passwords: by e-mail where there is any, else by a link that a lead of all the person's projects makes."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from annotator.actions.accounts import WINDOW, clean_email
from annotator.actions.jobs import _enqueue
from annotator.actions.log import locked, write
from annotator.domain.errors import Conflict, Throttled
from annotator.domain.people import network_of
from annotator.links import set_password_link
from annotator.mail import has_mail
from annotator.models import LoginAttempt, Membership, User
from annotator.permissions import check_can_lead, check_can_make_password_link

FORGOTTEN = "send_password_link"  # the job
ASKED = "forgotten "  # before a network, where an attempt to sign in has it bare
MOST_LETTERS = 3  # to one e-mail in 15 minutes; whoever asks for more learns nothing of it
MOST_ASKED = 20  # by one network in 15 minutes


@transaction.atomic
def ask_for_password_link(*, email: str, address: str) -> None:
    """The same for an e-mail that nobody has: neither what is said nor what is written tells the difference."""
    email, now = clean_email(email), timezone.now()
    LoginAttempt.objects.filter(at__lt=now - WINDOW).delete()
    asked = LoginAttempt.objects.filter(address__startswith=ASKED, at__gte=now - WINDOW)
    here = asked.filter(address=f"{ASKED}{network_of(address)}")
    if here.count() >= MOST_ASKED:
        wait = int((here.earliest("at").at + WINDOW - now) / timedelta(seconds=1)) + 1
        raise Throttled(f"Too many requests. Try again in {max(1, round(wait / 60))} min.", retry_after=wait)
    is_enough = asked.filter(email=email).count() >= MOST_LETTERS
    # Not failed: it must not slow down signing in.
    LoginAttempt.objects.create(email=email, address=f"{ASKED}{network_of(address)}", at=now, succeeded=True)
    user = None if is_enough else User.objects.filter(email=email, is_active=True, is_demo=False).first()
    _enqueue(FORGOTTEN, by=None, params={"user": user.pk if user else None})


@transaction.atomic
def make_password_link(membership: Membership, *, by: User) -> str:
    """For its owner to set a new password, once and within three days."""
    check_can_lead(by, membership.project)
    if has_mail():
        raise Conflict("A forgotten password is helped by e-mail: the sign-in page offers it.", code="by_email")
    membership = locked(membership.project).memberships.active().select_related("user").get(pk=membership.pk)
    if membership.user is None:
        raise Conflict("A voice has no account.", code="voice")
    check_can_make_password_link(by, membership.user)
    write(membership, "member.password_link_made", by=by)
    return set_password_link(membership.user)
