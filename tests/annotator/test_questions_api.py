"""Questions by the API: listed for leads, answered on the version they saw, and kept in the guidelines where asked."""

from typing import Any
from uuid import uuid4

import pytest

from annotator.actions.people import change_roles
from annotator.actions.questions import answer_question, ask_question
from annotator.models import Event, Question
from tests.conftest import Api, nothing_written
from tests.factories import Cast

HERE = "/api/v1/projects/essays/questions"


@pytest.fixture
def api(cast: Cast) -> Api:
    return Api(cast.lead)


@pytest.fixture
def question(cast: Cast) -> Question:
    return ask_question(cast.assignment("ann"), by=cast.ann, text="Is *Kahn* a name?")


def answered(api: Api, question: Any, *, version: int | None = 1, status: int = 200, **given: Any) -> Any:
    address = f"/api/v1/questions/{getattr(question, 'uuid', question)}/answer"
    got = api.call("POST", address, given, if_match=version)
    assert got.status_code == status, got.content
    return got


def listed(api: Api, query: str = "") -> list[dict[str, Any]]:
    with nothing_written():
        found: list[dict[str, Any]] = api.call("GET", f"{HERE}{query}").json()["results"]
    return found


def test_the_list_tells_who_asked_about_what(cast: Cast, api: Api, question: Question) -> None:
    other = ask_question(cast.assignment("ben"), by=cast.ben, text="And this?")
    answer_question(other, by=cast.lead, version=1, text="No.")

    first, second = listed(api)

    assert first == {
        "uuid": str(question.uuid),
        "text": "Is *Kahn* a name?",
        "asked_at": first["asked_at"],
        "answer": "",
        "answered_at": None,
        "version": 1,
        "by": cast.membership("ann").pseudonym,
        "passage": {
            "uuid": str(question.assignment.passage.uuid),
            "external_id": question.assignment.passage.external_id,
        },
        "answered_by": None,
    }
    assert (second["answer"], second["answered_by"], second["version"]) == ("No.", cast.lead.name, 2)
    assert listed(api, "?state=open") == [first]
    assert listed(api, "?state=answered") == [second]
    page = api.call("GET", f"{HERE}?limit=1").json()
    assert api.call("GET", page["next"]).json() == {"results": [second], "next": None}
    assert api.call("GET", f"{HERE}?state=none").status_code == 400


def test_many_questions_take_as_many_statements_as_one(
    cast: Cast, api: Api, question: Question, django_assert_max_num_queries: Any
) -> None:
    for number in range(1, 5):
        ask_question(cast.assignment("ben", number), by=cast.ben, text="And this?")

    with django_assert_max_num_queries(8):
        assert len(listed(api)) == 5


def test_an_answer_names_the_version_that_was_seen(api: Api, question: Question) -> None:
    told = answered(api, question, text="No.")

    assert (told.json()["answer"], told.json()["version"], told["ETag"]) == ("No.", 2, '"2"')
    stale = answered(api, question, text="Yes.", status=412).json()
    assert stale["stored"] == {"version": 2, "text": "No."}
    assert answered(api, question, text="Yes.", version=2).json()["answer"] == "Yes."
    assert answered(api, question, text="Yes.", version=None, status=428).json()["code"] == "no_if_match"
    assert Event.objects.filter(kind="question.answered").count() == 2


def test_an_answer_goes_into_the_guidelines_as_from_the_board(cast: Cast, api: Api, question: Question) -> None:
    cast.project.refresh_from_db()
    before = cast.project.guidelines_version

    answered(api, question, text="Names stay.", add_to_guidelines=True)
    answered(api, question, version=2, text="They stay.", add_to_guidelines=True, under="Questions")

    cast.project.refresh_from_db()
    assert cast.project.guidelines_version == before + 2
    assert "**Is Kahn a name?**" in cast.project.guidelines
    assert "Names stay." in cast.project.guidelines


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"text": "  "}, "blank"),
        ({"text": "a" * 2_001}, "too_long"),
        ({}, "missing_key"),
        ({"text": "No.", "adds": True}, "unknown_key"),
        ({"text": "No.", "add_to_guidelines": "yes"}, "shape"),
    ],
)
def test_what_is_no_answer_changes_nothing(api: Api, question: Question, given: dict[str, Any], code: str) -> None:
    with nothing_written():
        refused = answered(api, question, status=422, **given).json()

    assert [problem["code"] for problem in refused["problems"]] == [code]


def test_nobody_but_a_lead_answers_or_learns_that_something_was_asked(cast: Cast, question: Question) -> None:
    for name in ("ann", "ben", "adjudicator", "other_lead", "stranger"):
        own = Api(cast.person(name))
        assert (
            answered(own, question, text="No.", status=404).content
            == answered(own, uuid4(), text="No.", status=404).content
        )


def test_a_lead_who_annotates_is_told_nothing_about_their_own_open_passages(
    cast: Cast, api: Api, question: Question
) -> None:
    change_roles(cast.membership("lead"), by=cast.lead, roles={"lead", "annotator"})

    assert listed(api) == []
    answered(api, question, text="No.", status=404)
