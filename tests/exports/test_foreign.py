"""Gold from elsewhere: a frozen release of its own, the same as it came, on which systems are scored."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command

from annotator import uploads
from annotator.actions.running import work_on
from annotator.domain.errors import Invalid
from annotator.models import Event, Job, Passage, Upload
from exports.actions.foreign import IMPORT_GOLD, import_gold
from exports.models import Release
from exports.queries.leaderboard import leaderboard
from tests.annotator.test_commands import run as command
from tests.conformance.data import SWS
from tests.document import CheckedClient
from tests.exports.test_releasing import DAY, files_of
from tests.factories import Cast

pytestmark = pytest.mark.slow

GOLD = {
    "one": {
        "sentence": "He said “yes” twice.",
        "sentence_split": ["He", "said", "“", "yes", "”", "twice", "."],
        "substitutes": [[[1, 2], {"replied": 2, "answered": 1}, 1], [[5, 6], {"two times": 1}, 2]],
    },
    "two": {"sentence": "No more.", "sentence_split": ["No", "more", "."], "substitutes": []},
}


def kept(data: Any) -> uploads.KeptFile:
    return uploads.keep(io.BytesIO(json.dumps(data).encode()))


def brought(cast: Cast, **splits: Any) -> Release:
    files = [(split, f"{split}-file.json", kept(data)) for split, data in splits.items()]
    return import_gold(cast.project, by=cast.lead, files=files, date=DAY, name="From elsewhere")


def test_the_validation_set_of_the_paper_goes_in_and_comes_out_equal(cast: Cast) -> None:
    with SWS.path("sws_eval.json").open("rb") as source:
        release = import_gold(
            cast.project, by=cast.lead, files=[("validation", "sws_eval.json", uploads.keep(source))], date=DAY
        )

    found = files_of(release)

    assert json.loads(found["validation.json"]) == SWS.load("sws_eval.json")
    assert (release.state, release.kind, release.number) == ("frozen", "foreign", 1)
    assert release.by_split[0][1]["targets"] == 1440
    rows = [json.loads(line) for line in found["validation.jsonl"].splitlines()]
    assert len(rows) == 200
    for row in rows:
        assert all(row["text"][item["start"] : item["end"]] == item["quote"] for item in row["targets"])


def test_it_adds_nothing_to_the_work_and_tells_no_voters(cast: Cast) -> None:
    before = Passage.objects.count()

    release = brought(cast, test=GOLD)

    assert (Passage.objects.count(), uploads.folder().exists() and list(uploads.folder().iterdir())) == (before, [])
    [row, _] = [json.loads(line) for line in files_of(release)["test.jsonl"].splitlines()]
    assert [(item["annotators"], item["of"]) for item in row["targets"]] == [(-1, -1)] * 2
    assert leaderboard(release, "test").people == []
    assert [event.kind for event in Event.objects.of(release)] == ["release.imported"]
    assert "no voters" in files_of(release)["README.md"].decode()


def test_the_same_files_are_one_release_and_give_the_same_bytes(cast: Cast) -> None:
    one = brought(cast, validation={"two": GOLD["two"]}, test={"one": GOLD["one"]})
    before = one.path.read_bytes()

    again = brought(cast, validation={"two": GOLD["two"]}, test={"one": GOLD["one"]})

    assert (again.pk, Release.objects.count(), again.splits) == (one.pk, 1, ["validation", "test"])
    assert again.path.read_bytes() == before
    with zipfile.ZipFile(io.BytesIO(before)) as bundle:
        assert bundle.testzip() is None
    assert brought(cast, test=GOLD).number == 2


def test_all_that_is_wrong_is_named_and_nothing_is_taken_in(cast: Cast) -> None:
    twice = {"one": GOLD["one"], "two": GOLD["two"]}

    with pytest.raises(Invalid) as caught:
        brought(cast, validation=twice, test={"one": GOLD["one"]}, dev={})

    assert [problem.message for problem in caught.value.problems] == [
        "one is in validation and in test.",
        "dev: there is no sentence in it.",
    ]
    faults = [[[5, 90], {"x": 1}, 1], [[0, 1], {"x": -1}, 1], [[0, 1], {"x": 1}, "t"]]
    with pytest.raises(Invalid) as caught:
        brought(cast, test={"one": {**GOLD["one"], "substitutes": faults}, "two": {}})
    assert [problem.path for problem in caught.value.problems] == ["one", "one", "one", "two"]
    broken = {"one": {**GOLD["one"], "substitutes": [[[5, 90], {"x": 1}, 1]]}}
    with pytest.raises(Invalid, match=r"test-file\.json: one"):
        brought(cast, test=broken)
    with pytest.raises(Invalid, match="no name for a split"):
        brought(cast, manifest=GOLD)
    assert not Release.objects.exists()


def test_a_number_that_another_release_took_meanwhile_is_no_end(cast: Cast) -> None:
    """Tried again after a crash, the job writes the same file under the same name."""
    one = brought(cast, test=GOLD)
    job = Job.objects.get(kind="import_gold")

    assert one.uuid == job.uuid


def test_by_the_browser(cast: Cast, client_of: Any) -> None:
    lead = client_of("lead")
    file = SimpleUploadedFile("gold.json", json.dumps(GOLD).encode())

    response = lead.post("/p/essays/releases/import", {"file_1": file, "split_1": "test", "date": "2026-11-18"})

    job = Job.objects.get(kind="import_gold")
    assert (response.status_code, response["Location"]) == (302, f"/p/essays/jobs/{job.uuid}")
    work_on(job.pk, IMPORT_GOLD.work, worker="w")
    assert "Release 1 holds this gold." in lead.get(f"/p/essays/jobs/{job.uuid}").content.decode()
    assert "from a file" in lead.get("/p/essays/releases").content.decode()
    assert lead.get("/p/essays/releases/1").status_code == 200
    assert lead.get("/p/essays/releases/1/file").status_code == 200
    assert Upload.objects.count() == 0


def test_several_splits_by_the_browser(cast: Cast, client_of: Any) -> None:
    lead = client_of("lead")
    body: dict[str, Any] = {"date": "2026-11-18", "name": "Both"}
    for number, (split, name) in enumerate((("validation", "two"), ("test", "one")), start=1):
        body[f"split_{number}"] = split
        body[f"file_{number}"] = SimpleUploadedFile(f"{split}.json", json.dumps({name: GOLD[name]}).encode())

    response = lead.post("/p/essays/releases/import", body)

    job = Job.objects.get(kind="import_gold")
    assert response.status_code == 302
    work_on(job.pk, IMPORT_GOLD.work, worker="w")
    release = Release.objects.get()
    assert [(split, found["sentences"]) for split, found in release.by_split] == [("validation", 1), ("test", 1)]
    assert list(uploads.folder().iterdir()) == []


def test_more_files_than_splits_are_refused(cast: Cast, client_of: Any) -> None:
    body: dict[str, Any] = {f"file_{number}": SimpleUploadedFile("gold.json", b"{}") for number in range(1, 12)}

    response = client_of("lead").post("/p/essays/releases/import", {"date": "2026-11-18", "split_1": "a", **body})

    assert "Send 10 files at the most." in response.content.decode()
    assert list(uploads.folder().iterdir()) == []


def test_a_form_that_lacks_something_says_so(cast: Cast, client_of: Any) -> None:
    lead = client_of("lead")

    for given, says in (
        ({"split_1": "test", "date": "2026-11-18"}, "Choose a file."),
        ({"split_1": "Test!", "date": "2026-11-18", "file_1": True}, "no name for a split"),
        ({"split_1": "test", "date": "soon", "file_1": True}, "Enter a valid date"),
        ({"split_1": "", "date": "2026-11-18", "file_1": True}, "Say what the sentences of this file are for"),
        (
            {"split_1": "a", "split_3": "b", "date": "2026-11-18", "file_1": True},
            "Choose the file with the sentences of b",
        ),
        ({"split_1": "a", "date": "2026-11-18", "file_1": True, "file_2": True}, "Say what the sentences of this file"),
        ({"split_1": "a", "split_2": "a", "date": "2026-11-18", "file_1": True, "file_2": True}, "the same name"),
    ):
        body: dict[str, Any] = dict(given)
        for name in ("file_1", "file_2"):
            if body.pop(name, False):
                body[name] = SimpleUploadedFile("gold.json", b"{}")
        response = lead.post("/p/essays/releases/import", body)
        assert (response.status_code in (400, 422), says in response.content.decode()) == (True, True), says
    assert not Job.objects.filter(kind="import_gold").exists()
    assert not uploads.folder().exists() or not list(uploads.folder().iterdir())


def test_nobody_but_a_lead_takes_gold_in(cast: Cast) -> None:
    for name in ("ann", "adjudicator", "stranger", "other_lead"):
        client = CheckedClient()
        client.force_login(cast.person(name))
        file = SimpleUploadedFile("gold.json", b"{}")
        assert client.post("/p/essays/releases/import", {"file_1": file}).status_code == 404
    assert not uploads.folder().exists() or not list(uploads.folder().iterdir())


def test_by_the_command(cast: Cast, tmp_path: Path) -> None:
    for split, name in (("validation", "two"), ("test", "one")):
        (tmp_path / f"{split}.json").write_text(json.dumps({name: GOLD[name]}))
    names = [f"{split}={tmp_path / split}.json" for split in ("validation", "test")]

    told = command("import_gold", "essays", *names, date="2026-11-18")

    assert told["sha256"] == Release.objects.get().sha256
    for words, reason in (
        ([str(tmp_path / "none.json")], "none.json"),
        ([*names, "--date=soon"], "no day such as"),
        ([names[0], f"validation={tmp_path}/test.json"], "the same name"),
    ):
        with pytest.raises(CommandError, match=reason):
            call_command("import_gold", "essays", *words)
    assert Release.objects.count() == 1
