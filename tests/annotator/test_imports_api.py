"""Files by the API: sent as they are, then imported, for leads, on the road that every file takes."""

import io
from datetime import timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from annotator import uploads
from annotator.actions.importing import sent as sending
from annotator.actions.importing.arrivals import IMPORT, forget_old_uploads
from annotator.actions.importing.passages import passages_options
from annotator.actions.importing.sent import import_upload
from annotator.actions.people import change_roles
from annotator.actions.running import work_on
from annotator.api import imports as doors
from annotator.domain.arrivals import ArrivalKind
from annotator.domain.errors import Conflict, NotAllowed, TooLarge
from annotator.models import Arrival, Event, Job, Passage, Project, Upload
from tests.annotator.arrivals import MORE, TABLE, begun_passages
from tests.conftest import nothing_written
from tests.document import CheckedClient
from tests.factories import Cast
from tests.matrix.routes import an_upload

HERE = "/api/v1/projects/essays"
FILE, JSON = "application/octet-stream", "application/json"


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
        return self.client.generic("POST", f"{HERE}/uploads?{query}", data, content_type=kind, **given)

    def sent(self, name: str, body: bytes | str) -> str:
        """The id of a file that was kept."""
        found = self.send(f"name={name}", body)
        assert found.status_code == 201, found.content
        return str(found.json()["uuid"])

    def take(self, upload: Any, kind: str = "passages", **given: Any) -> Any:
        return self.client.post(f"{HERE}/imports", {"upload": str(upload), "kind": kind, **given}, JSON)

    def done(self, name: str, body: bytes | str, kind: str = "passages", **given: Any) -> dict[str, Any]:
        """What became of a file."""
        begun = self.take(self.sent(name, body), kind, **given)
        assert begun.status_code == 202, begun.content
        work_off(begun.json()["uuid"])
        return self.get(f"/{begun.json()['uuid']}")

    def get(self, tail: str = "") -> Any:
        with nothing_written():
            got = self.client.get(f"{HERE}/imports{tail}")
        assert got.status_code == 200, got.content
        return got.json()


def work_off(uuid: str) -> None:
    arrival = Arrival.objects.select_related("job").get(uuid=uuid)
    assert arrival.job is not None
    work_on(arrival.job.pk, IMPORT.work, worker="w")


def kept() -> list[str]:
    return [path.name for path in uploads.folder().iterdir()] if uploads.folder().exists() else []


def test_a_file_is_kept_for_its_sender_and_changes_nothing_of_the_project(cast: Cast) -> None:
    before = cast.project.version

    sent = Door(cast).send("name=more.txt", MORE)

    upload = Upload.objects.get()
    told = {"uuid": str(upload.uuid), "name": "more.txt", "size": len(MORE)}
    assert (sent.status_code, sent.json()) == (201, {**told, "sha256": sha256(MORE.encode()).hexdigest()})
    assert (upload.by, upload.project, upload.arrival) == (cast.lead, cast.project, None)
    path = uploads.path_of(upload.uuid)
    assert (path.read_text(), path.stat().st_mode & 0o777) == (MORE, 0o600)
    cast.project.refresh_from_db()
    assert (cast.project.version, Event.objects.filter(kind="file.sent", by=cast.lead).count()) == (before, 1)


def test_passages_come_in_by_a_job(cast: Cast) -> None:
    before, door = cast.project.passages.count(), Door(cast)

    begun = door.take(door.sent("more.txt", MORE))

    arrival = Arrival.objects.select_related("job").get()
    assert arrival.job is not None
    assert (begun.status_code, begun.json()) == (
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
    work_off(str(arrival.uuid))
    found = door.get(f"/{arrival.uuid}")
    assert (found["state"], found["rows"], found["result"]["made"]) == ("done", 7, 7)
    assert (cast.project.passages.count(), kept(), Upload.objects.count()) == (before + 7, [], 0)
    assert Event.objects.filter(kind="arrival.begun").count() == 1


def test_answers_come_in_as_was_said(cast: Cast) -> None:
    asked = Door(cast).done("t.csv", TABLE, "answers")
    assert (asked["state"], asked["result"], asked["problems"][0]["line"]) == ("refused", None, None)

    found = Door(cast).done("t.csv", TABLE, "answers", no_row="sparse", names_differ=True)

    assert (found["state"], found["result"]["made"], found["problems"]) == ("done", 2, [])
    assert Arrival.objects.latest("pk").options == {"is_sparse": True, "names_differ": True, "sheet": None}


def test_passages_may_be_of_another_kind(cast: Cast) -> None:
    Door(cast).done("more.txt", "A late one.\n", passage_kind="practice")

    assert Passage.objects.latest("pk").kind == "practice"


def test_what_is_wrong_with_a_file_is_told_by_line(cast: Cast) -> None:
    found = Door(cast).done("more.csv", "id,text\na,One.\nb,\n")

    assert (found["state"], found["result"], [row["line"] for row in found["problems"]]) == ("refused", None, [3])


def test_the_list_holds_still_and_is_of_one_project(cast: Cast) -> None:
    for number in range(3):
        Door(cast).done(f"{number}.txt", f"Number {number}.\n")
    first = Door(cast).get("?limit=2")
    second = Door(cast).client.get(first["next"]).json()

    assert [row["name"] for row in first["results"]] == ["0.txt", "1.txt"]
    assert ([row["name"] for row in second["results"]], second["next"]) == (["2.txt"], None)
    other = CheckedClient()
    other.force_login(cast.person("other_lead"))
    elsewhere = reverse("api_imported", args=[Project.objects.exclude(pk=cast.project.pk).get().slug, _first()])
    assert other.get(elsewhere).status_code == 404


def _first() -> UUID:
    return Arrival.objects.order_by("pk")[0].uuid


def test_a_file_is_imported_once_by_its_sender_where_it_was_sent(cast: Cast) -> None:
    upload, door = an_upload(cast), Door(cast)
    change_roles(cast.membership("adjudicator"), by=cast.lead, roles={"lead"})
    change_roles(cast.other_project.memberships.get(user=cast.other_lead), by=None, roles={"lead"})

    anothers, unknown = Door(cast, "adjudicator").take(upload.uuid), door.take(uuid4())
    with pytest.raises(NotAllowed, match="whoever has sent it"):
        import_upload(upload, by=cast.adjudicator, kind=ArrivalKind.PASSAGES, options=passages_options())
    assert (anothers.status_code, anothers.content) == (404, unknown.content)
    assert "You have sent no such file" in unknown.json()["detail"]

    begun, again = door.take(upload.uuid), door.take(upload.uuid)
    assert (begun.status_code, again.status_code, again.json()["code"]) == (202, 409, "taken")
    work_off(begun.json()["uuid"])
    assert door.take(upload.uuid).status_code == 404


def test_of_two_who_import_a_file_at_once_the_second_finds_it_gone(cast: Cast) -> None:
    first, second = an_upload(cast), an_upload(cast)
    given = {"by": cast.lead, "kind": ArrivalKind.PASSAGES, "options": passages_options()}
    work_off(str(import_upload(first, **given).uuid))

    with pytest.raises(Conflict) as refused:
        import_upload(second, **given)

    assert (refused.value.code, Arrival.objects.count(), kept()) == ("file_gone", 1, [])


def test_what_is_not_imported_goes_after_a_day(cast: Cast) -> None:
    upload = an_upload(cast)
    Upload.objects.update(at=timezone.now() - timedelta(hours=25))

    forget_old_uploads()

    assert (Upload.objects.count(), kept()) == (0, [])
    assert Door(cast).take(upload.uuid).status_code == 404


def test_sent_again_under_the_same_key_it_is_kept_and_imported_once(cast: Cast) -> None:
    door = Door(cast)
    files = [door.send("name=more.txt", MORE, headers={"Idempotency-Key": "file"}) for _ in range(2)]
    assert (files[0].status_code, files[0].json(), len(kept())) == (201, files[1].json(), 1)

    given = {"upload": files[0].json()["uuid"], "kind": "passages"}
    sent = [door.client.post(f"{HERE}/imports", given, JSON, headers={"Idempotency-Key": "import"}) for _ in range(2)]

    assert (sent[0].status_code, sent[0].json(), Arrival.objects.count()) == (202, sent[1].json(), 1)
    refused = door.send("name=more.pdf", MORE, headers={"Idempotency-Key": "other"})
    assert (refused.status_code, len(kept())) == (422, 1)


def test_only_so_many_files_of_one_person_wait(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "MOST_UPLOADS", 1)
    change_roles(cast.membership("adjudicator"), by=cast.lead, roles={"lead"})
    door = Door(cast)
    first = door.sent("more.txt", MORE)

    refused = door.send("name=other.txt", MORE)

    assert (refused.status_code, refused.json()["code"], len(kept())) == (409, "too_many_uploads", 1)
    Door(cast, "adjudicator").sent("other.txt", MORE)
    assert door.take(first).status_code == 202
    door.sent("other.txt", MORE)


def test_nobody_but_a_lead_leaves_a_file_behind(cast: Cast) -> None:
    for name in ("ann", "adjudicator", "stranger", "other_lead"):
        assert Door(cast, name).send("name=more.txt", MORE).status_code == 404
    without_token = Door(cast, enforce_csrf_checks=True).send("name=more.txt", MORE)

    assert (without_token.status_code, without_token.json()["code"]) == (403, "csrf")
    assert (kept(), Upload.objects.count()) == ([], 0)


def test_with_a_form_token_a_file_arrives_whole(cast: Cast) -> None:
    """The token is looked for in the body of a form: of a file not a byte may be gone by then."""
    door = Door(cast, enforce_csrf_checks=True)
    door.client.get("/api/v1/session")
    token = door.client.cookies["assay_csrf"].value

    sent = door.send("name=more.txt", MORE, headers={"X-CSRFToken": token})

    assert sent.status_code == 201
    assert uploads.path_of(Upload.objects.get().uuid).read_text() == MORE


def test_too_large_is_refused_at_once_and_while_it_streams(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    most = doors.uploads.cls.operations["POST"].max_body  # type: ignore[attr-defined]

    refused = Door(cast).send("name=more.txt", b"x", CONTENT_LENGTH=str(most + 1))
    monkeypatch.setattr(uploads, "PIECE", 10)
    endless = io.BytesIO(b"x" * 1_000)
    with pytest.raises(TooLarge):
        uploads.keep(endless, most=100)

    said = refused.json()
    assert (refused.status_code, said["code"], said["detail"]) == (413, "too_large", "The file is larger than 100 MB.")
    assert (endless.tell(), kept(), Upload.objects.count()) == (110, [], 0)


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("", 400, "bad_filter"),
        ("name=../a.txt", 400, "bad_filter"),
        ("name=a.txt&kind=passages", 400, "unknown_filter"),
        ("name=a.xls", 422, "invalid"),
        ("name=a.pdf", 422, "invalid"),
    ],
)
def test_a_file_without_a_name_that_can_be_read_is_not_kept(cast: Cast, query: str, status: int, code: str) -> None:
    refused = Door(cast).send(query, MORE)

    assert (refused.status_code, refused.json()["code"], kept()) == (status, code, [])


REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "no kind": ("a.txt", {}, "missing_key"),
    "a whole project": ("a.jsonl", {"kind": "project"}, "invalid_choice"),
    "an unknown option": ("a.txt", {"kind": "passages", "is_sparse": True}, "unknown_key"),
    "another kind's option": ("a.txt", {"kind": "passages", "no_row": "sparse"}, "other_kind"),
    "yes for true": ("a.csv", {"kind": "answers", "names_differ": "yes"}, "shape"),
    "answers as text": ("a.txt", {"kind": "answers"}, "format"),
    "a sheet of no book": ("a.csv", {"kind": "answers", "sheet": "One"}, "sheet"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_word_that_says_nothing_sensible_leaves_the_file_waiting(cast: Cast, name: str) -> None:
    file, given, code = REFUSED[name]
    door = Door(cast)
    upload = door.sent(file, MORE)

    refused = door.client.post(f"{HERE}/imports", {"upload": upload, **given}, JSON)

    assert (refused.status_code, [item["code"] for item in refused.json()["problems"]]) == (422, [code])
    assert (len(kept()), Arrival.objects.count()) == (1, 0)
    assert door.take(upload, "passages").status_code == 202


def test_a_file_comes_with_its_length_and_as_a_file(cast: Cast) -> None:
    query, door = "name=more.txt", Door(cast)

    found = [
        door.send(query, b""),  # which the client sends without a length
        door.send(query, b"", CONTENT_LENGTH="0"),
        door.send(query, MORE, CONTENT_LENGTH=str(len(MORE) + 1), **{"wsgi.input": io.BytesIO(MORE.encode())}),
        door.send(query, MORE, JSON),
        door.send(query, MORE, "multipart/form-data; boundary=x"),
    ]

    codes = [(sent.status_code, sent.json()["code"]) for sent in found]
    assert codes == [
        (411, "no_length"),
        (422, "invalid"),
        (400, "bad_request"),
        *[(415, "unsupported_media_type")] * 2,
    ]
    assert (kept(), Upload.objects.count(), Job.objects.filter(kind=IMPORT.name).count()) == ([], 0, 0)


def test_one_import_at_a_time_and_the_same_file_goes_on(cast: Cast, django_capture_on_commit_callbacks: Any) -> None:
    begun, door = begun_passages(cast), Door(cast)
    other = door.sent("more.txt", "Another file.\n")

    with django_capture_on_commit_callbacks(execute=True):
        same, refused = door.take(door.sent("more.txt", MORE)), door.take(other)

    assert (same.status_code, same.json()["uuid"]) == (202, str(begun.uuid))
    assert (refused.status_code, refused.json()["code"]) == (409, "arriving")
    # The file that goes on needs no second copy; the other one waits.
    assert (len(kept()), Arrival.objects.count(), str(Upload.objects.waiting().get().uuid)) == (2, 1, other)


def test_an_archived_project_takes_no_file(cast: Cast) -> None:
    upload, door = an_upload(cast), Door(cast)
    Project.objects.filter(pk=cast.project.pk).update(state="archived")

    refused = [door.send("name=more.txt", MORE), door.take(upload.uuid)]

    assert [(one.status_code, one.json()["code"]) for one in refused] == [(409, "project_archived")] * 2
    assert (len(kept()), Arrival.objects.count()) == (1, 0)
