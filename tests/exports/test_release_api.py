"""Releases by the API: drafted, built, frozen, read and withdrawn as on the pages, by the same people."""

import hashlib
import json
from typing import Any
from uuid import uuid4

import pytest

from annotator.actions.people import change_roles
from annotator.actions.running import work_on
from annotator.models import Job
from exports.actions.releasing import BUILD
from exports.models import Release
from tests.conftest import Api, nothing_written
from tests.exports.systems import client_of
from tests.exports.test_releasing import draft, files_of, frozen
from tests.factories import Cast

pytestmark = pytest.mark.slow

HERE = "/api/v1/projects/essays/releases"
SIZES = [{"split": "validation", "size": 1}, {"split": "test", "size": 3}]


def get(user: Any, address: str) -> Any:
    client = client_of(user)
    with nothing_written():
        response = client.get(address)
    assert response.status_code == 200, response.content
    return response.json()


def at(release: Release, tail: str = "") -> str:
    return f"/api/v1/releases/{release.uuid}{tail}"


def post(user: Any, address: str, body: Any = None, **given: Any) -> Any:
    return Api(user).call("POST", address, body, **given)


def build(job: str) -> None:
    work_on(Job.objects.get(uuid=job).pk, BUILD.work, worker="w")


def test_a_draft_is_built_looked_at_and_frozen(decided: Cast) -> None:
    asked = {"sizes": SIZES, "seed": 7, "date": "2026-11-18", "with_pos": False, "name": "First", "notes": "All of it."}
    sent = post(decided.lead, HERE, asked)
    assert (sent.status_code, sent.json()["state"]) == (202, "waiting")
    begun = sent.json()["release"]
    assert (begun["state"], begun["sha256"], begun["job"]["uuid"]) == ("draft", "", sent.json()["job"])
    assert begun["settings"] == {"sizes": SIZES, "seed": 7, "with_pos": False}
    build(sent.json()["job"])
    row = Release.objects.get()

    found = get(decided.lead, at(row))
    assert (found["sha256"], found["bytes"], found["job"]["state"]) == (row.sha256, row.bytes, "done")
    assert (found["title"], found["notes"], found["date"]) == ("First", "All of it.", "2026-11-18")
    assert (found["doctor"]["findings"], found["is_here"], found["newer"]) == ([], True, [])
    assert [(share["split"], share["asked"], share["deviation"]) for share in found["deviations"]] == [
        (row["name"], row["asked"], row["got"] - row["asked"]) for row in row.counts["shares"]
    ]
    assert {file["name"]: file["sha256"] for file in found["files"]} == {
        name: hashlib.sha256(data).hexdigest() for name, data in files_of(row).items()
    }
    codes = [warning["code"] for warning in found["warnings"]]
    assert "agreement" in codes
    assert not any(warning["is_ticked"] for warning in found["warnings"])

    some = post(decided.lead, at(row, "/freeze"), {"ticked": codes[1:]}, if_match=found["version"])
    late = post(decided.lead, at(row, "/freeze"), {"ticked": codes}, if_match=found["version"] - 1)
    bare = post(decided.lead, at(row, "/freeze"), {"ticked": codes})
    assert [(r.status_code, r.json()["code"]) for r in (some, late, bare)] == [
        (409, "not_ticked"),
        (412, "stale"),
        (428, "no_if_match"),
    ]
    assert late.json()["stored"] == {"version": found["version"]}
    done = post(decided.lead, at(row, "/freeze"), {"ticked": codes}, if_match=found["version"])
    assert (done.status_code, done.json()["state"], done["ETag"]) == (200, "frozen", f'"{done.json()["version"]}"')
    assert all(warning["is_ticked"] for warning in done.json()["warnings"])

    again = post(decided.lead, at(row, "/build"))
    assert (again.status_code, again.json()["code"]) == (409, "release_frozen")
    assert post(decided.lead, at(row, "/drop")).status_code == 409
    gone = post(decided.lead, at(row, "/withdraw"), {"why": "A wrong file."})
    assert (gone.json()["state"], gone.json()["withdrawn_why"]) == ("withdrawn", "A wrong file.")
    assert [(line["number"], line["state"]) for line in get(decided.adjudicator, HERE)["results"]] == [(1, "withdrawn")]


def test_what_is_not_said_is_as_in_the_draft_there_is(decided: Cast) -> None:
    made = draft(decided, name="Mine")

    sent = post(decided.lead, HERE, {"seed": 8})

    release = sent.json()["release"]
    assert (release["uuid"], release["name"], release["date"]) == (str(made.uuid), "Mine", "2026-11-18")
    assert release["settings"] == {"sizes": SIZES, "seed": 8, "with_pos": False}
    assert release["sha256"] == ""


def test_a_draft_is_dropped(decided: Cast) -> None:
    made = draft(decided)

    assert post(decided.lead, at(made, "/drop")).json() == {"number": 1}
    assert not Release.objects.exists()
    assert client_of(decided.lead).get(at(made)).status_code == 404


@pytest.mark.parametrize(
    ("body", "path", "code"),
    [
        ({"sizes": [{"split": "test", "size": "3"}]}, "sizes[0].size", "shape"),
        ({"sizes": [{"split": "test"}]}, "sizes[0].size", "required"),
        ({"sizes": []}, "sizes", "sizes"),
        ({"sizes": [{"split": "all", "size": 1}]}, "sizes", "sizes"),
        ({"sizes": [{"split": "test", "size": 0}]}, "sizes", "sizes"),
        ({"sizes": [{"split": "test", "size": 1}] * 11}, "sizes", "max_length"),
        ({"sizes": "test=1"}, "sizes", "not_a_list"),
        ({"seed": -1}, "seed", "min_value"),
        ({"seed": True}, "seed", "shape"),
        ({"date": "2026-W01-1"}, "date", "invalid"),
        ({"date": 20261118}, "date", "shape"),
        ({"with_pos": "yes"}, "with_pos", "shape"),
        ({"name": "x" * 201}, "name", "too_long"),
        ({"notes": "\x07"}, "notes", "forbidden_character"),
        ({"colour": 1}, "colour", "unknown_key"),
    ],
)
def test_bad_settings_are_named_and_nothing_is_drafted(decided: Cast, body: Any, path: str, code: str) -> None:
    api = Api(decided.lead)
    with nothing_written():
        sent = api.call("POST", HERE, body)

    assert sent.status_code == 422, sent.content
    assert [(row["path"], row["code"]) for row in sent.json()["problems"]] == [(path, code)]
    assert not Release.objects.exists()


def test_without_a_merge_there_is_nothing_to_draft(cast: Cast) -> None:
    sent = post(cast.lead, HERE, {})

    assert (sent.status_code, sent.json()["code"]) == (409, "no_merge")


def test_every_file_comes_as_it_is_in_the_zip(decided: Cast) -> None:
    release = frozen(decided)
    client = client_of(decided.adjudicator)
    for name, data in files_of(release).items():
        with nothing_written():
            answer = client.get(at(release, f"/files/{name}"))
        assert (answer.status_code, b"".join(answer.streaming_content)) == (200, data)
        assert answer["Content-Disposition"] == f'attachment; filename="{name}"'
        assert answer["Content-Length"] == str(len(data))

    whole = client.get(at(release, "/files/release.zip"))
    assert hashlib.sha256(b"".join(whole.streaming_content)).hexdigest() == release.sha256
    assert whole["Content-Disposition"] == 'attachment; filename="essays-1.zip"'
    for name in ("train.json", "..%2Fessays-1", "essays-1.zip", ""):
        assert client.get(at(release, f"/files/{name}")).status_code == 404


def test_a_file_that_is_gone_is_not_found(decided: Cast) -> None:
    release = frozen(decided)
    release.path.unlink()

    assert get(decided.lead, at(release))["is_here"] is False
    for tail in ("/files/test.json", "/files/release.zip"):
        assert client_of(decided.lead).get(at(release, tail)).status_code == 404
    compared = client_of(decided.lead).get(at(release, f"/compare/{release.uuid}"))
    assert (compared.status_code, compared.json()["code"]) == (409, "file_missing")


def test_two_releases_are_compared_as_on_the_page(decided: Cast) -> None:
    before = frozen(decided)
    after = draft(decided)
    Release.objects.filter(pk=after.pk).update(sha256=after.sha256)
    found = get(decided.lead, at(after, f"/compare/{before.uuid}"))

    assert (found["before"], found["after"]) == (str(before.uuid), str(after.uuid))
    assert found["counts"] == {"passages_added": 0, "passages_gone": 0, "added": 0, "gone": 0, "changed": 0}


def test_what_differs_is_told_by_place(decided: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    from exports.domain.comparing import Compared

    told = Compared(["a", "b"], ["c"], [], [(("p", 0, 2), "So")], [], [(("p", 3, 5), "is", "t: x 1", "t: x 2")])
    monkeypatch.setattr("exports.api.releases.difference", lambda before, after: told)
    monkeypatch.setattr("exports.queries.documents.MOST_TOLD", 1)
    release = frozen(decided)

    found = get(decided.lead, at(release, f"/compare/{release.uuid}"))

    assert (found["counts"]["passages_added"], found["passages_added"]) == (2, ["a"])
    assert found["added"] == [{"passage": "p", "start": 0, "end": 2, "quote": "So"}]
    changed = {"passage": "p", "start": 3, "end": 5, "quote": "is", "before": "t: x 1", "after": "t: x 2"}
    assert found["changed"] == [changed]


def test_releases_of_another_project_are_not_compared_nor_seen(decided: Cast) -> None:
    release = frozen(decided)
    other = client_of(decided.other_lead)

    for tail in ("", "/files/release.zip", f"/compare/{release.uuid}"):
        assert other.get(at(release, tail)).status_code == 404
    assert client_of(decided.lead).get(at(release, f"/compare/{uuid4()}")).status_code == 404


def test_who_has_passages_still_to_submit_gets_no_file(decided: Cast) -> None:
    release = frozen(decided)
    change_roles(decided.membership("adjudicator"), by=decided.lead, roles={"annotator", "adjudicator"})
    client = client_of(decided.adjudicator)

    assert client.get(at(release)).status_code == 200
    for tail in ("/files/test.json", "/files/release.zip", f"/compare/{release.uuid}"):
        refused = client.get(at(release, tail))
        assert (refused.status_code, refused.json()["code"]) == (409, "still_blind")


def test_the_list_is_cut_into_pages(decided: Cast, django_assert_num_queries: Any) -> None:
    frozen(decided)
    draft(decided)
    client = client_of(decided.lead)

    first = client.get(f"{HERE}?limit=1").json()
    second = client.get(first["next"]).json()
    assert [[row["number"] for row in page["results"]] for page in (first, second)] == [[1], [2]]
    assert second["next"] is None
    with django_assert_num_queries(len_of(client, f"{HERE}?limit=1")):
        client.get(HERE)


def len_of(client: Any, address: str) -> int:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as queries:
        client.get(address)
    return len(queries)


def test_the_page_and_the_api_say_the_same(decided: Cast) -> None:
    release = draft(decided)
    told = get(decided.lead, at(release))

    page = client_of(decided.lead).get(told["permalink"]).content.decode()

    assert told["sha256"] in page
    for warning in told["warnings"]:
        assert f'value="{warning["code"]}"' in page
    manifest = json.loads(files_of(release)["manifest.json"])
    assert told["counts"] == json.loads(json.dumps(manifest["splits"]))
