"""Ending sessions. They begin, are renewed and run out in authentication.py."""

from django.contrib.sessions.models import Session
from django.db import transaction

from annotator.actions.log import write
from annotator.models import SignIn, User
from annotator.models.people import SignInQuerySet
from annotator.permissions import check_can_change_account


@transaction.atomic
def end_sign_in(sign_in: SignIn, *, by: User | None) -> None:
    """At once: the next request from there is nobody's."""
    check_can_change_account(by, sign_in.user)
    write(sign_in.user, "user.signed_out", by=by, payload={"sessions": 1})
    _end_sign_ins(SignIn.objects.filter(pk=sign_in.pk))


@transaction.atomic
def end_other_sign_ins(user: User, *, by: User | None, session_key: str) -> int:
    """All but the one that asks; how many there were."""
    check_can_change_account(by, user)
    others = user.sign_ins.live().exclude(session_key=session_key)
    if found := others.count():
        write(user, "user.signed_out", by=by, payload={"sessions": found})
        _end_sign_ins(user.sign_ins.exclude(session_key=session_key))
    return found


def _end_sign_ins(sign_ins: SignInQuerySet) -> None:
    Session.objects.filter(session_key__in=list(sign_ins.values_list("session_key", flat=True))).delete()
    sign_ins.delete()
