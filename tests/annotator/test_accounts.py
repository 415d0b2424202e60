"""Signing in, passwords, invitations: the pages people come in by."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.apps import apps
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from annotator.actions.people import (
    add_member,
    disable_user,
    erase_user,
    invite,
    remove_member,
    revoke_invitation,
    set_password,
)
from annotator.domain.errors import Conflict, NotAllowed
from annotator.links import set_password_link
from annotator.models import Event, Invitation, LoginAttempt, Membership, Submission, User
from tests.conftest import Api, nothing_written
from tests.factories import Cast, answer_for, save_body
from tests.house import PASSWORD


@pytest.fixture
def ann(cast: Cast) -> User:
    set_password(cast.ann, by=cast.ann, password=PASSWORD)
    return cast.ann


def try_log_in(client: Client, email: str, password: str = PASSWORD, **extra):
    return client.post("/log-in", {"email": email, "password": password}, **extra)


def is_signed_in(client: Client) -> bool:
    return client.get("/password").status_code == 200


def path_of(link: str) -> str:
    return link.removeprefix("http://127.0.0.1:8000")


def test_right_password_signs_in_and_leads_where_one_wanted_to_go(ann: User) -> None:
    client = Client()

    response = client.post("/log-in", {"email": " ANN@example.org ", "password": PASSWORD, "next": "/p/essays/work"})

    assert (response.status_code, response["Location"]) == (302, "/p/essays/work")
    assert is_signed_in(client)


@pytest.mark.parametrize(
    "target",
    ["https://evil.example/", "//evil.example", "javascript:alert(1)", "/\\evil.example", "foo", "?x", "#", "é"],
)
def test_log_in_never_leads_to_another_site(ann: User, target: str) -> None:
    response = Client().post("/log-in", {"email": ann.email, "password": PASSWORD, "next": target})

    assert response["Location"] == "/"


def test_passwords_are_kept_by_argon2(ann: User) -> None:
    assert User.objects.get(pk=ann.pk).password.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")


def test_ten_wrong_passwords_then_429_with_a_time_to_wait(ann: User) -> None:
    client = Client()
    statuses = [try_log_in(client, ann.email, "wrong").status_code for _ in range(10)]

    over = try_log_in(client, ann.email)

    assert statuses == [400] * 10
    assert over.status_code == 429
    assert 0 < int(over["Retry-After"]) <= 15 * 60
    assert not is_signed_in(client)


def test_an_email_alone_never_blocks(ann: User) -> None:
    """Somebody else's guesses from another address do not lock ann out."""
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


def test_the_api_signs_in_by_the_same_rules(ann: User) -> None:
    api = Api(None)
    wrong = api.call("POST", "/api/v1/session", {"email": ann.email, "password": "wrong"})
    right = api.call("POST", "/api/v1/session", {"email": ann.email, "password": PASSWORD})

    assert (wrong.status_code, right.status_code) == (403, 200)
    assert right.json() == {"user": str(ann.uuid), "name": "Ann"}


def test_signing_in_over_the_api_needs_the_form_token(ann: User) -> None:
    client = Client(enforce_csrf_checks=True)

    body = {"email": ann.email, "password": PASSWORD}
    response = client.post("/api/v1/session", body, content_type="application/json")

    assert response.status_code == 403
    assert not is_signed_in(client)


def test_changing_the_password_ends_other_sessions_and_keeps_this_one(ann: User) -> None:
    here, elsewhere = Client(), Client()
    try_log_in(here, ann.email)
    try_log_in(elsewhere, ann.email)

    here.post("/password", {"current": PASSWORD, "password": "another-long-pass"})

    assert is_signed_in(here)
    assert not is_signed_in(elsewhere)


def test_changing_the_password_needs_the_current_one(ann: User, client_of) -> None:
    client = client_of("ann")

    response = client.post("/password", {"current": "wrong", "password": "another-long-pass"})

    assert response.status_code == 400
    assert User.objects.get(pk=ann.pk).check_password(PASSWORD)


def test_disabling_an_account_ends_its_sessions_at_once(ann: User) -> None:
    client = Client()
    try_log_in(client, ann.email)

    disable_user(ann, by=None)

    assert not is_signed_in(client)
    assert try_log_in(client, ann.email).status_code == 400


def test_a_set_password_link_works_once(cast: Cast) -> None:
    path, client = path_of(set_password_link(cast.ann)), Client()

    shown = client.get(path)
    with nothing_written():
        client.get(path)
    used = client.post(path, {"password": PASSWORD})
    again = Client().post(path, {"password": "yet-another-pass"})

    assert (shown.status_code, used.status_code, again.status_code) == (200, 302, 410)
    assert is_signed_in(client)
    assert User.objects.get(pk=cast.ann.pk).check_password(PASSWORD)


@pytest.mark.parametrize("password", ["short", "1234567890123", "password1234", "ann@example.org"])
def test_a_weak_password_is_refused_with_a_reason(cast: Cast, password: str) -> None:
    path = path_of(set_password_link(cast.ann))

    response = Client().post(path, {"password": password})

    assert response.status_code == 400
    assert b'class="error"' in response.content


def test_a_set_password_link_runs_out(cast: Cast) -> None:
    path = path_of(set_password_link(cast.ann))

    with time_machine.travel(timezone.now() + timedelta(days=3, minutes=1)):
        assert Client().get(path).status_code == 410


@pytest.mark.parametrize("uid", ["x", "OTk5", "LTE", "9" * 200])
def test_a_mangled_set_password_link_says_so(cast: Cast, uid: str) -> None:
    assert Client().get(f"/set-password/{uid}/abc-def").status_code == 410


# --- invitations ------------------------------------------------------------------------------------------------------


def make_invitation(cast: Cast, email: str = "new@example.org", roles=("annotator",)) -> str:
    _, token = invite(cast.project, by=cast.lead, email=email, roles=set(roles))
    return f"/invite/{token}"


def test_looking_at_an_invitation_joins_nobody(cast: Cast) -> None:
    """GET shows, POST accepts: a mail scanner that follows links does no harm."""
    path = make_invitation(cast)

    with nothing_written():
        response = Client().get(path)

    assert response.status_code == 200
    assert not User.objects.filter(email="new@example.org").exists()


def test_a_new_person_joins_with_name_and_password_and_gets_work(cast: Cast) -> None:
    client, path = Client(), make_invitation(cast)

    response = client.post(path, {"name": "Newcomer", "password": PASSWORD})

    assert response["Location"] == "/p/essays/"
    membership = Membership.objects.get(user__email="new@example.org")
    assert (membership.roles, membership.assignments.count()) == (["annotator"], 4)
    assert is_signed_in(client)


def test_an_invitation_works_once(cast: Cast) -> None:
    path = make_invitation(cast)
    Client().post(path, {"name": "Newcomer", "password": PASSWORD})

    again = Client().post(path, {"name": "Another", "password": PASSWORD})

    assert again.status_code == 410
    assert Membership.objects.filter(project=cast.project, user__name="Another").count() == 0


def test_an_invitation_runs_out(cast: Cast) -> None:
    path = make_invitation(cast)

    with time_machine.travel(timezone.now() + timedelta(days=14, minutes=1)):
        assert Client().post(path, {"name": "Late", "password": PASSWORD}).status_code == 410


def test_a_revoked_or_replaced_invitation_is_over(cast: Cast) -> None:
    replaced = make_invitation(cast)
    revoked = make_invitation(cast)
    revoke_invitation(Invitation.objects.pending().get(), by=cast.lead)

    assert [Client().get(path).status_code for path in (replaced, revoked)] == [410, 410]


def test_the_role_cannot_be_changed_on_the_way(cast: Cast) -> None:
    path = make_invitation(cast)

    Client().post(
        path, {"name": "Newcomer", "password": PASSWORD, "roles": "lead", "is_lead": "1", "email": "x@y.example"}
    )

    assert Membership.objects.get(user__email="new@example.org").roles == ["annotator"]


def test_an_invitation_is_bound_to_its_email(cast: Cast, client_of) -> None:
    path = make_invitation(cast, email="stranger@example.org")

    wrong_person = client_of("other_lead").post(path)
    nobody = Client().post(path, {"name": "Thief", "password": PASSWORD})
    right_person = client_of("stranger").post(path)

    assert (wrong_person.status_code, nobody.status_code, right_person.status_code) == (409, 409, 302)


def test_only_the_hash_of_an_invitation_is_kept(cast: Cast) -> None:
    token = make_invitation(cast).removeprefix("/invite/")

    stored = str(list(Invitation.objects.values_list())) + str(list(Event.objects.values_list("payload", flat=True)))

    assert len(token) >= 22
    assert token not in stored


def test_a_removed_person_who_comes_back_finds_their_work(cast: Cast, client_of) -> None:
    path = make_invitation(cast, email="former@example.org")

    client_of("former").post(path)

    membership = cast.membership("former")
    assert membership.removed_at is None
    assert membership.assignments.count() == 4


def test_the_link_is_shown_once_on_the_people_page(cast: Cast, client_of) -> None:
    client = client_of("lead")

    made = client.post("/p/essays/people", {"email": "new@example.org", "roles": ["annotator"]})
    later = client.get("/p/essays/people")

    assert re.search(rb"http://127.0.0.1:8000/invite/[\w-]{22}", made.content)
    assert b"/invite/" not in later.content
    assert b"new@example.org" in later.content


def test_the_invitations_of_a_removed_lead_are_over(cast: Cast) -> None:
    second = add_member(cast.project, user=cast.stranger, by=cast.lead, roles={"lead"})
    _, token = invite(cast.project, by=cast.stranger, email="friend@example.org", roles={"lead"})

    remove_member(second, by=cast.lead)

    assert Client().post(f"/invite/{token}", {"name": "Friend", "password": PASSWORD}).status_code == 410


@pytest.mark.parametrize("name", ["\u200b", "a\x07b", "n" * 101])
def test_a_name_that_cannot_be_seen_or_stored_is_refused(cast: Cast, name: str) -> None:
    response = Client().post(make_invitation(cast), {"name": name, "password": PASSWORD})

    assert response.status_code == 400
    assert not User.objects.filter(email="new@example.org").exists()


def test_a_project_keeps_a_lead(cast: Cast, client_of) -> None:
    client, uuid = client_of("lead"), cast.membership("lead").uuid

    client.post(f"/p/essays/people/{uuid}/remove")
    client.post(f"/p/essays/people/{uuid}/roles", {"roles": ["annotator"]})

    assert cast.membership("lead").roles == ["lead"]
    assert cast.membership("lead").removed_at is None


def test_sessions_end_after_thirty_days_whatever_happens(ann: User) -> None:
    client, start = Client(), timezone.now()
    try_log_in(client, ann.email)
    for day in range(1, 31, 7):
        with time_machine.travel(start + timedelta(days=day)):
            assert is_signed_in(client)

    with time_machine.travel(start + timedelta(days=30, hours=1)):
        assert not is_signed_in(client)


def everything_stored() -> str:
    models = [model for model in apps.get_models() if model._meta.app_label == "annotator"]
    return repr([list(model._default_manager.values_list()) for model in models])


def test_an_erased_person_is_nowhere_and_their_work_stays(cast: Cast, api: Api) -> None:
    row = cast.assignment("ann")
    api.act(row, "submit", save_body(answer_for(row)), 0)
    invite(cast.other_project, by=cast.other_lead, email="ann@example.org", roles={"annotator"})
    pseudonym = cast.membership("ann").pseudonym

    erase_user(cast.ann, by=None)

    assert "ann@example.org" not in everything_stored()
    assert "'Ann'" not in everything_stored()
    assert Submission.objects.filter(assignment=row).count() == 1
    assert cast.project.memberships.get(pk=row.membership_id).pseudonym == pseudonym
    assert api.call("GET", "/api/v1/assignments").status_code == 401
    with pytest.raises(Conflict, match="already"):
        erase_user(cast.ann, by=None)


def test_the_only_lead_is_not_erased(cast: Cast) -> None:
    with pytest.raises(Conflict, match="at least one lead"):
        erase_user(cast.lead, by=None)
    with pytest.raises(NotAllowed):
        erase_user(cast.ann, by=cast.lead)

    assert User.objects.get(pk=cast.lead.pk).email == "lead@example.org"


def test_the_erase_command_wants_to_be_sure(cast: Cast) -> None:
    with pytest.raises(CommandError, match="--yes"):
        call_command("erase_user", "ann@example.org")
    with pytest.raises(CommandError, match="no account"):
        call_command("erase_user", "nobody@example.org", "--yes")
