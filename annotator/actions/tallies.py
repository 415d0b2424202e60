"""Tallies: counted in the transaction of what they count, and counted anew by a job.

A day's working time is summed by the job alone, from the events of saves: a save is two statements and stays so.
"""

import time
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

from django.utils import timezone

from annotator.actions.jobs import _enqueue
from annotator.actions.running import Result, Run
from annotator.domain.answers import count_answer, count_stored, stored_answer
from annotator.domain.jobs import JobKind, JobState
from annotator.domain.passages import LOOK_LIKE_WORK
from annotator.domain.states import ProjectState
from annotator.domain.tallies import COUNTERS, Sums, added, of_submission
from annotator.models import Assignment, Event, Job, Membership, Project, Submission, Tally, User
from annotator.queries.tallies import Counted, Times, by_user, day_of, people_counted, times_by_day, zone_of

LOOK_EVERY = 60.0  # seconds
SUM_EVERY = timedelta(minutes=30)
EARLIER = timedelta(hours=1)  # before a sum began: what was under way then may not have been in it
_looked_at: float | None = None


def _tally_submission(row: Assignment, submission: Submission) -> None:
    """In the transaction that hands in; `row` is what it was handed in for."""
    if row.passage.kind not in LOOK_LIKE_WORK:
        return
    now = count_stored(submission.answer)
    if submission.number == 1:
        sums = of_submission(1, now)
    else:
        before = Submission.objects.get(assignment=row, number=submission.number - 1)
        sums = of_submission(submission.number, now, count_answer(stored_answer(before.answer)))
    _add(row, submission.at, sums)


def _tally_discard(row: Assignment, *, at: datetime, is_undone: bool = False) -> None:
    """`at`: when it was discarded, also where it is taken back."""
    if row.passage.kind in LOOK_LIKE_WORK:
        _add(row, at, Sums(discarded=-1 if is_undone else 1), is_now=not is_undone)


def _add(row: Assignment, at: datetime, sums: Sums, *, is_now: bool = True) -> None:
    membership, day = row.membership, day_of(at, zone_of(row.passage.project))
    tally = _locked_tally(membership, day)
    if tally is None:
        # Somebody's other tab may make it at the same moment.
        Tally.objects.bulk_create([Tally(membership=membership, day=day)], ignore_conflicts=True)
        tally = _locked_tally(membership, day)
        assert tally is not None
    for name in COUNTERS:
        setattr(tally, name, getattr(tally, name) + getattr(sums, name))
    # The zone was changed, and the job has not been here yet: it sets right what this leaves.
    tally.discarded = max(0, tally.discarded)
    tally.by_type = added(tally.by_type, sums.by_type)
    if is_now:
        tally.last_at = at
    tally.save()


def _locked_tally(membership: Membership, day: date) -> Tally | None:
    return Tally.objects.select_for_update(no_key=True).filter(membership=membership, day=day).first()


def _ask_to_recount(project: Project, *, by: User | None) -> None:
    """After a change of what a day is."""
    _enqueue(COUNT.name, by=by, project=project, params={"whole": True})


def ask_for_tallies() -> None:
    """Called with every sweep; looks only now and then."""
    global _looked_at
    if _looked_at is not None and time.monotonic() - _looked_at < LOOK_EVERY:
        return
    _looked_at = time.monotonic()
    for project in Project.objects.exclude(state__in=[ProjectState.DRAFT, ProjectState.ARCHIVED]).order_by("pk"):
        if _is_due(project):
            _enqueue(COUNT.name, by=None, project=project)


def _is_due(project: Project) -> bool:
    newest = Event.objects.in_project(project).filter(subject=Assignment.subject_name()).order_by("-pk").first()
    last = _last_count(project)
    if newest is None or last is None or last.started_at is None:
        return newest is not None
    is_over_due = timezone.now() - last.started_at > SUM_EVERY and newest.at > last.started_at - EARLIER
    return _is_of_another_zone(last, project) or is_over_due


def _last_count(project: Project) -> Job | None:
    return (
        Job.objects.whole()
        .filter(project=project, kind=COUNT.name, state=JobState.DONE)
        .order_by("-started_at")
        .first()
    )


def _is_of_another_zone(job: Job, project: Project) -> bool:
    return bool((job.result or {}).get("time_zone") != project.time_zone)


def _count_tallies(run: Run) -> Result:
    """The job: the working time of the days since it was last done; all counters of all days where it never was, where
    the days are another zone's now, or where it is asked for. Begun again after a crash, it does the same again."""
    assert run.job.project is not None
    project = Project.objects.get(pk=run.job.project.pk)
    last, people = _last_count(project), people_counted(project)
    is_whole = bool(run.job.params.get("whole")) or last is None or _is_of_another_zone(last, project)
    since = (
        None if is_whole or last is None or last.started_at is None else _midnight(project, last.started_at - EARLIER)
    )
    times = times_by_day(project, by_user(people), since=since)
    for done, membership in enumerate(people, start=1):
        own = {day: item for (pk, day), item in times.items() if pk == membership.pk}
        if is_whole:
            _recount(run, membership, own, done=done, total=len(people))
        elif own:
            with run.step(done=done, total=len(people)):
                _set_times(membership, own)
    return {"people": len(people), "whole": is_whole, "time_zone": project.time_zone}


def _midnight(project: Project, at: datetime) -> datetime:
    return at.astimezone(zone_of(project)).replace(hour=0, minute=0, second=0, microsecond=0)


def _recount(run: Run, membership: Membership, times: Mapping[date, Times], *, done: int, total: int) -> None:
    """Most is read before the step. In it the rows are held first: who submits meanwhile either was before us, and is
    read, or waits for the row, and adds to what we write."""
    counted = Counted.of(membership)
    with run.step(done=done, total=total):
        there = set(Tally.objects.filter(membership=membership).values_list("day", flat=True))
        lacking = sorted((counted.with_discards().keys() | times.keys()) - there)
        Tally.objects.bulk_create([Tally(membership=membership, day=day) for day in lacking], ignore_conflicts=True)
        rows = list(Tally.objects.select_for_update(no_key=True).filter(membership=membership).order_by("day"))
        counted.count_new()
        days = counted.with_discards()
        for row in rows:
            sums, time_ = days.get(row.day), times.get(row.day)
            if sums is None and time_ is None:
                row.delete()
                continue
            for name, value in (sums or Sums()).as_dict().items():
                setattr(row, name, value)
            row.active_ms, row.last_at = (time_.active_ms, time_.last_at) if time_ else (0, None)
            row.save()


def _set_times(membership: Membership, times: Mapping[date, Times]) -> None:
    """Of a day the time only grows: a sum that began earlier and ends later takes nothing back."""
    lacking = [Tally(membership=membership, day=day) for day in sorted(times)]
    Tally.objects.bulk_create(lacking, ignore_conflicts=True)
    rows = Tally.objects.select_for_update(no_key=True).filter(membership=membership, day__in=times).order_by("day")
    for row in rows:
        row.active_ms = max(row.active_ms, times[row.day].active_ms)
        row.last_at = max(filter(None, [row.last_at, times[row.day].last_at]), default=None)
        row.save(update_fields=["active_ms", "last_at"])


def _says(state: JobState, result: Mapping[str, Any]) -> str:
    if state != JobState.DONE:
        return ""
    return "All days were counted anew." if result.get("whole") else "The working time of the last days was summed."


COUNT = JobKind("count_tallies", "Sum working time", _count_tallies, _says, is_routine=True)
