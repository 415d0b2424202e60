"""Passages by the API: the list with the filters of its page, and one change at a time, for leads."""

from collections.abc import Callable
from typing import Any

import pytest

from annotator.actions.people import change_roles
from annotator.actions.qualifying import set_key
from annotator.actions.questions import ask_question
from annotator.domain.passages import PassageKind
from annotator.models import Assignment, Event, Passage
from tests.conftest import Api, nothing_written
from tests.factories import Cast, answer_for, save_body

HERE = "/api/v1/projects/essays/passages"


@pytest.fixture
def api(cast: Cast) -> Api:
    return Api(cast.lead)


def listed(api: Api, query: str = "") -> list[dict[str, Any]]:
    with nothing_written():
        got = api.call("GET", f"{HERE}{query}")
    assert got.status_code == 200, got.content
    found: list[dict[str, Any]] = got.json()["results"]
    return found


def changed(api: Api, passage: Passage, status: int = 200, **given: Any) -> dict[str, Any]:
    got = api.call("PATCH", f"{HERE}/{passage.uuid}", given)
    assert got.status_code == status, got.content
    found: dict[str, Any] = got.json()
    return found


def first(cast: Cast) -> Passage:
    return cast.project.passages.select_related("project").earliest("pk")


def test_a_line_tells_what_the_page_tells(cast: Cast, api: Api) -> None:
    for name in ("ann", "ben"):
        row = cast.assignment(name)
        Api(cast.person(name)).act(row, "submit", save_body(answer_for(row)), 0)
    ask_question(cast.assignment("ann", 2), by=cast.ann, text="Is this a name?")

    lines = listed(api)

    assert [line["external_id"] for line in lines] == list(
        cast.project.passages.order_by("pk").values_list("external_id", flat=True)
    )
    by_uuid = {line["uuid"]: line for line in lines}
    assert by_uuid[str(cast.assignment("ann").passage.uuid)]["answers"] >= 1
    assert by_uuid[str(cast.assignment("ann", 2).passage.uuid)]["questions"] == 1
    assert sum(line["answers"] for line in lines) == 2
    assert {(line["given"], line["screening"], line["is_archived"], line["has_key"]) for line in lines} == {
        (3, "none", False, False)  # one of them has left
    }


FILTERS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "?search=essays-1": lambda line: line["external_id"] == "essays-1",
    "?kind=practice": lambda line: line["kind"] == "practice",
    "?screening=refused": lambda line: line["screening"] == "refused",
    "?screening=grammar": lambda line: line["reason"] == "grammar",
    "?screening=none": lambda line: line["screening"] == "none",
    "?answers=0": lambda line: line["answers"] == 0,
    "?answers=1": lambda line: line["answers"] == 1,
    "?group=first": lambda line: line["group"] == "first",
    "?split=dev": lambda line: line["split"] == "dev",
    "?questions=yes": lambda line: bool(line["questions"]),
    "?discarded=1": lambda line: bool(line["discards"]),
    "?reason=grammar": lambda line: bool(line["discards"]),
    "?kind=work&answers=0&screening=none": lambda line: (
        (line["kind"], line["answers"], line["screening"]) == ("work", 0, "none")
    ),
}


@pytest.mark.parametrize("query", FILTERS)
def test_the_filters_of_the_page_filter_here_too(cast: Cast, api: Api, query: str) -> None:
    row, other = cast.assignment("ann"), cast.assignment("ann", 2)
    Api(cast.ann).act(row, "submit", save_body(answer_for(row)), 0)
    ask_question(other, by=cast.ann, text="Is this a name?")
    Api(cast.ben).act(cast.assignment("ben"), "discard", {"save_id": str(row.uuid), "reason": "grammar"}, 0)
    passages = list(cast.project.passages.order_by("pk"))
    Passage.objects.filter(pk=passages[0].pk).update(group="first", split="dev", kind="practice")
    Passage.objects.filter(pk=passages[1].pk).update(screening="refused", screening_reason="grammar")
    everything = listed(api)

    found = listed(api, query)

    assert found == [line for line in everything if FILTERS[query](line)]
    assert 0 < len(found) < len(everything)


@pytest.mark.parametrize("query", ["kind=odd", "answers=-1", "archived=1", "search=", "sort=text", "search=%00"])
def test_what_makes_no_sense_is_refused(api: Api, query: str) -> None:
    assert api.call("GET", f"{HERE}?{query}").status_code == 400


def test_pages_follow_each_other_in_few_statements(cast: Cast, api: Api, django_assert_max_num_queries: Any) -> None:
    texts = [line["text"] for line in listed(api)]

    page, found = f"{HERE}?limit=2", []
    while page:
        with django_assert_max_num_queries(12):
            got = api.call("GET", page).json()
        found += [line["text"] for line in got["results"]]
        page = got["next"]

    assert found == texts


def test_of_what_a_lead_has_still_to_annotate_nothing_is_told(cast: Cast, api: Api) -> None:
    change_roles(cast.membership("lead"), by=cast.lead, roles={"lead", "annotator"})
    row = cast.assignment("ben")
    Api(cast.ben).act(row, "submit", save_body(answer_for(row)), 0)

    lines = listed(api)

    assert {(line["answers"], line["discards"], line["questions"]) for line in lines} == {(None, None, None)}
    assert listed(api, "?answers=1") == []
    told = changed(api, row.passage, screening="accepted")
    assert (told["screening"], told["answers"]) == ("accepted", None)


def test_screening_is_said_and_taken_back(cast: Cast, api: Api) -> None:
    passage = first(cast)

    refused = changed(api, passage, screening="refused", reason="grammar")
    again = changed(api, passage, screening="none")

    assert (refused["screening"], refused["reason"]) == ("refused", "grammar")
    assert (again["screening"], again["reason"]) == ("none", "")
    assert [event.kind for event in Event.objects.of(passage).order_by("seq")] == [
        "passage.refused",
        "passage.unscreened",
    ]


def test_a_passage_is_replaced_by_an_edited_one(cast: Cast, api: Api) -> None:
    passage = first(cast)

    told = changed(api, passage, text="A text that is better.", external_id="e1-better")

    made = Passage.objects.get(uuid=told["replaced_by"])
    assert (told["is_archived"], made.text, made.external_id) == (True, "A text that is better.", "e1-better")
    [line] = listed(api, "?search=e1-better")
    assert (line["replaces"], line["screening"]) == (str(passage.uuid), "accepted")
    [archived] = listed(api, "?archived=yes")
    assert archived == told
    assert changed(api, passage, 409, text="Once more.")["code"] == "passage_archived"


def test_an_archived_passage_leaves_the_list(cast: Cast, api: Api) -> None:
    passage = first(cast)

    assert changed(api, passage, is_archived=True)["is_archived"]

    assert str(passage.uuid) not in [line["uuid"] for line in listed(api)]
    assert not Assignment.objects.filter(passage=passage).to_do().exists()


def test_a_test_passage_with_a_key_becomes_a_control_and_back(cast: Cast, api: Api) -> None:
    passage = Passage.objects.create(project=cast.project, external_id="t-1", text="A test.", kind=PassageKind.TEST)
    other = Passage.objects.create(project=cast.project, external_id="t-2", text="Two.", kind=PassageKind.CONTROL)
    Passage.objects.filter(pk=other.pk).update(key_answer={"none": True})

    assert changed(api, passage, 422, is_control=True)["problems"][0]["code"] == "no_key"
    set_key(passage, by=cast.lead, answer={"none": True})
    assert changed(api, passage, is_control=True)["kind"] == "control"
    assert changed(api, passage, is_control=True)["kind"] == "control"
    assert changed(api, passage, is_control=False)["kind"] == "test"

    kinds = [event.kind for event in Event.objects.of(passage).order_by("seq")]
    assert kinds == ["passage.key_set", "passage.kind_changed", "passage.kind_changed"]
    other.refresh_from_db()
    assert other.kind == PassageKind.CONTROL
    Assignment.objects.create(membership=cast.membership("ann"), passage=passage, number=99)
    assert changed(api, passage, 409, is_control=True)["code"] == "given"


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no change": ({}, "one_change"),
    "two changes": ({"is_archived": True, "screening": "accepted"}, "one_change"),
    "a reason for nothing": ({"is_archived": True, "reason": "grammar"}, "one_change"),
    "an id alone": ({"external_id": "e9"}, "one_change"),
    "out of the archive": ({"is_archived": False}, "one_way"),
    "a refusal without a reason": ({"screening": "refused"}, "reason"),
    "a reason to accept": ({"screening": "accepted", "reason": "grammar"}, "reason"),
    "no verdict": ({"screening": "maybe"}, "invalid_choice"),
    "no text": ({"text": " "}, "empty_text"),
    "a long text": ({"text": "a" * 20_001}, "text_too_long"),
    "an id that is there": ({"text": "New.", "external_id": "essays-2"}, "external_id"),
    "a work passage as a control": ({"is_control": True}, "no_key"),
    "an unknown key": ({"archived": True}, "unknown_key"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_change_that_cannot_be_made_changes_nothing(cast: Cast, api: Api, name: str) -> None:
    given, code = BAD[name]

    with nothing_written():
        refused = changed(api, first(cast), 422, **given)

    assert [problem["code"] for problem in refused["problems"]] == [code]


def test_the_same_text_is_no_replacement(cast: Cast, api: Api) -> None:
    assert changed(api, first(cast), 422, text=first(cast).text)["problems"][0]["code"] == "same_text"
