"""One's own account: name, e-mail, sessions, and what is kept of oneself."""

import json
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from annotator.actions.accounts import disable_user, erase_user, set_password
from annotator.actions.people import remove_member
from annotator.actions.questions import ask_question
from annotator.links import set_password_link
from annotator.models import Event, SignIn, User
from annotator.queries.own_data import own_data
from tests.conftest import Api, nothing_written
from tests.factories import Cast, answer_for, save_body
from tests.house import PASSWORD

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.fixture
def ann(cast: Cast) -> User:
    set_password(cast.ann, by=cast.ann, password=PASSWORD)
    return cast.ann


def signed_in(user: User, agent: str = FIREFOX) -> Client:
    client = Client(headers={"User-Agent": agent})
    assert client.post("/log-in", {"email": user.email, "password": PASSWORD}).status_code == 302
    return client


def is_signed_in(client: Client) -> bool:
    return client.get("/account").status_code == 200


def test_a_name_is_changed_and_shown(cast: Cast, client_of: Any) -> None:
    client = client_of("ann")

    answer = client.post("/account/name", {"name": "  Ann   Lee "}, follow=True)

    assert "Your name is Ann Lee now." in answer.content.decode()
    assert User.objects.get(pk=cast.ann.pk).name == "Ann Lee"
    assert Event.objects.of(User.objects.get(pk=cast.ann.pk)).last().kind == "user.renamed"


@pytest.mark.parametrize("name", ["", " ", "\u200b", "a\x07b", "n" * 101])
def test_a_name_that_cannot_be_seen_is_refused_and_kept_in_its_field(cast: Cast, client_of: Any, name: str) -> None:
    answer = client_of("ann").post("/account/name", {"name": name})

    assert answer.status_code == 400
    assert 'class="error"' in answer.content.decode()
    assert User.objects.get(pk=cast.ann.pk).name == "Ann"


def test_whoever_changes_the_email_signs_in_with_the_new_one(ann: User) -> None:
    client, link = signed_in(ann), set_password_link(ann)

    answer = client.post("/account/email", {"email": " New@Example.org ", "current": PASSWORD})

    assert answer.status_code == 302
    assert signed_in(User.objects.get(email="new@example.org")).get("/account").status_code == 200
    assert Client().get(link.removeprefix("http://127.0.0.1:8000")).status_code == 410


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"email": "new@example.org", "current": "wrong"}, "That is not your current password."),
        ({"email": "ben@example.org", "current": PASSWORD}, "There is another account for ben@example.org."),
        ({"email": "ann@example.org", "current": PASSWORD}, "This is your e-mail already."),
        ({"email": "no address", "current": PASSWORD}, "“no address” is not an e-mail address."),
    ],
)
def test_an_email_that_will_not_do_is_refused_beside_its_field(ann: User, given: dict[str, str], said: str) -> None:
    answer = signed_in(ann).post("/account/email", given)

    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert f'value="{given["email"]}"' in answer.content.decode()
    assert User.objects.get(pk=ann.pk).email == "ann@example.org"


def test_guessing_the_password_on_the_account_page_is_slowed_down(ann: User) -> None:
    client = signed_in(ann)
    given = {"email": "new@example.org", "current": "wrong"}

    statuses = [client.post("/account/email", given).status_code for _ in range(11)]

    assert statuses == [400] * 10 + [429]


def test_somebody_sees_where_they_are_signed_in(ann: User) -> None:
    signed_in(ann, "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36")
    here = signed_in(ann)

    shown = here.get("/account").content.decode()

    assert "Chrome on Windows" in shown
    assert "Firefox on Linux <span" in shown
    assert SignIn.objects.filter(user=ann).count() == 2


def test_a_browser_is_signed_out_from_afar(ann: User) -> None:
    there, here = signed_in(ann), signed_in(ann)
    row = SignIn.objects.get(session_key=there.session.session_key)

    answer = here.post(f"/account/sessions/{row.pk}/end")

    assert answer.status_code == 302
    assert (is_signed_in(there), is_signed_in(here)) == (False, True)


def test_all_others_are_signed_out_at_once(ann: User) -> None:
    others, here = [signed_in(ann) for _ in range(3)], signed_in(ann)

    answer = here.post("/account/sessions/end", follow=True)

    assert "Signed out in 3 other browsers." in answer.content.decode()
    assert [is_signed_in(client) for client in (*others, here)] == [False, False, False, True]


def test_nobody_signs_out_somebody_else(cast: Cast, ann: User, client_of: Any) -> None:
    there = signed_in(ann)
    row = SignIn.objects.get(user=ann)

    assert client_of("ben").post(f"/account/sessions/{row.pk}/end").status_code == 404
    assert is_signed_in(there)


def test_a_new_password_keeps_this_session_and_lists_no_other(ann: User) -> None:
    signed_in(ann)
    here = signed_in(ann)

    here.post("/password", {"current": PASSWORD, "password": "another-long-pass"})

    assert is_signed_in(here)
    assert [row.session_key for row in ann.sign_ins.live()] == [here.session.session_key]


@pytest.mark.parametrize("end", [disable_user, erase_user])
def test_nothing_of_the_sessions_is_left_of_an_account_that_ended(ann: User, end: Any) -> None:
    client = signed_in(ann)
    key = client.session.session_key

    end(User.objects.get(pk=ann.pk), by=None)

    assert not SignIn.objects.filter(user=ann).exists()
    assert not Session.objects.filter(session_key=key).exists()


def test_a_session_that_ran_out_is_not_listed_and_is_forgotten(ann: User) -> None:
    signed_in(ann)

    with time_machine.travel(timezone.now() + timedelta(days=15)):
        assert list(ann.sign_ins.live()) == []
        signed_in(ann)

    assert ann.sign_ins.count() == 1


def test_signing_out_leaves_no_row(ann: User) -> None:
    client = signed_in(ann)

    client.post("/log-out")

    assert not SignIn.objects.filter(user=ann).exists()


def test_a_session_is_seen_once_an_hour_and_looking_writes_nothing_in_between(ann: User) -> None:
    client, start = signed_in(ann), timezone.now()
    with nothing_written():
        client.get("/account")

    with time_machine.travel(start + timedelta(hours=2), tick=False):
        client.get("/account")

        assert ann.sign_ins.get().seen_at == timezone.now()


def test_ones_own_data_is_all_ones_own_and_nothing_of_others(cast: Cast, api: Api, client_of: Any) -> None:
    row, theirs = cast.assignment("ann"), cast.assignment("ben")
    ask_question(row, by=cast.ann, text="Is this a name?")
    api.act(row, "submit", save_body(answer_for(row, "mine")), 0)
    Api(cast.ben).act(theirs, "submit", save_body(answer_for(theirs, "not-mine")), 0)

    answer = client_of("ann").get("/account/data")
    body = b"".join(answer.streaming_content).decode()
    records = [json.loads(line) for line in body.splitlines()]

    assert answer["Content-Disposition"] == 'attachment; filename="assay-own-data.jsonl"'
    assert records[0]["email"] == "ann@example.org"
    assert [record["project"] for record in records if record["record"] == "member"] == ["essays"]
    first = next(record for record in records if record["record"] == "assignment")
    assert first["submissions"][0]["answer"]["marks"][0]["substitutes"][0]["text"] == "mine"
    assert first["questions"][0]["text"] == "Is this a name?"
    assert "not-mine" not in body
    assert "ben" not in body.lower()


def test_of_a_project_one_has_left_one_keeps_only_that_one_was_in_it(cast: Cast) -> None:
    remove_member(cast.membership("ann"), by=cast.lead)

    records = list(own_data(cast.ann))

    assert [record["record"] for record in records] == ["account", "member"]
    assert records[1]["until"]


def test_ones_own_data_comes_in_batches(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotator.queries.own_data.AT_ONCE", 3)

    numbers = [record["number"] for record in own_data(cast.ann) if record["record"] == "assignment"]

    assert numbers == [1, 2, 3, 4]
