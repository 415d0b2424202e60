"""Accounts: signing in, passwords, and how an account ends. Limits are in test_log_in.py."""

from datetime import timedelta

import pytest
import time_machine
from django.apps import apps
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from annotator.actions.accounts import (
    allow_creating_projects,
    create_user,
    disable_user,
    erase_user,
    make_sign_in_link,
    set_password,
    user_for,
)
from annotator.actions.invitations import invite
from annotator.domain.errors import Conflict, NotAllowed
from annotator.links import set_password_link
from annotator.models import Submission, User
from tests.conftest import Api, nothing_written
from tests.factories import Cast, answer_for, make_user, save_body
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


def test_passwords_are_kept_by_argon2(costly_passwords: None, ann: User) -> None:
    assert User.objects.get(pk=ann.pk).password.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")


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


def a_demo_person() -> User:
    return User.objects.filter(is_demo=True).first() or make_user("demo", is_demo=True)


ONLY_AN_OPERATOR = {
    "create_user": lambda cast, by: create_user(by=by, email="new@example.org"),
    "user_for": lambda cast, by: user_for("new@example.org", by=by),
    "allow_creating_projects": lambda cast, by: allow_creating_projects(cast.ann, by=by),
    "disable_user": lambda cast, by: disable_user(cast.ann, by=by),
    "erase_user": lambda cast, by: erase_user(cast.ann, by=by),
    "make_sign_in_link": lambda cast, by: make_sign_in_link(a_demo_person(), by=by),
}


@pytest.mark.parametrize("act", ONLY_AN_OPERATOR)
@pytest.mark.parametrize("name", ["ann", "lead"])
def test_only_an_operator_makes_changes_and_ends_accounts(cast: Cast, act: str, name: str) -> None:
    """Whatever door it came by: the action asks for itself."""
    with pytest.raises(NotAllowed, match="Only an operator"):
        ONLY_AN_OPERATOR[act](cast, cast.person(name))

    ONLY_AN_OPERATOR[act](cast, None)


def test_nobody_sets_the_password_of_somebody_else(cast: Cast) -> None:
    with pytest.raises(NotAllowed):
        set_password(cast.ann, by=cast.lead, password=PASSWORD)
    set_password(cast.ben, by=None, password=PASSWORD)

    assert not User.objects.get(pk=cast.ann.pk).has_usable_password()
    assert User.objects.get(pk=cast.ben.pk).check_password(PASSWORD)


def test_only_demo_people_have_sign_in_links(cast: Cast) -> None:
    with pytest.raises(NotAllowed, match="demo people"):
        make_sign_in_link(cast.ann, by=None)
