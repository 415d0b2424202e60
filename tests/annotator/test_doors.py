"""What every API call passes: strict serializers, limits, throttles, pages of lists, problems."""

import json
from typing import Any
from uuid import uuid4

import pytest

from annotator.api import throttles
from annotator.api.operation import SMALL_BODY
from annotator.models import Assignment, Project, Question
from tests.conftest import Api
from tests.document import CheckedClient
from tests.factories import Cast, answer_for, save_body

# body → the code of its first problem
WRONG = {
    "unknown key": ({"version": 1, "by": "me"}, "unknown_key"),
    "missing key": ({}, "missing_key"),
    "a number as a string": ({"version": "1"}, "shape"),
    "true": ({"version": True}, "shape"),
    "1.0": ({"version": 1.0}, "shape"),
    "null": ({"version": None}, "shape"),
    "a list": ({"version": [1]}, "shape"),
    "below": ({"version": -1}, "min_value"),
    "beyond": ({"version": 2**31}, "max_value"),
    "not an object": ([{"version": 1}], "shape"),
}


@pytest.mark.parametrize("name", WRONG)
def test_nothing_is_bent_into_a_whole_number(api: Api, name: str) -> None:
    body, code = WRONG[name]

    response = api.call("POST", "/api/v1/projects/essays/guidelines-read", body)

    assert (response.status_code, response.json()["problems"][0]["code"]) == (422, code)


@pytest.mark.parametrize("text", [5, True, None, ["x"], {}])
def test_nothing_is_bent_into_a_string(cast: Cast, api: Api, text: object) -> None:
    response = api.act(cast.assignment("ann"), "questions", {"text": text}, None)

    assert (response.status_code, response.json()["problems"]) == (
        422,
        [{"code": "shape", "message": "text must be a string.", "path": "text"}],
    )
    assert not Question.objects.exists()


def test_a_refusal_names_every_problem_at_once(cast: Cast, api: Api) -> None:
    response = api.act(cast.assignment("ann"), "discard", {"save_id": 7, "reason": None}, 0)

    assert [(item["code"], item["path"]) for item in response.json()["problems"]] == [("shape", "reason")]

    response = api.act(cast.assignment("ann"), "discard", {"save_id": "7", "reason": 7}, 0)

    found = {(item["code"], item["path"]) for item in response.json()["problems"]}
    assert found == {("uuid", "save_id"), ("shape", "reason")}


def test_a_problem_is_as_the_standard_has_it(cast: Cast, api: Api) -> None:
    response = api.save(cast.assignment("ann"), save_body({"marks": []}), None)

    assert response["Content-Type"] == "application/problem+json"
    assert response.json() == {
        "type": "/api/problems#no_if_match",
        "title": "No version named",
        "status": 428,
        "detail": 'Say which version you have seen: If-Match: "7".',
        "code": "no_if_match",
    }


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/v1/nothing", 404, "not_found"),
        ("DELETE", "/api/v1/session", 405, "method_not_allowed"),
        ("OPTIONS", "/api/v1/session", 405, "method_not_allowed"),
        ("POST", "/api/", 405, "method_not_allowed"),
        ("GET", "/api/v1/assignments?project=%00", 400, "bad_request"),
        ("GET", "/api/v1/assignments?limit=0", 400, "bad_filter"),
        ("GET", "/api/v1/assignments?limit=%D9%A5", 400, "bad_filter"),
        ("GET", "/api/v1/assignments?after=essays:1%0A", 400, "bad_filter"),
        ("GET", "/api/v1/assignments?order=number", 400, "unknown_filter"),
    ],
)
def test_whoever_refuses_it_is_a_problem(api: Api, method: str, path: str, status: int, code: str) -> None:
    response = api.call(method, path)

    assert (response.status_code, response.json()["code"]) == (status, code)


def test_a_bug_is_a_problem_too(cast: Cast, api: Api) -> None:
    Project.objects.filter(pk=cast.project.pk).update(time_zone="Nowhere")  # which no action of ours would write

    response = api.call("GET", "/api/v1/projects/essays/progress")

    assert (response.status_code, response.json()["code"]) == (500, "server_error")


def test_a_missing_form_token_is_told_from_what_is_not_allowed(cast: Cast) -> None:
    client = CheckedClient(enforce_csrf_checks=True)
    client.force_login(cast.ann)

    response = client.post("/api/v1/projects/essays/guidelines-read", {"version": 1}, content_type="application/json")

    assert (response.status_code, response.json()["code"]) == (403, "csrf")


@pytest.mark.parametrize(("act", "limit"), [("questions", SMALL_BODY), ("discard", SMALL_BODY), ("findings", 60_000)])
def test_each_call_has_a_limit_of_its_own(cast: Cast, api: Api, act: str, limit: int) -> None:
    row = cast.assignment("ann")
    body = json.dumps({"unknown": "x"}).encode()

    fits = api.act(row, act, body.ljust(limit), 0)
    too_large = api.act(row, act, body.ljust(limit + 1), 0)

    assert (fits.status_code, too_large.status_code) == (422, 413)
    assert too_large.json()["detail"] == f"The body is larger than {limit:,} bytes."


def test_the_longest_question_fits_however_it_is_written(cast: Cast, api: Api) -> None:
    response = api.act(cast.assignment("ann"), "questions", {"text": "😀" * 2000}, None)

    assert response.status_code == 201


def test_who_is_signed_in_is_told(cast: Cast) -> None:
    assert Api(cast.ann).call("GET", "/api/v1/session").json() == {"user": str(cast.ann.uuid), "name": "Ann"}
    assert Api(None).call("GET", "/api/v1/session").json() == {"user": None, "name": ""}


REOPENED = throttles.ReopenThrottle.most


def test_reopening_without_end_is_stopped(cast: Cast, api: Api) -> None:
    row = cast.assignment("ann")
    for _ in range(REOPENED):
        assert api.act(row, "reopen", {"save_id": str(uuid4())}, 0).status_code == 409

    response = api.act(row, "reopen", {"save_id": str(uuid4())}, 0)
    other = Api(cast.ben).act(cast.assignment("ben"), "reopen", {"save_id": str(uuid4())}, 0)

    assert (response.status_code, response.json()["code"], other.status_code) == (429, "throttled", 409)
    assert 3500 < int(response["Retry-After"]) <= 3600


def test_reopening_by_form_counts_too(cast: Cast, api: Api, client_of: Any) -> None:
    row, client = cast.assignment("ann"), client_of("ann")
    api.act(row, "submit", save_body(answer_for(row)), 0)
    for _ in range(REOPENED):
        api.act(row, "reopen", {"save_id": str(uuid4())}, 0)

    page = client.post("/p/essays/work/1/reopen", {"version": 1, "save_id": str(uuid4())}, follow=True)

    assert b"You did that too often." in page.content
    assert cast.assignment("ann").state == "submitted"


@pytest.mark.parametrize(
    ("act", "throttle", "body"),
    [
        ("findings", throttles.FindingsThrottle, {"answer": {"marks": []}}),
        ("questions", throttles.QuestionsThrottle, {"text": ""}),
    ],
)
def test_what_costs_is_counted(
    cast: Cast, api: Api, monkeypatch: pytest.MonkeyPatch, act: str, throttle: type, body: dict
) -> None:
    monkeypatch.setattr(throttle, "most", 2)

    statuses = [api.act(cast.assignment("ann"), act, body, None).status_code for _ in range(3)]

    assert statuses[2] == 429
    assert 429 not in statuses[:2]


def test_a_fast_annotator_meets_no_limit_of_saves_or_findings(cast: Cast, api: Api) -> None:
    row = cast.assignment("ann")

    looked = [api.act(row, "findings", {"answer": answer_for(row)}, None).status_code for _ in range(40)]
    saved = [api.save(row, save_body(answer_for(row, f"word {n}")), n).status_code for n in range(40)]

    assert set(looked + saved) == {200}


def test_pages_hold_still_while_work_is_added(cast: Cast, api: Api) -> None:
    first = api.call("GET", "/api/v1/assignments?limit=2").json()
    row = cast.assignment("ann", 2)
    Assignment.objects.filter(pk=row.pk).update(state="withdrawn")  # and one leaves the page before
    last = cast.assignment("ann", 4)
    Assignment.objects.create(membership=last.membership, passage=last.passage, round=2, number=5)

    rest, url = [], first["next"]
    while url:
        page = api.call("GET", url).json()
        rest, url = rest + page["results"], page["next"]

    assert [line["number"] for line in first["results"] + rest] == [1, 2, 3, 4, 5]


def test_a_page_keeps_its_filters(cast: Cast, api: Api) -> None:
    Assignment.objects.filter(pk=cast.assignment("ann", 2).pk).update(state="withdrawn")

    first = api.call("GET", "/api/v1/assignments?project=essays&state=assigned&limit=2").json()
    second = api.call("GET", first["next"]).json()

    assert [line["number"] for line in first["results"] + second["results"]] == [1, 3, 4]
    assert second["next"] is None
