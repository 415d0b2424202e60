"""Files by the API: the body is the file, for leads, on the road that every file takes."""

import io
from typing import Any
from uuid import UUID

import pytest
from django.urls import reverse

from annotator import uploads
from annotator.actions.importing.arrivals import IMPORT
from annotator.actions.importing.passages import passages_options
from annotator.actions.running import work_on
from annotator.api.arrivals import arrivals
from annotator.domain.errors import TooLarge
from annotator.models import Arrival, Event, Job, Passage, Project, Upload
from tests.annotator.arrivals import MORE, TABLE, begun_passages
from tests.conftest import nothing_written
from tests.document import CheckedClient
from tests.factories import Cast

HERE = "/api/v1/projects/essays/arrivals"
FILE = "application/octet-stream"


@pytest.fixture(autouse=True)
def own_folder(settings: Any, tmp_path: Any) -> None:
    settings.DATA_DIR = tmp_path


class Door:
    """The lead, and a worker who does what they ask for."""

    def __init__(self, cast: Cast, name: str = "lead", **given: Any) -> None:
        self.client = CheckedClient(**given)
        self.client.force_login(cast.person(name))

    def send(self, query: str, body: bytes | str, kind: str = FILE, **given: Any) -> Any:
        data = body.encode() if isinstance(body, str) else body
        return self.client.generic("POST", f"{HERE}?{query}", data, content_type=kind, **given)

    def done(self, query: str, body: bytes | str) -> dict[str, Any]:
        """What became of a file."""
        sent = self.send(query, body)
        assert sent.status_code == 202, sent.content
        arrival = Arrival.objects.select_related("job").get(uuid=sent.json()["uuid"])
        assert arrival.job is not None
        work_on(arrival.job.pk, IMPORT.work, worker="w")
        return self.get(f"/{arrival.uuid}")

    def get(self, tail: str = "") -> Any:
        with nothing_written():
            got = self.client.get(f"{HERE}{tail}")
        assert got.status_code == 200, got.content
        return got.json()


def kept() -> list[str]:
    return [path.name for path in uploads.folder().iterdir()] if uploads.folder().exists() else []


def test_passages_come_in_by_a_job(cast: Cast) -> None:
    before = cast.project.passages.count()

    sent = Door(cast).send("kind=passages&name=more.txt", MORE)

    arrival = Arrival.objects.select_related("job").get()
    assert arrival.job is not None
    assert (sent.status_code, sent.json()) == (
        202,
        {
            "uuid": str(arrival.uuid),
            "kind": "passages",
            "name": "more.txt",
            "state": "on its way",
            "job": str(arrival.job.uuid),
            "rows": 0,
            "result": None,
            "problems": [],
        },
    )
    assert (arrival.options, arrival.by, cast.project.passages.count()) == (passages_options(), cast.lead, before)
    work_on(arrival.job.pk, IMPORT.work, worker="w")
    found = Door(cast).get(f"/{arrival.uuid}")
    assert (found["state"], found["rows"], found["result"]["made"]) == ("done", 7, 7)
    assert (cast.project.passages.count(), kept()) == (before + 7, [])
    assert Event.objects.filter(kind="arrival.begun").count() == 1


def test_answers_come_in_as_the_address_says(cast: Cast) -> None:
    asked = Door(cast).done("kind=answers&name=t.csv", TABLE)
    assert (asked["state"], asked["result"], asked["problems"][0]["line"]) == ("refused", None, None)

    found = Door(cast).done("kind=answers&name=t.csv&no_row=sparse&names_differ=yes", TABLE)

    assert (found["state"], found["result"]["made"], found["problems"]) == ("done", 2, [])
    assert Arrival.objects.latest("pk").options == {"is_sparse": True, "names_differ": True, "sheet": None}


def test_passages_may_be_of_another_kind(cast: Cast) -> None:
    Door(cast).done("kind=passages&name=more.txt&passage_kind=practice", "A late one.\n")

    assert Passage.objects.latest("pk").kind == "practice"


def test_what_is_wrong_with_a_file_is_told_by_line(cast: Cast) -> None:
    found = Door(cast).done("kind=passages&name=more.csv", "id,text\na,One.\nb,\n")

    assert (found["state"], found["result"], [row["line"] for row in found["problems"]]) == ("refused", None, [3])


def test_the_list_holds_still_and_is_of_one_project(cast: Cast) -> None:
    for number in range(3):
        Door(cast).done(f"kind=passages&name={number}.txt", f"Number {number}.\n")
    first = Door(cast).get("?limit=2")
    second = Door(cast).client.get(first["next"]).json()

    assert [row["name"] for row in first["results"]] == ["0.txt", "1.txt"]
    assert ([row["name"] for row in second["results"]], second["next"]) == (["2.txt"], None)
    other = CheckedClient()
    other.force_login(cast.person("other_lead"))
    elsewhere = reverse("api_arrival", args=[Project.objects.exclude(pk=cast.project.pk).get().slug, _first()])
    assert other.get(elsewhere).status_code == 404


def _first() -> UUID:
    return Arrival.objects.order_by("pk")[0].uuid


def test_nobody_but_a_lead_leaves_a_file_behind(cast: Cast) -> None:
    query = "kind=passages&name=more.txt"
    for name in ("ann", "adjudicator", "stranger", "other_lead"):
        assert Door(cast, name).send(query, MORE).status_code == 404
    without_token = Door(cast, enforce_csrf_checks=True).send(query, MORE)

    assert (without_token.status_code, without_token.json()["code"]) == (403, "csrf")
    assert (kept(), Upload.objects.count(), Arrival.objects.count()) == ([], 0, 0)


def test_with_a_form_token_a_file_arrives_whole(cast: Cast) -> None:
    """The token is looked for in the body of a form: of a file not a byte may be gone by then."""
    door = Door(cast, enforce_csrf_checks=True)
    door.client.get("/api/v1/session")
    token = door.client.cookies["assay_csrf"].value

    sent = door.send("kind=passages&name=more.txt", MORE, headers={"X-CSRFToken": token})

    assert sent.status_code == 202
    assert uploads.path_of(Upload.objects.get().uuid).read_text() == MORE


def test_too_large_is_refused_at_once_and_while_it_streams(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    most = arrivals.cls.operations["POST"].max_body  # type: ignore[attr-defined]
    query, length = "kind=passages&name=more.txt", str(most + 1)

    refused = Door(cast).send(query, b"x", CONTENT_LENGTH=length)
    monkeypatch.setattr(uploads, "PIECE", 10)
    endless = io.BytesIO(b"x" * 1_000)
    with pytest.raises(TooLarge):
        uploads.keep(endless, most=100)

    said = refused.json()
    assert (refused.status_code, said["code"], said["detail"]) == (413, "too_large", "The file is larger than 100 MB.")
    assert (endless.tell(), kept(), Arrival.objects.count()) == (110, [], 0)


REFUSED = {
    "no kind": ("name=a.txt", 400, "bad_filter"),
    "no name": ("kind=passages", 400, "bad_filter"),
    "a whole project": ("kind=project&name=a.jsonl", 400, "bad_filter"),
    "a path for a name": ("kind=passages&name=../a.txt", 400, "bad_filter"),
    "an unknown option": ("kind=passages&name=a.txt&is_sparse=yes", 400, "unknown_filter"),
    "another kind's option": ("kind=passages&name=a.txt&no_row=sparse", 400, "bad_filter"),
    "an old book": ("kind=passages&name=a.xls", 422, "invalid"),
    "answers as text": ("kind=answers&name=a.txt", 422, "invalid"),
    "a sheet of no book": ("kind=answers&name=a.csv&sheet=One", 422, "invalid"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_address_that_says_nothing_sensible_leaves_no_file(cast: Cast, name: str) -> None:
    query, status, code = REFUSED[name]

    refused = Door(cast).send(query, MORE)

    assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert (kept(), Arrival.objects.count()) == ([], 0)


def test_a_file_comes_with_its_length_and_as_a_file(cast: Cast) -> None:
    query, door = "kind=passages&name=more.txt", Door(cast)

    found = [
        door.send(query, b""),  # which the client sends without a length
        door.send(query, b"", CONTENT_LENGTH="0"),
        door.send(query, MORE, CONTENT_LENGTH=str(len(MORE) + 1), **{"wsgi.input": io.BytesIO(MORE.encode())}),
        door.send(query, MORE, "application/json"),
        door.send(query, MORE, "multipart/form-data; boundary=x"),
    ]

    codes = [(sent.status_code, sent.json()["code"]) for sent in found]
    assert codes == [
        (411, "no_length"),
        (422, "invalid"),
        (400, "bad_request"),
        *[(415, "unsupported_media_type")] * 2,
    ]
    assert (kept(), Arrival.objects.count(), Job.objects.filter(kind=IMPORT.name).count()) == ([], 0, 0)


def test_one_file_at_a_time_and_the_same_goes_on(cast: Cast) -> None:
    begun = begun_passages(cast)

    same = Door(cast).send("kind=passages&name=more.txt", MORE)
    other = Door(cast).send("kind=passages&name=more.txt", "Another file.\n")

    assert (same.status_code, same.json()["uuid"]) == (202, str(begun.uuid))
    assert (other.status_code, other.json()["code"]) == (409, "arriving")
    assert (len(kept()), Arrival.objects.count()) == (1, 1)


def test_an_archived_project_takes_no_file(cast: Cast) -> None:
    Project.objects.filter(pk=cast.project.pk).update(state="archived")

    refused = Door(cast).send("kind=passages&name=more.txt", MORE)

    assert (refused.status_code, refused.json()["code"], kept()) == (409, "project_archived", [])
