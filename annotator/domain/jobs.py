"""Background work: its states and its clock. The job's row is the truth; the broker only rings the bell."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class JobState(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    DIVIDED = "divided"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


_J = JobState
JOB_MOVES: Mapping[tuple[JobState, str], JobState] = {
    (_J.WAITING, "claim"): _J.RUNNING,
    (_J.RUNNING, "crash"): _J.WAITING,
    (_J.RUNNING, "give back"): _J.WAITING,
    (_J.RUNNING, "split"): _J.DIVIDED,
    (_J.DIVIDED, "parts done"): _J.WAITING,
    (_J.RUNNING, "finish"): _J.DONE,
    (_J.RUNNING, "fail"): _J.FAILED,
    (_J.DIVIDED, "fail"): _J.FAILED,
    (_J.WAITING, "cancel"): _J.CANCELLED,
    (_J.RUNNING, "cancel"): _J.CANCELLED,
    (_J.DIVIDED, "cancel"): _J.CANCELLED,
    (_J.FAILED, "retry"): _J.WAITING,
    (_J.CANCELLED, "retry"): _J.WAITING,
    (_J.FAILED, "retry parts"): _J.DIVIDED,
    (_J.CANCELLED, "retry parts"): _J.DIVIDED,
}

OVER = frozenset({_J.DONE, _J.FAILED, _J.CANCELLED})
LEASE = 30.0  # seconds a worker keeps a job without a sign of life
HEARTBEAT = 5.0  # seconds between signs of life, and between sweeps
LONGEST_STEP = 900.0  # seconds between two steps of one job, after which it hangs
NO_WORKER_AFTER = 15.0  # seconds without a sign of life of any worker
MOST_CRASHES = 3


def _nothing_follows(job: Any) -> None:
    pass


def _says_nothing(state: JobState, result: Mapping[str, Any]) -> str:
    return ""


@dataclass(frozen=True)
class JobKind:
    """What a kind of job brings with it: `name` is that of its Celery task, `label` what a lead reads, `work` does it,
    `says` tells in a sentence what came of it ("": the job's own message stands), `cancelled` is what follows from its
    being cancelled, in the same transaction. What is routine comes by itself, again and again: once done it is in
    nobody's list. `makes`: the noun under which its result has the id of what it made."""

    name: str
    label: str
    work: Callable[[Any], dict[str, Any] | None]
    says: Callable[[JobState, Mapping[str, Any]], str] = _says_nothing
    cancelled: Callable[[Any], None] = _nothing_follows
    can_be_cancelled: bool = True
    is_routine: bool = False
    makes: str = ""


_KINDS: dict[str, JobKind] = {}
_TO_LOAD: list[Callable[[], None]] = []
_LOADING = threading.RLock()


def register(kind: JobKind) -> None:
    """Every app registers its own, beside its Celery tasks."""
    _KINDS[kind.name] = kind


def kinds_come_by(load: Callable[[], None]) -> None:
    """`load` registers kinds, when one is first asked for: Celery and all that jobs do are a quarter of a start, and
    most commands never ask."""
    _TO_LOAD.append(load)


def load_kinds() -> None:
    with _LOADING:  # whoever comes second waits until they are there
        while _TO_LOAD:
            _TO_LOAD[0]()
            del _TO_LOAD[0]


def _kind(name: str) -> JobKind | None:
    load_kinds()
    return _KINDS.get(name)


def follow_cancel_of(kind: str, job: Any) -> None:
    if found := _kind(kind):
        found.cancelled(job)


def can_be_cancelled(kind: str) -> bool:
    found = _kind(kind)
    return found is None or found.can_be_cancelled


def routine_kinds() -> list[str]:
    load_kinds()
    return [kind.name for kind in _KINDS.values() if kind.is_routine]


def label_of(kind: str) -> str:
    found = _kind(kind)
    return found.label if found else kind


def sentence_of(kind: str, state: JobState, result: Mapping[str, Any]) -> str:
    found = _kind(kind)
    return found.says(state, result) if found else ""


def made_by(kind: str, result: Mapping[str, Any]) -> dict[str, str]:
    found = _kind(kind)
    return {found.makes: str(result[found.makes])} if found and found.makes in result else {}


def percent(done: int, total: int) -> int:
    """Whole percent, 100 only when all is done."""
    return 100 * done // total if total else 0


def spoken_time(seconds: float) -> str:
    """A length of time as people say it: 4 s, 12 min, 3 h 5 min, 2 days."""
    whole = max(0, int(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min"
    if whole < 2 * 86400:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{whole // 86400} days"
