"""Tallies: whatever is done, and wherever midnight is, they are what counting anew gives."""

import random
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.utils import timezone

from annotator.actions import tallies
from annotator.actions.assignments import (
    discard_assignment,
    reopen_assignment,
    save_answer,
    submit_assignment,
    undo_discard,
)
from annotator.actions.jobs import _enqueue
from annotator.actions.projects import add_passages
from annotator.actions.running import work_here
from annotator.actions.tallies import COUNT, _ask_to_recount, ask_for_tallies
from annotator.domain.errors import Refused
from annotator.domain.jobs import JobState
from annotator.domain.passages import NewPassage
from annotator.models import Assignment, Event, Job, Passage, Project, Tally
from annotator.queries.tallies import first_event_since
from config.doctor import examine
from tests.factories import Cast, answer_for, mark

COUNTERS = ("submitted", "resubmitted", "discarded", "marks", "substitutes", "by_type")
Told = dict[tuple[str, date], dict[str, Any]]


def told(project: Project, *names: str) -> Told:
    """By pseudonym and day; days of which nothing is said are left out."""
    rows = Tally.objects.filter(membership__project=project).select_related("membership")
    said = {
        (row.membership.pseudonym, row.day): {name: getattr(row, name) for name in names or COUNTERS} for row in rows
    }
    return {key: values for key, values in said.items() if any(values.values())}


def count(project: Project, *, whole: bool = False) -> Job:
    job = _enqueue(COUNT.name, by=None, project=project, params={"whole": True} if whole else {})
    work_here(job.pk, COUNT.work)
    job.refresh_from_db()
    return job


def act(row: Assignment, what: str, draw: random.Random) -> None:
    """One act of its annotator; what cannot be done just now is not."""
    user = row.membership.user
    assert user is not None
    given: dict[str, Any] = {"by": user, "version": row.version, "save_id": uuid4()}
    words = [draw.choice(["better", "good", "fine", "other"]) for _ in range(draw.randint(1, 3))]
    answer = answer_for(row, *words) if draw.random() < 0.8 else {"none": True}
    if draw.random() < 0.3 and "marks" in answer:
        first = row.passage.text.split()[0]
        answer["marks"].append(mark(row.passage.text, first, "word", type="diversify-expression"))
    written = {**given, "active_ms": draw.randint(0, 90_000), "answer": answer}
    with suppress(Refused):
        if what == "save":
            save_answer(row, **written)
        elif what == "submit":
            submit_assignment(row, **written)
        elif what == "reopen":
            reopen_assignment(row, **given)
        elif what == "discard":
            discard_assignment(row, **given, reason=draw.choice(["grammar", "context"]))
        else:
            undo_discard(row, **given)


def work_at_random(cast: Cast, acts: int, clock: time_machine.Traveller, draw: random.Random) -> None:
    """Mostly a few minutes later, now and then half a day."""
    rows = list(Assignment.objects.filter(membership__in=[cast.membership("ann"), cast.membership("ben")]))
    for _ in range(acts):
        clock.shift(timedelta(minutes=draw.choice([1, 2, 7, 720 if draw.random() < 0.2 else 3])))
        row = Assignment.objects.select_related("membership__user", "passage__project").get(pk=draw.choice(rows).pk)
        act(row, draw.choice(["save", "save", "submit", "submit", "reopen", "discard", "undo"]), draw)


def a_project_with(cast: Cast, passages: int) -> None:
    new = [NewPassage(f"more-{n}", f"This is the long sentence number {n} of many.") for n in range(passages)]
    add_passages(cast.project, by=cast.lead, passages=new)


def move_to(project: Project, zone: str) -> None:
    Project.objects.filter(pk=project.pk).update(time_zone=zone)
    project.time_zone = zone


@pytest.mark.parametrize("acts", [60, pytest.param(1000, marks=pytest.mark.slow)])
def test_tallies_are_a_recount_after_random_acts_over_midnights_and_a_change_of_zone(cast: Cast, acts: int) -> None:
    draw = random.Random(4711)
    move_to(cast.project, "Europe/Berlin")
    a_project_with(cast, acts // 20)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        work_at_random(cast, acts // 2, clock, draw)
        as_it_went = told(cast.project)
        count(cast.project, whole=True)
        assert told(cast.project) == as_it_went

        move_to(cast.project, "Pacific/Auckland")
        count(cast.project)
        assert told(cast.project) != as_it_went
        work_at_random(cast, acts - acts // 2, clock, draw)

    as_it_went = told(cast.project)
    count(cast.project, whole=True)
    assert told(cast.project) == as_it_went
    assert examine_tallies() == []
    assert len({day for _, day in as_it_went}) > acts // 60


def examine_tallies() -> list[str]:
    [found] = [finding for finding in examine() if finding.check == "tallies"]
    return found.problems


def submit(cast: Cast, name: str, number: int, *words: str, active_ms: int = 0) -> Assignment:
    row = cast.assignment(name, number)
    given = {"version": row.version, "save_id": uuid4(), "active_ms": active_ms}
    submit_assignment(row, by=cast.person(name), answer=answer_for(row, *(words or ("better",))), **given)
    return row


def one_of(cast: Cast, name: str) -> Tally:
    return Tally.objects.get(membership=cast.membership(name))


def test_a_submission_counts_with_its_marks(cast: Cast) -> None:
    submit(cast, "ann", 1, "large", "huge")
    submit(cast, "ann", 2)

    tally = one_of(cast, "ann")

    assert (tally.submitted, tally.marks, tally.substitutes, tally.by_type) == (2, 2, 3, {"refine-usage": 3})
    assert tally.last_at is not None


def test_what_is_submitted_again_adds_what_it_has_more(cast: Cast) -> None:
    row = submit(cast, "ann", 1, "large", "huge", "vast")
    reopen_assignment(row, by=cast.ann, version=row.version, save_id=uuid4())

    submit(cast, "ann", 1, "large")

    tally = one_of(cast, "ann")
    assert (tally.submitted, tally.resubmitted, tally.marks, tally.substitutes) == (1, 1, 1, 1)


def test_a_discard_that_is_taken_back_counts_no_more_on_its_own_day(cast: Cast) -> None:
    row = cast.assignment("ann")
    with time_machine.travel("2026-03-02T12:00:00Z", tick=False) as clock:
        discard_assignment(row, by=cast.ann, version=0, save_id=uuid4(), reason="grammar")
        assert one_of(cast, "ann").discarded == 1
        clock.shift(timedelta(days=1))

        undo_discard(row, by=cast.ann, version=1, save_id=uuid4())

    assert one_of(cast, "ann").discarded == 0


def test_the_day_is_that_of_the_project(cast: Cast) -> None:
    move_to(cast.project, "America/New_York")
    with time_machine.travel("2026-03-03T02:00:00Z", tick=False):
        submit(cast, "ann", 1)

    assert one_of(cast, "ann").day == date(2026, 3, 2)


def test_a_test_passage_is_no_work(cast: Cast) -> None:
    row = cast.assignment("ann")
    Passage.objects.filter(pk=row.passage_id).update(kind="practice")

    submit(cast, "ann", 1)

    assert not Tally.objects.exists()


def test_a_control_counts_as_work_does(cast: Cast) -> None:
    """Neither its numbers nor the time its submission takes tell it from work."""
    row = cast.assignment("ann")
    Passage.objects.filter(pk=row.passage_id).update(kind="control")

    submit(cast, "ann", 1)

    assert one_of(cast, "ann").submitted == 1


def test_working_time_is_summed_from_saves_by_the_job_unfinished_work_too(cast: Cast) -> None:
    row = cast.assignment("ann")
    with time_machine.travel(timezone.now(), tick=False) as clock:
        clock.shift(timedelta(minutes=5))
        save_answer(row, by=cast.ann, version=0, save_id=uuid4(), active_ms=40_000, answer=answer_for(row, "large"))
        assert not Tally.objects.exists()  # the save itself is two statements
        clock.shift(timedelta(minutes=5))
        submit(cast, "ann", 2, active_ms=9_000)
        count(cast.project)
        last_at = timezone.now()

    tally = one_of(cast, "ann")

    assert (tally.active_ms, tally.last_at) == (49_000, last_at)


def test_nobody_is_at_work_for_longer_than_the_clock_runs(cast: Cast) -> None:
    row = cast.assignment("ann")
    with time_machine.travel(row.changed_at + timedelta(seconds=3), tick=False):
        submit(cast, "ann", 1, active_ms=60_000)

    event = Event.objects.of(row).get()

    assert 2_900 <= event.payload["active_ms"] <= 3_000


def test_the_second_sum_looks_only_at_the_last_days_and_takes_nothing_back(cast: Cast) -> None:
    submit(cast, "ann", 1)
    first = count(cast.project)
    Tally.objects.update(active_ms=10**9)
    submit(cast, "ann", 2)

    second = count(cast.project)

    assert first.result is not None
    assert second.result is not None
    assert (first.result["whole"], second.result["whole"]) == (True, False)
    assert one_of(cast, "ann").active_ms == 10**9


def test_events_are_found_by_their_time(cast: Cast) -> None:
    moments: list[datetime] = []
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for number in (1, 2, 3, 4):
            clock.shift(timedelta(hours=1))
            moments.append(timezone.now())
            submit(cast, "ann", number)
    events = list(Event.objects.filter(kind="assignment.submitted").order_by("pk"))
    found = [first_event_since(cast.project, moment) for moment in moments]

    assert found == sorted(found)
    assert all(first <= event.pk for first, event in zip(found, events, strict=True))


def test_an_act_from_before_there_were_tallies_can_be_taken_back(cast: Cast) -> None:
    row = cast.assignment("ann")
    discard_assignment(row, by=cast.ann, version=0, save_id=uuid4(), reason="grammar")
    Tally.objects.all().delete()

    undo_discard(row, by=cast.ann, version=1, save_id=uuid4())

    assert told(cast.project) == {}


def test_the_doctor_names_wrong_days(cast: Cast) -> None:
    submit(cast, "ann", 1)
    count(cast.project)
    assert examine_tallies() == []
    Tally.objects.update(marks=9)

    [problem] = examine_tallies()

    day = one_of(cast, "ann").day
    assert problem == f"essays: the tallies of {cast.membership('ann').pseudonym} are wrong on {day}"
    count(cast.project, whole=True)
    assert examine_tallies() == []


@pytest.fixture
def due(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Asks as the clock would, and says whether a count waits."""

    def ask(cast: Cast) -> bool:
        monkeypatch.setattr(tallies, "_looked_at", None)
        ask_for_tallies()
        return Job.objects.waiting().filter(project=cast.project, kind=COUNT.name).exists()

    return ask


def test_a_sum_is_asked_for_where_somebody_has_worked_and_not_again_at_once(cast: Cast, due: Any) -> None:
    assert not due(cast)
    submit(cast, "ann", 1)
    assert due(cast)
    Job.objects.waiting().filter(kind=COUNT.name).delete()
    count(cast.project)
    submit(cast, "ann", 2)
    assert not due(cast)
    with time_machine.travel(timezone.now() + timedelta(minutes=40)):
        assert due(cast)


def test_a_change_of_zone_asks_for_a_recount(cast: Cast, due: Any) -> None:
    submit(cast, "ann", 1)
    count(cast.project)
    assert not due(cast)

    move_to(cast.project, "Asia/Tokyo")

    assert due(cast)


def test_a_recount_that_was_asked_for_is_whole(cast: Cast) -> None:
    submit(cast, "ann", 1)
    count(cast.project)
    _ask_to_recount(cast.project, by=cast.lead)
    job = Job.objects.waiting().get(kind=COUNT.name)

    work_here(job.pk, COUNT.work)

    job.refresh_from_db()
    assert (job.state, job.result and job.result["whole"]) == (JobState.DONE, True)


def test_a_sum_that_is_done_stands_in_no_list(cast: Cast, client_of: Any) -> None:
    submit(cast, "ann", 1)
    count(cast.project)

    assert "Sum working time" not in client_of("lead").get("/p/essays/jobs").content.decode()
