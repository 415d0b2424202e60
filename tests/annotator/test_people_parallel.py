"""People who come in at the same moment: real transactions, one connection per thread."""

import threading
import time
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from annotator.actions.accounts import MOST_PER_EMAIL
from annotator.actions.assignments import submit_assignment
from annotator.actions.invitations import accept_invitation, invite
from annotator.actions.people import add_member
from annotator.actions.projects import add_passages
from annotator.actions.qualifying import set_key
from annotator.domain.passages import NewPassage
from annotator.models import Assignment, Invitation, LoginAttempt, Membership, User
from tests.annotator.test_saving_parallel import at_once
from tests.factories import Cast, make_user, mark
from tests.house import PASSWORD


def test_two_invitations_of_one_newcomer_accepted_at_once_make_one_account(cast_committed: Cast, caplog: Any) -> None:
    cast, email, has_begun = cast_committed, "new@example.org", threading.Event()
    first, _ = invite(cast.project, by=cast.lead, email=email, roles={"annotator"})
    second, token = invite(cast.other_project, by=cast.other_lead, email=email, roles={"annotator"})

    def slowly() -> None:
        with transaction.atomic():
            accept_invitation(first, by=None, name="New", password=PASSWORD)
            has_begun.set()
            time.sleep(1)  # the other one has looked whether there is an account, and waits for this one

    def meanwhile() -> Any:
        has_begun.wait(10)
        client = Client(raise_request_exception=False)
        return client.post(f"/invite/{token}", {"name": "New", "password": PASSWORD})

    _, answer = at_once([slowly, meanwhile])

    assert answer.status_code == 409
    assert "There is an account for this e-mail: sign in to accept." in answer.content.decode()
    assert "Sign in to join" in answer.content.decode()
    assert email not in caplog.text
    new = User.objects.get(email=email)
    assert list(Membership.objects.filter(user=new).values_list("project__slug", flat=True)) == ["essays"]
    assert list(Invitation.objects.pending()) == [second]
    accept_invitation(second, by=new)
    assert new.memberships.count() == 2


def test_of_two_who_end_the_last_test_passages_at_once_one_settles_the_test(cast_committed: Cast) -> None:
    cast, has_begun = cast_committed, threading.Event()
    passages = [NewPassage(f"t{number}", "This is a big house.", kind="test") for number in (1, 2)]
    for row in add_passages(cast.project, by=cast.lead, passages=passages):
        set_key(row, by=cast.lead, answer={"marks": [mark(row.text, "big", "large")]})
    zoe = add_member(cast.project, user=make_user("zoe"), by=cast.lead, roles={"annotator"})
    one, two = zoe.assignments.select_related("membership__user", "passage__project").order_by("number")

    def submit(row: Assignment) -> None:
        answer = {"marks": [mark(row.passage.text, "big", "large")]}
        assert zoe.user is not None
        submit_assignment(row, by=zoe.user, version=0, save_id=uuid4(), active_ms=0, answer=answer)

    def slowly() -> None:
        with transaction.atomic():
            submit(one)
            has_begun.set()
            time.sleep(1)

    def meanwhile() -> None:
        has_begun.wait(10)
        submit(two)

    at_once([slowly, meanwhile])

    zoe.refresh_from_db()
    assert zoe.qualification == "passed"


@pytest.mark.parametrize(("before", "most"), [(MOST_PER_EMAIL - 5, 5), (MOST_PER_EMAIL + 10, 1)])
def test_guesses_sent_at_once_are_all_counted(cast_committed: Cast, before: int, most: int) -> None:
    """From addresses of their own: no more of them are looked at than of guesses sent one after the other."""
    email, at = cast_committed.ann.email, timezone.now() - timedelta(minutes=5)
    LoginAttempt.objects.bulk_create(LoginAttempt(email=email, address=f"10.0.{n}.1", at=at) for n in range(before))

    def guess(number: int) -> int:
        client = Client(REMOTE_ADDR=f"10.1.{number}.1")
        return client.post("/log-in", {"email": email, "password": "wrong"}).status_code

    statuses = at_once([lambda number=number: guess(number) for number in range(20)])

    assert set(statuses) <= {400, 429}
    assert statuses.count(400) <= most
    assert LoginAttempt.objects.count() == before + statuses.count(400)
