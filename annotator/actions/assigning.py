"""Who is given what. Work is pushed to people, never pulled, so nobody's pace shows in anybody's queue."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Max

from annotator.actions.jobs import _enqueue
from annotator.actions.log import locked, write
from annotator.actions.running import Result, Run
from annotator.bulk import BATCH
from annotator.domain.jobs import JobKind, JobState
from annotator.domain.passages import PassageKind
from annotator.domain.people import work_order
from annotator.models import Assignment, Job, Membership, Project, User
from annotator.permissions import check_can_lead, check_takes_work

GIVEN = (PassageKind.PRACTICE, PassageKind.TEST, PassageKind.WORK)


@dataclass(frozen=True)
class Lack:
    """The passages somebody has not been given yet, in their own order: shuffled by the project's seed."""

    membership: Membership
    passages: list[int]


@transaction.atomic
def _assign_everyone(project: Project, *, by: User | None) -> int:
    """Give every annotator every work passage they lack; what comes later is appended. Idempotent. A few at once
    (how many is returned); more than a batch is a job."""
    project = locked(project)
    lacks = _lacks(project)
    if sum(len(lack.passages) for lack in lacks) > BATCH:
        _enqueue(HAND_OUT.name, by=by, project=project)
        return 0
    given = sum(_give(lack.membership, lack.passages) for lack in lacks)
    if given:
        write(project, "work.assigned", by=by, payload={"assignments": given})
    return given


@transaction.atomic
def ask_to_assign_everyone(project: Project, *, by: User | None) -> Job:
    check_can_lead(by, project)
    check_takes_work(project)
    return _enqueue(HAND_OUT.name, by=by, project=project)


def assign_in_batches(run: Run) -> Result:
    """The job: the same, in short transactions. Begun again after a crash, it finds what is left."""
    project = run.job.project
    assert project is not None
    batches = [
        (lack.membership, lack.passages[start : start + BATCH])
        for lack in _lacks(project)
        for start in range(0, len(lack.passages), BATCH)
    ]
    done = run.job.done
    total = done + sum(len(passages) for _, passages in batches)
    made = (run.job.result or {}).get("assignments", 0)
    for membership, passages in batches:
        done += len(passages)
        with run.step(done=done, total=total):
            if given := _give(membership, passages):
                made += given
                run.keep({"assignments": made})
                payload = {"assignments": given, "job": run.job.pk}
                write(locked(project), "work.assigned", by=run.job.asked_by, payload=payload)
    return {"assignments": made}


def _says(state: JobState, result: Mapping[str, Any]) -> str:
    made = result.get("assignments", 0)
    if state == JobState.DONE:
        return f"{made:,} assignments made." if made else "Everybody had everything already."
    if state == JobState.CANCELLED and made:
        return f"{made:,} assignments were made and stay. Trying again goes on from there."
    return ""


HAND_OUT = JobKind("assign_everyone", "Hand out work", assign_in_batches, _says)


def _lacks(project: Project) -> list[Lack]:
    passages: dict[str, dict[str, int]] = defaultdict(dict)
    for kind, external_id, pk in project.passages.of_kinds(GIVEN).values_list("kind", "external_id", "pk"):
        passages[kind][external_id] = pk
    given: dict[int, set[int]] = defaultdict(set)
    rows = Assignment.objects.filter(membership__project=project).values_list("membership_id", "passage_id")
    for membership_id, passage_id in rows.iterator(chunk_size=10_000):
        given[membership_id].add(passage_id)
    lacks = []
    for membership in project.memberships.given_work().order_by("pk"):
        lacking: list[int] = []
        for kind in membership.kinds_given:
            missing = [external_id for external_id, pk in passages[kind].items() if pk not in given[membership.pk]]
            ordered = work_order(project.seed, membership.pseudonym, missing)
            lacking += [passages[kind][external_id] for external_id in ordered]
        lacks.append(Lack(membership, lacking))
    return lacks


def _give(membership: Membership, passages: Sequence[int]) -> int:
    """One batch, the project locked: whatever changed since the list was made is looked at again."""
    project = locked(membership.project)
    fresh = project.memberships.given_work().filter(pk=membership.pk).first()
    if not passages or not project.is_open or fresh is None:
        return 0
    own = Assignment.objects.filter(membership=membership)
    last = own.aggregate(last=Max("number"))["last"] or 0
    free = (
        project.passages.of_kinds(fresh.kinds_given).filter(pk__in=passages).exclude(assignments__membership=membership)
    )
    still_free = set(free.values_list("pk", flat=True))
    rows = [
        Assignment(membership=membership, passage_id=pk, number=number)
        for number, pk in enumerate((pk for pk in passages if pk in still_free), start=last + 1)
    ]
    Assignment.objects.bulk_create(rows, batch_size=BATCH)
    return len(rows)
