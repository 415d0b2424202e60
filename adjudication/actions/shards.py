"""The parts of a job over the work list: each is given its piece as bytes, kept until the sum is made."""

from collections.abc import Iterator

import numpy as np

from adjudication.domain.shards import Shard
from adjudication.models import ShardData
from adjudication.queries.work import WorkList
from annotator.actions.running import Part, Run
from annotator.domain.errors import Conflict
from annotator.domain.jobs import OVER
from annotator.models import Job

PASSAGES_A_PART = 1000
UNDIVIDED = 2000  # up to so many passages a job has no parts


def whole_of(work: WorkList) -> Shard:
    """Everybody by number, in order of names; the answers of a passage in that order too."""
    names = tuple(work.annotators)
    number = {name: place for place, name in enumerate(names)}
    numbers = {membership: number[name] for membership, name in work.pseudonyms.items() if name in number}
    annotator = np.array([numbers[membership] for membership in work.membership.tolist()], dtype=np.int64)
    order = np.lexsort((annotator, np.repeat(np.arange(len(work.passages)), work.answers_of)))
    gone = [(place, numbers[who]) for place, people in sorted(work.discarded_by.items()) for who in people]
    return Shard(
        0,
        names,
        work.passages,
        work.answers_of,
        *(column[order] for column in (work.submission, annotator, work.at, work.active_ms)),
        *np.array(gone, dtype=np.int64).reshape(-1, 2).T,
    )


def size_of_parts(passages: int, shards: int | None) -> int:
    """`shards`: how many parts are wanted; by itself a job of few passages has none."""
    if shards is not None:
        return max(1, -(-passages // shards))
    return PASSAGES_A_PART if passages > UNDIVIDED else max(passages, 1)


def _write_shards(run: Run, work: WorkList, size: int) -> list[Part]:
    """The pieces, kept; as parts where there are several."""
    ShardData.objects.filter(job=run.job).delete()
    _forget_old_shards(run.job)
    parts = []
    for number, shard in enumerate(whole_of(work).cut(size)):
        with run.step(done=0, total=len(work.passages)):
            ShardData.objects.create(job=run.job, number=number, given=shard.as_bytes())
        parts.append(Part({"shard": number}, len(shard.passages)))
    return parts if len(parts) > 1 else []


def shard_of(run: Run) -> Shard:
    """What a part was given; of a job without parts all of it."""
    row = ShardData.objects.filter(job=run.job.parent or run.job, number=run.job.params.get("shard", 0)).first()
    if row is None:
        raise Conflict("This was done anew since: ask for it again.", code="overtaken")
    return Shard.from_bytes(bytes(row.given))


def shards_of(job: Job) -> Iterator[Shard]:
    for row in ShardData.objects.filter(job=job).order_by("number").iterator(chunk_size=1):
        yield Shard.from_bytes(bytes(row.given))


def _forget_shards(job: Job) -> None:
    ShardData.objects.filter(job=job).delete()


def _forget_old_shards(job: Job) -> None:
    """Of jobs of the same kind that ended without their sum: whoever asks again, asks anew."""
    jobs = Job.objects.filter(project=job.project, kind=job.kind, state__in=OVER).exclude(pk=job.pk)
    ShardData.objects.filter(job__in=jobs).delete()
