"""What counts: one list of one moment, then rows by id, outside any transaction."""

import contextlib
import gc
import hashlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import msgspec
import numpy as np
from django.db.models import F, FilteredRelation, Max, Q, TextField
from django.db.models.functions import Cast

from adjudication.domain.agreement.marks import Ints
from adjudication.domain.merge import MergeSettings
from adjudication.domain.signature import METHOD_VERSION
from annotator.bulk import BATCH, read_whole
from annotator.domain.answers import Answer
from annotator.domain.canonical import sha256_of
from annotator.domain.states import AssignmentState
from annotator.models import Assignment, Event, Membership, Passage, Project, Submission

_decode = msgspec.json.Decoder(Answer).decode


@dataclass(frozen=True)
class WorkList:
    """What merge and agreement are made from, as it stood at one moment: the passages, and answer by answer in order of
    passages and memberships the submission that counts. Rows never change, so what is loaded by these ids later is what
    was listed."""

    project: Project
    passages: Ints
    answers_of: Ints  # how many answers each passage has
    submission: Ints
    membership: Ints
    at: Ints  # when it was handed in, in microseconds
    active_ms: Ints
    discarded_by: Mapping[int, Sequence[int]]  # by the passage's place in the list: memberships
    pseudonyms: Mapping[int, str]
    fingerprint: str
    event: int  # the newest of the project before the list was made

    @property
    def answers(self) -> int:
        return len(self.submission)

    @cached_property
    def annotators(self) -> list[str]:
        """Who has submitted or discarded anything, in order of names."""
        gone = {membership for people in self.discarded_by.values() for membership in people}
        return sorted(self.pseudonyms[membership] for membership in {*np.unique(self.membership).tolist(), *gone})

    @property
    def submitters(self) -> int:
        return len(np.unique(self.membership))


def work_list(
    project: Project, *, first_round_only: bool = False, people: Sequence[str] = (), groups: Sequence[str] = ()
) -> WorkList:
    """The newest submissions and the discards in one statement, so that they are of one moment; of each person and
    passage the latest round, or the first round only: an answer given after seeing others' is no agreement."""
    event = Event.objects.in_project(project).aggregate(newest=Max("pk"))["newest"] or 0
    passages = project.passages.work()
    rows = Assignment.objects.filter(passage__project=project, passage__in=Passage.objects.work())
    if first_round_only:
        rows = rows.filter(round=1)
    if groups:
        passages, rows = passages.filter(group__in=groups), rows.filter(passage__group__in=groups)
    if people:
        rows = rows.filter(membership__pseudonym__in=people)
    taken = _Taken(list(passages.order_by("pk").values_list("pk", flat=True)))
    with without_collector(), read_whole():
        for row in _counting(rows).iterator(chunk_size=5000):
            taken.add(*row)
    return WorkList(
        project=project,
        **taken.columns(),
        pseudonyms=dict(Membership.objects.filter(project=project).values_list("pk", "pseudonym")),
        event=event,
    )


def merge_input_hash(work: WorkList, settings: MergeSettings) -> str:
    return sha256_of(["merge", METHOD_VERSION, settings.as_dict(), work.fingerprint])


def answered(work: WorkList) -> WorkList:
    """Without the passages nobody has said anything about."""
    is_heard = work.answers_of > 0
    is_heard[list(work.discarded_by)] = True
    places = np.cumsum(is_heard) - 1
    gone = {int(places[place]): people for place, people in work.discarded_by.items()}
    return replace(work, passages=work.passages[is_heard], answers_of=work.answers_of[is_heard], discarded_by=gone)


def _counting(rows: Any) -> Any:
    """What counts, or is discarded: a reopened answer counts until the next submit or discard (SubmissionQuerySet has
    the same rule for those who come from the other side)."""
    newest = FilteredRelation("submissions", condition=Q(submissions__number=F("submissions_made")))
    counts = Q(state__in=[AssignmentState.SUBMITTED, AssignmentState.STARTED], newest__isnull=False)
    found = rows.annotate(newest=newest).filter(counts | Q(state=AssignmentState.DISCARDED))
    return found.order_by("passage_id", "membership_id", "round").values_list(
        *("passage_id", "membership_id", "pk", "state", "newest__pk", "newest__number", "newest__sha256"),
        *("newest__at", "active_ms"),
    )


@dataclass
class _Taken:
    """Rows as they come, in columns: a million of them are a few megabytes."""

    passages: list[int]
    rows: dict[str, "array[int]"] = field(
        default_factory=lambda: {name: array("q") for name in ("place", "submission", "membership", "at", "active_ms")}
    )
    gone: dict[int, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._places = {passage: place for place, passage in enumerate(self.passages)}
        self._hash = hashlib.sha256(repr(self.passages).encode())

    def add(
        self, passage: int, membership: int, assignment: int, state: str, submission: int, number: int, sha256: str,
        at: Any, active_ms: int,
    ) -> None:  # fmt: skip
        place = self._places.get(passage)
        if place is None:  # added while the list was made
            return
        self._hash.update(f"{assignment} {state == AssignmentState.DISCARDED} {number} {sha256}\n".encode())
        if state == AssignmentState.DISCARDED:
            is_there = self._is_last(place, membership)
            if not is_there:
                self.gone.setdefault(place, []).append(membership)
            return
        if membership in self.gone.get(place, ()):
            self.gone[place].remove(membership)
        values = (place, submission, membership, int(at.timestamp() * 1_000_000), active_ms)
        if self._is_last(place, membership):  # a later round: rows come in their order
            for column, value in zip(self.rows.values(), values, strict=True):
                column[-1] = value
        else:
            for column, value in zip(self.rows.values(), values, strict=True):
                column.append(value)

    def _is_last(self, place: int, membership: int) -> bool:
        rows = self.rows
        return bool(rows["place"]) and (rows["place"][-1], rows["membership"][-1]) == (place, membership)

    def columns(self) -> dict[str, Any]:
        found = {name: np.frombuffer(column, dtype=np.int64) for name, column in self.rows.items()}
        return {
            "passages": np.array(self.passages, dtype=np.int64),
            "answers_of": np.bincount(found.pop("place"), minlength=len(self.passages)),
            **found,
            "discarded_by": {place: people for place, people in self.gone.items() if people},
            "fingerprint": self._hash.hexdigest(),
        }


@contextlib.contextmanager
def without_collector() -> Iterator[None]:
    """Thousands of rows are read and let go of, none in a cycle: walking them again and again took most of the time."""
    is_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_on:
            gc.enable()


def answers_by_id(submissions: Sequence[int]) -> dict[int, Answer]:
    """Checked when they were submitted: not checked again."""
    found: dict[int, Answer] = {}
    for start in range(0, len(submissions), BATCH):
        rows = Submission.objects.filter(pk__in=submissions[start : start + BATCH]).annotate(
            text=Cast("answer", TextField())
        )
        found.update((pk, _decode(text)) for pk, text in rows.values_list("pk", "text"))
    return found


def has_answers(project: Project) -> bool:
    return Submission.objects.counting().filter(assignment__passage__project=project).exists()
