"""Letters, through a real mail server: invitations and forgotten passwords; and nothing of it where there is none."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from annotator.actions.accounts import disable_user
from annotator.actions.forgotten import ask_for_password_link
from annotator.actions.invitations import invite_many, renew_invitation, revoke_invitation
from annotator.actions.jobs import retry_job
from annotator.actions.mailing import INVITATIONS, PASSWORD_LINK
from annotator.actions.running import work_on
from annotator.domain.errors import Conflict
from annotator.domain.jobs import JobKind, JobState
from annotator.models import Event, Invitation, Job, LoginAttempt, User
from annotator.queries.jobs import job_line
from tests.factories import Cast, make_user
from tests.house import PASSWORD
from tests.smtp import MailServer


@pytest.fixture
def server(settings: Any) -> Iterator[MailServer]:
    made = MailServer()
    settings.MAIL = made.mail()
    yield made
    made.end()


def do(kind: JobKind) -> Job:
    """What a worker would do now."""
    job = Job.objects.filter(kind=kind.name).latest("pk")
    work_on(job.pk, kind.work, worker="test")
    job.refresh_from_db()
    return job


def invite(cast: Cast, *emails: str) -> Job:
    done = invite_many(cast.project, by=cast.lead, emails=emails, roles={"annotator"}, by_email=True)
    assert done.job is not None
    assert all(token == "" for _, token in done.made)
    return done.job


def link_in(letter: Any, what: str) -> str:
    [path] = re.findall(rf"http://127.0.0.1:8000(/{what}/\S+)", letter.get_content())
    return str(path)


def test_an_invitation_comes_by_email_and_opens(cast: Cast, server: MailServer) -> None:
    invite(cast, "new@example.org")

    job = do(INVITATIONS)

    letter = server.to("new@example.org")
    assert letter["Subject"] == "Invitation to “Essays”"
    assert letter["From"] == "assay@example.org"
    assert letter["Auto-Submitted"] == "auto-generated"
    assert "Lead invites you to “Essays” in Assay, as annotator." in letter.get_content()
    joined = Client().post(link_in(letter, "invite"), {"name": "Newcomer", "password": PASSWORD})
    assert joined["Location"] == "/p/essays/"
    assert job_line(job).says == "1 invitation sent."
    assert Event.objects.in_project(cast.project).filter(kind="invitations.sent").count() == 1


def test_nobody_else_ever_has_a_link_that_goes_by_email(cast: Cast, server: MailServer, client_of: Any) -> None:
    given = {"emails": "new@example.org", "roles": ["annotator"], "by_email": "on"}

    page = client_of("lead").post("/p/essays/people", given).content.decode()
    do(INVITATIONS)

    assert "1 invitation goes out by e-mail." in page
    assert "/invite/" not in page
    token = link_in(server.to("new@example.org"), "invite").removeprefix("/invite/")
    stored = [*Invitation.objects.values_list(), *Job.objects.values_list(), *Event.objects.values_list()]
    assert token not in str(stored)


def test_a_lead_who_wants_the_links_has_them_though_there_is_a_server(
    cast: Cast, server: MailServer, client_of: Any
) -> None:
    page = client_of("lead").post("/p/essays/people", {"emails": "new@example.org", "roles": ["annotator"]})

    assert b"http://127.0.0.1:8000/invite/" in page.content
    assert not Job.objects.filter(kind=INVITATIONS.name).exists()


def test_an_address_that_the_server_refuses_is_named_and_the_others_go(
    cast: Cast, server: MailServer, client_of: Any
) -> None:
    server.refuses = {"gone@example.org": 550}
    invite(cast, "one@example.org", "gone@example.org", "two@example.org")

    job = do(INVITATIONS)

    assert {letter["To"] for letter in server.letters} == {"one@example.org", "two@example.org"}
    assert job_line(job).says == "2 invitations sent. The mail server did not take 1: People says which."
    page = client_of("lead").get("/p/essays/people").content.decode()
    assert page.count("the mail server did not take it (550)") == 1
    assert page.count("sent ") >= 2


def test_a_server_that_is_away_fails_the_job_which_goes_on_later(cast: Cast, server: MailServer, settings: Any) -> None:
    settings.MAIL = server.mail(port=1)
    invite(cast, "one@example.org")

    failed = do(INVITATIONS)
    settings.MAIL = server.mail()
    retry_job(failed, by=cast.lead)
    done = do(INVITATIONS)

    assert failed.message == "The mail server does not do it (ConnectionRefusedError). Try again later."
    assert done.state == JobState.DONE
    assert len(server.letters) == 1


def test_a_server_that_hangs_up_half_way_is_sent_the_rest_later(cast: Cast, server: MailServer) -> None:
    emails = [f"new{number}@example.org" for number in range(4)]
    server.goes_away_after = 2
    invite(cast, *emails)
    failed = do(INVITATIONS)
    state, message = failed.state, failed.message

    server.goes_away_after = 10
    retry_job(failed, by=cast.lead)
    done = do(INVITATIONS)

    assert state == JobState.FAILED
    assert message.startswith("The mail server does not do it (SMTP")
    assert sorted(letter["To"] for letter in server.letters) == emails
    assert done.result == {"sent": 4, "refused": 0}


def test_a_server_that_wants_a_password_gets_it_and_no_message_holds_it(
    cast: Cast, server: MailServer, settings: Any, caplog: Any
) -> None:
    server.wants = ("assay", "s3cret-s3cret")
    settings.MAIL = server.mail(username="assay", password="wrong-wrong")
    invite(cast, "one@example.org")
    failed = do(INVITATIONS)

    settings.MAIL = server.mail(username="assay", password="s3cret-s3cret")
    retry_job(failed, by=cast.lead)
    do(INVITATIONS)

    assert len(server.letters) == 1
    assert "wrong-wrong" not in failed.message + caplog.text
    assert "SMTPAuthenticationError" in failed.message


def test_a_revoked_invitation_is_not_sent(cast: Cast, server: MailServer) -> None:
    invite(cast, "one@example.org", "two@example.org")
    revoke_invitation(Invitation.objects.get(email="one@example.org"), by=cast.lead)

    job = do(INVITATIONS)

    assert [letter["To"] for letter in server.letters] == ["two@example.org"]
    assert job.state == JobState.DONE


def test_an_invitation_is_emailed_once_more_with_a_new_link(cast: Cast, server: MailServer) -> None:
    invite(cast, "new@example.org")
    do(INVITATIONS)
    first = link_in(server.letters[0], "invite")

    renew_invitation(Invitation.objects.get(email="new@example.org"), by=cast.lead, by_email=True)
    do(INVITATIONS)

    second = link_in(server.letters[1], "invite")
    assert [Client().get(path).status_code for path in (first, second)] == [410, 200]


def test_a_subject_holds_whatever_a_project_is_called(cast: Cast, server: MailServer) -> None:
    type(cast.project).objects.filter(pk=cast.project.pk).update(name="Essays “ü”, part 2: a, b")
    invite(cast, "new@example.org")

    do(INVITATIONS)

    assert server.letters[0]["Subject"].strip() == "Invitation to “Essays “ü”, part 2: a, b”"


# --- a forgotten password ---------------------------------------------------------------------------------------------


def ask(client: Client, email: str, **extra: Any) -> Any:
    return client.post("/forgotten", {"email": email}, **extra)


def test_a_forgotten_password_is_set_anew_by_a_link_in_a_letter(cast: Cast, server: MailServer) -> None:
    client = Client()

    answer = ask(client, " Ann@Example.org ")
    do(PASSWORD_LINK)

    assert "a link to set a new password is on its way" in answer.content.decode()
    letter = server.to("ann@example.org")
    assert client.post(link_in(letter, "set-password"), {"password": PASSWORD}).status_code == 302
    assert User.objects.get(pk=cast.ann.pk).check_password(PASSWORD)


def test_an_unknown_email_is_answered_alike_and_written_alike(cast: Cast, server: MailServer) -> None:
    known, jobs = ask(Client(), "ann@example.org"), Job.objects.count()
    unknown = ask(Client(), "no-one@example.org")
    do(PASSWORD_LINK)

    pages = [
        answer.content.decode().replace(email, "…")
        for answer, email in ((known, "ann@example.org"), (unknown, "no-one@example.org"))
    ]
    assert pages[0] == pages[1]
    assert Job.objects.count() == jobs + 1
    assert server.letters == []


def test_no_letter_goes_to_a_closed_account_or_a_demo_person(cast: Cast, server: MailServer) -> None:
    disable_user(cast.ann, by=None)
    make_user("demo", is_demo=True)
    for email in ("ann@example.org", "demo@example.org"):
        ask(Client(), email)
        do(PASSWORD_LINK)

    assert server.letters == []


def test_nobody_is_buried_in_letters(cast: Cast, server: MailServer) -> None:
    for number in range(6):
        assert ask(Client(REMOTE_ADDR=f"10.0.{number}.1"), "ann@example.org").status_code == 200
        do(PASSWORD_LINK)

    assert len(server.letters) == 3


def test_one_place_asks_for_no_more_than_twenty_in_a_quarter_of_an_hour(cast: Cast, server: MailServer) -> None:
    start = timezone.now()
    with time_machine.travel(start, tick=False):
        statuses = [ask(Client(), f"person{number}@example.org").status_code for number in range(21)]
    with time_machine.travel(start + timedelta(minutes=16), tick=False):
        later = ask(Client(), "ann@example.org").status_code

    assert (statuses, later) == ([200] * 20 + [429], 200)


def test_asking_for_a_link_does_not_slow_down_signing_in(cast: Cast, server: MailServer) -> None:
    for number in range(60):
        LoginAttempt.objects.create(
            email="ann@example.org", address=f"forgotten 10.0.{number}.1", at=timezone.now(), succeeded=True
        )

    assert Client().post("/log-in", {"email": "ann@example.org", "password": "wrong"}).status_code == 400


def test_what_is_no_address_is_named(cast: Cast, server: MailServer) -> None:
    answer = ask(Client(), "no address")

    assert answer.status_code == 400
    assert "“no address” is not an e-mail address." in answer.content.decode()


# --- no server --------------------------------------------------------------------------------------------------------


def test_without_a_server_there_is_nowhere_a_trace_of_sending(cast: Cast, client_of: Any) -> None:
    client = client_of("lead")
    invite_many(cast.project, by=cast.lead, emails=["new@example.org"], roles={"annotator"})

    pages = "".join(client.get(path).content.decode() for path in ("/p/essays/people", "/account"))
    pages += Client().get("/log-in").content.decode()

    assert Client().get("/forgotten").status_code == 404
    for word in ("by_email", "by e-mail", "E-mail a new", "/forgotten"):
        assert word not in pages


def test_without_a_server_nothing_is_promised_to_go_by_email(cast: Cast) -> None:
    with pytest.raises(Conflict, match="no e-mail"):
        invite_many(cast.project, by=cast.lead, emails=["new@example.org"], roles={"annotator"}, by_email=True)

    assert not Invitation.objects.filter(email="new@example.org").exists()


def test_a_worker_that_knows_of_no_server_says_so(cast: Cast, server: MailServer, settings: Any) -> None:
    ask_for_password_link(email="ann@example.org", address="10.0.0.1")
    settings.MAIL = None

    job = do(PASSWORD_LINK)

    assert (job.state, job.message) == (JobState.FAILED, "ASSAY_EMAIL_URL is not set where the workers run.")
