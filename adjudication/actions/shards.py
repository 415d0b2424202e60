"""The parts of a job over the work list: each is given its piece as bytes, kept until the sum is made."""

from adjudication.models import ShardData
from adjudication.queries.shards import whole_of
from adjudication.queries.work import WorkList
from annotator.actions.running import Part, Run
from annotator.domain.jobs import OVER
from annotator.models import Job


def _write_shards(run: Run, work: WorkList, size: int) -> list[Part]:
    """The pieces, kept; as parts where there are several."""
    with run.step(done=0, total=len(work.passages)):  # a worker that lost its job takes nothing from the next one
        _forget_shards(run.job)
        _forget_old_shards(run.job)
    parts = []
    for number, shard in enumerate(whole_of(work).cut(size)):
        with run.step(done=0, total=len(work.passages)):
            ShardData.objects.create(job=run.job, number=number, given=shard.as_bytes())
        parts.append(Part({"shard": number}, len(shard.passages)))
    return parts if len(parts) > 1 else []


def _forget_shards(job: Job) -> None:
    ShardData.objects.filter(job=job).delete()


def _forget_old_shards(job: Job) -> None:
    """Of jobs of the same kind that ended without their sum: whoever asks again, asks anew."""
    jobs = Job.objects.filter(project=job.project, kind=job.kind, state__in=OVER).exclude(pk=job.pk)
    ShardData.objects.filter(job__in=jobs).delete()
