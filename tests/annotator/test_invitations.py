"""Invitations: one use, one e-mail, one project, and only for as long as who made it leads."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from annotator.actions.accounts import disable_user, erase_user
from annotator.actions.invitations import accept_invitation, invite, revoke_invitation
from annotator.actions.people import add_member, remove_member
from annotator.domain.errors import Conflict, NotAllowed
from annotator.models import Event, Invitation, Membership, User
from tests.conftest import nothing_written
from tests.factories import Cast
from tests.house import PASSWORD


def is_signed_in(client: Client) -> bool:
    return client.get("/password").status_code == 200


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

    made = client.post("/p/essays/people", {"emails": "new@example.org", "roles": ["annotator"]})
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


@pytest.mark.parametrize("end", [disable_user, erase_user])
def test_the_invitations_of_a_lead_end_with_the_account(cast: Cast, end) -> None:
    add_member(cast.project, user=cast.stranger, by=cast.lead, roles={"lead"})
    _, token = invite(cast.project, by=cast.stranger, email="friend@example.org", roles={"lead"})

    end(cast.stranger, by=None)

    assert Client().get(f"/invite/{token}").status_code == 410
    assert not Invitation.objects.pending().exists()


@pytest.mark.parametrize("how", ["disabled", "removed", "no lead"])
def test_who_does_not_lead_any_more_lets_nobody_in(cast: Cast, how: str) -> None:
    """Where the invitation itself was left standing, as by an older Assay; the copy in hand may be older still."""
    second = add_member(cast.project, user=cast.stranger, by=cast.lead, roles={"lead"})
    invitation, token = invite(cast.project, by=cast.stranger, email="friend@example.org", roles={"lead"})
    if how == "disabled":
        User.objects.filter(pk=cast.stranger.pk).update(is_active=False)
    elif how == "removed":
        Membership.objects.filter(pk=second.pk).update(removed_at=timezone.now())
    else:
        Membership.objects.filter(pk=second.pk).update(is_lead=False, is_annotator=True)

    with pytest.raises(Conflict, match="revoked"):
        accept_invitation(invitation, by=None, name="Friend", password=PASSWORD)

    assert Client().post(f"/invite/{token}", {"name": "Friend", "password": PASSWORD}).status_code == 410
    assert not User.objects.filter(email="friend@example.org").exists()


def test_only_a_lead_invites_and_revokes(cast: Cast) -> None:
    invitation, _ = invite(cast.project, by=cast.lead, email="new@example.org", roles={"annotator"})

    for user in (cast.ann, cast.other_lead):
        with pytest.raises(NotAllowed):
            invite(cast.project, by=user, email="friend@example.org", roles={"annotator"})
        with pytest.raises(NotAllowed):
            revoke_invitation(invitation, by=user)

    assert list(Invitation.objects.pending()) == [invitation]
