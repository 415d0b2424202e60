"""Counting anew while people work: real transactions, one connection per thread."""

from uuid import uuid4

from annotator.actions.assignments import discard_assignment, submit_assignment
from annotator.actions.projects import add_passages
from annotator.domain.passages import NewPassage
from annotator.models import Assignment, Tally
from tests.annotator.test_saving_parallel import at_once
from tests.annotator.test_tallies import count, told
from tests.factories import Cast, answer_for

PASSAGES = 8  # beside those that the cast has


def test_whoever_submits_while_days_are_counted_anew_is_counted_once(cast_committed: Cast) -> None:
    cast = cast_committed
    new = [NewPassage(f"more-{n}", f"This is the long sentence number {n} of many.") for n in range(PASSAGES)]
    add_passages(cast.project, by=cast.lead, passages=new)

    def work(name: str) -> None:
        rows = Assignment.objects.filter(membership=cast.membership(name)).order_by("number")
        for row in rows.select_related("membership", "passage__project"):
            given = {"by": cast.person(name), "version": 0, "save_id": uuid4()}
            if row.number % 4:
                submit_assignment(row, active_ms=0, answer=answer_for(row), **given)
            else:
                discard_assignment(row, reason="grammar", **given)

    def recount() -> None:
        for _ in range(4):
            count(cast.project, whole=True)

    at_once([lambda: work("ann"), lambda: work("ben"), recount])

    as_it_went = told(cast.project)
    assert sorted((day["submitted"], day["discarded"]) for day in as_it_went.values()) == [(9, 3), (9, 3)]
    count(cast.project, whole=True)
    assert told(cast.project) == as_it_went


def test_the_first_two_of_a_day_at_once_make_one_row(cast_committed: Cast) -> None:
    cast = cast_committed
    rows = [cast.assignment("ann", number) for number in (1, 2, 3, 4)]

    def submit(row: Assignment) -> None:
        given = {"version": 0, "save_id": uuid4(), "active_ms": 0}
        submit_assignment(row, by=cast.ann, answer=answer_for(row), **given)

    at_once([lambda row=row: submit(row) for row in rows])

    assert Tally.objects.get().submitted == 4
