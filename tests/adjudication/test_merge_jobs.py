"""Merge and agreement as jobs in parts: killed, cancelled, failed, overtaken, there is one result or a clear word."""

import json
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command

from adjudication.actions import curves, digests, measuring, merging
from adjudication.actions.curves import CURVE
from adjudication.actions.measuring import AGREEMENT, agreement_settings, ask_for_agreement
from adjudication.actions.merging import MERGE, merge_project
from adjudication.actions.taking_back import take_back
from adjudication.models import (
    AgreementReport,
    AnnotatorCurve,
    Merge,
    PassageResult,
    ShardData,
    SubmissionDigest,
    Target,
)
from annotator.actions.assignments import discard_assignment, undo_discard
from annotator.actions.jobs import cancel_job, retry_job
from annotator.actions.running import Lost, claim, work_on
from annotator.actions.sweeping import sweep
from annotator.models import Arrival, Event, Job, Submission, User
from config.doctor import examine
from tests.adjudication.conftest import assignment_of, submit
from tests.annotator.arrivals import Killed
from tests.annotator.jobs import let_the_lease_run_out
from tests.annotator.test_commands import run
from tests.bench.material import write_annotations, write_passages
from tests.factories import TEXT, TEXTS, Cast, mark

KINDS = {kind.name: kind for kind in (MERGE, AGREEMENT, CURVE)}
IN_PARTS = [MERGE.name, AGREEMENT.name]
PASSAGES = 45


def asked(cast: Cast, kind: str, shards: int = 4) -> Job:
    params: dict[str, Any] = {"shards": shards}
    if kind == "merge":
        return merging._ask(cast.project, by=cast.lead, shards=shards, is_rung=False)
    settings = agreement_settings(cast.project, resamples=100)
    return measuring._ask(cast.project, by=cast.lead, settings=settings, params=params, is_rung=False)


def do(job: Job) -> Job:
    work_on(job.pk, KINDS[job.kind].work, worker="w")
    job.refresh_from_db()
    return job


def divided(cast: Cast, kind: str) -> tuple[Job, list[Job]]:
    job = do(asked(cast, kind))
    assert job.state == "divided"
    return job, list(job.parts.order_by("part"))


def finished(job: Job) -> Job:
    """All parts that are left, and the sum."""
    for part in job.parts.order_by("part"):
        do(part)
    return do(job)


def killed(job: Job, monkeypatch: pytest.MonkeyPatch, module: Any, name: str, *, calls: int = 1) -> None:
    """kill -9 as soon as this has been called so often; the lease has run out by then."""
    real: Callable[..., Any] = getattr(module, name)
    called = 0

    def dies(*given: Any, **named: Any) -> Any:
        nonlocal called
        called += 1
        real(*given, **named)
        if called == calls:
            raise Killed

    begun = claim(job.pk, worker="w")
    assert begun is not None
    with monkeypatch.context() as patch:
        patch.setattr(module, name, dies)
        with pytest.raises(Killed):
            KINDS[job.kind].work(begun)
    let_the_lease_run_out(job)
    sweep()
    job.refresh_from_db()


def picture(merge: Merge) -> list[Any]:
    """All a merge holds, but for keys and times."""
    own = {"id", "merge_id"}
    counts = {name: getattr(merge, name) for name in ("answers", *merging._Totals().columns())}
    tables = [sorted(map(str, _rows(table, own, merge=merge))) for table in (Target, PassageResult)]
    return [counts, *tables]


def _rows(table: Any, without: set[str], **given: Any) -> list[dict[str, Any]]:
    names = [field.attname for field in table._meta.concrete_fields if field.attname not in without]
    found = table._base_manager.filter(**given).order_by("pk").values_list(*names)
    return [dict(zip(names, row, strict=True)) for row in found]


def nothing_is_left() -> bool:
    return not (
        ShardData.objects.exists()
        or Merge.objects.filter(finished_at=None).exists()
        or AgreementReport.objects.filter(is_done=False).exists()
        or Target.objects.filter(merge__finished_at=None).exists()
    )


def results(kind: str) -> int:
    return Merge.objects.count() if kind == "merge" else AgreementReport.objects.count()


@pytest.fixture
def many(cast: Cast, tmp_path: Path) -> Cast:
    """Ten voices on 41 more passages; on the 4 of the cast they found nothing."""
    write_passages(tmp_path / "p.jsonl", PASSAGES - 4)
    write_annotations(tmp_path / "a.csv", PASSAGES - 4)
    table = (tmp_path / "a.csv").read_text()
    (tmp_path / "a.csv").write_text(table.replace(",A", ",V"))  # the cast has the A's
    run("import_passages", "essays", str(tmp_path / "p.jsonl"))
    run("import_annotations", "essays", str(tmp_path / "a.csv"))
    return cast


@pytest.mark.slow
def test_any_number_of_shards_gives_the_same_merge_and_the_same_bytes(many: Cast) -> None:
    merges, reports = [], []
    for shards in (1, 7, 40):
        merge, is_new = merge_project(many.project, by=many.lead, shards=shards)
        assert is_new
        merges.append(picture(merge))
        Merge.objects.update(is_current=False)
        merging._remove(merge)
        out = StringIO()
        with redirect_stdout(out):
            call_command("agreement", "essays", json=True, resamples=100, shards=shards)
        reports.append(out.getvalue())
        measuring._remove(AgreementReport.objects.get())

    assert (merges[0][0]["answers"], merges[0][0]["passages"]) == (10 * PASSAGES, PASSAGES)
    assert merges[1] == merges[0]
    assert merges[2] == merges[0]
    assert reports == [reports[0]] * 3
    assert nothing_is_left()


@pytest.mark.parametrize("shards", [1, 4])
@pytest.mark.parametrize(
    ("kind", "place"), [("merge", "_finish"), ("merge", "_check_counts"), ("agreement", "_finish")]
)
def test_killed_in_the_sum(three: Cast, kind: str, place: str, shards: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when the result stood already, and only the job was not told."""
    job = do(asked(three, kind, shards)) if shards > 1 else asked(three, kind, shards)
    for part in job.parts.order_by("part"):
        do(part)
    killed(job, monkeypatch, measuring if kind == "agreement" else merging, place)

    do(job)

    assert (job.state, job.message, (job.result or {}).get("made")) == ("done", "", True)
    assert results(kind) == 1
    assert nothing_is_left()


def test_a_report_that_another_process_made_meanwhile_stands_alone(
    three: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (asked(three, "agreement", shards=1) for _ in range(2))
    real = measuring._finish

    def overtaken(*given: Any, **named: Any) -> Any:
        monkeypatch.setattr(measuring, "_finish", real)
        do(second)
        return real(*given, **named)

    monkeypatch.setattr(measuring, "_finish", overtaken)
    do(first)

    assert [(job.result or {})["made"] for job in (first, second)] == [False, True]
    assert results("agreement") == 1
    assert nothing_is_left()


def with_curve(cast: Cast) -> Job:
    """The job of the curve after a report."""
    assert do(ask_for_agreement(cast.project, by=cast.lead, settings=agreement_settings(cast.project))).state == "done"
    return cast.project.jobs.filter(kind=CURVE.name).latest("pk")


def test_a_curve_whose_worker_was_killed_when_it_stood_is_made_once(
    three: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = with_curve(three)
    killed(job, monkeypatch, curves, "_forget_shards")

    assert do(job).state == "done"
    assert (job.result or {})["passages"] == 2
    assert AnnotatorCurve.objects.count() == Event.objects.filter(kind="agreement.curve_made").count() == 1
    assert nothing_is_left()


def test_what_a_cancelled_curve_was_given_goes_with_the_next_one(three: Cast) -> None:
    cancel_job(with_curve(three), by=three.lead)
    submit(three, three.ann, passage="essays-3")

    assert do(with_curve(three)).state == "done"

    assert nothing_is_left()


@pytest.mark.parametrize("table", [Target, PassageResult])
@pytest.mark.parametrize("shards", [1, 4])
def test_t20_a_row_that_is_lost_fails_the_merge_and_the_old_one_stays(
    three: Cast, table: Any, shards: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, _ = merge_project(three.project, by=three.lead)
    submit(three, three.ann, passage="essays-3")
    seen = picture(before)
    real = merging._check_counts

    def lose(merge: Merge, *given: Any, **named: Any) -> None:
        table.objects.filter(merge=merge).last().delete()
        real(merge, *given, **named)

    with monkeypatch.context() as patch:
        patch.setattr(merging, "_check_counts", lose)
        job = do(asked(three, "merge", shards))
        job = finished(job) if shards > 1 else job

    assert (job.state, "does not add up" in job.message) == ("failed", True)
    assert Merge.objects.finished().get() == Merge.objects.current().get() == before
    assert picture(before) == seen
    merge_project(three.project, by=three.lead)
    assert nothing_is_left()


@pytest.mark.parametrize("kind", IN_PARTS)
def test_cancelled_between_its_parts_and_tried_again(three: Cast, kind: str) -> None:
    job, parts = divided(three, kind)
    do(parts[0])
    cancel_job(job, by=three.lead)
    assert do(parts[1]).state == "cancelled"

    retry_job(job, by=three.lead)
    finished(job)

    assert job.state == "done"
    assert (Job.objects.get(pk=parts[0].pk).attempts, results(kind)) == (1, 1)
    assert nothing_is_left()


@pytest.mark.parametrize("kind", IN_PARTS)
@pytest.mark.parametrize("done", [1, 4])
def test_tried_again_after_another_was_made(three: Cast, kind: str, done: int) -> None:
    """Whether parts are left or only the sum."""
    job, parts = divided(three, kind)
    for part in parts[:done]:
        do(part)
    cancel_job(job, by=three.lead)
    submit(three, three.ann, passage="essays-3")
    other = finished(do(asked(three, kind)))
    assert other.state == "done"
    assert nothing_is_left()

    retry_job(job, by=three.lead)
    finished(job)

    assert job.state == "failed"
    assert "made since" in job.message or "done anew since" in job.message
    assert results(kind) == 1
    assert nothing_is_left()


def test_tried_again_while_another_is_made(three: Cast) -> None:
    """Its parts are gone, its half-made merge is not yet."""
    job, parts = divided(three, "merge")
    for part in parts:
        do(part)
    cancel_job(job, by=three.lead)
    other, _ = divided(three, "merge")

    retry_job(job, by=three.lead)
    do(job)

    assert (job.state, job.message) == ("failed", "This was done anew since: ask for it again.")
    assert finished(other).state == "done"
    assert nothing_is_left()


def test_a_half_made_merge_stays_until_no_part_of_it_is_at_work(three: Cast) -> None:
    """Cancelled in the middle of a part's last step, whose rows nobody else can see yet."""
    job, parts = divided(three, "merge")
    assert claim(parts[0].pk, worker="w") is not None
    cancel_job(job, by=three.lead)
    half_made = Merge.objects.get()
    submit(three, three.ann, passage="essays-3")

    merge_project(three.project, by=three.lead)
    assert list(Merge.objects.filter(finished_at=None)) == [half_made]

    let_the_lease_run_out(parts[0])
    sweep()
    submit(three, three.ann, mark(TEXTS[3], "tired", "weary"), passage="essays-4")
    merge_project(three.project, by=three.lead)
    assert nothing_is_left()


@pytest.mark.parametrize("kind", IN_PARTS)
def test_a_part_that_fails_and_is_tried_again(three: Cast, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    job, parts = divided(three, kind)
    do(parts[1])

    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr(merging, "merge_passage", fail)
        patch.setattr(measuring, "count_shard", fail)
        do(parts[0])
    job.refresh_from_db()
    assert (job.state, "RuntimeError" in job.message) == ("failed", True)

    retry_job(job, by=three.lead)
    finished(job)

    assert (job.state, results(kind)) == ("done", 1)
    assert nothing_is_left()


def test_a_passage_of_many_rows_cancelled_in_its_middle_and_tried_again(
    three: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some of its rows were written by then, and are not written twice."""
    expected = picture(merge_project(three.project, by=three.lead)[0])
    Merge.objects.update(is_current=False)
    merging._prune(three.project)
    monkeypatch.setattr(merging, "BATCH", 1)
    job, parts = divided(three, "merge")
    real = merging._insert

    def cancel_after(rows: list[Any]) -> None:
        real(rows)
        monkeypatch.setattr(merging, "_insert", real)
        cancel_job(job, by=three.lead)

    monkeypatch.setattr(merging, "_insert", cancel_after)
    assert do(parts[0]).state == "cancelled"
    assert (parts[0].done, Target.objects.count()) == (0, 1)
    retry_job(job, by=three.lead)
    finished(job)

    assert (job.state, job.message) == ("done", "")
    assert picture(Merge.objects.get()) == expected


def discarded(cast: Cast, user: User) -> None:
    row = assignment_of(user, "essays-1")
    discard_assignment(row, by=user, version=row.version, save_id=uuid4(), reason="context")


def test_a_merge_is_not_chosen_again_while_it_is_being_removed(three: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """Undo a discard while the merge from before it is pruned: the same input, made anew and whole."""
    expected = picture(merge_project(three.project, by=three.lead)[0])
    discarded(three, three.ben)
    real = merging._remove_rows

    def meanwhile(merge: Merge, passages: Any = None) -> None:
        if passages is None:
            monkeypatch.setattr(merging, "_remove_rows", real)
            row = assignment_of(three.ben, "essays-1")
            undo_discard(row, by=three.ben, version=row.version, save_id=uuid4())
            merge_project(three.project, by=three.lead)
        real(merge, passages)

    monkeypatch.setattr(merging, "_remove_rows", meanwhile)
    assert do(asked(three, "merge", shards=1)).state == "done"

    current = Merge.objects.current().get()
    found = picture(current)
    assert (found[0], len(found[1])) == (expected[0], len(expected[1]))
    assert nothing_is_left()


def test_an_older_list_does_not_take_the_place_of_a_newer_one(three: Cast) -> None:
    older, _ = divided(three, "merge")
    submit(three, three.ann, passage="essays-3")
    newer = finished(do(asked(three, "merge")))
    assert newer.state == "done", newer.message

    finished(older)

    assert (older.state, older.message) == ("failed", "Another merge was made since: merge again.")
    assert Merge.objects.current().get().answers == 6


def test_changes_are_against_the_merge_that_was_current_at_the_end(
    three: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An older list comes to its end while this one looks for changes."""
    merge_project(three.project, by=three.lead)
    novels = mark(TEXTS[2], "books", "novels")
    for user in (three.ann, three.ben):
        submit(three, user, novels, passage="essays-3")
    older, _ = divided(three, "merge")
    submit(three, User.objects.get(email="cleo@example.org"), novels, passage="essays-3")
    real = merging._finish

    def overtaken(*given: Any, **named: Any) -> Any:
        monkeypatch.setattr(merging, "_finish", real)
        assert finished(older).state == "done"
        return real(*given, **named)

    monkeypatch.setattr(merging, "_finish", overtaken)
    newer, _ = merge_project(three.project, by=three.lead)

    assert newer.changes["before"] == (older.result or {})["merge"]
    assert {name: newer.changes[name] for name in ("added", "kept", "moved", "gone")} == {
        "added": 0, "kept": 0, "moved": 1, "gone": 0,
    }  # fmt: skip
    assert list(Target.objects.filter(merge=newer).exclude(change="").values_list("change", flat=True)) == ["moved"]


@pytest.mark.parametrize("kind", IN_PARTS)
def test_a_worker_that_lost_its_job_while_planning_spoils_nothing(
    three: Cast, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = asked(three, kind)
    slow = claim(job.pk, worker="slow")
    assert slow is not None
    module = merging if kind == "merge" else measuring
    real = module.work_list

    def asleep(*given: Any, **named: Any) -> Any:
        found = real(*given, **named)
        monkeypatch.setattr(module, "work_list", real)
        let_the_lease_run_out(job)
        sweep()
        do(job)
        return found

    monkeypatch.setattr(module, "work_list", asleep)
    with pytest.raises(Lost):
        KINDS[kind].work(slow)

    job.refresh_from_db()
    assert job.state == "divided"
    assert ShardData.objects.count() == job.parts.count() > 1
    assert finished(job).state == "done"
    assert nothing_is_left()


@pytest.mark.parametrize("kind", IN_PARTS)
def test_tried_again_after_what_it_was_made_of_was_taken_back(many: Cast, kind: str) -> None:
    for job in Job.objects.unfinished():
        cancel_job(job, by=None)
    job, parts = divided(many, kind)
    do(parts[0])
    cancel_job(job, by=many.lead)
    cleared = take_back(Arrival.objects.get(kind="answers"), by=many.lead)
    assert cleared is not None

    retry_job(job, by=many.lead)
    finished(job)

    assert job.state == "failed"
    assert "made since" in job.message or "done anew since" in job.message
    assert nothing_is_left()


def test_t4_annotators_tables_are_not_written(many: Cast) -> None:
    """T4: row by row, all but jobs, the log, workers and tokens, which are made once by whoever needs them."""
    others = {"job", "event", "worker", "passagetokens"}
    tables = [model for model in apps.get_app_config("annotator").get_models() if model._meta.model_name not in others]
    own = {"project": {"version", "chain_head"}}  # the log of the project is told of a merge
    before = [_rows(table, own.get(str(table._meta.model_name), set())) for table in tables]

    merge_project(many.project, by=many.lead, shards=7)
    assert finished(do(asked(many, "agreement", 7))).state == "done"

    assert len(tables) > 10
    assert [_rows(table, own.get(str(table._meta.model_name), set())) for table in tables] == before


def test_after_one_more_submission_only_its_digest_is_made(many: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    assert finished(do(asked(many, "agreement", 7))).state == "done"
    there = set(SubmissionDigest.objects.values_list("submission_id", flat=True))
    assert len(there) == 10 * PASSAGES
    packed: list[Any] = []
    real = digests.pack_answer
    monkeypatch.setattr(
        digests, "pack_answer", lambda answer, **given: (packed.append(answer), real(answer, **given))[1]
    )
    row = submit(many, many.ann, mark(TEXT, "uncle", "relative"))

    assert finished(do(asked(many, "agreement", 7))).state == "done"

    made = set(SubmissionDigest.objects.values_list("submission_id", flat=True)) - there
    assert (made, len(packed)) == ({Submission.objects.get(assignment=row).pk}, 1)


def test_nobody_one_and_two(cast: Cast, capsys: Any) -> None:
    call_command("merge", "essays")
    assert "there is nothing to merge" in capsys.readouterr().out
    assert do(asked(cast, "agreement")).message == "Agreement needs two annotators who have submitted something."

    submit(cast, cast.ann, mark(TEXT, "uncle", "relative"))
    of_one = run("merge", "essays", "--shards=2")
    assert (of_one["answers"], of_one["passages"], of_one["too_few"], of_one["targets"]) == (1, 0, 4, 0)
    with pytest.raises(CommandError, match="two annotators who have submitted"):
        call_command("agreement", "essays")

    submit(cast, cast.ben, mark(TEXT, "uncle", "kinsman"))
    of_two = run("merge", "essays", "--shards=2")
    assert (of_two["answers"], of_two["passages"], of_two["kept"]) == (2, 1, 1)
    report = run("agreement", "essays", "--resamples=0")
    assert [(pair["n"], pair["m"]) for pair in report["pairs"]] == [(1, 1)]
    assert json.loads(json.dumps(report)) == report
    assert nothing_is_left()


def test_the_doctor_finds_a_merge_with_discarded_passages_whole(three: Cast) -> None:
    """Their targets are kept as rows, and not counted in the gold."""
    for user in (three.ann, three.ben):
        discarded(three, user)

    merge, _ = merge_project(three.project, by=three.lead)

    assert (merge.discarded, merge.targets, merge.discarded_targets) == (1, 0, 2)
    assert [finding.problems for finding in examine() if finding.check == "merges"] == [[]]
