"""Arrivals: nowhere until they are done, then everywhere at once; called off or taken back, they leave nothing."""

import io
import os
import time
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import DatabaseError, models, transaction
from django.utils import timezone

from annotator import uploads
from annotator.actions.importing import arrivals
from annotator.actions.importing.answers import import_annotations
from annotator.actions.importing.arrivals import CLEAR, IMPORT, begin_arrival, call_off_arrival, forget_old_uploads
from annotator.actions.importing.passages import import_passages, passages_options
from annotator.actions.importing.projects import import_project
from annotator.actions.jobs import cancel_job, retry_job
from annotator.actions.projects import add_passages
from annotator.actions.running import work_on
from annotator.domain.arrivals import ArrivalKind
from annotator.domain.errors import Conflict, NotAllowed, TooLarge
from annotator.domain.passages import NewPassage
from annotator.models import Arrival, Assignment, Event, Job, Project, Submission, Upload
from config.doctor import examine
from tests.annotator.arrivals import (
    HEAD,
    MORE,
    TABLE,
    begun,
    begun_answers,
    begun_passages,
    file_of,
    kill_half_way,
    rows,
)
from tests.factories import Cast


@pytest.fixture(autouse=True)
def own_folder(settings: Any, tmp_path: Any) -> None:
    settings.DATA_DIR = tmp_path


@pytest.mark.parametrize("begin", [begun_passages, begun_answers])
def test_killed_it_goes_on_where_it_stopped(cast: Cast, begin: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    arrival = begin(cast)
    counted = rows()
    kill_half_way(arrival, monkeypatch)
    begun_rows = rows()

    work_on(arrival.job.pk, IMPORT.work, worker="w")

    arrival.refresh_from_db()
    assert arrival.done_at is not None
    assert arrival.job.state == "done"
    made = {name: number - counted[name] for name, number in rows().items()}
    expected = {
        begun_passages: {"Passage": 7, "Membership": 0, "Assignment": 14, "Submission": 0},
        begun_answers: {"Passage": 0, "Membership": 2, "Assignment": 8, "Submission": 8},
    }[begin]
    assert made == expected
    assert all(begun_rows[name] <= number for name, number in rows().items())
    assert not Upload.objects.exists()
    numbers = list(Assignment.objects.filter(membership__user=None).values_list("membership", "number"))
    assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize("begin", [begun_passages, begun_answers])
def test_cancelled_half_way_it_is_as_before(cast: Cast, begin: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = rows()
    arrival = begin(cast)
    kill_half_way(arrival, monkeypatch)
    assert rows() != counted

    cancel_job(Job.objects.get(pk=arrival.job.pk), by=cast.lead)
    clear = Job.objects.get(kind=CLEAR.name)
    with pytest.raises(Conflict, match="still being removed"):
        begin(cast)
    with pytest.raises(Conflict, match="cannot be cancelled"):
        cancel_job(clear, by=cast.lead)
    work_on(clear.pk, CLEAR.work, worker="w")

    arrival.refresh_from_db()
    assert rows() == counted
    assert (arrival.done_at, arrival.over_at is not None) == (None, True)
    assert list(uploads.folder().iterdir()) == []
    retry_job(Job.objects.get(pk=arrival.job.pk), by=cast.lead)
    work_on(arrival.job.pk, IMPORT.work, worker="w")
    assert Job.objects.get(pk=arrival.job.pk).message == "This import was called off. Send the file again."
    again = begin(cast)
    work_on(again.job.pk, IMPORT.work, worker="w")
    assert rows() != counted


def what_the_doctor_says_of_arrivals() -> list[str]:
    [problems] = [found.problems for found in examine() if found.check == "arrivals"]
    return problems


def test_what_is_left_of_an_import_is_removed_by_the_next_command(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the job that was to remove it is over, and no worker runs."""
    counted = rows()
    arrival = begun_answers(cast)
    kill_half_way(arrival, monkeypatch)
    call_off_arrival(arrival, by=cast.lead)
    assert what_the_doctor_says_of_arrivals() == []
    Job.objects.filter(kind=CLEAR.name).move("claim", holder=uuid4(), lease_until=timezone.now())
    Job.objects.filter(kind=CLEAR.name).move("fail", holder=None, lease_until=None)
    assert "rows of “t.csv”, which is over, are left" in what_the_doctor_says_of_arrivals()[0]

    done = import_annotations(cast.project, by=cast.lead, source=file_of(TABLE), name="t.csv", is_sparse=False)

    assert done.made == 8
    made = {name: number - counted[name] for name, number in rows().items()}
    assert made == {"Passage": 0, "Membership": 2, "Assignment": 8, "Submission": 8}
    assert what_the_doctor_says_of_arrivals() == []


def test_one_file_at_a_time_and_the_same_one_goes_on(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    arrival = begun_passages(cast)
    kill_half_way(arrival, monkeypatch)

    with pytest.raises(Conflict, match=r"“more\.txt” is still being imported"):
        begun_answers(cast)
    with pytest.raises(Conflict, match="is still being imported"):
        add_passages(cast.project, by=cast.lead, passages=[NewPassage("n", "A new one.")])
    again = begun_passages(cast)

    assert again == arrival
    assert len(list(uploads.folder().iterdir())) == 1


def test_what_arrives_is_handed_out_at_the_end(cast: Cast) -> None:
    done = import_passages(cast.project, by=cast.lead, source=file_of(MORE), name="more.txt")

    assert done.made == 7
    own = Assignment.objects.own(cast.ann).filter(passage__arrival=done.arrival)
    assert own.count() == 7
    [event] = Event.objects.filter(kind="arrival.done")
    assert (event.project, event.by, event.payload) == (cast.project, cast.lead, {"made": 7, "already": 0})


def test_a_bad_file_leaves_no_arrival_on_its_way(cast: Cast) -> None:
    arrival = begun_answers(cast, HEAD + "essays-1,V1,aunt,relative,refine-usage\n")

    work_on(arrival.job.pk, IMPORT.work, worker="w")

    arrival.refresh_from_db()
    job = Job.objects.get(pk=arrival.job.pk)
    assert (job.state, job.message) == ("failed", "1 problem in the file; nothing was imported.")
    assert arrival.report["problems"] == [{"line": 2, "reason": "“aunt” does not occur in the sentence."}]
    assert arrival.over_at is not None
    assert not Upload.objects.exists()
    begun_answers(cast)


@pytest.mark.parametrize("ending", ["docx", "xls"])
def test_a_file_of_another_kind_is_refused_and_over(cast: Cast, ending: str) -> None:
    arrival = begun(cast, ArrivalKind.PASSAGES, "x", f"more.{ending}", passages_options())

    work_on(arrival.job.pk, IMPORT.work, worker="w")

    arrival.refresh_from_db()
    assert arrival.over_at is not None
    assert Job.objects.get(pk=arrival.job.pk).state == "failed"


def test_the_guard_lets_go_only_of_what_never_arrived(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    done = import_annotations(cast.project, by=cast.lead, source=file_of(TABLE), name="t.csv", is_sparse=False)
    other = HEAD + "essays-2,V3,bad,awful,refine-usage\n"
    kill_half_way(begun_answers(cast, other), monkeypatch)
    arrived, on_its_way = (
        Submission.objects.filter(assignment__arrival=done.arrival),
        Submission.objects.exclude(assignment__arrival=done.arrival).filter(assignment__membership__user=None),
    )

    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        arrived._raw_delete(arrived.db)
    removed = on_its_way._raw_delete(on_its_way.db)

    assert removed == 4  # two steps of two answers
    assert arrived.count() == 8


def test_a_whole_project_arrives_at_once_or_not_at_all(cast: Cast, tmp_path: Any, monkeypatch: Any) -> None:
    out = tmp_path / "essays.jsonl"
    call_command("export", "essays", "--format", "assay", "--out", str(out))
    monkeypatch.setattr("annotator.actions.importing.projects.BATCH", 2)
    steps = 0
    real = arrivals._check_on_the_way

    def fail(arrival: Arrival) -> None:
        nonlocal steps
        steps += 1
        if steps == 4:
            raise KeyboardInterrupt
        real(arrival)

    monkeypatch.setattr("annotator.actions.importing.projects._check_on_the_way", fail)
    before = rows(), Project.all_rows.count()
    with out.open("rb") as source, pytest.raises(KeyboardInterrupt):
        import_project(by=None, slug="copied", lead="new@example.org", source=source)

    assert (rows(), Project.all_rows.count()) == before
    with out.open("rb") as source:
        done = import_project(by=None, slug="copied", lead="new@example.org", source=source)
    assert (done.project.slug, done.passages, done.is_lead_new) == ("copied", 4, True)
    assert "new@example.org" not in str(list(Arrival.objects.values()))
    again = tmp_path / "again.jsonl"
    call_command("export", "copied", "--format", "assay", "--out", str(again))
    assert again.read_bytes() == out.read_bytes()


def test_a_whole_project_that_was_killed_goes_on_with_the_same_command(
    cast: Cast, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "essays.jsonl"
    call_command("export", "essays", "--format", "assay", "--out", str(out))
    monkeypatch.setattr("annotator.actions.importing.projects.BATCH", 2)
    options = {"slug": "copied", "lead": "new@example.org"}
    kept = uploads.keep(io.BytesIO(out.read_bytes()))
    arrival = begin_arrival(None, by=None, kind=ArrivalKind.PROJECT, file=kept, name="copied.jsonl", options=options)
    kill_half_way(arrival, monkeypatch)
    assert not Project.objects.filter(slug="copied").exists()

    with out.open("rb") as source:
        done = import_project(by=None, slug="copied", lead="new@example.org", source=source)

    assert (done.project.arrival_id, done.passages) == (arrival.pk, 4)
    again = tmp_path / "again.jsonl"
    call_command("export", "copied", "--format", "assay", "--out", str(again))
    assert again.read_bytes() == out.read_bytes()


def test_what_a_killed_process_left_in_the_folder_goes_after_a_day(cast: Cast) -> None:
    left, fresh = uploads.keep(io.BytesIO(b"A.\n")), uploads.keep(io.BytesIO(b"B.\n"))
    long_ago = time.time() - 2 * 24 * 3600
    os.utime(uploads.path_of(left.uuid), (long_ago, long_ago))

    forget_old_uploads()

    assert list(uploads.folder().iterdir()) == [uploads.path_of(fresh.uuid)]


def test_uploads_are_nobody_elses_to_read_and_go_after_a_day(cast: Cast) -> None:
    arrival = begun_passages(cast)
    upload = Upload.objects.get(arrival=arrival)
    path = uploads.path_of(upload.uuid)
    assert (path.stat().st_mode & 0o777, path.read_text()) == (0o600, MORE)

    forget_old_uploads()
    assert path.exists()
    Upload.objects.update(at="2026-01-01T00:00:00Z")
    forget_old_uploads()

    assert not path.exists()
    work_on(arrival.job.pk, IMPORT.work, worker="w")
    assert Job.objects.get(pk=arrival.job.pk).message == "The file is not here any more. Send it again."


def test_too_large_or_no_room_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = uploads.KeptFile(most=10)
    with pytest.raises(TooLarge):
        kept.write(b"x" * 11)
    assert not uploads.path_of(kept.uuid).exists()

    kept = uploads.KeptFile()

    class Full:
        def write(self, piece: bytes) -> None:
            raise OSError(28, "No space left on device")

        def close(self) -> None:
            pass

    kept.file.close()
    monkeypatch.setattr(kept, "file", Full())
    with pytest.raises(Conflict, match="The disk of this Assay is full"):
        kept.write(b"x")
    assert not uploads.path_of(kept.uuid).exists()


def test_only_a_lead_imports_or_calls_off(cast: Cast) -> None:
    arrival = begun_passages(cast)

    for who in (cast.ann, cast.adjudicator, cast.other_lead, cast.stranger):
        kept = uploads.keep(file_of(MORE))
        with pytest.raises(NotAllowed):
            begin_arrival(
                cast.project, by=who, kind=ArrivalKind.PASSAGES, file=kept, name="x.txt", options=passages_options()
            )
        with pytest.raises(NotAllowed):
            call_off_arrival(arrival, by=who)
    assert len(list(uploads.folder().iterdir())) == 1


def test_every_table_that_files_fill_hides_what_is_on_its_way() -> None:
    """By default: whoever writes a new list need not think of it."""
    for model in apps.get_models():
        names = {field.name for field in model._meta.get_fields() if isinstance(field, models.ForeignKey)}
        if "arrival" in names and model is not Upload:
            assert "arrival" in str(model._default_manager.all().query), model
            assert hasattr(model, "all_rows"), model
