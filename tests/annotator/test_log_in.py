"""Guessing passwords: how many attempts are looked at, from where, and who is never kept waiting by them."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from annotator.actions.accounts import MOST_PER_EMAIL, set_password
from annotator.authentication import BROWSER_COOKIE
from annotator.models import LoginAttempt, User
from tests.conftest import Api
from tests.factories import Cast
from tests.house import PASSWORD

COOKIE = BROWSER_COOKIE


@pytest.fixture
def ann(cast: Cast) -> User:
    set_password(cast.ann, by=cast.ann, password=PASSWORD)
    return cast.ann


def try_log_in(client: Client, email: str, password: str = PASSWORD, **extra: Any) -> Any:
    return client.post("/log-in", {"email": email, "password": password}, **extra)


def is_signed_in(client: Client) -> bool:
    return client.get("/password").status_code == 200


def own_browser(user: User, address: str = "127.0.0.1", password: str = PASSWORD) -> Client:
    """Has signed in as this person before, and is signed out now."""
    client = Client(REMOTE_ADDR=address)
    assert try_log_in(client, user.email, password).status_code == 302
    client.post("/log-out")
    return client


def guess_from_afar(email: str, count: int = MOST_PER_EMAIL) -> None:
    """As many wrong passwords, each from an address of its own."""
    at = timezone.now() - timedelta(minutes=1)
    LoginAttempt.objects.bulk_create(LoginAttempt(email=email, address=f"10.0.{n}.1", at=at) for n in range(count))


def test_ten_wrong_passwords_then_429_with_a_time_to_wait(ann: User) -> None:
    client = Client()
    statuses = [try_log_in(client, ann.email, "wrong").status_code for _ in range(10)]

    over = try_log_in(client, ann.email)

    assert statuses == [400] * 10
    assert over.status_code == 429
    assert 0 < int(over["Retry-After"]) <= 15 * 60
    assert not is_signed_in(client)


def test_an_email_alone_never_blocks(ann: User) -> None:
    """Somebody else's guesses from another address do not lock ann out, wherever she is."""
    for _ in range(12):
        try_log_in(Client(REMOTE_ADDR="10.9.9.9"), ann.email, "wrong")

    assert try_log_in(Client(REMOTE_ADDR="10.1.1.1"), ann.email).status_code == 302


def test_fifty_failures_from_one_address_block_it_for_every_email(ann: User) -> None:
    LoginAttempt.objects.bulk_create(
        LoginAttempt(email=f"x{n}@example.org", address="127.0.0.1", at=timezone.now()) for n in range(50)
    )

    assert try_log_in(Client(), ann.email).status_code == 429


def test_the_block_ends_after_fifteen_minutes(ann: User) -> None:
    for _ in range(11):
        try_log_in(Client(), ann.email, "wrong")

    with time_machine.travel(timezone.now() + timedelta(minutes=16)):
        assert try_log_in(Client(), ann.email).status_code == 302


def test_a_spoofed_forwarded_address_does_not_reset_the_count(ann: User) -> None:
    for n in range(10):
        try_log_in(Client(), ann.email, "wrong", headers={"X-Forwarded-For": f"10.0.0.{n}"})

    assert try_log_in(Client(), ann.email, headers={"X-Forwarded-For": "10.0.0.99"}).status_code == 429


def test_behind_a_proxy_the_address_it_saw_counts(ann: User, settings) -> None:
    settings.PROXIES = 1
    for _ in range(11):
        try_log_in(Client(), ann.email, "wrong", headers={"X-Forwarded-For": "1.2.3.4, 10.0.0.1"})

    assert try_log_in(Client(), ann.email, headers={"X-Forwarded-For": "1.2.3.4, 10.0.0.2"}).status_code == 302


# --- IPv6 -------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_two_hundred_addresses_of_one_network_are_one_source(ann: User) -> None:
    """Anybody at home has 2**64 of them."""
    statuses = [
        try_log_in(Client(REMOTE_ADDR=f"2001:db8:1:2:{n:x}::1"), ann.email, "wrong").status_code for n in range(200)
    ]

    assert statuses == [400] * 10 + [429] * 190
    assert set(LoginAttempt.objects.values_list("address", flat=True)) == {"2001:db8:1:2::/64"}
    assert try_log_in(Client(REMOTE_ADDR="2001:db8:1:3::1"), ann.email).status_code == 302


def test_an_ipv4_address_written_as_ipv6_is_the_same_one(ann: User) -> None:
    for n in range(10):
        try_log_in(Client(REMOTE_ADDR="10.9.9.9" if n % 2 else "::ffff:10.9.9.9"), ann.email, "wrong")

    assert try_log_in(Client(REMOTE_ADDR="::ffff:10.9.9.9"), ann.email).status_code == 429
    assert try_log_in(Client(REMOTE_ADDR="::ffff:10.9.9.8"), ann.email).status_code == 302


# --- many addresses, one account --------------------------------------------------------------------------------------


@pytest.mark.parametrize("email", ["ann@example.org", "nobody@example.org"])
@pytest.mark.slow
def test_rotating_addresses_are_slowed_down_alike_for_whoever_there_is_or_is_not(ann: User, email: str) -> None:
    with time_machine.travel(timezone.now(), tick=False):
        answers = [try_log_in(Client(REMOTE_ADDR=f"10.0.{n}.1"), email, "wrong") for n in range(60)]

    assert [answer.status_code for answer in answers] == [400] * 30 + [429] * 30
    assert {answer["Retry-After"] for answer in answers[30:]} == {"30"}
    assert "Too many attempts. Try again in 30 seconds." in answers[30].content.decode()


@pytest.mark.slow
def test_then_one_attempt_at_a_time_is_looked_at_with_a_pause_that_grows(ann: User) -> None:
    guess_from_afar(ann.email)
    start, waits = timezone.now(), []
    for second in range(0, 300, 5):
        with time_machine.travel(start + timedelta(seconds=second), tick=False):
            if try_log_in(Client(REMOTE_ADDR=f"10.1.{second}.1"), ann.email, "wrong").status_code == 400:
                waits.append(second)

    assert waits == [0, 35, 70, 110, 150, 190, 235, 280]


def test_the_owner_gets_in_by_a_new_browser_too_after_a_pause(ann: User) -> None:
    """And being sent away while guesses go on does not begin the pause anew."""
    guess_from_afar(ann.email)
    start, new = timezone.now(), Client(REMOTE_ADDR="10.7.7.7")
    with time_machine.travel(start, tick=False):
        try_log_in(Client(REMOTE_ADDR="10.8.8.8"), ann.email, "wrong")
    for second in range(1, 30):
        with time_machine.travel(start + timedelta(seconds=second), tick=False):
            assert try_log_in(new, ann.email).status_code == 429

    with time_machine.travel(start + timedelta(seconds=33), tick=False):
        assert try_log_in(new, ann.email).status_code == 302


def test_the_owners_own_browser_is_not_slowed_down(ann: User) -> None:
    own = own_browser(ann)
    guess_from_afar(ann.email, 200)
    LoginAttempt.objects.update(address="127.0.0.1")  # even from the very place where ann is

    stranger, owner = try_log_in(Client(REMOTE_ADDR="10.7.7.7"), ann.email), try_log_in(own, ann.email)

    assert (stranger.status_code, owner.status_code) == (429, 302)
    assert is_signed_in(own)


def test_guesses_in_the_owners_browser_count_for_it_alone_wherever_it_goes(ann: User) -> None:
    own, other = own_browser(ann), own_browser(ann)
    statuses = [try_log_in(own, ann.email, "wrong", REMOTE_ADDR=f"10.0.{n}.1").status_code for n in range(12)]

    assert statuses == [400] * 10 + [429] * 2
    assert try_log_in(other, ann.email).status_code == 302
    assert try_log_in(Client(), ann.email).status_code == 302


def test_a_browser_knows_several_people_and_nobody_else(cast: Cast, ann: User) -> None:
    set_password(cast.ben, by=cast.ben, password=PASSWORD)
    shared = own_browser(ann)
    try_log_in(shared, cast.ben.email)
    shared.post("/log-out")
    only_bens = own_browser(cast.ben)
    guess_from_afar(ann.email, 60)
    LoginAttempt.objects.update(at=timezone.now())

    assert try_log_in(only_bens, ann.email).status_code == 429
    assert try_log_in(shared, ann.email).status_code == 302


def test_a_forged_cookie_is_an_unknown_browser(ann: User) -> None:
    own = own_browser(ann)
    real = own.cookies[COOKIE].value
    name, _, tail = real.partition(".")
    guess_from_afar(ann.email, 60)
    LoginAttempt.objects.update(at=timezone.now())

    for forged in (real[:-1], f"{'0' * 32}.{tail}", f"{name}.{ann.uuid}", "", "é", "x" * 4000):
        client = Client(REMOTE_ADDR="10.7.7.7")
        client.cookies[COOKIE] = forged
        assert try_log_in(client, ann.email).status_code == 429
    assert try_log_in(own, ann.email).status_code == 302


def test_a_browser_from_before_a_password_change_is_unknown(ann: User) -> None:
    elsewhere, here = own_browser(ann), Client()
    try_log_in(here, ann.email)
    here.post("/password", {"current": PASSWORD, "password": "another-long-pass"})
    here.post("/log-out")
    guess_from_afar(ann.email, 60)
    LoginAttempt.objects.update(at=timezone.now())

    assert try_log_in(elsewhere, ann.email, "another-long-pass").status_code == 429
    assert try_log_in(here, ann.email, "another-long-pass").status_code == 302


def test_the_cookie_is_out_of_reach_of_scripts_and_sites_and_opens_nothing(ann: User) -> None:
    cookie = own_browser(ann).cookies[COOKIE]
    client = Client()
    client.cookies[COOKIE] = cookie.value

    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Strict", "/")
    assert cookie["max-age"] == 365 * 24 * 3600
    assert str(ann.uuid) not in cookie.value
    assert ann.password not in cookie.value
    assert not is_signed_in(client)


def test_the_api_keeps_the_same_limits_and_knows_the_same_browsers(ann: User) -> None:
    own = Api(None)
    body = {"email": ann.email, "password": PASSWORD}
    assert own.call("POST", "/api/v1/session", body).status_code == 200
    guess_from_afar(ann.email, 60)
    LoginAttempt.objects.update(at=timezone.now())

    slowed = Api(None).call("POST", "/api/v1/session", body, REMOTE_ADDR="10.7.7.7")
    known = own.call("POST", "/api/v1/session", body)

    assert (slowed.status_code, known.status_code) == (429, 200)
    assert 0 < int(slowed["Retry-After"]) <= 90
    assert slowed.json()["code"] == "throttled"


def test_the_page_to_change_the_password_keeps_the_same_limits(ann: User, client_of: Any) -> None:
    form = {"current": PASSWORD, "password": "another-long-pass"}
    taken_over, own = client_of("ann"), own_browser(ann)
    try_log_in(own, ann.email)
    guess_from_afar(ann.email, 60)
    LoginAttempt.objects.update(at=timezone.now())

    slowed, known = taken_over.post("/password", form), own.post("/password", form)

    assert (slowed.status_code, known.status_code) == (429, 302)
    assert 0 < int(slowed["Retry-After"]) <= 90


def test_whoever_sets_a_first_password_has_a_known_browser(cast: Cast) -> None:
    from annotator.links import set_password_link

    client = Client()
    client.post(set_password_link(cast.ann).removeprefix("http://127.0.0.1:8000"), {"password": PASSWORD})
    client.post("/log-out")
    guess_from_afar(cast.ann.email, 60)
    LoginAttempt.objects.update(at=timezone.now())

    assert try_log_in(client, cast.ann.email).status_code == 302


def test_attempts_are_kept_no_longer_than_they_count(ann: User) -> None:
    guess_from_afar(ann.email, 60)

    with time_machine.travel(timezone.now() + timedelta(minutes=16)):
        assert try_log_in(Client(), ann.email).status_code == 302
        assert LoginAttempt.objects.count() == 1


def test_what_is_logged_of_an_attempt_holds_no_email(ann: User, caplog: Any) -> None:
    guess_from_afar(ann.email, 60)
    for password in ("wrong", PASSWORD):
        try_log_in(Client(), ann.email, password)
        Api(None).call("POST", "/api/v1/session", {"email": ann.email, "password": password})

    assert ann.email not in caplog.text
