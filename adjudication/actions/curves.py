"""What fewer annotators would give: a job of its own after a report, over a sample of its passages."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from adjudication.actions.digests import _digests_of
from adjudication.actions.shards import _forget_old_shards, _forget_shards
from adjudication.domain.agreement.counting import AgreementSettings
from adjudication.domain.agreement.curve import annotator_curve, sample
from adjudication.domain.agreement.marks import marks_of
from adjudication.domain.shards import Shard
from adjudication.models import AgreementReport, AnnotatorCurve, ShardData
from adjudication.queries.shards import shard_of
from annotator.actions.jobs import _enqueue
from annotator.actions.log import locked, write
from annotator.actions.running import Result, Run
from annotator.domain.errors import Conflict
from annotator.domain.formats.reading import counted
from annotator.domain.jobs import JobKind, JobState
from annotator.models import Job, User


def _ask_for_curve(report: AgreementReport, whole: Shard, *, by: User | None) -> Job:
    """In the transaction that finishes the report: the sample is of its very answers."""
    job = _enqueue(CURVE.name, by=by, project=report.project, params={"report": report.pk})
    _forget_old_shards(job)
    chosen = whole.only(np.array(sample(len(whole.passages), seed=report.settings["seed"]), dtype=np.int64))
    ShardData.objects.create(job=job, number=0, given=chosen.as_bytes())
    return job


def _work(run: Run) -> Result:
    report = AgreementReport.objects.filter(pk=run.job.params["report"]).select_related("project").first()
    if report is None:
        raise Conflict("A newer report has taken the place of this one.", code="overtaken")
    if made := AnnotatorCurve.objects.filter(report=report).first():  # by a worker that was killed just after
        _forget_shards(run.job)
        return {"rows": len(made.result["rows"]), "passages": made.result["passages"]}
    settings = AgreementSettings.from_dict(report.settings)
    shard = shard_of(run.job)
    run.progress(done=0, total=len(shard.passages))
    marks = marks_of(
        _digests_of(run, shard.submission.tolist(), folds=settings.merge.folds_substitutes),
        passages=len(shard.passages),
        answer_passage=shard.answer_place,
        answer_annotator=shard.annotator,
        types=settings.merge.types,
    )
    rows = annotator_curve(marks, keep_at=settings.merge.keep_at, seed=settings.seed)
    with run.step(done=len(shard.passages), total=len(shard.passages)):
        AnnotatorCurve.objects.get_or_create(
            report=report, defaults={"result": {"rows": rows, "passages": len(shard.passages)}}
        )
        write(locked(report.project), "agreement.curve_made", by=run.job.asked_by, payload={"report": report.pk})
    _forget_shards(run.job)
    return {"rows": len(rows), "passages": len(shard.passages)}


def _says(state: JobState, result: Mapping[str, Any]) -> str:
    return f"From {counted(result['passages'], 'passage')}." if state == JobState.DONE and result else ""


CURVE = JobKind("annotator_curve", "Fewer annotators", _work, _says)
