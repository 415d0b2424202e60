"""Letters on their way to the one mail server that the operator has named (ASSAY_EMAIL_URL). Only jobs send any: a
server that hangs must hold nobody up."""

import contextlib
import smtplib
from collections.abc import Callable, Iterator

from django.conf import settings

from annotator.domain.errors import Conflict
from annotator.domain.letters import Letter

GOING_AWAY = 421  # a server that is shutting down, whatever it was asked
Send = Callable[[Letter], int | None]


def has_mail() -> bool:
    return settings.MAIL is not None


@contextlib.contextmanager
def mail_server() -> Iterator[Send]:
    """What sends a letter: None where the server took it, else the code by which it refused this address. A server
    that takes nothing at all is a Conflict, so that the job can be tried again."""
    from django.core.mail import EmailMessage
    from django.core.mail.backends.smtp import EmailBackend

    if settings.MAIL is None:
        raise Conflict("ASSAY_EMAIL_URL is not set where the workers run.", code="no_mail")
    server, sender = EmailBackend(**settings.MAIL["server"]), settings.MAIL["sender"]

    def send(letter: Letter) -> int | None:
        headers = {"Auto-Submitted": "auto-generated"}
        message = EmailMessage(letter.subject, letter.body, sender, [letter.to], connection=server, headers=headers)
        try:
            message.send()
            return None
        except smtplib.SMTPRecipientsRefused as refusal:
            [(code, _)] = refusal.recipients.values()
        except smtplib.SMTPDataError as refusal:
            code = refusal.smtp_code
        if code == GOING_AWAY:
            raise smtplib.SMTPServerDisconnected
        return int(code)

    try:
        server.open()
        yield send
    except (OSError, smtplib.SMTPException) as error:
        # Its own words may hold an address, or what one signs in with.
        raise Conflict(
            f"The mail server does not do it ({type(error).__name__}). Try again later.", code="mail"
        ) from error
    finally:
        with contextlib.suppress(OSError, smtplib.SMTPException):
            server.close()
