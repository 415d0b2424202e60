"""A lead takes unfinished work from somebody and gives it to others. Nothing of it happens by itself."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from annotator.actions.assigning import _give, _give_in_batches
from annotator.actions.assignments import _withdraw
from annotator.actions.jobs import _enqueue
from annotator.actions.log import locked, write
from annotator.actions.running import Result, Run
from annotator.bulk import BATCH
from annotator.domain.errors import Conflict
from annotator.domain.formats.reading import counted
from annotator.domain.jobs import JobKind, JobState
from annotator.domain.planning import Way
from annotator.domain.planting import Place
from annotator.domain.states import AssignmentState
from annotator.models import Assignment, Job, Membership, Project, User
from annotator.models.work import AssignmentQuerySet
from annotator.permissions import check_can_lead, check_takes_work
from annotator.queries.assigning import Holdings, receivers, unfinished_of

MOVED_AT_ONCE = BATCH // 4  # each is two rows changed and two events


@transaction.atomic
def withdraw_work(membership: Membership, *, by: User | None, with_begun: bool) -> Job:
    """What somebody has not begun, or not finished, is theirs no more; where a passage lacks people then, others are
    given it. Drafts are kept, read-only."""
    check_can_lead(by, membership.project)
    project = locked(membership.project)
    if not unfinished_of(membership, with_begun=with_begun).exists():
        raise Conflict("There is nothing to withdraw from them.", code="nothing_unfinished")
    params = {"membership": membership.pk, "with_begun": with_begun}
    return _enqueue(WITHDRAW.name, by=by, project=project, params=params)


@transaction.atomic
def even_out(project: Project, *, by: User | None) -> Job:
    """What nobody has begun goes from those with most to do to those with least."""
    check_can_lead(by, project)
    check_takes_work(project)
    return _enqueue(EVEN.name, by=by, project=locked(project))


def _withdraw_in_batches(run: Run) -> Result:
    """The job. Begun again after a crash, it finds what is left."""
    membership = Membership.objects.select_related("project").get(pk=run.job.params["membership"])
    rows = unfinished_of(membership, with_begun=run.job.params["with_begun"]).select_related("passage__project")
    done = run.job.done
    total = done + rows.count()
    withdrawn = int((run.job.result or {}).get("withdrawn", 0))
    while True:
        done = min(total, done + MOVED_AT_ONCE)
        with run.step(done=done, total=total):
            locked(membership.project)
            batch = list(_held(rows).order_by("number")[:MOVED_AT_ONCE])
            for row in batch:
                _withdraw(row, by=run.job.asked_by)
            withdrawn += len(batch)
            run.keep({**(run.job.result or {}), "withdrawn": withdrawn})
        if not batch:
            break
    project = membership.project
    project.refresh_from_db()
    made = 0
    if project.is_open and project.protocol.answers_per_passage:
        others = [row for row in receivers(project) if row.pk != membership.pk]
        lacks = Holdings.of(project).lacks(others, without=membership.pk)
        made = _give_in_batches(run, [(lack.membership, lack.places) for lack in lacks])
    return {"withdrawn": withdrawn, "assignments": made}


def _even_in_batches(run: Run) -> Result:
    """The job. Begun again after a crash, it evens out what is uneven then."""
    project = run.job.project
    assert project is not None
    people = {row.pseudonym: row for row in receivers(project)}
    if not project.is_open:
        return {"moved": int((run.job.result or {}).get("moved", 0)), "was_open": False}
    ways = Holdings.of(project).even(people.values())
    done, before = run.job.done, int((run.job.result or {}).get("moved", 0))
    moved = before
    for start in range(0, len(ways), MOVED_AT_ONCE):
        batch = ways[start : start + MOVED_AT_ONCE]
        with run.step(done=done + start + len(batch), total=done + len(ways)):
            locked(project)
            if made := _move(batch, people, by=run.job.asked_by):
                moved += made
                run.keep({"moved": moved})
                write(locked(project), "work.moved", by=run.job.asked_by, payload={"moved": made, "job": run.job.pk})
    stayed = len(ways) - (moved - before)
    return {"moved": moved, "stayed": stayed} if stayed else {"moved": moved}


def _move(ways: list[Way], people: Mapping[str, Membership], *, by: User | None) -> int:
    """The project is locked. Who has begun a passage meanwhile keeps it, and who may not have it any more is passed
    over: then it is withdrawn from nobody. What was to come a second time goes with it."""
    moved = 0
    for passage, giver, taker in ways:
        own = _held(Assignment.objects.filter(membership=people[giver], passage__external_id=passage))
        still = own.exclude(state=AssignmentState.WITHDRAWN)
        rows = list(still.select_related("membership", "passage__project").order_by("is_repeat"))
        if not rows or rows[0].is_repeat or any(row.state != AssignmentState.ASSIGNED for row in rows):
            continue
        with transaction.atomic():
            for row in rows:
                _withdraw(row, by=by)
            if _give(people[taker], [Place(passage)], is_handed_on=True):
                moved += 1
            else:
                transaction.set_rollback(True)
    return moved


def _held(rows: AssignmentQuerySet) -> AssignmentQuerySet:
    """Until the step ends: who saves one of these at the same moment waits, and is then told that it is withdrawn."""
    return rows.select_for_update(of=("self",), no_key=True)


def _says_withdrawn(state: JobState, result: Mapping[str, Any]) -> str:
    if state != JobState.DONE:
        return ""
    given = result.get("assignments", 0)
    also = f" {given:,} assignments were given to others." if given else ""
    return f"{result.get('withdrawn', 0):,} assignments withdrawn.{also}"


def _says_moved(state: JobState, result: Mapping[str, Any]) -> str:
    moved = result.get("moved", 0)
    if state != JobState.DONE:
        return ""
    went = f"{counted(moved, 'passage')} went to other people." if moved else "Nothing was moved."
    if not result.get("was_open", True):
        return f"{went} The project was not open any more."
    if stayed := result.get("stayed", 0):
        why = "begun meanwhile, or whoever was to have them may not be given them any more"
        return f"{went} {counted(stayed, 'passage')} stayed: {why}."
    return went if moved else f"{went} It is as even as what nobody has begun, and who may have it, allow."


WITHDRAW = JobKind("withdraw_work", "Withdraw work", _withdraw_in_batches, _says_withdrawn)
EVEN = JobKind("even_out_work", "Even out work", _even_in_batches, _says_moved)
