"""Reopening is blind or not at all: who can see others' answers, or once could, does not answer anew (design 5)."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from annotator.actions.assignments import (
    discard_assignment,
    reopen_assignment,
    save_answer,
    submit_assignment,
    undo_discard,
)
from annotator.actions.importing.answers import add_voices
from annotator.actions.invitations import accept_invitation, invite
from annotator.actions.people import add_member, change_roles, remove_member
from annotator.domain.answers import parse_answer
from annotator.domain.errors import Conflict
from annotator.domain.protocols import SWS
from annotator.domain.states import AssignmentState
from annotator.models import Assignment, Membership, User
from tests.conftest import Api
from tests.factories import Cast, answer_for, make_user, save_body

PASSAGE = "essays-1"


def row_of(user: User) -> Assignment:
    rows = Assignment.objects.select_related("membership", "passage__project")
    return rows.get(membership__user=user, passage__external_id=PASSAGE)


def submit(user: User, word: str = "better") -> Assignment:
    row = row_of(user)
    given = {"version": row.version, "save_id": uuid4(), "active_ms": 0}
    submit_assignment(row, by=user, answer=answer_for(row, word), **given)
    return row


def act(action: Any, user: User, **given: Any) -> None:
    row = row_of(user)
    action(row, by=user, version=row.version, save_id=uuid4(), **given)


@pytest.fixture(params=["lead", "adjudicator"])
def both(cast: Cast, request: pytest.FixtureRequest) -> User:
    """Somebody who sees all and annotates too, and has submitted the passage."""
    role = request.param
    change_roles(cast.membership(role), by=cast.lead, roles={role, "annotator"})
    person = cast.person(role)
    submit(person)
    return person


def check_refused(user: User, action: Any = reopen_assignment) -> None:
    before = row_of(user)
    with pytest.raises(Conflict, match="a new answer would not be blind") as refused:
        act(action, user)
    assert refused.value.code == "no_longer_blind"
    assert (row_of(user).version, row_of(user).state) == (before.version, before.state)


def test_who_sees_all_reopens_only_until_anothers_answer_counts(cast: Cast, both: User) -> None:
    act(reopen_assignment, both)
    submit(both, "again")

    submit(cast.ann)

    check_refused(both)


def test_a_plain_annotator_reopens_whatever_others_did(cast: Cast) -> None:
    submit(cast.ann)
    submit(cast.ben)

    act(reopen_assignment, cast.ann)

    assert row_of(cast.ann).state == AssignmentState.STARTED


def test_giving_the_role_up_does_not_help(cast: Cast) -> None:
    change_roles(cast.membership("ann"), by=cast.lead, roles={"annotator", "adjudicator"})
    submit(cast.ann)
    submit(cast.ben)

    change_roles(cast.membership("ann"), by=cast.lead, roles={"annotator"})
    check_refused(cast.ann)
    remove_member(cast.membership("ann"), by=cast.lead)
    add_member(cast.project, user=cast.ann, by=cast.lead, roles={"annotator"})

    check_refused(cast.ann)


def test_a_moment_of_the_role_after_submitting_is_enough(cast: Cast) -> None:
    submit(cast.ann)
    submit(cast.ben)

    change_roles(cast.membership("ann"), by=cast.lead, roles={"annotator", "lead"})
    change_roles(cast.membership("ann"), by=cast.lead, roles={"annotator"})

    check_refused(cast.ann)


def test_an_imported_voice_is_somebody_else(cast: Cast, both: User) -> None:
    row = row_of(both)
    said = parse_answer(answer_for(row), text=row.passage.text, protocol=SWS)

    add_voices(cast.project, by=cast.lead, answers={"V1": {PASSAGE: said}})

    check_refused(both)


def test_an_answer_begun_or_set_aside_does_not_count(cast: Cast, both: User) -> None:
    act(save_answer, cast.ann, active_ms=0, answer=answer_for(row_of(cast.ann)))
    submit(cast.ben)
    act(discard_assignment, cast.ben, reason="grammar")

    act(reopen_assignment, both)

    assert row_of(both).state == AssignmentState.STARTED


def test_one_that_is_reopened_counts_still(cast: Cast, both: User) -> None:
    submit(cast.ann)
    act(reopen_assignment, cast.ann)

    check_refused(both)


def test_another_passage_is_another_matter(cast: Cast, both: User) -> None:
    rows = Assignment.objects.own(cast.ann).select_related("membership", "passage__project")
    other = rows.exclude(passage__external_id=PASSAGE).first()
    assert other is not None
    submit_assignment(other, by=cast.ann, version=other.version, save_id=uuid4(), active_ms=0, answer=answer_for(other))

    act(reopen_assignment, both)

    assert row_of(both).state == AssignmentState.STARTED


def test_a_discard_of_what_was_never_submitted_can_be_undone(cast: Cast) -> None:
    """It has stayed hidden from them all the while."""
    change_roles(cast.membership("lead"), by=cast.lead, roles={"lead", "annotator"})
    submit(cast.ann)
    act(discard_assignment, cast.lead, reason="grammar")

    act(undo_discard, cast.lead)

    assert row_of(cast.lead).state == AssignmentState.STARTED


def test_discarding_and_undoing_is_no_way_round(cast: Cast, both: User) -> None:
    submit(cast.ann)
    act(discard_assignment, both, reason="grammar")

    check_refused(both, undo_discard)


def test_a_lost_response_is_answered_again_whatever_came_since(cast: Cast, both: User) -> None:
    row = row_of(both)
    given = {"by": both, "version": row.version, "save_id": uuid4()}
    first = reopen_assignment(row, **given)
    submit(cast.ann)

    assert reopen_assignment(row_of(both), **given) == first


def test_the_api_and_the_page_refuse_alike(cast: Cast, both: User, client_of: Any) -> None:
    row = submit(cast.ann) and row_of(both)

    answered = Api(both).act(row, "reopen", {"save_id": str(uuid4())}, row.version)
    client = client_of("lead" if both == cast.lead else "adjudicator")
    page = f"/p/essays/work/{row.number}"
    client.post(f"{page}/reopen", {"version": row.version, "save_id": str(uuid4())})
    shown = client.get(page).content.decode()

    assert (answered.status_code, answered.json()["code"]) == (409, "no_longer_blind")
    assert row_of(both).state == AssignmentState.SUBMITTED
    assert shown.count("a new answer would not be blind") == 2  # in its place, and as the answer to the post
    assert "data-form-reopen" not in shown


def test_the_page_offers_what_is_allowed(cast: Cast, both: User, client_of: Any) -> None:
    submit(cast.ann)

    mine = client_of("ann").get(f"/p/essays/work/{row_of(cast.ann).number}").content.decode()

    assert "data-form-reopen" in mine
    assert "not be blind" not in mine


def test_saving_asks_the_database_nothing_more(cast: Cast, both: User) -> None:
    """Only a reopening does, and only of those who see all."""
    act(reopen_assignment, both)

    def queries(user: User, word: str) -> int:
        row = row_of(user)
        with CaptureQueriesContext(connection) as found:
            assert Api(user).save(row, save_body(answer_for(row, word)), row.version).status_code == 200
        return len(found)

    assert queries(both, "new") == queries(cast.ann, "new")


@pytest.mark.parametrize("role", ["lead", "adjudicator"])
def test_every_way_to_the_role_is_remembered(cast: Cast, role: str) -> None:
    fresh, invited = make_user("fresh"), make_user("invited")
    add_member(cast.project, user=fresh, by=cast.lead, roles={role})
    invitation, _ = invite(cast.project, by=cast.lead, email=invited.email, roles={role, "annotator"})
    accept_invitation(invitation, by=invited)
    change_roles(cast.membership("ben"), by=cast.lead, roles={role})
    add_member(cast.project, user=cast.former, by=cast.lead, roles={role})

    seen = set(cast.project.memberships.filter(has_seen_all=True).values_list("user__email", flat=True))

    names = ("lead", "adjudicator", "fresh", "invited", "ben", "former")
    assert seen == {f"{name}@example.org" for name in names}


def test_the_database_lets_no_way_forget_it(cast: Cast) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Membership.objects.filter(user=cast.ann).update(is_lead=True)
