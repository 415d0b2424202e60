"""Merging a project: rows are written under a new merge in short batches, then one pointer is turned to it."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from adjudication.domain import merge as domain
from adjudication.domain.merge import MergeSettings, Verdict, merge_passage, merge_signature
from adjudication.models import Merge, Target
from adjudication.permissions import check_can_merge
from adjudication.queries import WorkList, answered_passages, merge_input_hash, work_list
from annotator.actions.jobs import _enqueue
from annotator.actions.log import locked, write
from annotator.actions.running import Result, Run, work_here
from annotator.bulk import BATCH, insert_rows
from annotator.domain.jobs import JobKind, JobState
from annotator.models import Project, User

Progress = Callable[[int, int], None]


def merge_project(
    project: Project, *, by: User | None, progress: Progress = lambda done, total: None
) -> tuple[Merge, bool]:
    """The merge of all that counts now, made in this process, and whether it was made just now: the same input is not
    merged twice."""
    check_can_merge(by, project)
    job = _enqueue(MERGE.name, by=by, project=project, is_rung=False)
    work_here(job.pk, MERGE.work, watch=progress)
    job.refresh_from_db()
    result = job.result or {}
    return Merge.objects.get(uuid=result["merge"]), result["made"]


def _merge(run: Run) -> Result:
    project, by = run.job.project, run.job.asked_by
    assert project is not None
    for leftover in Merge.objects.filter(job=run.job, finished_at=None):  # of a worker that was killed
        _remove(leftover)
    settings = MergeSettings.of(project.protocol)
    work = work_list(project)
    input_hash = merge_input_hash(work, settings)
    if there := Merge.objects.of(project).finished().filter(input_hash=input_hash).first():
        return _told(_made_current(there, by=by), is_new=False)
    merge = Merge.objects.create(
        project=project,
        by=by,
        job=run.job,
        input_hash=input_hash,
        settings=settings.as_dict(),
        signature=merge_signature(settings),
        answers=work.answers,
    )
    try:
        totals = _fill(run, merge, work, settings)
    except BaseException:
        _remove(merge)
        raise
    finished = _finish(merge, totals, by=by)
    if finished.pk != merge.pk:
        _remove(merge)
    return _told(finished, is_new=finished.pk == merge.pk)


def _told(merge: Merge, *, is_new: bool) -> dict[str, Any]:
    """What the job keeps of it, once the ones before it are gone."""
    _prune(merge.project)
    return {"merge": str(merge.uuid), "made": is_new, "targets": merge.targets, "kept": merge.kept}


def _says(state: JobState, result: Mapping[str, Any]) -> str:
    if state != JobState.DONE:
        return ""
    return f"{result['targets']:,} targets, {result['kept']:,} kept." + (
        "" if result["made"] else " Nothing has changed since it was merged before."
    )


MERGE = JobKind("merge", "Merge", _merge, _says)


def _fill(run: Run, merge: Merge, work: WorkList, settings: MergeSettings) -> Counter[str]:
    totals: Counter[str] = Counter(passages=0)
    rows: list[tuple[Any, ...]] = []
    total = len(work.passages)
    for done, (passage, answered) in enumerate(answered_passages(work, work.passages, with_text=False)):
        merged = merge_passage(answered.answers, settings, discards=len(answered.discarded_by))
        _count(totals, merged)
        if merged.verdict == Verdict.MERGED:
            merge.passage_ids.append(passage)
        rows += (_row(merge, passage, target) for target in merged.targets)
        while len(rows) >= BATCH:
            with run.step(done=done, total=total):
                _insert(rows[:BATCH])
            rows = rows[BATCH:]
    with run.step(done=total, total=total):
        _insert(rows)
    return totals


def _count(totals: Counter[str], merged: domain.MergedPassage) -> None:
    if merged.verdict != Verdict.MERGED:
        totals["too_few" if merged.verdict == Verdict.TOO_FEW else "discarded"] += 1
        return
    totals["passages"] += 1
    totals["targets"] += len(merged.targets)
    totals["most_of"] = max(totals["most_of"], merged.of)
    totals["least_of"] = min(totals["least_of"] or merged.of, merged.of)
    for target in merged.kept:
        totals["kept"] += 1
        totals["suggestions"] += len(target.suggestions)
        totals["votes"] += target.votes
        totals["type_ties"] += target.type_tie


COLUMNS = (
    *("merge_id", "passage_id", "start", "end", "quote", "annotators", "of", "votes", "type", "type_tie", "is_kept"),
    *("dispute", "voters", "suggestions"),
)


def _row(merge: Merge, passage: int, target: domain.Target) -> tuple[Any, ...]:
    suggestions = [{"text": item.text, "votes": item.votes, "voters": item.voters} for item in target.suggestions]
    return (
        merge.pk,
        passage,
        target.start,
        target.end,
        target.quote,
        target.annotators,
        target.of,
        target.votes,
        target.type,
        target.type_tie,
        target.is_kept,
        target.dispute,
        json.dumps(target.voters),
        json.dumps(suggestions),
    )


def _insert(rows: list[tuple[Any, ...]]) -> None:
    insert_rows(Target, COLUMNS, rows)


@transaction.atomic
def _finish(merge: Merge, totals: Counter[str], *, by: User | None) -> Merge:
    """Turn the pointer. Where another process has merged the same in the meantime, theirs stands."""
    project = locked(merge.project)
    there = Merge.objects.of(project).finished().filter(input_hash=merge.input_hash).first()
    if there is not None:
        return _made_current(there, by=by)
    Merge.objects.of(project).current().update(is_current=False)
    for name, value in {**totals, "finished_at": timezone.now(), "is_current": True}.items():
        setattr(merge, name, value)
    merge.save()
    payload = {"merge": merge.pk, "input": merge.input_hash, "targets": merge.targets, "kept": merge.kept}
    write(project, "merge.made", by=by, payload=payload)
    return merge


@transaction.atomic
def _made_current(merge: Merge, *, by: User | None) -> Merge:
    project = locked(merge.project)
    if not Merge.objects.current().filter(pk=merge.pk).exists():
        Merge.objects.of(project).current().update(is_current=False)
        Merge.objects.filter(pk=merge.pk).update(is_current=True)
        write(project, "merge.chosen", by=by, payload={"merge": merge.pk, "input": merge.input_hash})
    merge.refresh_from_db()
    return merge


def _prune(project: Project) -> None:
    """Gold is derived: a merge that is not current can be made again, unless something rests on it. An unfinished one
    is abandoned when its job is over."""
    for merge in Merge.objects.of(project).prunable():
        _remove(merge)


def _remove(merge: Merge) -> None:
    """In short batches too; a row at a time would be slow, all at once would make everybody wait."""
    for keys in _batches_of_keys(merge):
        Target.objects.filter(pk__in=keys).delete()
    Merge.objects.filter(pk=merge.pk, is_current=False, is_pinned=False).delete()


def _batches_of_keys(merge: Merge) -> Iterator[list[int]]:
    rows = Target.objects.filter(merge=merge).order_by("pk").values_list("pk", flat=True)
    while keys := list(rows[:BATCH]):
        yield keys
