"""Members and their roles: a project keeps a lead, and only a lead says who is in it."""

import pytest

from annotator.actions.people import add_member, change_roles, remove_member
from annotator.domain.errors import NotAllowed
from tests.conftest import nothing_written
from tests.factories import Cast


def test_a_project_keeps_a_lead(cast: Cast, client_of) -> None:
    client, uuid = client_of("lead"), cast.membership("lead").uuid

    client.post(f"/p/essays/people/{uuid}/remove")
    client.post(f"/p/essays/people/{uuid}/roles", {"roles": ["annotator"]})

    assert cast.membership("lead").roles == ["lead"]
    assert cast.membership("lead").removed_at is None


@pytest.mark.parametrize("name", ["ann", "former", "stranger", "other_lead"])
def test_only_a_lead_says_who_is_in_a_project(cast: Cast, name: str) -> None:
    by = cast.person(name)

    with nothing_written():
        with pytest.raises(NotAllowed):
            add_member(cast.project, user=cast.stranger, by=by, roles={"lead"})
        with pytest.raises(NotAllowed):
            change_roles(cast.membership("ann"), by=by, roles={"lead"})
        with pytest.raises(NotAllowed):
            remove_member(cast.membership("ben"), by=by)


def test_an_operator_adds_a_member(cast: Cast) -> None:
    member = add_member(cast.project, user=cast.stranger, by=None, roles={"lead"})

    assert member.roles == ["lead"]
