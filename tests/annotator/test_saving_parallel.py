"""Saves that meet each other: real transactions, one connection per thread."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connection, connections

from annotator.actions.assigning import _assign_everyone
from annotator.actions.invitations import accept_invitation, invite, revoke_invitation
from annotator.actions.people import add_member, change_roles, remove_member
from annotator.actions.projects import add_passages, change_project_state
from annotator.domain.errors import Refused
from annotator.domain.passages import NewPassage
from annotator.models import Assignment, Event, Submission, User
from tests.conftest import Api
from tests.factories import Cast, answer_for, save_body


def at_once(jobs: list[Any]) -> list[Any]:
    """Run the calls in threads that start together; their results in order."""

    def run(job: Any) -> Any:
        try:
            return job()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))


def test_t6_after_a_200_another_connection_reads_the_answer(cast_committed: Cast) -> None:
    """T6: the 200 means committed."""
    row = cast_committed.assignment("ann")
    Api(cast_committed.ann).save(row, save_body(answer_for(row)), 0)

    [draft] = at_once([lambda: Assignment.objects.get(pk=row.pk).draft])

    assert draft == answer_for(row)


def test_t12_of_twenty_parallel_first_saves_one_wins(cast_committed: Cast) -> None:
    """T12: exactly one row at version 1; the other nineteen are told what is stored."""
    row = cast_committed.assignment("ann")
    apis = [Api(cast_committed.ann) for _ in range(20)]
    bodies = [save_body(answer_for(row, f"word{n}")) for n in range(20)]

    answers = at_once([lambda a=a, b=b: a.save(row, b, 0) for a, b in zip(apis, bodies, strict=True)])

    statuses = sorted(answer.status_code for answer in answers)
    assert statuses == [200] + [412] * 19
    row.refresh_from_db()
    assert (row.version, Event.objects.of(row).count()) == (1, 1)
    assert Assignment.objects.filter(membership=row.membership, passage=row.passage).count() == 1


def test_t10_the_same_submit_ten_times_at_once_makes_one_submission(cast_committed: Cast) -> None:
    """T10: one save_id, ten deliveries: ten times 200, one Submission."""
    row = cast_committed.assignment("ann")
    body = save_body(answer_for(row))
    apis = [Api(cast_committed.ann) for _ in range(10)]

    answers = at_once([lambda a=a: a.act(row, "submit", body, 0) for a in apis])

    assert {answer.status_code for answer in answers} == {200}
    assert Submission.objects.filter(assignment=row).count() == 1


def test_people_save_at_once_without_an_error(cast_committed: Cast) -> None:
    """Two people, forty saves each, chained: nobody is refused, every version has its event."""

    def work(name: str) -> list[int]:
        row, api = cast_committed.assignment(name), Api(cast_committed.person(name))
        return [api.save(row, save_body(answer_for(row, f"word{n}")), n).status_code for n in range(40)]

    results = at_once([lambda: work("ann"), lambda: work("ben")])

    assert results == [[200] * 40] * 2
    for name in ("ann", "ben"):
        row = cast_committed.assignment(name)
        assert [event.seq for event in Event.objects.of(row)] == list(range(1, 41))


def test_assigning_twice_at_once_gives_everything_once(cast_committed: Cast) -> None:
    Assignment.objects.all().delete()
    project = cast_committed.project

    counts = at_once([lambda: _assign_everyone(project, by=None) for _ in range(4)])

    assert sorted(counts) == [0, 0, 0, 8]
    assert connection.is_usable()


def test_leads_who_remove_each_other_at_once_leave_one(cast_committed: Cast) -> None:
    """And nobody waits for ever: every act that touches several rows locks the project first."""
    cast = cast_committed
    add_member(cast.project, user=cast.stranger, by=cast.lead, roles={"lead"})

    def remove(name: str, by: User) -> str:
        try:
            remove_member(cast.membership(name), by=by)
            return "removed"
        except Refused as error:
            return error.code

    results = at_once([lambda: remove("stranger", cast.lead), lambda: remove("lead", cast.stranger)] * 2)

    assert results.count("removed") == 1
    assert cast.project.memberships.active().filter(is_lead=True).count() == 1


def test_people_and_passages_can_change_at_once(cast_committed: Cast) -> None:
    cast = cast_committed
    invitation, _ = invite(cast.project, by=cast.lead, email="stranger@example.org", roles={"annotator"})

    def quietly(act: Any) -> str:
        try:
            act()
            return "done"
        except Refused as error:
            return error.code

    jobs = [
        lambda: change_roles(cast.membership("ben"), by=cast.lead, roles={"annotator", "adjudicator"}),
        lambda: add_passages(cast.project, by=cast.lead, passages=[NewPassage("late", "A late sentence.")]),
        lambda: accept_invitation(invitation, by=cast.stranger),
        lambda: revoke_invitation(invitation, by=cast.lead),
        lambda: change_project_state(cast.project, by=cast.lead, act="pause"),
    ]
    results = at_once([lambda act=act: quietly(act) for act in jobs])

    assert results[:2] == ["done", "done"]
    assert sorted(results[2:4]) == ["done", "invitation_over"]
    assert results[4] == "done"
