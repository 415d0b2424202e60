"""Who is given what. Work is pushed to people, never pulled, so nobody's pace shows in anybody's queue; and nothing
that is given moves but by a lead's act."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from django.db import connection, transaction
from django.db.models import Count, Max

from annotator.actions.jobs import _enqueue
from annotator.actions.log import locked, write
from annotator.actions.running import Result, Run
from annotator.bulk import BATCH, as_stored, insert_rows
from annotator.domain.errors import Invalid, Problem
from annotator.domain.formats.reading import counted
from annotator.domain.jobs import JobKind, JobState
from annotator.domain.passages import PassageKind
from annotator.domain.planning import MOST_PASSAGES
from annotator.domain.planting import REPEATED_AFTER, Place
from annotator.domain.states import AssignmentState
from annotator.models import Assignment, Job, Membership, Project, User
from annotator.permissions import check_can_lead, check_takes_work
from annotator.queries.assigning import Holdings, is_quick, planned, receivers

GIVEN_AT_ONCE = BATCH // 2  # by the job: with what is looked at again, as long as a save may wait


@transaction.atomic
def _assign_everyone(project: Project, *, by: User | None, only: Membership | None = None) -> int:
    """Give every annotator (or one) what they lack by the protocol's rules; what comes later is appended. Idempotent. A
    few at once (how many is returned); more than a batch is a job."""
    project = locked(project)
    people = receivers(project, **({} if only is None else {"pk": only.pk}))
    if not people:
        return 0
    lacks = None
    if is_quick(project):
        lacks = Holdings.of(project).lacks(people)
    if lacks is None or sum(len(lack.places) for lack in lacks) > BATCH:
        params = {} if only is None else {"membership": only.pk}
        _enqueue(HAND_OUT.name, by=by, project=project, params=params)
        return 0
    given = sum(_give(lack.membership, lack.places) for lack in lacks)
    if given:
        write(project, "work.assigned", by=by, payload={"assignments": given})
    return given


@transaction.atomic
def ask_to_assign_everyone(project: Project, *, by: User | None) -> Job:
    check_can_lead(by, project)
    check_takes_work(project)
    return _enqueue(HAND_OUT.name, by=by, project=project)


def _assign_in_batches(run: Run) -> Result:
    """The job: the same, in short transactions. Begun again after a crash, it finds what is left."""
    project = run.job.project
    assert project is not None
    only = {"pk": run.job.params["membership"]} if "membership" in run.job.params else {}
    lacks = Holdings.of(project).lacks(receivers(project, **only)) if project.is_open else []
    made = _give_in_batches(run, [(lack.membership, lack.places) for lack in lacks])
    return {"assignments": made}


def _give_in_batches(run: Run, lacks: Sequence[tuple[Membership, list[Place]]]) -> int:
    batches = [
        (membership, places[start : start + GIVEN_AT_ONCE])
        for membership, places in lacks
        for start in range(0, len(places), GIVEN_AT_ONCE)
    ]
    done = run.job.done
    total = done + sum(len(places) for _, places in batches)
    made = int((run.job.result or {}).get("assignments", 0))
    for membership, places in batches:
        done += len(places)
        with run.step(done=done, total=total):
            if given := _give(membership, places):
                made += given
                run.keep({**(run.job.result or {}), "assignments": made})
                payload = {"assignments": given, "job": run.job.pk}
                write(locked(membership.project), "work.assigned", by=run.job.asked_by, payload=payload)
    return made


def _says(state: JobState, result: Mapping[str, Any]) -> str:
    made = result.get("assignments", 0)
    if state == JobState.DONE:
        return f"{counted(made, 'assignment')} made." if made else "Everybody had everything already."
    if state == JobState.CANCELLED and made:
        return f"{made:,} assignments were made and stay. Trying again goes on from there."
    return ""


HAND_OUT = JobKind("assign_everyone", "Hand out work", _assign_in_batches, _says)


@transaction.atomic
def ask_for_plan(
    project: Project, *, by: User | None, withdrawn_from: Membership | None = None, with_begun: bool = True
) -> Job:
    """What handing out would do, where that takes too long to wait for."""
    check_can_lead(by, project)
    params = {} if withdrawn_from is None else {"membership": withdrawn_from.pk, "with_begun": with_begun}
    return _enqueue(PLAN.name, by=by, project=project, params=params)


def _plan_for_a_lead(run: Run) -> Result:
    """The job. It changes nothing."""
    project = run.job.project
    assert project is not None
    params = run.job.params
    found = planned(project, withdrawn_from=params.get("membership"), with_begun=params.get("with_begun", True))
    return found.as_dict()


def _says_planned(state: JobState, result: Mapping[str, Any]) -> str:
    if state != JobState.DONE:
        return ""
    gets = ", ".join(f"{name} gets {many:,}" for name, many in sorted(result["gets"].items()))
    return f"Nothing has been handed out. {gets or 'Nobody would get anything'}."


PLAN = JobKind("plan_work", "Work out who gets what", _plan_for_a_lead, _says_planned)


@transaction.atomic
def set_most_passages(project: Project, *, by: User | None, most: Mapping[UUID, int | None]) -> int:
    """How many work passages each of these people is to have in all (None: no limit). Nothing is taken away by it. How
    many limits changed."""
    check_can_lead(by, project)
    project = locked(project)
    people = {row.uuid: row for row in project.memberships.filter(uuid__in=most, user__isnull=False)}
    problems = [problem for uuid in most if (problem := _limit_problem(uuid, most[uuid], people))]
    if problems:
        raise Invalid(problems)
    changed = [row for uuid, row in sorted(people.items()) if row.most_passages != most[uuid]]
    for row in changed:
        payload = {"before": row.most_passages, "after": most[row.uuid]}
        write(row, "member.most_changed", by=by, payload=payload, changes={"most_passages": most[row.uuid]})
    return len(changed)


def _limit_problem(uuid: UUID, most: int | None, people: Mapping[UUID, Membership]) -> Problem | None:
    if uuid not in people:
        return Problem("unknown_person", "One of these people is not in this project.", str(uuid))
    if most is not None and not 0 <= most <= MOST_PASSAGES:
        return Problem("most_passages", f"Give a number from 0 to {MOST_PASSAGES:,}, or nothing.", str(uuid))
    return None


def _give(membership: Membership, places: Sequence[Place], *, is_handed_on: bool = False) -> int:
    """One batch, the project locked: whatever changed since the list was made is looked at again. `is_handed_on`:
    somebody else has just given these up, so no more people have them than before, whatever the rule asks for."""
    project = locked(membership.project)
    fresh = project.memberships.given_work().filter(pk=membership.pk).first()
    if not places or not project.is_open or fresh is None:
        return 0
    found = project.passages.of_kinds(fresh.kinds_given).filter(external_id__in={place.passage for place in places})
    batch = _Batch(
        fresh,
        {row[0]: _Passage(*row[1:]) for row in found.values_list("external_id", "pk", "kind")},
        k=0 if is_handed_on else project.protocol.answers_per_passage,
    )
    rows = [row for place in places if (row := batch.row(place))]
    _insert(fresh, rows)
    return len(rows)


class _Passage(NamedTuple):
    pk: int
    kind: str


class _Row(NamedTuple):
    passage: int
    number: int
    is_repeat: bool


def _insert(membership: Membership, rows: Sequence[_Row]) -> None:
    """By plain SQL: nobody's save waits for a thousand defaults."""
    template = as_stored(Assignment, {"membership": membership, "number": 1})
    own = ("uuid", "passage_id", "number", "is_repeat")
    alike = {name: value for name, value in template.items() if name not in own}
    uuid = Assignment._meta.get_field("uuid")
    values = [(uuid.get_db_prep_save(uuid4(), connection), *row, *alike.values()) for row in rows]
    insert_rows(Assignment, [*own, *alike], values)


class _Batch:
    """What may still be given of a batch to one person, numbered on from their last."""

    def __init__(self, membership: Membership, passages: Mapping[str, _Passage], *, k: int) -> None:
        self.passages = passages
        own = Assignment.all_rows.filter(membership=membership)
        self.number = own.aggregate(last=Max("number"))["last"] or 0
        ids = [passage.pk for passage in passages.values()]
        self.numbers: dict[int, int] = {}  # of originals
        self.repeated: set[int] = set()
        for pk, number, is_repeat in own.filter(passage__in=ids).values_list("passage_id", "number", "is_repeat"):
            if is_repeat:
                self.repeated.add(pk)
            else:
                self.numbers[pk] = number
        self.k = k  # so many people at most for a passage; 0: any number
        self.holders = _holders(ids) if self.k else {}
        most = membership.most_passages
        self.room = 10**9 if most is None else most - _load(membership)

    def row(self, place: Place) -> _Row | None:
        passage = self.passages.get(place.passage)
        if passage is None or not (self._may_repeat(passage) if place.is_repeat else self._may_have(passage)):
            return None
        self.number += 1
        if place.is_repeat:
            self.repeated.add(passage.pk)
        else:
            self.numbers[passage.pk] = self.number
            self.room -= passage.kind == PassageKind.WORK
        return _Row(passage.pk, self.number, place.is_repeat)

    def _may_repeat(self, passage: _Passage) -> bool:
        original = self.numbers.get(passage.pk)
        is_late = original is not None and self.number + 1 - original >= REPEATED_AFTER
        return is_late and passage.pk not in self.repeated

    def _may_have(self, passage: _Passage) -> bool:
        if passage.pk in self.numbers:
            return False
        if passage.kind != PassageKind.WORK:
            return True
        return self.room > 0 and (not self.k or self.holders.get(passage.pk, 0) < self.k)


def _holders(passages: Sequence[int]) -> dict[int, int]:
    rows = Assignment.objects.filter(passage__in=passages, is_repeat=False, round=1)
    counted = rows.exclude(state=AssignmentState.WITHDRAWN).values("passage").annotate(people=Count("pk"))
    return dict(counted.values_list("passage", "people"))


def _load(membership: Membership) -> int:
    own = Assignment.objects.filter(membership=membership, is_repeat=False, round=1)
    return own.filter(passage__kind=PassageKind.WORK).exclude(state=AssignmentState.WITHDRAWN).count()
