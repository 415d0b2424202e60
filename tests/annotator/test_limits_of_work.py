"""What keeps one person's work within bounds: submissions and reopening without end, pauses, the end of a test."""

from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.utils import timezone

from annotator.actions.assignments import (
    MAX_REOPENED_AN_HOUR,
    MAX_SUBMISSIONS,
    discard_assignment,
    reopen_assignment,
    submit_assignment,
    undo_discard,
)
from annotator.actions.people import pause_member, resume_member
from annotator.domain.errors import Conflict, Throttled
from annotator.models import Assignment, Submission
from tests.conftest import Api
from tests.factories import Cast, answer_for, save_body


def again(row: Assignment) -> Assignment:
    return Assignment.objects.select_related("membership", "passage__project").get(pk=row.pk)


def on(row: Assignment) -> dict[str, Any]:
    return {"version": row.version, "save_id": uuid4()}


def submitted(cast: Cast, row: Assignment, text: str = "better") -> None:
    submit_assignment(row, by=cast.ann, active_ms=0, answer=answer_for(row, text), **on(row))


def test_nobody_submits_one_passage_without_end(cast: Cast) -> None:
    row = cast.assignment("ann")
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for number in range(MAX_SUBMISSIONS):
            submitted(cast, again(row), f"word {number}")
            clock.shift(3600)
            if number < MAX_SUBMISSIONS - 1:
                reopen_assignment(again(row), by=cast.ann, **on(again(row)))

        with pytest.raises(Conflict, match=r"has been submitted 20 times\. Ask your lead") as refused:
            reopen_assignment(again(row), by=cast.ann, **on(again(row)))

    assert refused.value.code == "too_many_submissions"
    assert Submission.objects.filter(assignment=row).count() == MAX_SUBMISSIONS


def test_taking_back_in_a_loop_is_slowed_down(cast: Cast) -> None:
    row = cast.assignment("ann")
    with time_machine.travel(timezone.now(), tick=False) as clock:
        submitted(cast, row)
        for _ in range(MAX_REOPENED_AN_HOUR // 2):
            reopen_assignment(again(row), by=cast.ann, **on(again(row)))
            discard_assignment(again(row), by=cast.ann, reason="grammar", **on(again(row)))
            undo_discard(again(row), by=cast.ann, **on(again(row)))
            submitted(cast, again(row), "again")
            clock.shift(60)

        with pytest.raises(Throttled) as refused:
            reopen_assignment(again(row), by=cast.ann, **on(again(row)))
        assert 3000 < refused.value.retry_after <= 3600
        clock.shift(refused.value.retry_after)
        assert reopen_assignment(again(row), by=cast.ann, **on(again(row))).state == "started"


def test_a_paused_persons_saves_wait_and_nothing_is_lost(cast: Cast) -> None:
    row, api = cast.assignment("ann"), Api(cast.ann)
    pause_member(cast.membership("ann"), by=cast.lead)

    refused = api.save(row, save_body(answer_for(row)), 0)
    others = Api(cast.ben).save(cast.assignment("ben"), save_body(answer_for(cast.assignment("ben"))), 0)

    assert (refused.status_code, refused.json()["code"], others.status_code) == (409, "member_paused", 200)
    with pytest.raises(Conflict, match="paused already"):
        pause_member(cast.membership("ann"), by=cast.lead)
    resume_member(cast.membership("ann"), by=cast.lead)
    assert api.save(row, save_body(answer_for(row)), 0).status_code == 200
    with pytest.raises(Conflict, match="not paused"):
        resume_member(cast.membership("ann"), by=cast.lead)


def test_a_pause_between_reading_and_writing_holds_too(cast: Cast) -> None:
    row = cast.assignment("ann")
    pause_member(cast.membership("ann"), by=cast.lead)
    row.membership.paused_at = None  # as it was read

    with pytest.raises(Conflict) as refused:
        submitted(cast, row)

    assert refused.value.code == "member_paused"


def test_only_an_annotator_is_paused(cast: Cast) -> None:
    with pytest.raises(Conflict, match="Only an annotator"):
        pause_member(cast.membership("lead"), by=cast.lead)
