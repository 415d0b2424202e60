"""Many are invited at once: what is pasted is read, what will not do is named, and nothing is half done."""

from typing import Any

import pytest
from django.test import Client

from annotator.actions.invitations import MOST_INVITED, invite_many, renew_invitation, revoke_invitation
from annotator.actions.people import add_member, remove_member
from annotator.domain.errors import Conflict, Invalid, NotAllowed
from annotator.models import Event, Invitation
from tests.conftest import nothing_written
from tests.factories import Cast
from tests.house import PASSWORD

MANY = [f"person{number}@example.org" for number in range(MOST_INVITED)]


def post(client: Client, emails: str, **given: Any) -> Any:
    return client.post("/p/essays/people", {"emails": emails, "roles": ["annotator"], **given})


def test_two_hundred_are_invited_at_once_each_by_a_link_of_their_own(cast: Cast, client_of: Any) -> None:
    answer = post(client_of("lead"), "\n".join(MANY))

    page = answer.content.decode()
    assert answer.status_code == 200
    assert len({line.partition('"')[0] for line in page.split('value="http://127.0.0.1:8000/invite/')[1:]}) == 200
    assert Invitation.objects.pending().count() == 200
    assert Event.objects.in_project(cast.project).filter(kind="invitations.made").count() == 1


def test_the_links_are_a_table_too_without_formulas(cast: Cast, client_of: Any) -> None:
    page = post(client_of("lead"), "=one@example.org, two@example.org").content.decode()

    assert 'download="essays-invitations.csv"' in page
    assert "email%2Croles%2Clink%2Cruns%20out%0D%0A%27%3Done%40example.org%2Cannotator%2Chttp" in page


def test_three_broken_ones_of_two_hundred_are_named_and_nothing_is_lost_or_half_done(
    cast: Cast, client_of: Any
) -> None:
    client, pasted = client_of("lead"), [*MANY[:197], "broken", "also@broken", "ann@example.org"]

    with nothing_written():
        answer = post(client, "\n".join(pasted))

    page = answer.content.decode()
    assert answer.status_code == 400
    for said in (
        "“broken” is not an e-mail address.",
        "“also@broken” is not an e-mail address.",
        "ann@example.org is in this project already.",
    ):
        assert said in page
    assert page.count('class="error"') == 3
    assert "autofocus" in page
    assert all(address in page for address in pasted)
    assert "Invite the other 197 without these" in page


def test_what_is_wrong_twice_is_named_once(cast: Cast, client_of: Any) -> None:
    page = post(
        client_of("lead"), "ann@example.org, ANN@example.org, one@example.org, one@example.org"
    ).content.decode()

    assert page.count("ann@example.org is in this project already.") == 1
    assert "Invite the other one without it" in page


def test_the_others_are_invited_without_the_broken_ones(cast: Cast, client_of: Any) -> None:
    answer = post(client_of("lead"), "one@example.org\nbroken\ntwo@example.org", leave_out="1")

    assert answer.status_code == 200
    assert "“broken” is not an e-mail address." in answer.content.decode()
    assert {row.email for row in Invitation.objects.pending()} == {"one@example.org", "two@example.org"}


def test_more_than_two_hundred_are_refused(cast: Cast, client_of: Any) -> None:
    answer = post(client_of("lead"), "\n".join([*MANY, "one@example.org"]))

    assert answer.status_code == 400
    assert "These are 201 addresses: 200 are the most at once." in answer.content.decode()
    assert not Invitation.objects.exists()


@pytest.mark.parametrize("given", [{"emails": ""}, {"emails": " ,;\n"}, {"roles": []}, {"roles": ["owner"]}])
def test_what_is_missing_is_said_beside_its_field(cast: Cast, client_of: Any, given: dict[str, Any]) -> None:
    answer = client_of("lead").post("/p/essays/people", {"emails": "a@example.org", "roles": ["annotator"], **given})

    assert answer.status_code == 400
    assert 'class="error"' in answer.content.decode()
    assert not Invitation.objects.exists()


def test_an_address_pasted_twice_is_invited_once(cast: Cast) -> None:
    done = invite_many(cast.project, by=cast.lead, emails=["a@x.org", "A@x.org "], roles={"annotator"})

    assert [row.email for row, _ in done.made] == ["a@x.org"]


def test_inviting_somebody_again_ends_the_first_link(cast: Cast) -> None:
    first, second = (
        invite_many(cast.project, by=cast.lead, emails=["a@x.org"], roles={"annotator"}).made[0][1] for _ in range(2)
    )

    assert [Client().get(f"/invite/{token}").status_code for token in (first, second)] == [410, 200]


def test_a_link_is_renewed_by_any_lead_and_the_old_one_is_over(cast: Cast, client_of: Any) -> None:
    [(invitation, old)] = invite_many(cast.project, by=cast.lead, emails=["a@x.org"], roles={"annotator"}).made
    second = add_member(cast.project, user=cast.stranger, by=cast.lead, roles={"lead"})

    page = client_of("stranger").post(f"/p/essays/invitations/{invitation.uuid}/renew").content.decode()

    new = page.partition("http://127.0.0.1:8000/invite/")[2].partition('"')[0]
    assert [Client().get(f"/invite/{token}").status_code for token in (old, new)] == [410, 200]
    remove_member(cast.membership("lead"), by=cast.stranger)
    assert Client().get(f"/invite/{new}").status_code == 200  # it is the second lead's now
    assert second.removed_at is None


def test_one_that_has_run_out_is_listed_and_can_be_renewed(cast: Cast, client_of: Any) -> None:
    [(invitation, _)] = invite_many(cast.project, by=cast.lead, emails=["a@x.org"], roles={"annotator"}).made
    Invitation.objects.update(expires_at=invitation.created_at)

    page = client_of("lead").get("/p/essays/people").content.decode()
    _, token = renew_invitation(invitation, by=cast.lead)

    assert "ran out" in page
    joined = Client().post(f"/invite/{token}", {"name": "Newcomer", "password": PASSWORD})
    assert joined.status_code == 302


def test_what_is_over_cannot_be_renewed(cast: Cast) -> None:
    [(invitation, _)] = invite_many(cast.project, by=cast.lead, emails=["a@x.org"], roles={"annotator"}).made
    revoke_invitation(invitation, by=cast.lead)

    with pytest.raises(Conflict, match="revoked"):
        renew_invitation(invitation, by=cast.lead)


def test_only_a_lead_invites_many_and_renews(cast: Cast) -> None:
    [(invitation, _)] = invite_many(cast.project, by=cast.lead, emails=["a@x.org"], roles={"annotator"}).made

    for user in (cast.ann, cast.adjudicator, cast.other_lead):
        with nothing_written():
            with pytest.raises(NotAllowed):
                invite_many(cast.project, by=user, emails=["b@x.org"], roles={"annotator"})
            with pytest.raises(NotAllowed):
                renew_invitation(invitation, by=user)


def test_roles_that_do_not_exist_invite_nobody(cast: Cast) -> None:
    with pytest.raises(Invalid, match="at least one role"):
        invite_many(cast.project, by=cast.lead, emails=["a@x.org"], roles={"owner"})

    assert not Invitation.objects.exists()
