"""What counts: one list of one moment, then rows by id, outside any transaction."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import msgspec
import numpy as np
from django.db.models import Case, F, FilteredRelation, Max, Q, When
from django.db.models.functions import Coalesce

from adjudication.domain.agreement.marks import Ints
from adjudication.domain.merge import MergeSettings
from adjudication.domain.signature import METHOD_VERSION
from adjudication.queries.columns import read_columns
from annotator.bulk import read_rows, without_collector
from annotator.domain.answers import Answer
from annotator.domain.canonical import sha256_of
from annotator.domain.states import AssignmentState
from annotator.models import Assignment, Event, Membership, Project, Submission

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
    if groups:
        passages = passages.filter(group__in=groups)
    rows = Assignment.objects.filter(passage__in=passages, is_repeat=False)
    if first_round_only:
        rows = rows.filter(round=1)
    if people:
        rows = rows.filter(membership__pseudonym__in=people)
    taken = _Taken(np.array(list(passages.order_by("pk").values_list("pk", flat=True)), dtype=np.int64))
    with without_collector():
        for some in read_columns(_counting(rows)):
            taken.add(some)
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
    the same rule for those who come from the other side). Whole numbers only, in no order."""
    newest = FilteredRelation("submissions", condition=Q(submissions__number=F("submissions_made")))
    counts = Q(state__in=[AssignmentState.SUBMITTED, AssignmentState.STARTED], newest__isnull=False)
    found = rows.annotate(newest=newest).filter(counts | Q(state=AssignmentState.DISCARDED))
    is_gone = Case(When(state=AssignmentState.DISCARDED, then=1), default=0)
    return found.order_by().values_list(
        *("passage_id", "membership_id", "pk", Coalesce("newest__pk", 0), "active_ms", is_gone, "round")
    )


class _Taken:
    """Rows as they come, in columns: a million of them are a few megabytes. The fingerprint is of assignments and
    submissions by id: a submission never changes, and no id comes again."""

    def __init__(self, passages: Ints) -> None:
        self.passages = passages
        self.rows: list[Ints] = [np.zeros((7, 0), dtype=np.int64)]

    def add(self, rows: Ints) -> None:
        self.rows.append(rows)

    def columns(self) -> dict[str, Any]:
        """Of each person and passage the last row that is an answer; a discard, where there is none."""
        rows, self.rows = np.concatenate(self.rows, axis=1), []
        passage, membership, *_, round_ = rows
        rows = rows[:-1, np.lexsort((round_, membership, passage))]
        is_listed = np.isin(rows[0], self.passages)
        if not is_listed.all():
            rows = rows[:, is_listed]  # not those added while the list was made
        _, _, assignment, submission, _, is_gone = rows
        fingerprint = hashlib.sha256()
        for column in (self.passages, assignment, submission, is_gone):
            fingerprint.update(column.astype("<i8").tobytes())
        width = int(rows[1].max(initial=0)) + 1
        place = np.searchsorted(self.passages, rows[0])
        whose = place * width + rows[1]
        said = np.flatnonzero(is_gone == 0)
        said = said[np.append(np.diff(whose[said]) != 0, True)[: len(said)]]
        gone = np.setdiff1d(whose[is_gone == 1], whose[said])
        discarded_by: dict[int, list[int]] = {}
        for passage, membership in zip((gone // width).tolist(), (gone % width).tolist(), strict=True):
            discarded_by.setdefault(passage, []).append(membership)
        return {
            "passages": self.passages,
            "answers_of": np.bincount(place[said], minlength=len(self.passages)),
            **{name: rows[row, said] for name, row in (("submission", 3), ("membership", 1), ("active_ms", 4))},
            "discarded_by": discarded_by,
            "fingerprint": fingerprint.hexdigest(),
        }


def answers_by_id(submissions: Sequence[int]) -> dict[int, Answer]:
    """Checked when they were submitted: not checked again."""
    rows = read_rows(Submission, "id, CAST(answer AS text)", submissions)
    return {pk: _decode(text) for pk, text in rows}


def submitters(project: Project, *, people: Sequence[str] = (), groups: Sequence[str] = ()) -> list[str]:
    """Who has submitted anything that agreement counts, by pseudonym: two of them, where there are as many."""
    rows = Submission.objects.counting().filter(assignment__passage__project=project, assignment__round=1)
    if people:
        rows = rows.filter(assignment__membership__pseudonym__in=people)
    if groups:
        rows = rows.filter(assignment__passage__group__in=groups)
    return list(rows.order_by().values_list("assignment__membership__pseudonym", flat=True).distinct()[:2])
