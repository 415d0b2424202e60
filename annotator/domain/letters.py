"""What Assay writes by e-mail, where it may. Plain text; a link is all that anybody has to do."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Letter:
    to: str
    subject: str
    body: str


def invitation_letter(*, to: str, project: str, inviter: str, roles: Sequence[str], link: str, until: str) -> Letter:
    body = (
        f"{inviter} invites you to “{project}” in Assay, as {', '.join(roles)}.\n\n"
        f"Open this link to join. It works once, until {until}, and only for {to}:\n\n{link}\n\n"
        "If you did not expect this, do nothing: only who opens the link and agrees joins.\n"
    )
    return Letter(to, f"Invitation to “{project}”", body)


def password_letter(*, to: str, link: str, house: str) -> Letter:
    body = (
        f"Somebody, most likely you, asked for a new password for {to} at {house}.\n\n"
        f"Open this link to set one. It works once, within three days:\n\n{link}\n\n"
        "If it was not you, do nothing: your password stays as it is.\n"
    )
    return Letter(to, "A new password for Assay", body)
