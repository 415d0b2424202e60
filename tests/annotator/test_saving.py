"""The save path through the API, case by case (the protocol itself; parallel saves are in test_saving_parallel)."""

from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone

from annotator.actions.assignments import submit_assignment, withdraw_assignment
from annotator.actions.people import remove_member
from annotator.actions.projects import change_project_state
from annotator.domain.errors import Conflict, NotAllowed
from annotator.models import Assignment, Event, Submission
from tests.conftest import Api, nothing_written
from tests.factories import Cast, answer_for, mark, save_body


def row_of(assignment: Assignment) -> dict:
    return Assignment.objects.filter(pk=assignment.pk).values().get()


def test_first_save_starts_the_assignment(cast: Cast, api: Api) -> None:
    row = cast.assignment("ann")
    answer = answer_for(row, "better", "nicer")

    response = api.save(row, save_body(answer), 0)

    assert response.status_code == 200
    assert response.json() == {"version": 1, "state": "started", "number": 1, "submission": 0}
    assert response["ETag"] == '"1"'
    row.refresh_from_db()
    assert (row.draft, row.marks, row.substitutes) == (answer, 1, 2)
    assert row.substitutes_by_type == {"refine-usage": 2}


def test_each_save_leaves_one_event_sealed_to_the_one_before(cast: Cast, api: Api) -> None:
    row = cast.assignment("ann")

    api.save(row, save_body(answer_for(row, "one")), 0)
    api.save(row, save_body(answer_for(row, "two")), 1)

    first, second = Event.objects.of(row)
    row.refresh_from_db()
    assert [first.seq, second.seq, row.version] == [1, 2, 2]
    assert (first.previous_hash, second.previous_hash, row.chain_head) == ("", first.hash, second.hash)
    assert first.by == cast.ann


def test_t5_saving_the_same_answer_writes_nothing(cast: Cast, api: Api) -> None:
    """T5: save with no change → no new version, no event."""
    row = cast.assignment("ann")
    answer = answer_for(row)
    api.save(row, save_body(answer), 0)

    with nothing_written():
        response = api.save(row, save_body(answer), 1)

    assert (response.status_code, response.json()["version"]) == (200, 1)


def test_empty_draft_on_fresh_assignment_writes_nothing(cast: Cast, api: Api) -> None:
    with nothing_written():
        response = api.save(cast.assignment("ann"), save_body({"marks": []}), 0)

    assert response.json()["state"] == "assigned"


def test_t2_opening_a_passage_writes_nothing(cast: Cast, client_of) -> None:
    """T2: GET of the annotation page changes no row."""
    client = client_of("ann")

    with nothing_written():
        page = client.get("/p/essays/work/1")
        listed = client.get("/p/essays/work")
        read = client.get(f"/api/v1/assignments/{cast.assignment('ann').uuid}")

    assert [page.status_code, listed.status_code, read.status_code] == [200, 200, 200]


def test_t3_t16_a_stale_save_changes_nothing_and_shows_what_is_stored(cast: Cast, api: Api) -> None:
    """T3, T16: on 412 the stored row is the same before and after; the answer holds the stored version."""
    row = cast.assignment("ann")
    api.save(row, save_body(answer_for(row, "first")), 0)
    before = row_of(row)

    response = api.save(row, save_body(answer_for(row, "second")), 0)

    assert response.status_code == 412
    assert response.json()["stored"] == {
        "version": 1,
        "state": "started",
        "answer": answer_for(row, "first"),
        "has_arrived": False,
    }
    assert row_of(row) == before


def test_t11_a_save_sent_again_after_a_lost_response_is_answered_as_before(cast: Cast, api: Api) -> None:
    """T11: a retry of a stored save is 200 with the stored version; newer typing then goes on top of it."""
    row = cast.assignment("ann")
    body = save_body(answer_for(row, "first"))
    api.save(row, body, 0)

    with nothing_written():
        again = api.save(row, body, 0)
    newer = api.save(row, save_body(answer_for(row, "first", "typed meanwhile")), again.json()["version"])

    assert (again.status_code, again.json()["version"]) == (200, 1)
    assert (newer.status_code, newer.json()["version"]) == (200, 2)


def test_a_save_id_belongs_to_one_body(cast: Cast, api: Api) -> None:
    row = cast.assignment("ann")
    body = save_body(answer_for(row, "first"))
    api.save(row, body, 0)
    other = {**body, "answer": answer_for(row, "second")}

    late, on_time = api.save(row, other, 0), api.save(row, other, 1)

    assert (late.status_code, on_time.status_code) == (412, 422)
    assert row_of(row)["version"] == 1


def test_a_save_id_belongs_to_one_act(cast: Cast, api: Api) -> None:
    row, save_id = cast.assignment("ann"), str(uuid4())
    api.act(row, "discard", {"save_id": save_id, "reason": "grammar"}, 0)

    other_reason = api.act(row, "discard", {"save_id": save_id, "reason": "duplicate"}, 0)
    undo = api.act(row, "undo-discard", {"save_id": save_id}, 1)

    assert (other_reason.status_code, undo.status_code) == (409, 422)
    assert row_of(row)["discard_reason"] == "grammar"


def test_an_old_request_is_not_replayed_once_another_save_came_after_it(cast: Cast, api: Api) -> None:
    row = cast.assignment("ann")
    body = save_body(answer_for(row, "first"))
    api.save(row, body, 0)
    api.save(row, save_body(answer_for(row, "second")), 1)

    again, other = api.save(row, body, 0), api.save(row, save_body(answer_for(row, "third")), 0)

    assert (again.status_code, other.status_code) == (412, 412)
    assert (again.json()["stored"]["has_arrived"], other.json()["stored"]["has_arrived"]) == (True, False)


def test_a_save_that_arrived_and_was_handed_in_elsewhere_since_is_known(cast: Cast, api: Api) -> None:
    row = cast.assignment("ann")
    body = save_body(answer_for(row, "first"))
    api.save(row, body, 0)
    api.act(row, "submit", save_body(answer_for(row, "second")), 1)

    again = api.save(row, body, 0)

    assert again.status_code == 409
    assert again.json()["stored"]["has_arrived"] is True


def test_submit_saves_and_hands_in_at_once(cast: Cast, api: Api) -> None:
    row = cast.assignment("ann")

    response = api.act(row, "submit", save_body(answer_for(row)), 0)

    assert response.json() == {"version": 1, "state": "submitted", "number": 1, "submission": 1}
    submission = Submission.objects.get(assignment=row)
    assert (submission.number, submission.answer) == (1, answer_for(row))
    assert [event.kind for event in Event.objects.of(row)] == ["assignment.submitted"]


def test_t10_a_submit_sent_twice_makes_one_submission(cast: Cast, api: Api) -> None:
    """T10: same save_id twice on submit → one Submission."""
    row = cast.assignment("ann")
    body = save_body(answer_for(row))

    first, second = api.act(row, "submit", body, 0), api.act(row, "submit", body, 0)

    assert (first.status_code, second.status_code) == (200, 200)
    assert first.json() == second.json()
    assert Submission.objects.filter(assignment=row).count() == 1


def test_a_double_click_with_two_save_ids_makes_one_submission(cast: Cast, api: Api) -> None:
    row = cast.assignment("ann")
    api.act(row, "submit", save_body(answer_for(row)), 0)

    second = api.act(row, "submit", save_body(answer_for(row)), 0)

    assert second.status_code == 409
    assert Submission.objects.filter(assignment=row).count() == 1


def test_reopen_copies_the_submission_into_a_draft_and_its_votes_stay(cast: Cast, api: Api) -> None:
    row = cast.assignment("ann")
    api.act(row, "submit", save_body(answer_for(row)), 0)

    response = api.act(row, "reopen", {"save_id": str(uuid4())}, 1)

    assert response.json()["state"] == "started"
    row.refresh_from_db()
    assert (row.draft, row.submissions_made) == (answer_for(row), 1)


def test_the_next_submit_after_a_reopen_is_number_two(cast: Cast, api: Api) -> None:
    row = cast.assignment("ann")
    api.act(row, "submit", save_body(answer_for(row, "one")), 0)
    api.act(row, "reopen", {"save_id": str(uuid4())}, 1)

    response = api.act(row, "submit", save_body(answer_for(row, "two")), 2)

    assert response.json()["submission"] == 2
    assert [s.answer for s in row.submissions.order_by("number")] == [answer_for(row, "one"), answer_for(row, "two")]


@pytest.mark.parametrize("state", ["assigned", "started", "submitted"])
def test_discard_and_undo_keep_the_draft(cast: Cast, api: Api, state: str) -> None:
    row, version = cast.assignment("ann"), 0
    if state != "assigned":
        act = "submit" if state == "submitted" else "answer"
        api.call("POST" if act == "submit" else "PUT", f"/api/v1/assignments/{row.uuid}/{act}",
                 save_body(answer_for(row)), if_match=0)  # fmt: skip
        version = 1
    draft = row_of(row)["draft"]

    discarded = api.act(row, "discard", {"save_id": str(uuid4()), "reason": "grammar"}, version)
    undone = api.act(row, "undo-discard", {"save_id": str(uuid4())}, version + 1)

    assert (discarded.json()["state"], undone.json()["state"]) == ("discarded", "started")
    after = row_of(row)
    assert (after["draft"], after["discard_reason"], after["version"]) == (draft, "", version + 2)


@pytest.mark.parametrize("act", ["discard", "undo-discard", "reopen"])
def test_every_act_sent_again_is_answered_as_before(cast: Cast, api: Api, act: str) -> None:
    row, version = cast.assignment("ann"), 0
    if act != "discard":
        first = {"undo-discard": "discard", "reopen": "submit"}[act]
        body = save_body(answer_for(row)) if first == "submit" else {"save_id": str(uuid4()), "reason": "grammar"}
        version = api.act(row, first, body, 0).json()["version"]
    body = {"save_id": str(uuid4()), **({"reason": "grammar"} if act == "discard" else {})}

    answers = [api.act(row, act, body, version) for _ in range(2)]

    assert [a.status_code for a in answers] == [200, 200]
    assert answers[0].json() == answers[1].json()


@pytest.mark.parametrize(
    ("body", "problem"),
    [({"reason": "bored"}, "reason"), ({"reason": "other"}, "remark"), ({"reason": "other", "remark": " "}, "remark")],
)
def test_discard_needs_a_reason_from_the_list(cast: Cast, api: Api, body: dict, problem: str) -> None:
    response = api.act(cast.assignment("ann"), "discard", {"save_id": str(uuid4()), **body}, 0)

    assert response.status_code == 422
    assert response.json()["problems"][0]["path"] == problem


@pytest.mark.parametrize("act", ["pause", "close", "archive"])
def test_nothing_is_saved_while_the_project_is_not_open(cast: Cast, api: Api, act: str) -> None:
    row = cast.assignment("ann")
    project = change_project_state(cast.project, by=cast.lead, act=act)

    response = api.save(row, save_body(answer_for(row)), 0)

    assert (response.status_code, response.json()["code"]) == (409, f"project_{project.state}")
    assert row_of(row)["version"] == 0


def test_a_submitted_passage_takes_no_save(cast: Cast, api: Api) -> None:
    row = cast.assignment("ann")
    api.act(row, "submit", save_body(answer_for(row)), 0)

    response = api.save(row, save_body(answer_for(row, "late")), 1)

    assert (response.status_code, response.json()["code"]) == (409, "passage_submitted")
    assert response.json()["stored"] == {
        "version": 1,
        "state": "submitted",
        "answer": answer_for(row),
        "has_arrived": False,
    }


def test_a_withdrawn_passage_takes_no_save_and_keeps_its_draft(cast: Cast, api: Api) -> None:
    row = cast.assignment("ann")
    api.save(row, save_body(answer_for(row)), 0)
    withdraw_assignment(cast.assignment("ann"), by=cast.lead)

    response = api.save(row, save_body(answer_for(row, "late")), 2)

    assert (response.status_code, response.json()["code"]) == (409, "passage_withdrawn")
    assert row_of(row)["draft"] == answer_for(row)


def test_t16_a_type_removed_under_an_open_page_is_a_409(cast: Cast, api: Api) -> None:
    """T16: removed type → 409, the stored answer untouched."""
    row = cast.assignment("ann")
    cast.project.protocol_data["types"][0]["is_retired"] = True
    cast.project.save(update_fields=["protocol_data"])

    response = api.save(row, save_body(answer_for(row)), 0)

    assert (response.status_code, response.json()["code"]) == (409, "type_removed")
    assert row_of(row)["version"] == 0


@pytest.mark.parametrize("header", [None, "7", 'W/"7"', "*", '"x"', '"7", "8"', '"-1"', '"٧"'])
def test_a_save_says_which_version_it_has_seen(cast: Cast, api: Api, header: str | None) -> None:
    row = cast.assignment("ann")

    response = api.save(row, save_body(answer_for(row)), header)

    assert response.status_code == (428 if header is None else 422)
    assert row_of(row)["version"] == 0


def test_submit_refuses_what_a_draft_may_hold(cast: Cast, api: Api) -> None:
    row = cast.assignment("ann")
    word = row.passage.text.split()[1]
    answer = {"marks": [mark(row.passage.text, word)]}

    saved, submitted = api.save(row, save_body(answer), 0), api.act(row, "submit", save_body(answer), 1)

    assert (saved.status_code, submitted.status_code) == (200, 422)
    assert submitted.json()["problems"][0]["code"] == "no_substitute"
    assert row_of(row)["state"] == "started"


def test_nothing_to_improve_is_the_only_empty_submission(cast: Cast, api: Api) -> None:
    row = cast.assignment("ann")

    empty = api.act(row, "submit", save_body({"marks": []}), 0)
    none = api.act(row, "submit", save_body({"none": True}), 0)

    assert (empty.status_code, none.status_code) == (422, 200)


def test_active_time_adds_up_and_never_exceeds_the_clock(cast: Cast, api: Api) -> None:
    row = cast.assignment("ann")

    api.save(row, save_body(answer_for(row, "a"), active_ms=3_600_000), 0)

    since = (timezone.now() - row.assigned_at).total_seconds()
    assert 0 <= row_of(row)["active_ms"] <= 1000 * since


def test_a_draft_holds_unicode_at_code_point_offsets(cast: Cast, api: Api) -> None:
    row = next(cast.assignment("ann", n) for n in range(1, 5) if cast.assignment("ann", n).passage.text[0] == "😀")
    answer = {"marks": [mark(row.passage.text, "big", "enormous", occurrence=2)]}

    response = api.save(row, save_body(answer), 0)

    assert response.status_code == 200
    assert row_of(row)["draft"]["marks"][0]["quote"] == "big"


def test_a_read_only_database_is_a_503_that_says_so(cast: Cast, api: Api) -> None:
    row = cast.assignment("ann")
    with connection.cursor() as cursor:
        cursor.execute(
            "PRAGMA query_only = 1" if connection.vendor == "sqlite" else "SET LOCAL transaction_read_only = on"
        )

    response = api.save(row, save_body(answer_for(row)), 0)

    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA query_only = 0")
    assert (response.status_code, response["Retry-After"]) == (503, "5")
    assert response.json()["code"] == "unavailable"
    assert row_of(row)["version"] == 0


@pytest.mark.parametrize("moment", ["closed", "removed"])
def test_what_ends_between_reading_and_writing_ends_the_save(cast: Cast, moment: str) -> None:
    """The project closes, or the person is removed, after the door has read the row: the UPDATE itself asks again."""
    row = cast.assignment("ann")
    assert (row.passage.project.state, row.membership.removed_at) == ("open", None)  # read now, as a door would
    if moment == "closed":
        change_project_state(cast.project, by=cast.lead, act="close")
    else:
        remove_member(cast.membership("ann"), by=cast.lead)

    with pytest.raises(Conflict if moment == "closed" else NotAllowed):
        submit_assignment(row, by=cast.ann, version=0, save_id=uuid4(), active_ms=0, answer=answer_for(row))

    assert not Submission.objects.filter(assignment=row).exists()
