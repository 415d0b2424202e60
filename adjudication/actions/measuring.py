"""Measuring agreement over a project: counted in shards, added up, kept as a report."""

from collections.abc import Callable
from dataclasses import replace

from django.db import transaction

from adjudication.domain.agreement.counting import AgreementCounts, AgreementSettings, count_passages
from adjudication.domain.agreement.report import agreement_report
from adjudication.domain.merge import MergeSettings
from adjudication.domain.signature import METHOD_VERSION
from adjudication.models import AgreementReport
from adjudication.permissions import check_can_merge
from adjudication.queries import WorkList, answered_passages, work_list
from annotator.actions.log import locked, write
from annotator.domain.canonical import sha256_of
from annotator.domain.errors import Conflict, Invalid
from annotator.models import Project, User

SHARD = 2000  # passages counted at once
Progress = Callable[[int, int], None]


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
    number of shards changes nothing but what is in memory at once."""
    check_can_merge(by, project)
    if shards is not None and not 1 <= shards <= 10_000:
        raise Invalid.of("shards", "The number of shards is between 1 and 10,000.", "shards")
    work = work_list(project, first_round_only=True)
    if len(work.annotators) < 2:
        raise Conflict("Agreement needs two annotators who have submitted something.", code="too_few_annotators")
    input_hash = sha256_of(["agreement", METHOD_VERSION, settings.as_dict(), work.fingerprint()])
    if there := AgreementReport.objects.of(project).filter(input_hash=input_hash).first():
        return there, False
    counts = _count(work, settings, shards, progress)
    return _kept(project, input_hash, counts, settings, by=by)


def _count(work: WorkList, settings: AgreementSettings, shards: int | None, progress: Progress) -> AgreementCounts:
    answered = [passage for passage in work.passages if passage in work.counted or passage in work.discarded_by]
    size = SHARD if shards is None else max(1, -(-len(answered) // shards))
    total = AgreementCounts.empty(work.annotators, settings)
    for start in range(0, len(answered), size):
        progress(start, len(answered))
        found = [passage for _, passage in answered_passages(work, answered[start : start + size])]
        total.add(count_passages(found, work.annotators, settings))
    progress(len(answered), len(answered))
    return total


@transaction.atomic
def _kept(
    project: Project, input_hash: str, counts: AgreementCounts, settings: AgreementSettings, *, by: User | None
) -> tuple[AgreementReport, bool]:
    result = agreement_report(counts, settings)
    project = locked(project)
    if there := AgreementReport.objects.of(project).filter(input_hash=input_hash).first():
        return there, False  # another process was as quick
    report = AgreementReport.objects.create(
        project=project, by=by, input_hash=input_hash, signature=result["signature"], result=result
    )
    payload = {"report": report.pk, "input": input_hash}
    write(project, "agreement.measured", by=by, payload=payload)
    return report, True
