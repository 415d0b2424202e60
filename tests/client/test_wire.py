"""What the client does when a server is slow, away or says no; against a server that says what the test tells it."""

import hashlib
import io
import time
from typing import Any

import pytest
from assay_client import Assay, AssayError, Damaged, Failed, PandasMissing, Refused, StillGoing, TooLarge, Unreachable
from assay_client import wire as wire_of
from assay_client.jobs import Job
from assay_client.progress import Bar
from assay_client.projects import Project
from assay_client.releases import Release, verify
from assay_client.runs import Run
from assay_client.thing import data_frame

from tests.client.speaking import Speaking, breaks_off, hangs_up, refuses, says, speaking
from tests.services import free_port

PROJECT = {"slug": "essays", "name": "Essays", "state": "draft", "roles": ["lead"], "version": 1}
AWAY = refuses(503, "unavailable", headers={"Retry_After": "5"})


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Between two tries, in seconds: kept, not slept."""
    kept: list[float] = []
    monkeypatch.setattr(time, "sleep", kept.append)
    return kept


def assay(server: Speaking, **given: Any) -> Assay:
    return Assay(server.url, "assay_secret", **given)


def test_the_token_goes_with_every_request_and_is_shown_nowhere() -> None:
    with speaking(says(PROJECT)) as server:
        client = assay(server)
        project = client.project("essays")

    assert server.asked[0].headers["authorization"] == "Bearer assay_secret"
    assert "secret" not in repr(client) + repr(project)


@pytest.mark.parametrize(
    ("url", "token"),
    [
        ("localhost:8000", "assay_x"),
        ("ftp://assay.example.org", "assay_x"),
        ("http://127.0.0.1", ""),
        ("http://127.0.0.1", "assay_x\nCookie: y"),
    ],
)
def test_what_cannot_be_asked_is_said_at_once(url: str, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ASSAY_TOKEN", raising=False)

    with pytest.raises(AssayError):
        Assay(url, token)


def test_address_and_token_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with speaking(says({"results": [], "next": None})) as server:
        monkeypatch.setenv("ASSAY_URL", server.url)
        monkeypatch.setenv("ASSAY_TOKEN", "assay_secret")

        assert Assay().projects() == []


@pytest.mark.parametrize("lost", [AWAY, hangs_up, breaks_off, refuses(502, "bad_gateway")])
def test_what_creates_is_sent_again_under_the_same_name(lost: Any) -> None:
    with speaking(lost, lost, says(PROJECT, status=201)) as server:
        made = assay(server).create_project("Essays")

    assert made.slug == "essays"
    assert len(server.asked) == 3
    assert len({asked.key for asked in server.asked}) == 1
    assert server.asked[0].key
    assert len({asked.body for asked in server.asked}) == 1


def test_two_creates_have_two_names() -> None:
    with speaking(says(PROJECT, status=201)) as server:
        client = assay(server)
        client.create_project("Essays")
        client.create_project("Essays")

    assert len({asked.key for asked in server.asked}) == 2


def test_what_may_have_been_done_and_has_no_name_is_not_sent_again() -> None:
    """A second `freeze` or `cancel` would be refused, or would do something else."""
    with speaking(hangs_up) as server:
        with pytest.raises(Unreachable):
            assay(server).call("POST", "projects/essays/state", {"act": "open"})

        assert len(server.asked) == 1


def test_but_it_is_where_the_server_says_that_nothing_was_done() -> None:
    with speaking(AWAY, says({"state": "open"})) as server:
        assert assay(server).call("POST", "projects/essays/state", {"act": "open"}) == {"state": "open"}


def test_too_many_at_once_waits_as_long_as_it_is_told(pauses: list[float]) -> None:
    slow_down = refuses(429, "throttled", headers={"Retry_After": "17"})
    with speaking(slow_down, says(PROJECT)) as server:
        assay(server).project("essays")

    assert pauses == [17.0]


def test_who_is_told_to_wait_for_an_hour_is_told_so() -> None:
    with speaking(refuses(429, "throttled", headers={"Retry_After": "3600"})) as server:
        with pytest.raises(Refused) as refused:
            assay(server).project("essays")

        assert (refused.value.status, refused.value.code, len(server.asked)) == (429, "throttled", 1)


def test_pauses_grow_and_end(pauses: list[float]) -> None:
    with speaking(refuses(503, "unavailable")) as server, pytest.raises(Refused):
        assay(server, tries=5).project("essays")

    assert len(pauses) == 4
    assert pauses == sorted(pauses)
    assert sum(pauses) < 10


def test_nobody_there_is_one_clear_error() -> None:
    with pytest.raises(Unreachable, match="does not answer"):
        Assay(f"http://127.0.0.1:{free_port()}", "assay_x", tries=2).projects()


def test_a_refusal_names_everything() -> None:
    problem = {"code": "blank", "message": "A name needs something to be seen.", "path": "name"}
    with speaking(refuses(422, "invalid", "It is blank.", problems=[problem])) as server:
        with pytest.raises(Refused, match=r"It is blank\.") as refused:
            assay(server).create_project(" ")

        assert (refused.value.status, refused.value.code, refused.value.detail) == (422, "invalid", "It is blank.")
        assert [(row.code, row.path) for row in refused.value.problems] == [("blank", "name")]
        assert len(server.asked) == 1


def test_whatever_answers_in_place_of_assay_is_told() -> None:
    with speaking(says(b"<html>Bad Request</html>", status=400)) as server, pytest.raises(Refused, match="Bad Request"):
        assay(server).projects()
    with speaking(says(b"<html>Hello</html>")) as server, pytest.raises(AssayError, match="is the address right"):
        assay(server).projects()


def test_the_token_is_carried_to_no_other_address() -> None:
    with (
        speaking(says({})) as other,
        speaking(says(b"", status=302, Location=f"{other.url}/api/v1/projects")) as server,
    ):
        with pytest.raises(AssayError, match="leads on to"):
            assay(server).projects()
        with pytest.raises(AssayError, match="is not at"):
            assay(server).call("GET", f"{other.url}/api/v1/projects")
        with pytest.raises(AssayError, match="no address"):
            assay(server).project("es says")

        assert other.asked == []


def test_a_list_is_read_page_after_page() -> None:
    first = {"results": [PROJECT], "next": "/api/v1/projects?limit=100&after=essays"}
    with speaking(says(first), says({"results": [{**PROJECT, "slug": "more"}], "next": None})) as server:
        found = assay(server).projects()

    assert [project.slug for project in found] == ["essays", "more"]
    assert server.asked[1].path == first["next"]


def test_a_change_names_the_version_that_was_seen() -> None:
    changed = says({**PROJECT, "name": "New"}, ETag='"8"')
    with speaking(says(PROJECT, ETag='"7"'), changed) as server:
        project = assay(server).project("essays").change(name="New").change(name="New")

    assert project.name == "New"
    assert [asked.headers.get("if-match") for asked in server.asked] == [None, '"7"', '"8"']


def test_a_file_is_sent_whole_each_time_and_tells_how_far_it_is() -> None:
    told: list[tuple[int, int]] = []
    data = b"x" * (3 * wire_of.PIECE + 1)
    with speaking(AWAY, says({"uuid": "1"}, status=201)) as server:
        wire = assay(server)._wire
        wire.send_file(
            "projects/e/uploads",
            io.BytesIO(data),
            len(data),
            query={"name": "a b.txt"},
            watch=lambda *now: told.append(now),
        )

    assert [asked.body for asked in server.asked] == [data, data]
    assert server.asked[0].path.endswith("?name=a+b.txt")
    assert server.asked[0].key == server.asked[1].key
    assert told[-1] == (len(data), len(data))


def test_a_file_that_is_too_large_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire_of, "LARGEST", 10)
    with speaking(says({})) as server:
        with pytest.raises(TooLarge, match="are the most"):
            assay(server)._wire.send_file("projects/e/uploads", io.BytesIO(b"x" * 11), 11, query={})
        assert server.asked == []


# --- jobs -----------------------------------------------------------------------------------------------------------


def job(state: str, **more: Any) -> Any:
    return says({"uuid": "1", "kind": "merge", "state": state, **more})


def test_a_job_is_followed_until_it_is_done() -> None:
    told = []
    with speaking(job("waiting"), job("running", percent=40), job("done", percent=100)) as server:
        Job(assay(server)._wire, {"uuid": "1"}).wait(progress=lambda *now: told.append(now[1:]))

    assert told == [(0, 100), (40, 100), (100, 100)]


@pytest.mark.parametrize("state", ["failed", "cancelled"])
def test_a_job_that_ends_otherwise_is_an_error_with_its_words(state: str) -> None:
    with (
        speaking(job(state, message="The disk is full.")) as server,
        pytest.raises(Failed, match="disk is full") as failed,
    ):
        Job(assay(server)._wire, {"uuid": "1"}).wait()

    assert failed.value.thing.state == state


def test_waiting_ends_when_it_was_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 1000, 4))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)))
    with speaking(job("running")) as server, pytest.raises(StillGoing):
        Job(assay(server)._wire, {"uuid": "1"}).wait(timeout=10)


def test_the_bar_has_a_line_for_each_thing() -> None:
    to = io.StringIO()
    bar = Bar(to)

    for done in (0, 50, 50, 100):
        bar("Sending", done, 100)
    bar("Importing", 10, 100)

    lines = to.getvalue().split("\n")
    assert len(lines) == 2
    assert lines[0].endswith("100 %")
    assert lines[0].count("\r") == 3  # what has not changed is not written again
    assert "Importing" in lines[1]


# --- releases -------------------------------------------------------------------------------------------------------


def sums(**files: bytes) -> bytes:
    return "".join(f"{hashlib.sha256(data).hexdigest()}  {name}.json\n" for name, data in files.items()).encode()


def release(**files: bytes) -> dict[str, Any]:
    rows = [
        {"name": f"{name}.json", "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        for name, data in files.items()
    ]
    return {"uuid": "1", "number": 1, "state": "frozen", "splits": ["test"], "sha256": "", "files": rows}


def test_a_download_is_whole_or_is_not_there(tmp_path: Any) -> None:
    files = {"test": b"gold", "card": b"words"}
    with speaking(says(b"gold"), breaks_off, says(b"words"), says(sums(**files))) as server:
        Release(assay(server)._wire, release(**files)).download(tmp_path)

    assert sorted(path.name for path in tmp_path.iterdir()) == ["SHA256SUMS", "card.json", "test.json"]
    assert (tmp_path / "card.json").read_bytes() == b"words"
    assert verify(tmp_path) == ["test.json", "card.json"]


def test_a_file_with_another_checksum_gets_no_name(tmp_path: Any) -> None:
    with speaking(says(b"gilt")) as server, pytest.raises(Damaged, match="another checksum"):
        Release(assay(server)._wire, release(test=b"gold")).download(tmp_path)

    assert list(tmp_path.iterdir()) == []


def test_a_file_that_was_changed_or_is_gone_is_found(tmp_path: Any) -> None:
    (tmp_path / "SHA256SUMS").write_bytes(sums(test=b"gold"))
    with pytest.raises(Damaged, match="is not in"):
        verify(tmp_path)
    (tmp_path / "test.json").write_bytes(b"gilt")
    with pytest.raises(Damaged, match="is not as"):
        verify(tmp_path)


@pytest.mark.parametrize("name", ["../out.json", "/etc/x", ".hidden", "a/b", ""])
def test_nothing_is_written_outside_of_the_folder(name: str, tmp_path: Any) -> None:
    told = release()
    told["files"] = [{"name": name, "bytes": 1, "sha256": ""}]
    with speaking(says(b"x")) as server, pytest.raises(Damaged, match="no name of a file"):
        Release(assay(server)._wire, told).download(tmp_path / "in")

    assert server.asked == []


def test_without_pandas_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)

    with pytest.raises(PandasMissing, match="pip install pandas"):
        data_frame([])


# --- systems --------------------------------------------------------------------------------------------------------


def a_run(**more: Any) -> dict[str, Any]:
    job = {"uuid": "2", "state": "done", "percent": 100, "message": ""}
    return {"uuid": "1", "system": "quill", "version": "", "state": "scored", "counts": {}, "job": job, **more}


def test_what_is_the_run_of_another_name_is_said() -> None:
    with speaking(says({"job": None, "state": None, "run": a_run()})) as server:
        project = Project(assay(server)._wire, {"slug": "e"})
        with pytest.warns(UserWarning, match="sent before, as quill"):
            project.submit("graft", {})


def test_what_predictions_may_mean_otherwise_is_said() -> None:
    with speaking(says(a_run(counts={"other_words": 3, "extra_ids": 0}))) as server:
        run = Run(assay(server)._wire, a_run(state="waiting"))
        with pytest.warns(UserWarning, match="in 3 sentences input_words are not the tokens"):
            run.wait()


def test_sizes_are_a_mapping() -> None:
    with speaking(says({})) as server, pytest.raises(TypeError, match=r"such as \{'validation': 200"):
        Project(assay(server)._wire, {"slug": "e"}).draft_release(6)  # type: ignore[arg-type]
