"""Nonsense gets the right 4xx as JSON, writes nothing, and is never a 500."""

import json
from uuid import uuid4

import pytest

from annotator.models import Assignment
from tests.annotator.domain.clock import cpu_seconds
from tests.annotator.domain.test_findings_bounds import SHAPES as ON_PURPOSE
from tests.annotator.domain.test_findings_bounds import body
from tests.conftest import Api
from tests.document import CheckedClient
from tests.factories import Cast, answer_for, save_body

GOOD_ID = str(uuid4())


MOST_SECONDS = 0.2  # of CPU, for any answer that fits into a call


def nest(depth: int) -> bytes:
    return b'{"save_id":"%s","answer":' % GOOD_ID.encode() + b"[" * depth + b"]" * depth + b"}"


RAW = {
    "empty body": (b"", 422),
    "not JSON": (b"marks=1", 400),
    "a list": (b"[]", 422),
    "a string": (b'"x"', 422),
    "null": (b"null", 422),
    "depth 100,000": (b"[" * 50_000, 400),
    "depth over 20": (nest(20), 400),
    "duplicate key": (b'{"save_id":"%s","save_id":"x","answer":{"marks":[]}}' % GOOD_ID.encode(), 400),
    "duplicate key inside": (b'{"save_id":"%s","answer":{"marks":[],"marks":[]}}' % GOOD_ID.encode(), 400),
    "NaN": (b'{"save_id":"%s","active_ms":NaN,"answer":{"marks":[]}}' % GOOD_ID.encode(), 400),
    "Infinity": (b'{"save_id":"%s","active_ms":-Infinity,"answer":{"marks":[]}}' % GOOD_ID.encode(), 400),
    "5,000 digits": (b'{"save_id":"%s","active_ms":%s,"answer":{"marks":[]}}' % (GOOD_ID.encode(), b"9" * 5000), 400),
    "1e999": (b'{"save_id":"%s","active_ms":1e999,"answer":{"marks":[]}}' % GOOD_ID.encode(), 400),
    "bad UTF-8": (b'{"save_id":"\xff"}', 400),
    "UTF-16": ('{"save_id":1}'.encode("utf-16"), 400),
    "byte order mark": (b"\xef\xbb\xbf{}", 400),
    "NUL escaped": (b'{"save_id":"%s","answer":{"marks":["\\u0000"]}}' % GOOD_ID.encode(), 400),
    "lone surrogate": (b'{"save_id":"%s","answer":{"marks":["\\ud83d"]}}' % GOOD_ID.encode(), 400),
    "lone surrogate as key": (b'{"\\ud83d":1}', 400),
    "60,001 bytes": (b'{"save_id":"' + b"x" * 60_000 + b'"}', 413),
    "3 MB": (b'{"save_id":"' + b"x" * 3_000_000 + b'"}', 413),
}


@pytest.mark.parametrize("name", RAW)
def test_a_broken_body_is_refused_by_name(cast: Cast, api: Api, name: str) -> None:
    body, status = RAW[name]
    row = cast.assignment("ann")

    response = api.save(row, body, 0)

    assert response.status_code == status
    assert response.json()["detail"]
    assert Assignment.objects.get(pk=row.pk).version == 0


SHAPES = {
    "no save_id": {"answer": {"marks": []}},
    "save_id not a UUID": {"save_id": "7", "answer": {"marks": []}},
    "save_id in braces": {"save_id": "{" + GOOD_ID + "}", "answer": {"marks": []}},
    "save_id a list": {"save_id": [GOOD_ID], "answer": {"marks": []}},
    "no answer": {"save_id": GOOD_ID},
    "unknown key": {"save_id": GOOD_ID, "answer": {"marks": []}, "role": "lead"},
    "version in the body": {"save_id": GOOD_ID, "answer": {"marks": []}, "version": 9},
    "active_ms below zero": {"save_id": GOOD_ID, "active_ms": -1, "answer": {"marks": []}},
    "active_ms a float": {"save_id": GOOD_ID, "active_ms": 1.5, "answer": {"marks": []}},
    "active_ms true": {"save_id": GOOD_ID, "active_ms": True, "answer": {"marks": []}},
    "answer null": {"save_id": GOOD_ID, "answer": None},
    "answer a list": {"save_id": GOOD_ID, "answer": []},
    "answer empty": {"save_id": GOOD_ID, "answer": {}},
    "marks and none": {"save_id": GOOD_ID, "answer": {"marks": [], "none": True}},
    "none false": {"save_id": GOOD_ID, "answer": {"none": False}},
    "unknown key in the answer": {"save_id": GOOD_ID, "answer": {"marks": [], "user": 1}},
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_misshapen_save_is_a_422(cast: Cast, api: Api, name: str) -> None:
    row = cast.assignment("ann")

    response = api.save(row, SHAPES[name], 0)

    assert response.status_code == 422
    assert response.json()["problems"][0]["message"]
    assert Assignment.objects.get(pk=row.pk).version == 0


@pytest.mark.parametrize(
    "change",
    [
        {"start": -1},
        {"start": 3.0},
        {"start": "3"},
        {"start": True},
        {"start": 5, "end": 5},
        {"start": 9, "end": 5},
        {"end": 10_000},
        {"end": 10**17},
        {"quote": "another"},
        {"quote": 5},
        {"substitutes": {}},
        {"substitutes": ["text"]},
        {"substitutes": [{"text": "x"}]},
        {"substitutes": [{"text": "x", "type": "spelling"}]},
        {"substitutes": [{"text": 5, "type": "refine-usage"}]},
        {"substitutes": [{"text": "x", "type": "refine-usage", "via": "dreamt"}]},
        {"substitutes": [{"text": "bell\x07", "type": "refine-usage"}]},
        {"note": 5},
        {"unsure": "yes"},
        {"votes": 5},
    ],
    ids=lambda change: json.dumps(change)[:40],
)
def test_a_misshapen_mark_is_a_422(cast: Cast, api: Api, change: dict) -> None:
    row = cast.assignment("ann")
    answer = answer_for(row)
    answer["marks"][0].update(change)

    response = api.save(row, save_body(answer), 0)

    assert response.status_code == 422
    assert Assignment.objects.get(pk=row.pk).version == 0


def test_more_than_a_person_can_mean_is_a_413(cast: Cast, api: Api) -> None:
    row = cast.assignment("ann")
    [one] = answer_for(row)["marks"]
    many_marks = {"marks": [{**one, "substitutes": []}] * 201}
    many_substitutes = {"marks": [{**one, "substitutes": one["substitutes"] * 51}]}
    long_note = {"marks": [{**one, "note": "n" * 2001}]}

    statuses = [api.save(row, save_body(a), 0).status_code for a in (many_marks, many_substitutes, long_note)]

    assert statuses == [413, 413, 413]


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_only_json_is_taken(cast: Cast, api: Api, content_type: str) -> None:
    row = cast.assignment("ann")
    path = f"/api/v1/assignments/{row.uuid}/answer"

    response = api.client.generic("PUT", path, b"{}", content_type=content_type, headers={"If-Match": '"0"'})

    assert response.status_code == 415
    assert response["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(
    "query",
    [
        "created_by__password__startswith=a",
        "ordering=user__password",
        "limit=x",
        "limit=-1",
        "after=1e9",
        "state=lost",
        "project=%00",
        "project=a b",
    ],
)
def test_a_filter_that_is_not_on_the_list_is_a_400(cast: Cast, api: Api, query: str) -> None:
    assert api.call("GET", f"/api/v1/assignments?{query}").status_code == 400


def test_lists_are_capped_and_page_on(cast: Cast, api: Api) -> None:
    everything = api.call("GET", "/api/v1/assignments?limit=1000000000").json()
    first = api.call("GET", "/api/v1/assignments?limit=3&project=essays").json()
    second = api.call("GET", first["next"]).json()

    assert (len(everything["results"]), everything["next"]) == (4, None)
    assert [row["number"] for row in first["results"] + second["results"]] == [1, 2, 3, 4]
    assert second["next"] is None


@pytest.mark.parametrize(
    "path", ["/api/v1/nothing", "/api/v1/assignments/7", "/api/v2", "/api/v1/assignments/not-a-uuid"]
)
def test_an_unknown_address_is_json_under_api(cast: Cast, api: Api, path: str) -> None:
    assert api.call("GET", path).status_code == 404


def test_nobody_signed_in_is_a_401_in_json(cast: Cast) -> None:
    row = cast.assignment("ann")

    response = Api(None).save(row, save_body(answer_for(row)), 0)

    assert (response.status_code, response["WWW-Authenticate"]) == (401, "Bearer, Session")


def test_a_missing_form_token_is_a_403_in_json(cast: Cast) -> None:
    row = cast.assignment("ann")
    client = CheckedClient(enforce_csrf_checks=True)
    client.force_login(cast.ann)

    response = client.put(
        f"/api/v1/assignments/{row.uuid}/answer",
        json.dumps(save_body(answer_for(row))),
        content_type="application/json",
        headers={"If-Match": '"0"'},
    )

    assert (response.status_code, response["Content-Type"]) == (403, "application/problem+json")
    assert Assignment.objects.get(pk=row.pk).version == 0


PAGES = {
    "unknown page": ("GET", "/nothing", 404),
    "number zero": ("GET", "/p/essays/work/0", 404),
    "number beyond": ("GET", "/p/essays/work/999999999", 404),
    "number absurd": ("GET", "/p/essays/work/99999999999999999999", 404),
    "NUL in the query": ("GET", "/p/essays/work?after=%00", 400),
    "wrong method": ("POST", "/p/essays/work/1", 405),
    "NUL in the path": ("GET", "/p/ess%00ays/", 400),
    "bad query": ("GET", "/p/essays/work?after=x", 200),
    "bad form": ("POST", "/p/essays/work/1/discard", 302),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_bad_address_is_a_helpful_page(client_of, name: str) -> None:
    method, path, status = PAGES[name]

    response = client_of("ann").generic(method, path)

    assert response.status_code == status
    if status >= 400:
        assert b"My projects" in response.content


def test_a_form_with_a_foreign_host_is_a_400_page(client_of) -> None:
    response = client_of("ann").get("/", headers={"Host": "evil.example"})

    assert response.status_code == 400
    assert b"cannot be read" in response.content


def test_a_cookie_that_no_database_takes_is_a_400(client_of) -> None:
    client = client_of(None)
    client.cookies["assay_session"] = "\x00aaaaaaaaaaaaaaa"

    assert client.get("/p/essays/work").status_code == 400


@pytest.mark.parametrize("remark", ["a\x00b", "bell\x07", "x" * 2001])
def test_a_remark_that_cannot_be_stored_is_refused_at_both_doors(cast: Cast, api: Api, client_of, remark: str) -> None:
    row = cast.assignment("ann")
    body = {"save_id": str(uuid4()), "reason": "other", "remark": remark}

    by_api = api.act(row, "discard", body, 0)
    by_form = client_of("ann").post("/p/essays/work/1/discard", {"version": 0, **body})

    assert by_api.status_code in (400, 422)
    assert by_form.status_code == 302
    assert Assignment.objects.get(pk=row.pk).state == "assigned"


def test_what_is_wrong_inside_a_list_is_named_by_its_place(cast: Cast) -> None:
    lead, here = Api(cast.lead), "/api/v1/projects/essays"

    texts = lead.call("POST", f"{here}/agreement", {"people": ["A01", 5]})
    rows = lead.call("POST", f"{here}/decisions/same", {"act": GOOD_ID, "content": {}, "targets": [{"passage": 5}]})
    many = lead.call("POST", f"{here}/agreement", {"people": ["A01"] * 1001})

    assert (texts.status_code, rows.status_code, many.status_code) == (422, 422, 422)
    assert texts.json()["problems"] == [{"code": "shape", "message": "This must be a string.", "path": "people[1]"}]
    assert [(row["code"], row["path"]) for row in rows.json()["problems"]] == [
        ("shape", "targets[0].passage"),
        *(("required", f"targets[0].{name}") for name in ("start", "end", "version")),
    ]
    assert [(row["code"], row["path"]) for row in many.json()["problems"]] == [("max_length", "people")]


def test_an_uploaded_file_is_not_kept(client_of, tmp_path, settings) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    settings.FILE_UPLOAD_TEMP_DIR = str(tmp_path)
    big = SimpleUploadedFile("big.bin", b"x" * 3_000_000)

    client_of(None).post("/log-in", {"email": "a@example.org", "file": big})

    assert list(tmp_path.iterdir()) == []


def test_one_key_out_of_thousands_said_twice_is_found_quickly(cast: Cast, api: Api) -> None:
    keys = ",".join(f'"k{n}":0' for n in range(6000))
    body = ("{" + keys + ',"k5999":1}').encode()
    row = cast.assignment("ann")

    assert api.save(row, body, 0).json()["code"] == "duplicate_key"
    assert cpu_seconds(lambda: api.save(row, body, 0), enough=0.25) < 0.25


@pytest.mark.parametrize("shape", ["dots", "many words shared", "words all different"])
def test_findings_of_an_answer_made_on_purpose_are_quick_through_the_door(cast: Cast, api: Api, shape: str) -> None:
    passage, spans, offers = ON_PURPOSE[shape]
    row = cast.assignment("ann")
    type(row.passage).objects.filter(pk=row.passage_id).update(text=passage)
    answer = body(passage, spans, offers)
    given = {"answer": {"marks": answer["marks"][: max(1, len(answer["marks"]) * 8 // 10)]}}  # written with spaces here

    def call() -> None:
        assert api.act(row, "findings", given, None).status_code == 200

    call()
    assert cpu_seconds(call, enough=MOST_SECONDS) < MOST_SECONDS
