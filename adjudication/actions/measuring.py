"""Measuring agreement over a project: counted in parts from packed answers, added up, kept as a report."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from django.db import models, transaction
from django.utils import timezone

from adjudication.actions.curves import _ask_for_curve
from adjudication.actions.digests import _digests_of
from adjudication.actions.merging import _check_shards
from adjudication.actions.shards import _forget_shards, _write_shards
from adjudication.domain.agreement.counting import AgreementSettings, Counted, Discards, Tokens, count_shard
from adjudication.domain.agreement.marks import Ints, marks_of
from adjudication.domain.agreement.report import Pace, Totals, agreement_report
from adjudication.domain.agreement.resampling import Units
from adjudication.domain.agreement.table import PairTable, TableMaking
from adjudication.domain.merge import MergeSettings
from adjudication.domain.shards import Shard, joined
from adjudication.domain.signature import METHOD_VERSION
from adjudication.models import AgreementPair, AgreementReport, AnnotatorCurve, ShardData
from adjudication.permissions import check_can_measure_some, check_can_merge
from adjudication.queries.reports import choice_problems
from adjudication.queries.shards import counted_of, shard_of, shards_of, size_of_parts, usual_count, whole_of
from adjudication.queries.work import WorkList, answered, work_list
from annotator.actions.jobs import _enqueue
from annotator.actions.log import locked, write
from annotator.actions.running import Part, Result, Run, in_parts, work_here
from annotator.actions.tokens import _tokens_of
from annotator.bulk import BATCH, insert_rows, read_rows, without_collector
from annotator.domain.canonical import sha256_of
from annotator.domain.errors import Conflict, Invalid, Problem
from annotator.domain.jobs import JobKind, JobState
from annotator.domain.language import words_are
from annotator.models import Job, Membership, Passage, Project, User

Progress = Callable[[int, int], None]
REPORTS_KEPT = 20  # of a project; older ones can be made again
FIGURES = {"pa_det": "PA_det", "pa_sug": "PA_sug"}  # that a job's line tells
PAIR_BYTES = 1_000_000  # of pairs written in one step
LEAST_RESAMPLES = 100  # or none: the ends of an interval would hang on a draw or two
MOST_RESAMPLES = 10_000


def agreement_settings(project: Project, **given: object) -> AgreementSettings:
    """The project's, with whatever is asked for otherwise."""
    return replace(AgreementSettings(merge=MergeSettings.of(project.protocol)), **given)  # type: ignore[arg-type]


def measure_agreement(
    project: Project,
    *,
    by: User | None,
    settings: AgreementSettings,
    shards: int | None = None,
    progress: Progress = lambda done, total: None,
) -> tuple[AgreementReport, bool]:
    """The report on all that counts now, and whether it was made just now: the same input is not measured twice. The
    number of shards changes nothing but how it is spread."""
    _check_shards(shards)
    params = {"shards": shards} if shards else {}
    job = _ask(project, by=by, settings=settings, params=params, is_rung=False)
    work_here(job.pk, AGREEMENT.work, watch=progress)
    job.refresh_from_db()
    result = job.result or {}
    return AgreementReport.objects.get(uuid=result["report"]), result["made"]


def ask_for_agreement(
    project: Project, *, by: User | None, settings: AgreementSettings, shards: int | None = None
) -> Job:
    """The same by whichever worker is free, and the curve of fewer annotators after it."""
    _check_shards(shards)
    params = {"curve": True, **({"shards": shards} if shards else {})}
    return _ask(project, by=by, settings=settings, params=params, is_rung=True)


def _ask(
    project: Project, *, by: User | None, settings: AgreementSettings, params: dict[str, Any], is_rung: bool
) -> Job:
    check_can_merge(by, project)
    _check_choice(project, settings)
    if not settings.is_whole and by is not None:
        check_can_measure_some(by, project)
    params = {**params, "settings": settings.as_dict()}
    return _enqueue(AGREEMENT.name, by=by, project=project, params=params, is_rung=is_rung)


def _check_choice(project: Project, settings: AgreementSettings) -> None:
    """People and groups that are there, and resamples that give an interval."""
    problems = choice_problems(project, settings)
    if settings.resamples and not LEAST_RESAMPLES <= settings.resamples <= MOST_RESAMPLES:
        said = f"Resamples are 0, which leaves the intervals out, or between {LEAST_RESAMPLES} and {MOST_RESAMPLES:,}."
        problems.append(Problem("resamples", said, "resamples"))
    if problems:
        raise Invalid(problems)


def _input_hash(work: WorkList, settings: AgreementSettings) -> str:
    return sha256_of(["agreement", METHOD_VERSION, settings.as_dict(), work.fingerprint])


def _plan(run: Run) -> list[Part]:
    project = run.job.project
    assert project is not None
    settings = AgreementSettings.from_dict(run.job.params["settings"])
    work = work_list(project, first_round_only=True, people=settings.people, groups=settings.groups)
    if work.submitters < 2:
        raise Conflict("Agreement needs two annotators who have submitted something.", code="too_few_annotators")
    input_hash = _input_hash(work, settings)
    if there := AgreementReport.objects.of(project).done().filter(input_hash=input_hash).first():
        AgreementReport.objects.filter(pk=there.pk, listed_at_event__lt=work.event).update(listed_at_event=work.event)
        _ask_for_missing_curve(run, there, work)
        run.keep({"same": there.pk})
        return []
    run.keep({"input": input_hash, "event": work.event})
    work = answered(work)
    size = size_of_parts(len(work.passages), run.job.params.get("shards"), usual=usual_count(len(work.passages)))
    return _write_shards(run, work, size)


def _ask_for_missing_curve(run: Run, report: AgreementReport, work: WorkList) -> None:
    """A report made at the shell has none yet."""
    is_there = AnnotatorCurve.objects.filter(report=report).exists()
    if run.job.params.get("curve") and not is_there:
        with run.step(done=0, total=0):
            _ask_for_curve(report, whole_of(answered(work)), by=run.job.asked_by)


def _part(run: Run) -> Result:
    shard = shard_of(run.job)
    total = len(shard.passages)
    assert run.job.parent is not None
    counted = _count(run, shard).as_bytes()
    with run.step(done=total, total=total):
        ShardData.objects.filter(job=run.job.parent, number=run.job.params["shard"]).update(counted=counted)
    return {"passages": total}


def _count(run: Run, shard: Shard) -> Counted:
    whole = run.job.parent or run.job
    settings = AgreementSettings.from_dict(whole.params["settings"])
    with without_collector():
        digests = _digests_of(run, shard.submission.tolist(), folds=settings.merge.folds_substitutes)
        tokens = _tokens_of(run, shard.passages.tolist())
    marks = marks_of(
        digests,
        passages=len(shard.passages),
        answer_passage=shard.answer_place,
        answer_annotator=shard.annotator,
        types=settings.merge.types,
    )
    return count_shard(
        marks,
        Tokens.of([tokens[passage] for passage in shard.passages.tolist()]),
        Discards(shard.discard_place, shard.discard_annotator),
        annotators=len(shard.names),
        settings=settings,
        first=shard.first,
    )


def _sum(run: Run, results: list[Result]) -> Result:
    kept = run.job.result or {}
    own = AgreementReport.objects.filter(job=run.job)
    for leftover in own.filter(is_done=False):  # of a worker that was killed
        _remove(leftover)
    # The last one may have been killed when the report was done, and the job not yet.
    there = AgreementReport.objects.filter(pk=kept["same"]) if "same" in kept else own.done()
    if report := there.first():
        _forget_shards(run.job)
        return _told(report, run)
    shard, totals, table = _added_up(run, is_divided=bool(results))
    run.progress(done=run.job.done, total=run.job.total)
    settings = AgreementSettings.from_dict(run.job.params["settings"])
    project = run.job.project
    assert project is not None
    facts = _facts(shard.passages.tolist())
    units = Units.of([(group, name) for group, name, _ in facts])
    are = words_are({lang or project.language for _, _, lang in facts})
    result = agreement_report(table, totals, units, _pace(project, shard), settings, words_are=are)
    report = _keep(run, table, shard, result, settings, kept)
    _forget_shards(run.job)
    _prune(project)
    return _told(report, run)


def _added_up(run: Run, *, is_divided: bool) -> tuple[Shard, Totals, PairTable]:
    """What the parts have counted, read one part at a time."""
    if not is_divided:
        shard = shard_of(run.job)
        counted = _count(run, shard)
        return shard, Totals.of([counted]), PairTable.of(shard.names, len(shard.passages), [counted.meetings])
    shard = joined(list(shards_of(run.job)))
    making = TableMaking(shard.names, len(shard.passages))

    def counted_parts() -> Iterator[Counted]:
        for data in counted_of(run.job):
            counted = Counted.from_bytes(data)
            making.count(counted.meetings)
            yield counted

    totals = Totals.of(counted_parts())
    for data in counted_of(run.job):
        making.place(Counted.from_bytes(data).meetings)
    return shard, totals, making.table()


def _facts(passages: Sequence[int]) -> list[tuple[str, str, str]]:
    """(group, id, language) of each, in order."""
    rows = {pk: facts for pk, *facts in read_rows(Passage, 'id, "group", external_id, lang', passages)}
    return [(group, name, lang) for group, name, lang in (rows[passage] for passage in passages)]


def _pace(project: Project, shard: Shard) -> Pace:
    """Submissions are numbered as they come in; imported ones have no order of their own, and took no time here."""
    voices = Membership.objects.filter(project=project, user=None).values_list("pseudonym", flat=True)
    silent = {number for number, name in enumerate(shard.names) if name in set(voices)}
    seconds = np.bincount(shard.annotator, weights=shard.active_ms, minlength=len(shard.names)) / 1000
    order: list[Ints | None] = []
    place = shard.answer_place
    for number in range(len(shard.names)):
        own = np.flatnonzero(shard.annotator == number)
        order.append(None if number in silent else place[own[np.argsort(shard.submission[own])]])
    return Pace(order, seconds.tolist())


def _keep(
    run: Run,
    table: PairTable,
    shard: Shard,
    result: dict[str, Any],
    settings: AgreementSettings,
    kept: Mapping[str, Any],
) -> AgreementReport:
    """The pairs in short steps under a report that is not done; then one step, and everybody sees it."""
    project = run.job.project
    assert project is not None
    total = run.job.total
    with run.step(done=total, total=total):
        report = AgreementReport.objects.create(
            project=project,
            by=run.job.asked_by,
            job=run.job,
            input_hash=kept["input"],
            settings=settings.as_dict(),
            settings_hash=sha256_of(settings.as_dict()),
            is_whole=settings.is_whole,
            signature=result["signature"],
            result=result,
            passage_ids=shard.passages.astype("<i8").tobytes(),
            listed_at_event=kept["event"],
        )
    rows: list[tuple[Any, ...]] = []
    for pair in table:
        rows.append((report.pk, *pair.pair, pair.kept()))
        if len(rows) == BATCH or sum(len(row[-1]) for row in rows) > PAIR_BYTES:
            _insert_pairs(run, rows)
            rows = []
    _insert_pairs(run, rows)
    standing = _finish(run, report, shard, by=run.job.asked_by)
    if standing.pk != report.pk:
        _remove(report)
    return standing


def _insert_pairs(run: Run, rows: list[tuple[Any, ...]]) -> None:
    with run.step(done=run.job.total, total=run.job.total, can_be_lost=True):
        insert_rows(AgreementPair, ("report_id", "a", "b", "rows"), rows)


@transaction.atomic
def _finish(run: Run, report: AgreementReport, shard: Shard, *, by: User | None) -> AgreementReport:
    run.progress(done=run.job.total, total=run.job.total)
    project = locked(report.project)
    if there := AgreementReport.objects.of(project).done().filter(input_hash=report.input_hash).first():
        return there  # another process was as quick
    now = timezone.now()
    took = (now - (run.job.started_at or now)).total_seconds()
    AgreementReport.objects.filter(pk=report.pk).update(is_done=True, made_at=now, took_ms=int(1000 * max(took, 0)))
    report.refresh_from_db()
    write(project, "agreement.measured", by=by, payload={"report": report.pk, "input": report.input_hash})
    if run.job.params.get("curve"):
        _ask_for_curve(report, shard, by=by)
    return report


def _told(report: AgreementReport, run: Run) -> dict[str, Any]:
    """A job's result stands on pages that know nothing of blindness: of some people or groups it holds no figures."""
    found = {name: report.result[name] for name in FIGURES} if report.is_whole else {}
    return {"report": str(report.uuid), "made": report.job_id == run.job.pk, "is_whole": report.is_whole, **found}


def _says(state: JobState, result: Mapping[str, Any]) -> str:
    if state != JobState.DONE or "report" not in result:
        return ""
    told = ", ".join(
        f"{name} {'–' if result[key] is None else format(100 * result[key], '.1f') + ' %'}"
        for key, name in FIGURES.items()
        if result.get("is_whole")
    )
    same = "" if result["made"] else " Nothing has changed since it was measured before."
    untold = "Of some people or groups" if "is_whole" in result else "Measured"  # one that was done before
    return f"{told or untold}.{same}"


AGREEMENT = JobKind(
    "agreement", "Agreement report", in_parts(plan=_plan, part=_part, add_up=_sum), _says, makes="report"
)


def _prune(project: Project) -> None:
    reports = AgreementReport.objects.of(project)
    newest = reports.done().newest_first().values_list("pk", flat=True)[:REPORTS_KEPT]
    for report in reports.prunable().exclude(pk__in=list(newest)):
        _remove(report)


def _remove(report: AgreementReport) -> None:
    """In short batches: the pairs of many people are many rows, those of long projects long ones."""
    rows: models.QuerySet[Any] = AgreementPair.objects.filter(report=report)
    while keys := list(rows.order_by("pk").values_list("pk", flat=True)[:50]):
        found = AgreementPair.objects.filter(pk__in=keys)
        found._raw_delete(found.db)
    report.delete()
