"""Merging a project: passages are merged in parts, their rows written under a new merge in short batches, then one
pointer is turned to it."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
from django.db import models, transaction
from django.db.models import Count, Q, Sum
from django.utils import timezone

from adjudication.actions.changes import _mark_changes
from adjudication.actions.shards import _forget_shards, _write_shards
from adjudication.domain import merge as domain
from adjudication.domain.flags import TargetFlags, passage_flags, quote_key, target_flags
from adjudication.domain.merge import MergedPassage, MergeSettings, Verdict, merge_passage, merge_signature
from adjudication.domain.shards import Shard
from adjudication.models import Merge, MergeInput, PassageResult, Target
from adjudication.permissions import check_can_merge
from adjudication.queries.shards import MERGED_A_PART, shard_of, shards_of, size_of_parts, whole_of
from adjudication.queries.work import WorkList, answers_by_id, merge_input_hash, work_list
from annotator.actions.jobs import _enqueue
from annotator.actions.log import locked, write
from annotator.actions.running import Part, Result, Run, in_parts, work_here
from annotator.bulk import BATCH, insert_rows, tell_planner, without_collector
from annotator.domain.errors import Conflict, Invalid
from annotator.domain.formats.reading import counted
from annotator.domain.jobs import JobKind, JobState
from annotator.models import Job, Project, User

Progress = Callable[[int, int], None]
CHUNK = 100  # passages whose answers are in memory at once
MOST_SHARDS = 10_000


def merge_project(
    project: Project, *, by: User | None, shards: int | None = None, progress: Progress = lambda done, total: None
) -> tuple[Merge, bool]:
    """The merge of all that counts now, made in this process, and whether it was made just now: the same input is not
    merged twice."""
    job = _ask(project, by=by, shards=shards, is_rung=False)
    work_here(job.pk, MERGE.work, watch=progress)
    job.refresh_from_db()
    result = job.result or {}
    merge = Merge.objects.filter(uuid=result["merge"]).first()
    if merge is None:  # pruned by another merge in the same moment
        raise _overtaken()
    return merge, result["made"]


def ask_to_merge(project: Project, *, by: User | None, shards: int | None = None) -> Job:
    """The same by whichever worker is free."""
    return _ask(project, by=by, shards=shards, is_rung=True)


def _ask(project: Project, *, by: User | None, shards: int | None, is_rung: bool) -> Job:
    check_can_merge(by, project)
    _check_shards(shards)
    params = {"shards": shards} if shards else {}
    return _enqueue(MERGE.name, by=by, project=project, params=params, is_rung=is_rung)


def _check_shards(shards: int | None) -> None:
    if shards is not None and not 1 <= shards <= MOST_SHARDS:
        raise Invalid.of("shards", f"The number of shards is between 1 and {MOST_SHARDS:,}.", "shards")


def _plan(run: Run) -> list[Part]:
    """Of one moment: what is listed here is what is merged, whatever happens meanwhile."""
    project = run.job.project
    assert project is not None
    for leftover in Merge.objects.filter(job=run.job, finished_at=None):  # of a worker that was killed
        _remove(leftover)
    settings = MergeSettings.of(project.protocol)
    work = work_list(project)
    input_hash = merge_input_hash(work, settings)
    if there := Merge.objects.of(project).finished().filter(input_hash=input_hash).first():
        run.keep({"same": there.pk, "event": work.event})
        if not MergeInput.objects.filter(merge=there).exists():  # made by a version that did not keep it
            _keep_input(there, work)
        return []
    with run.step(done=0, total=len(work.passages)):
        run.keep({})
        merge = Merge.objects.create(
            project=project,
            by=run.job.asked_by,
            job=run.job,
            input_hash=input_hash,
            settings=settings.as_dict(),
            signature=merge_signature(settings),
            types=[[item.key, item.code] for item in project.protocol.types],
            answers=work.answers,
            listed_at_event=work.event,
        )
        _keep_input(merge, work)
    size = size_of_parts(len(work.passages), run.job.params.get("shards"), usual=MERGED_A_PART)
    return _write_shards(run, work, size)


def _keep_input(merge: Merge, work: WorkList) -> MergeInput:
    listed = whole_of(work).without_times().as_bytes()
    return MergeInput.objects.create(merge=merge, listed=listed)


def _part(run: Run) -> Result:
    return _merge_shard(run, _unfinished(run.job.parent), shard_of(run.job))


def _unfinished(job: Job | None) -> Merge:
    merge = Merge.objects.select_related("project").filter(job=job, finished_at=None).first()
    if merge is None:
        raise _overtaken()
    return merge


def _overtaken() -> Conflict:
    return Conflict("Another merge was made since: merge again.", code="overtaken")


def _sum(run: Run, results: list[Result]) -> Result:
    by = run.job.asked_by
    kept = run.job.result or {}
    if same := kept.get("same"):
        return _told(_made_current(same, run.job.project, event=kept["event"], by=by), run)
    if made := Merge.objects.finished().select_related("project").filter(job=run.job).first():
        return _told(made, run)  # the last worker was killed when the merge was done, and the job not yet
    merge = _unfinished(run.job)
    is_divided = bool(results)
    try:
        counted = [result or {} for result in results] or [_merge_shard(run, merge, shard_of(run.job))]
        totals = _added_up(counted)
        tell_planner(Target, PassageResult)
        _check_counts(merge, totals, passages=sum(len(shard.passages) for shard in shards_of(run.job)))
        finished = None
        while finished is None:
            finished = _finish(run, merge, totals, _mark_changes(run, merge), by=by)
    except BaseException:
        if not is_divided:  # parts that are done stay done for whoever tries again
            _remove(merge)
        raise
    if finished.pk != merge.pk:
        _remove(merge)
    return _told(finished, run)


def _told(merge: Merge, run: Run) -> dict[str, Any]:
    """What the job keeps of it, once its parts and the merges before it are gone."""
    _forget_shards(run.job)
    _prune(merge.project)
    is_new = merge.job_id == run.job.pk
    return {"merge": str(merge.uuid), "made": is_new, "targets": merge.targets, "kept": merge.kept}


def _says(state: JobState, result: Mapping[str, Any]) -> str:
    if state != JobState.DONE or "targets" not in result:
        return ""
    return f"{counted(result['targets'], 'target')}, {result['kept']:,} kept." + (
        "" if result["made"] else " Nothing has changed since it was merged before."
    )


MERGE = JobKind("merge", "Merge", in_parts(plan=_plan, part=_part, add_up=_sum), _says, makes="merge")


def _merge_shard(run: Run, merge: Merge, shard: Shard) -> dict[str, Any]:
    """Whole passages in short steps, taken up where a killed worker stopped; each keeps what was counted."""
    settings = MergeSettings.from_dict(merge.settings)
    done, total = run.job.done, len(shard.passages)
    totals = _Totals.of(run.job.result or {})
    if done < total:  # of a passage whose rows took several steps, some may be there
        with run.step(done=done, total=total):
            _remove_rows(merge, passages=(int(shard.passages[done]), int(shard.passages[-1])))
    rows = _Rows(merge)
    with without_collector():
        for place, merged, discarded_by in _merged(shard, settings, start=done):
            if rows.count and rows.count + len(merged.targets) + 1 > BATCH:
                _write(run, rows, totals, done=place, total=total)
            rows.add(int(shard.passages[place]), merged, discarded_by, settings, totals)
    _write(run, rows, totals, done=total, total=total)
    return totals.as_dict()


def _merged(shard: Shard, settings: MergeSettings, *, start: int) -> Iterator[tuple[int, MergedPassage, list[str]]]:
    gone: dict[int, list[str]] = {}
    for place, who in zip(shard.discard_place.tolist(), shard.discard_annotator.tolist(), strict=True):
        gone.setdefault(place, []).append(shard.names[who])
    firsts = np.append(shard.first_answer_of, len(shard.submission)).tolist()
    for first in range(start, len(shard.passages), CHUNK):
        last = min(first + CHUNK, len(shard.passages))
        answers = answers_by_id(shard.submissions(first, last))
        for place in range(first, last):
            own = slice(firsts[place], firsts[place + 1])
            pairs = zip(shard.annotator[own].tolist(), shard.submission[own].tolist(), strict=True)
            said = {shard.names[who]: answers[submission] for who, submission in pairs}
            discarded_by = gone.get(place, [])
            yield place, merge_passage(said, settings, discards=len(discarded_by)), discarded_by


class _Totals:
    """Counted over passages: sums, and the fewest and most answers."""

    def __init__(self) -> None:
        self.sums: Counter[str] = Counter()
        self.by_annotators: dict[str, list[int]] = {}  # of each voting index: targets, suggestions, votes
        self.ends: list[int] = []

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> "_Totals":
        found = cls()
        found.sums.update(kept.get("sums", {}))
        found.by_annotators = {index: list(row) for index, row in kept.get("by_annotators", {}).items()}
        found.ends = kept.get("ends", [])
        return found

    def as_dict(self) -> dict[str, Any]:
        return {"sums": dict(self.sums), "by_annotators": self.by_annotators, "ends": self.ends}

    def add(self, other: "_Totals") -> None:
        self.sums.update(other.sums)
        for index, row in other.by_annotators.items():
            mine = self.by_annotators.setdefault(index, [0, 0, 0])
            self.by_annotators[index] = [one + two for one, two in zip(mine, row, strict=True)]
        self._widen(other.ends)

    def _widen(self, values: list[int]) -> None:
        ends = [*self.ends, *values]
        self.ends = [min(ends), max(ends)] if ends else []

    def count(self, merged: MergedPassage, *, asks: bool) -> None:
        self.sums["results"] += 1
        self.sums["answers"] += merged.of
        if merged.verdict != Verdict.MERGED:
            self.sums["too_few" if merged.verdict == Verdict.TOO_FEW else "discarded"] += 1
            self.sums["discarded_targets"] += len(merged.targets)
            return
        self.sums["passages"] += 1
        self.sums["asking"] += asks
        self.sums["targets"] += len(merged.targets)
        self._widen([merged.of])
        for target in merged.targets:
            row = self.by_annotators.setdefault(str(target.annotators), [0, 0, 0])
            row[0] += 1
            row[1] += len(target.suggestions)
            row[2] += target.votes
        kept = merged.kept
        self.sums["kept"] += len(kept)
        self.sums["suggestions"] += sum(len(target.suggestions) for target in kept)
        self.sums["votes"] += sum(target.votes for target in kept)
        self.sums["type_ties"] += sum(target.type_tie for target in kept)

    def columns(self) -> dict[str, Any]:
        """By the names of a merge's fields."""
        names = ("passages", "too_few", "discarded", "targets", "kept", "suggestions", "votes", "type_ties")
        sums = {name: self.sums[name] for name in (*names, "discarded_targets", "asking")}
        by_annotators = dict(sorted(self.by_annotators.items(), key=lambda item: int(item[0])))
        least, most = self.ends or (0, 0)
        return {**sums, "by_annotators": by_annotators, "least_of": least, "most_of": most}


def _added_up(results: Sequence[Mapping[str, Any]]) -> _Totals:
    total = _Totals()
    for result in results:
        total.add(_Totals.of(result))
    return total


TARGET_COLUMNS = (
    *("merge_id", "passage_id", "start", "end", "quote", "annotators", "of", "votes", "type", "type_tie", "is_kept"),
    *("dispute", "is_overlapping", "has_variants", "is_near_miss", "quote_key", "evidence", "change", "voters"),
    "suggestions",
)
RESULT_COLUMNS = (
    *("merge_id", "passage_id", "of", "discards", "verdict", "targets", "kept", "dispute", "pa_det", "evidence"),
    *("type_ties", "overlaps", "variants", "near_misses", "near", "singles", "asks"),
)


class _Rows:
    """What the next step writes."""

    def __init__(self, merge: Merge) -> None:
        self.merge = merge
        self.targets: list[tuple[Any, ...]] = []
        self.results: list[tuple[Any, ...]] = []

    @property
    def count(self) -> int:
        return len(self.targets) + len(self.results)

    def add(
        self, passage: int, merged: MergedPassage, discarded_by: list[str], settings: MergeSettings, totals: _Totals
    ) -> None:
        flags = target_flags(merged.targets)
        of_passage = passage_flags(merged, flags, discards=len(discarded_by), keep_at=settings.keep_at)
        totals.count(merged, asks=of_passage.asks)
        pairs = zip(merged.targets, flags, strict=True)
        self.targets += [_target_row(self.merge.pk, passage, target, flag) for target, flag in pairs]
        self.results.append(
            (
                *(self.merge.pk, passage, merged.of, len(discarded_by), merged.verdict.value, len(merged.targets)),
                *(len(merged.kept), merged.dispute, merged.pa_det, merged.evidence(discarded_by)),
                *(getattr(of_passage, name) for name in RESULT_COLUMNS[10:]),
            )
        )


def _target_row(merge: int, passage: int, target: domain.Target, flags: TargetFlags) -> tuple[Any, ...]:
    suggestions = [{"text": item.text, "votes": item.votes, "voters": item.voters} for item in target.suggestions]
    return (
        *(merge, passage, target.start, target.end, target.quote, target.annotators, target.of, target.votes),
        *(target.type, target.type_tie, target.is_kept, target.dispute),
        *(flags.is_overlapping, flags.has_variants, flags.is_near_miss, quote_key(target.quote), target.evidence, ""),
        *(_json(target.voters), _json(suggestions)),
    )


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _write(run: Run, rows: _Rows, totals: _Totals, *, done: int, total: int) -> None:
    """At most so many rows in a transaction; the last of these steps says that its passages are done."""
    while rows.count > BATCH:  # one passage with very many
        first, rows.targets = rows.targets[:BATCH], rows.targets[BATCH:]
        with run.step(done=run.job.done, total=total, can_be_lost=True):
            _insert(first)
    with run.step(done=done, total=total, can_be_lost=True):
        _insert(rows.targets)
        insert_rows(PassageResult, RESULT_COLUMNS, rows.results)
        run.keep(totals.as_dict())
    rows.targets, rows.results = [], []


def _insert(rows: list[tuple[Any, ...]]) -> None:
    insert_rows(Target, TARGET_COLUMNS, rows)


def _check_counts(merge: Merge, totals: _Totals, *, passages: int) -> None:
    """What was counted while merging is what the database holds, or the merge fails (T20)."""
    targets = Target.objects.filter(merge=merge).aggregate(
        rows=Count("pk"),
        kept=Count("pk", filter=Q(is_kept=True)),
        votes=Sum("votes", filter=Q(is_kept=True), default=0),
    )
    results = PassageResult.objects.filter(merge=merge).aggregate(rows=Count("pk"), answers=Sum("of", default=0))
    sums = totals.sums
    found = [targets["rows"], targets["kept"], targets["votes"], results["rows"], results["answers"]]
    expected = [sums["targets"] + sums["discarded_targets"], sums["kept"], sums["votes"], passages, merge.answers]
    if found != expected or sums["results"] != passages:
        raise Conflict(
            f"The merge does not add up: {found} rows are stored, {expected} were counted. Nothing was changed.",
            code="counts_differ",
        )


@transaction.atomic
def _finish(run: Run, merge: Merge, totals: _Totals, changes: dict[str, Any], *, by: User | None) -> Merge | None:
    """Turn the pointer. Where another process has merged the same in the meantime, theirs stands; None where it has
    merged something else, so that the changes are against a merge that is no longer the one before."""
    run.progress(done=run.job.total, total=run.job.total)
    project = locked(merge.project)
    there = Merge.objects.of(project).finished().filter(input_hash=merge.input_hash).first()
    if there is not None:
        return _made_current(there.pk, project, event=merge.listed_at_event, by=by)
    before = Merge.objects.of(project).current().first()
    if before and before.listed_at_event > merge.listed_at_event:
        raise _overtaken()
    if before and str(before.uuid) != changes.get("before"):
        return None
    Merge.objects.of(project).current().update(is_current=False)
    now = timezone.now()
    took = (now - (run.job.started_at or now)).total_seconds()
    found = {"changes": changes, "finished_at": now, "is_current": True, "took_ms": int(1000 * max(took, 0))}
    for name, value in {**totals.columns(), **found}.items():
        setattr(merge, name, value)
    merge.save()
    payload = {"merge": merge.pk, "input": merge.input_hash, "targets": merge.targets, "kept": merge.kept}
    write(project, "merge.made", by=by, payload=payload)
    return merge


@transaction.atomic
def _made_current(pk: int, project: Project | None, *, event: int, by: User | None) -> Merge:
    """`event`: the same was listed anew, so nothing has changed since then."""
    assert project is not None
    project = locked(project)
    merge = Merge.objects.select_related("project").finished().filter(pk=pk)
    merge.filter(listed_at_event__lt=event).update(listed_at_event=event)
    if not merge.current().exists():
        Merge.objects.of(project).current().update(is_current=False)
        if not merge.update(is_current=True):  # it is being removed
            raise _overtaken()
        found = merge.get()
        write(project, "merge.chosen", by=by, payload={"merge": found.pk, "input": found.input_hash})
    return merge.get()


def _prune(project: Project) -> None:
    """Gold is derived: a merge that is not current can be made again, unless something rests on it. An unfinished one
    is abandoned when its job is over."""
    for merge in Merge.objects.of(project).prunable():
        _remove(merge)


def _remove(merge: Merge) -> None:
    """First out of reach: whoever merges the same meanwhile does not choose what is half gone."""
    unneeded = Merge.objects.filter(pk=merge.pk, is_current=False, is_pinned=False)
    if unneeded.update(finished_at=None):
        _remove_rows(merge)
        MergeInput.objects.filter(merge=merge).delete()
        unneeded.delete()


def _remove_rows(merge: Merge, passages: tuple[int, int] | None = None) -> None:
    """In short batches too; a row at a time would be slow, all at once would make everybody wait. `passages`: from the
    one to the other, which are all of one part."""
    for table in (Target, PassageResult):
        rows: models.QuerySet[Any] = table._base_manager.filter(merge=merge)
        if passages is not None:
            rows = rows.filter(passage__gte=passages[0], passage__lte=passages[1])
        while keys := list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH]):
            found = table._base_manager.filter(pk__in=keys)
            found._raw_delete(found.db)
