"""Files from a browser: taken as they stream in, by leads only, and brought in by a job."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotator import uploads
from annotator.models import Arrival, Preview, Upload
from annotator.views.setup import intake as view
from tests.factories import Cast

PAGE = "/p/essays/passages/add"


@pytest.fixture(autouse=True)
def own_folder(settings: Any, tmp_path: Any) -> None:
    settings.DATA_DIR = tmp_path


def sent(client: Client, text: str, name: str = "more.txt", **given: Any) -> Any:
    return client.post(PAGE, {"file": SimpleUploadedFile(name, text.encode()), **given})


def kept() -> list[str]:
    return [path.name for path in uploads.folder().iterdir()] if uploads.folder().exists() else []


def test_a_file_that_is_sent_is_looked_at_by_a_job(cast: Cast, client_of: Any) -> None:
    response = sent(client_of("lead"), "A late one.\nAnother one.\n")

    preview = Preview.objects.get()
    assert (response.status_code, response["Location"]) == (302, f"/p/essays/previews/{preview.uuid}")
    assert preview.job is not None
    assert (preview.job.kind, len(kept()), Upload.objects.count()) == ("look_at_file", 1, 1)
    assert not Arrival.objects.exists()


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

    assert "Choose a file." in lead.post(PAGE, {}).content.decode()
    assert "ends in none of .txt" in sent(lead, "A.\n", "secrets.pdf").content.decode()
    two = {"file": [SimpleUploadedFile(name, b"A.\n") for name in ("a.txt", "b.txt")]}
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
    body = {"emails": "x@example.org", "file": SimpleUploadedFile("a", b"x")}
    response = client_of("lead").post("/p/essays/people", body)

    assert response.status_code == 400
    assert kept() == []


def test_a_second_file_takes_the_place_of_the_first(
    cast: Cast, client_of: Any, django_capture_on_commit_callbacks: Any
) -> None:
    lead = client_of("lead")
    sent(lead, "A late one.\n")

    with django_capture_on_commit_callbacks(execute=True):
        sent(lead, "Another one.\n", "other.txt")

    assert (Preview.objects.get().name, len(kept())) == ("other.txt", 1)
