"""System runs: predictions are kept, then scored by a job against the gold of a release."""

import os
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import msgspec
import numpy as np
from django.db import IntegrityError, transaction
from django.utils import timezone

from adjudication.domain.packing import pack_arrays
from adjudication.domain.scoring.sws import Counts, scores
from annotator.actions.jobs import _enqueue
from annotator.actions.log import write
from annotator.actions.running import Result, Run, work_here
from annotator.bulk import BATCH, insert_rows, without_collector
from annotator.domain.errors import Conflict, Invalid, Problem, Refused, TooLarge
from annotator.domain.formats.reading import counted, whole
from annotator.domain.jobs import JobKind, JobState
from annotator.models import Membership, Project, User
from annotator.uploads import KeptFile, path_of
from exports.domain.bootstrap import SUMMED, row_of
from exports.domain.predictions import Besides, Predictions, WrongPredictions, read_predictions
from exports.domain.runs import (
    MAX_PREDICTIONS,
    MOST_KEPT,
    Looked,
    Mistake,
    RunState,
    System,
    checked_system,
    looked_at,
)
from exports.domain.scoring import counts_of, signed
from exports.models import Release, RunSentence, SystemRun
from exports.permissions import check_can_submit_runs
from exports.queries.runs import gold_of, type_names

SENTENCE_COLUMNS = (
    *("run_id", "number", "external_id", "content"),
    *(str(kind) for kind in Mistake),
    *(f"{kind}_weight" for kind in Mistake),
)
MOST_RUNS_A_DAY = 50  # of one person in one project: each keeps its file


def submit_run(
    release: Release, *, by: User | None, split: str, system: System, file: KeptFile, is_rung: bool = True
) -> SystemRun:
    """The run, about to be scored. The same file on the same split is one run, however often it is sent."""
    try:
        check_can_submit_runs(by, release.project)
        told = checked_system(system)
        _check_takes_runs(release, split)
        if file.size > MAX_PREDICTIONS:
            raise TooLarge.of("too_large", f"The predictions are larger than {MAX_PREDICTIONS // 1_000_000} MB.")
        if there := _there(release, split, file.sha256, by):
            file.discard()
            return there
        _check_not_too_often(by, release.project)
        _check_name_is_free(told.name, by, release.project)
        return _kept(release, split, told, file, by, is_rung)
    except BaseException:
        file.discard()
        raise


def measure_system(release: Release, *, by: User | None, split: str, system: System, file: KeptFile) -> SystemRun:
    """The same, scored in this process."""
    run = submit_run(release, by=by, split=split, system=system, file=file, is_rung=False)
    if run.state == RunState.WAITING and run.job is not None:
        work_here(run.job.pk, SCORE.work)
        run.refresh_from_db()
    return run


def _check_takes_runs(release: Release, split: str) -> None:
    if not release.is_frozen:
        raise Conflict(
            f"Release {release.number} is {release.state}: systems are scored on what is frozen.",
            code="release_not_frozen",
        )
    if split not in release.splits:
        message = f"Release {release.number} has no split “{split[:40]}”: it has {', '.join(release.splits)}."
        raise Invalid.of("split", message, "split")


def _there(release: Release, split: str, sha256: str, by: User | None) -> SystemRun | None:
    rows = SystemRun.objects.on(release, split).filter(sha256=sha256)
    found = rows.select_related("release__project", "job").first()
    if found is not None and by is not None and not rows.visible_to(by).exists():
        raise Conflict("These very predictions were sent for this split before, by somebody else.", code="same_file")
    return found


def _check_not_too_often(by: User | None, project: Project) -> None:
    since = timezone.now() - timedelta(days=1)
    if (
        by is not None
        and SystemRun.objects.filter(release__project=project, by=by, at__gt=since).count() >= MOST_RUNS_A_DAY
    ):
        raise Conflict(
            f"You have sent {MOST_RUNS_A_DAY} files of predictions within a day, refused ones too: go on tomorrow.",
            code="too_many_runs",
        )


def _check_name_is_free(name: str, by: User | None, project: Project) -> None:
    """A system's row on the leaderboard is its maker's; leads and the shell may put any."""
    if by is None or Membership.objects.of(by).leading().filter(project=project).exists():
        return
    others = SystemRun.objects.filter(release__project=project, system__iexact=name).exclude(by=by)
    if others.exists():
        raise Conflict(f"Somebody else's system is called “{name}” here: take another name.", code="name_taken")


def _kept(release: Release, split: str, system: System, file: KeptFile, by: User | None, is_rung: bool) -> SystemRun:
    run = SystemRun(
        release=release,
        split=split,
        system=system.name,
        system_version=system.version,
        description=system.description,
        url=system.url,
        sha256=file.sha256,
        bytes=file.size,
        by=by,
    )
    run.path.parent.mkdir(parents=True, exist_ok=True)
    os.replace(path_of(file.uuid), run.path)
    try:
        with transaction.atomic():
            params = {"run": str(run.uuid)}
            run.job = _enqueue(SCORE.name, by=by, project=release.project, params=params, is_rung=is_rung)
            run.save()
            write(run, "run.submitted", by=by, payload={"sha256": file.sha256, "split": split})
        return run
    except BaseException as error:
        run.path.unlink(missing_ok=True)
        if isinstance(error, IntegrityError) and (there := _there(release, split, file.sha256, by)):
            return there  # sent twice at the same moment
        raise


def _score(run: Run) -> Result:
    found = SystemRun.objects.select_related("release__project").get(uuid=run.job.params["run"])
    if found.state != RunState.WAITING:
        return {"run": str(found.uuid), "state": found.state}
    gold = gold_of(found.release, found.split)
    try:
        with found.path.open("rb") as source:
            predictions = read_predictions(whole(source), gold)
    except OSError as error:
        raise Conflict(f"The file of this run cannot be read: {error.strerror}.", code="file_missing") from None
    except Refused as error:
        return _refused(run, found, error)
    with without_collector():
        by_sentence = [counts_of(sentence, predictions.sentences[sentence.id]) for sentence in gold]
        looked = [looked_at(sentence, predictions.sentences[sentence.id]) for sentence in gold]
    _write_sentences(run, found, looked)
    total = Counts()
    for counts in by_sentence:
        total.add(counts)
    told = scores(total, type_names(found.release) | _unnamed(total, found.release))
    rows = np.array([row_of(counts) for counts in by_sentence], dtype=np.int64).reshape(len(gold), len(SUMMED))
    changes = {
        "state": RunState.SCORED,
        "scores": {**told, **signed(total, len(gold), predictions)},
        "counts": _counts(looked, predictions, total),
        "by_sentence": pack_arrays({"columns": SUMMED}, {"rows": rows}),
    }
    with run.step(done=len(gold), total=len(gold)):
        found.refresh_from_db(fields=["version", "chain_head", "state"])
        write(found, "run.scored", by=run.job.asked_by, payload={"release": found.release.sha256}, changes=changes)
    return {"run": str(found.uuid), "state": found.state, "system": found.title}


def _unnamed(counts: Counts, release: Release) -> dict[int, str]:
    named = type_names(release)
    return {code: str(code) for code in counts.targets_by_type if code not in named}


def _counts(looked: list[Looked], predictions: Predictions, total: Counts) -> dict[str, Any]:
    return {
        "sentences": {kind: sum(bool(item.mistakes[kind]) for item in looked) for kind in Mistake},
        "mistakes": {kind: sum(item.mistakes[kind] for item in looked) for kind in Mistake},
        **predictions.besides.as_dict(),
        "other_words": predictions.other_words,
        "other_texts": predictions.other_texts,
        "targets_by_votes": _by_index(total.targets_by_votes),
        "targets_by_annotators": _by_index(total.targets_by_annotators),
    }


def _by_index(targets: Mapping[int, int]) -> dict[str, int]:
    return {str(index): targets[index] for index in sorted(targets)}


def _write_sentences(run: Run, found: SystemRun, looked: list[Looked]) -> None:
    """In short steps; what a killed worker had written is taken away first."""
    rows: list[tuple[Any, ...]] = [
        (
            found.pk,
            number,
            item.id,
            msgspec.json.encode(item.content).decode(),
            *(item.mistakes[kind] for kind in Mistake),
            *(item.weights[kind] for kind in Mistake),
        )
        for number, item in enumerate(looked)
        if any(item.mistakes.values())
    ]
    while left := list(RunSentence.objects.filter(run=found).values_list("pk", flat=True)[:BATCH]):
        with run.step(done=0, total=len(looked)):
            RunSentence.objects.filter(pk__in=left).delete()
    for start in range(0, len(rows), BATCH):
        batch = rows[start : start + BATCH]
        with run.step(done=batch[0][1], total=len(looked)):
            insert_rows(RunSentence, SENTENCE_COLUMNS, batch)  # by the ORM it took a third of a score


def _refused(run: Run, found: SystemRun, error: Refused) -> Result:
    """What is wrong with it is kept, sentence by sentence; the file is not."""
    problems = error.problems if isinstance(error, Invalid) else [Problem(error.code, error.message)]
    besides = error.besides if isinstance(error, WrongPredictions) else Besides()
    changes = {
        "state": RunState.REFUSED,
        "errors": [problem.as_dict() for problem in problems[:MOST_KEPT]],
        "counts": {"problems": len(problems), **besides.as_dict()},
    }
    with run.step(done=1, total=1):
        write(found, "run.refused", by=run.job.asked_by, payload={"problems": len(problems)}, changes=changes)
    found.path.unlink(missing_ok=True)
    return {"run": str(found.uuid), "state": found.state, "problems": len(problems)}


def _says(state: JobState, result: Mapping[str, Any]) -> str:
    if state != JobState.DONE:
        return ""
    if result.get("state") == RunState.REFUSED:
        return f"Not scored: {counted(result.get('problems', 0), 'problem')} in the file."
    return f"{result.get('system', 'The system')} is scored."


SCORE = JobKind("score_run", "Score a system", _score, _says, makes="run")
