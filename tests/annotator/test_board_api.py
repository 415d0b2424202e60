"""The board and activity by the API: the figures and lines of the pages."""

from typing import Any
from uuid import uuid4

import pytest

from annotator.actions.assignments import discard_assignment, submit_assignment
from annotator.queries.activity import Activity, Wanted
from annotator.queries.board import board_of
from tests.conftest import Api, nothing_written
from tests.factories import Cast, answer_for

BOARD = "/api/v1/projects/essays/board"
ACTIVITY = "/api/v1/projects/essays/activity"


@pytest.fixture
def lead(cast: Cast) -> Api:
    row, other = cast.assignment("ann"), cast.assignment("ben")
    given = {"version": 0, "active_ms": 60_000, "answer": answer_for(row)}
    submit_assignment(row, by=cast.ann, save_id=uuid4(), **given)
    discard_assignment(other, by=cast.ben, version=0, save_id=uuid4(), reason="grammar")
    return Api(cast.lead)


def test_the_figures_are_those_of_the_page(cast: Cast, lead: Api) -> None:
    with nothing_written():
        told = lead.call("GET", BOARD).json()

    board = board_of(cast.project, by=cast.lead)
    answers, [ann, ben] = told["answers"], sorted(told["people"], key=lambda line: line["name"])
    assert (answers["passages"], answers["done"], answers["discarded"], answers["to_go"]) == (
        board.answers.passages,
        1,
        1,
        board.answers.to_go,
    )
    assert {item["answers"]: item["passages"] for item in answers["coverage"]} == board.answers.coverage
    assert (ann["name"], ann["done"], ann["marks"], ann["state"]) == ("Ann", 1, 1.0, "")
    assert ann["mix"][0] == {"type": "Refine usage", "share": 1.0}
    assert ann["quota"] == {"given": 1, "wanted": 6}
    assert (ben["discards"], ben["seconds"]) == (1, None)
    assert (told["all"]["done"], told["all"]["discards"]) == (2, 1)
    assert [day["submitted"] for day in told["days"]] == [day.submitted for day in board.days]
    assert told["discards"]["reasons"] == [{"reason": "Grammar or typo", "discards": 1}]
    assert told["today"] == board.today.isoformat()


def test_the_lines_are_those_of_the_page_in_pages_of_ones_own(cast: Cast, lead: Api) -> None:
    found, address = list[dict[str, Any]](), f"{ACTIVITY}?limit=3"
    while address:
        with nothing_written():
            page = lead.call("GET", address).json()
        assert len(page["results"]) <= 3
        found, address = [*found, *page["results"]], page["next"]

    lines, _ = Activity(cast.project, user=cast.lead, wanted=Wanted()).page()
    assert sum(line["times"] for line in found) == sum(line.times for line in lines)
    assert (found[0]["who"], found[0]["kind"]) == (lines[0].who, lines[0].event.kind)
    assert {line["person"] for line in found} >= {str(cast.ben.uuid), str(cast.ann.uuid), None}


def test_activity_is_left_to_a_person_a_day_and_a_kind(cast: Cast, lead: Api) -> None:
    by_ben = lead.call("GET", f"{ACTIVITY}?person={cast.ben.uuid}").json()["results"]
    people = lead.call("GET", f"{ACTIVITY}?kind=people").json()["results"]

    assert {line["kind"] for line in by_ben} == {"assignment.discarded"}
    assert {line["kind"].partition(".")[0] for line in people} == {"member"}
    for day in ("2001-01-01", "0001-01-01", "9999-12-31"):
        assert lead.call("GET", f"{ACTIVITY}?day={day}").json() == {"results": [], "next": None}


@pytest.mark.parametrize(
    "query", ["kind=all", "day=today", "person=me", "person=0e1f2a3b-0000-4000-8000-000000000001", "before=7"]
)
def test_filters_that_make_no_sense_are_refused(lead: Api, query: str) -> None:
    assert lead.call("GET", f"{ACTIVITY}?{query}").status_code == 400
