"""Files from a browser: taken as they stream in, by leads only, and brought in by a job."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotator import uploads
from annotator.actions.importing.arrivals import IMPORT
from annotator.actions.running import work_on
from annotator.models import Arrival, Job, Upload
from annotator.views import passages as view
from tests.factories import Cast

PAGE = "/p/essays/passages"


@pytest.fixture(autouse=True)
def own_folder(settings: Any, tmp_path: Any) -> None:
    settings.DATA_DIR = tmp_path


def sent(client: Client, text: str, name: str = "more.txt", **given: Any) -> Any:
    return client.post(PAGE, {"kind": "passages", "file": SimpleUploadedFile(name, text.encode()), **given})


def kept() -> list[str]:
    return [path.name for path in uploads.folder().iterdir()] if uploads.folder().exists() else []


def test_a_file_that_is_sent_is_brought_in_by_a_job(cast: Cast, client_of: Any) -> None:
    lead = client_of("lead")

    response = sent(lead, "A late one.\nAnother one.\n")

    job = Job.objects.get(kind="import")
    assert (response.status_code, response["Location"]) == (302, f"/p/essays/jobs/{job.uuid}")
    assert (len(kept()), Upload.objects.count()) == (1, 1)
    work_on(job.pk, IMPORT.work, worker="w")
    assert "2 passages imported." in lead.get(f"/p/essays/jobs/{job.uuid}").content.decode()
    assert "2 passages imported." in lead.get(PAGE).content.decode()
    assert (kept(), Upload.objects.count()) == ([], 0)


def test_what_is_wrong_with_it_is_shown_by_line(cast: Cast, client_of: Any) -> None:
    lead = client_of("lead")
    rows = "sentence_id,annotator,word to change,substitutes,type\nessays-1,V1,<b>aunt</b>,x,refine-usage\n"

    sent(lead, rows, "t.csv", kind="answers", no_row="everyone")

    job = Job.objects.get(kind="import")
    assert Arrival.objects.get().options == {"is_sparse": False, "names_differ": False, "sheet": None}
    work_on(job.pk, IMPORT.work, worker="w")
    page = lead.get(f"/p/essays/jobs/{job.uuid}").content.decode()
    assert "“&lt;b&gt;aunt&lt;/b&gt;” does not occur in the sentence." in page


def test_nobody_but_a_lead_leaves_a_file_behind(cast: Cast, client_of: Any) -> None:
    for name in ("ann", "adjudicator", "stranger", "other_lead"):
        assert sent(client_of(name), "A late one.\n").status_code == 404
    assert sent(client_of(None), "A late one.\n").status_code == 302
    strict = Client(enforce_csrf_checks=True, raise_request_exception=False)
    strict.force_login(cast.lead)
    assert sent(strict, "A late one.\n").status_code == 403
    assert (kept(), Arrival.objects.count()) == ([], 0)


def test_too_large_is_refused_while_it_streams(cast: Cast, client_of: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "MAX_UPLOAD", 100_000)

    while_streaming = sent(client_of("lead"), "x" * 150_000)
    monkeypatch.setattr(view, "MAX_UPLOAD", 1_000)
    at_once = sent(client_of("lead"), "x" * 150_000)

    assert (while_streaming.status_code, at_once.status_code) == (413, 413)
    assert "larger than" in while_streaming.content.decode()
    assert (kept(), Arrival.objects.count()) == ([], 0)


def test_a_form_without_a_file_or_with_two_or_with_nonsense(cast: Cast, client_of: Any) -> None:
    lead = client_of("lead")

    assert "Choose a file." in lead.post(PAGE, {"kind": "passages"}).content.decode()
    assert sent(lead, "A.\n", kind="secrets").status_code == 400
    two = {"kind": "passages", "file": [SimpleUploadedFile(name, b"A.\n") for name in ("a.txt", "b.txt")]}
    assert "one file at a time" in lead.post(PAGE, two).content.decode()
    assert (kept(), Arrival.objects.count()) == ([], 0)


def test_a_full_disk_is_one_clear_line(cast: Cast, client_of: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: Any) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(uploads.os, "open", full)

    response = sent(client_of("lead"), "A.\n")

    assert response.status_code == 409
    assert "The disk of this Assay is full: nothing was taken in." in response.content.decode()


def test_files_are_taken_nowhere_else(cast: Cast, client_of: Any) -> None:
    """The handler of all other addresses lets none in."""
    body = {"email": "x@example.org", "file": SimpleUploadedFile("a", b"x")}
    response = client_of("lead").post("/p/essays/people", body)

    assert response.status_code == 400
    assert kept() == []


def test_a_second_file_meanwhile_is_told_so(cast: Cast, client_of: Any) -> None:
    lead = client_of("lead")
    sent(lead, "A late one.\n")

    response = sent(lead, "Another one.\n", "other.txt")

    assert (response.status_code, len(kept())) == (409, 1)
    assert "“more.txt” is still being imported" in response.content.decode()
