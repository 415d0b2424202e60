"""Letters, as jobs. A link that goes by e-mail is made when it goes: only its reader ever has it."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone

from annotator.actions.forgotten import FORGOTTEN
from annotator.actions.invitations import INVITATION_DAYS, SEND_INVITATIONS, _renew
from annotator.actions.log import locked, write
from annotator.actions.running import Result, Run
from annotator.domain.jobs import JobKind, JobState
from annotator.domain.letters import Letter, invitation_letter, password_letter
from annotator.links import invitation_link, set_password_link
from annotator.mail import mail_server
from annotator.models import Invitation, User
from annotator.permissions import is_inviter_leading


def _send_invitations(run: Run) -> Result:
    """The job. Begun again after a crash, it goes on with the invitation it was at: that one may come twice, and the
    newer letter opens."""
    pks = run.job.params["invitations"]
    kept = {"sent": 0, "refused": 0, **(run.job.result or {})}
    with mail_server() as send:
        for place in range(run.job.done, len(pks)):
            with run.step(done=place, total=len(pks)):
                letter = _letter_of(pks[place])
            if letter is None:  # revoked meanwhile, or accepted by a link
                continue
            code = send(letter)
            with run.step(done=place + 1, total=len(pks)):
                told = {"emailed_at": None if code else timezone.now(), "mail_refusal": code}
                Invitation.objects.filter(pk=pks[place]).update(**told)
                kept["refused" if code else "sent"] += 1
                run.keep(kept)
    with run.step(done=len(pks), total=len(pks)):
        project = run.job.project
        assert project is not None
        write(locked(project), "invitations.sent", by=run.job.asked_by, payload={**kept, "job": run.job.pk})
    return kept


def _letter_of(pk: int) -> Letter | None:
    invitation = Invitation.objects.pending().select_related("project", "invited_by").filter(pk=pk).first()
    if invitation is None or not is_inviter_leading(invitation):
        return None
    token = _renew(invitation, by=invitation.invited_by, by_email=True)
    until = timezone.now() + timedelta(days=INVITATION_DAYS)
    return invitation_letter(
        to=invitation.email,
        project=invitation.project.name,
        inviter=invitation.invited_by.name,
        roles=invitation.roles,
        link=invitation_link(token),
        until=f"{until.day} {until:%B %Y}",
    )


def _send_password_link(run: Run) -> Result:
    """The job. Where nobody has the e-mail that was asked for, it does nothing."""
    user = User.objects.filter(pk=run.job.params["user"], is_active=True, is_demo=False).first()
    if user is not None:
        with mail_server() as send:
            send(password_letter(to=user.email, link=set_password_link(user), house=settings.URL))
    return {}


def _says_sent(state: JobState, result: Mapping[str, Any]) -> str:
    if state != JobState.DONE:
        return ""
    sent, refused = result.get("sent", 0), result.get("refused", 0)
    also = f" The mail server did not take {refused:,}: People says which." if refused else ""
    return f"{sent:,} {'invitation' if sent == 1 else 'invitations'} sent.{also}"


INVITATIONS = JobKind(SEND_INVITATIONS, "Send invitations", _send_invitations, _says_sent)
PASSWORD_LINK = JobKind(FORGOTTEN, "Send a link to set a password", _send_password_link)
