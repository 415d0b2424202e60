"""The work list in pieces: what the parts of a job are given."""

from collections.abc import Iterator

import numpy as np

from adjudication.domain.shards import Shard
from adjudication.models import ShardData
from adjudication.queries.work import WorkList
from annotator.domain.errors import Conflict
from annotator.models import Job

MERGED_A_PART = 1000  # passages
COUNTED_A_PART = 5000  # for a report: a part takes a second, and being handed out a tenth of one
COUNTED_IN_HALVES = 20_000  # up to so many passages two parts do; of more, smaller ones keep a worker small
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
        *(column[order] for column in (work.submission, annotator, work.active_ms)),
        *np.array(gone, dtype=np.int64).reshape(-1, 2).T,
    )


def size_of_parts(passages: int, shards: int | None, *, usual: int) -> int:
    """`shards`: how many parts are wanted; by itself a job of few passages has none."""
    if shards is not None:
        return max(1, -(-passages // shards))
    return usual if passages > UNDIVIDED else max(passages, 1)


def usual_count(passages: int) -> int:
    """Passages in a part of a report."""
    return max(COUNTED_A_PART, -(-passages // 2)) if passages <= COUNTED_IN_HALVES else COUNTED_A_PART


def shard_of(job: Job) -> Shard:
    """What a part was given; of a job without parts all of it."""
    row = ShardData.objects.filter(job=job.parent or job, number=job.params.get("shard", 0)).first()
    if row is None:
        raise _overtaken()
    return Shard.from_bytes(bytes(row.given))


def shards_of(job: Job) -> Iterator[Shard]:
    """What all parts were given, in order."""
    return (Shard.from_bytes(data) for data in _column(job, "given"))


def counted_of(job: Job) -> Iterator[bytes]:
    """What all parts have handed over, in order, one at a time."""
    return _column(job, "counted")


def _column(job: Job, name: str) -> Iterator[bytes]:
    rows = ShardData.objects.filter(job=job).order_by("number").values_list(name, flat=True)
    if not rows.exists():
        raise _overtaken()
    for data in rows.iterator(chunk_size=1):
        yield bytes(data or b"")


def _overtaken() -> Conflict:
    return Conflict("This was done anew since: ask for it again.", code="overtaken")
