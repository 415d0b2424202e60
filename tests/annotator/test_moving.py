"""Work given to k people each, and taken from one to be given to others: only by a lead's act."""

from collections import Counter
from typing import Any

import pytest

from annotator.actions.assigning import _assign_in_batches, _plan_for_a_lead, ask_for_plan, set_most_passages
from annotator.actions.invitations import invite
from annotator.actions.moving import EVEN, _even_in_batches, _withdraw_in_batches, even_out, withdraw_work
from annotator.actions.people import pause_member, remove_member, resume_member
from annotator.actions.projects import add_passages, change_project_state
from annotator.domain.errors import Conflict, Invalid
from annotator.domain.jobs import JobState
from annotator.domain.passages import NewPassage
from annotator.models import Assignment, Event, Job, Membership, Project
from annotator.queries.assigning import Planned, planned, preview, work_by_person
from tests.annotator.working import (
    a_project,
    begin,
    change,
    do,
    hand_in,
    keyed,
    names,
    newcomer,
    own,
    set_aside,
    text_of,
)
from tests.factories import Cast


def loads(members: list[Membership]) -> list[int]:
    return [len([row for row in own(member) if row.state != "withdrawn"]) for member in members]


def holders(project: Project) -> Counter[str]:
    rows = Assignment.objects.filter(passage__project=project, is_repeat=False).exclude(state="withdrawn")
    return Counter(rows.values_list("passage__external_id", flat=True))


def take_away(cast: Cast, member: Membership, *, with_begun: bool = True) -> Any:
    withdraw_work(member, by=cast.lead, with_begun=with_begun)
    return do(member.project, "withdraw_work", _withdraw_in_batches)


def test_so_many_different_people_get_each_passage_and_all_get_as_much(cast: Cast) -> None:
    project, members = a_project(cast, passages=12, people=4, answers_per_passage=2)

    assert set(holders(project).values()) == {2}
    assert loads(members) == [6, 6, 6, 6]


def test_what_people_do_with_their_work_moves_none_of_it(cast: Cast) -> None:
    """Only a lead's act does: so nobody can tell how others get on."""
    project, members = a_project(cast, answers_per_passage=2)
    before = [[row.pk for row in own(member)] for member in members]

    for number, row in enumerate(own(members[0])):
        (begin, hand_in, set_aside)[number % 3](row)
    pause_member(members[1], by=cast.lead)
    resume_member(members[1], by=cast.lead)
    do(project, "assign_everyone", _assign_in_batches)

    assert [[row.pk for row in own(member)] for member in members] == before


def test_later_passages_go_to_those_with_least_and_late_joiners_get_none_by_themselves(cast: Cast) -> None:
    project, members = a_project(cast, passages=9, people=3, answers_per_passage=1)
    late = newcomer(cast, project, "late")
    assert loads([*members, late]) == [3, 3, 3, 0]

    add_passages(project, by=cast.lead, passages=[NewPassage(f"x{n}", text_of(f"x{n}")) for n in range(4)])

    assert loads([*members, late])[3] == 3
    assert sorted(loads(members)) == [3, 3, 4]


def test_unfinished_work_goes_to_others_and_drafts_are_kept(cast: Cast) -> None:
    project, members = a_project(cast, passages=12, people=4, answers_per_passage=2)
    first, second, *rest = own(members[0])
    begin(first)
    hand_in(second)

    result = take_away(cast, members[0])

    assert result == {"withdrawn": 5, "assignments": 5}
    assert set(holders(project).values()) == {2}
    first.refresh_from_db()
    assert (first.state, first.draft["marks"][0]["quote"]) == ("withdrawn", "big")
    assert [row.state for row in own(members[0])].count("submitted") == 1
    assert max(loads(members[1:])) - min(loads(members[1:])) <= 1
    assert Event.objects.filter(kind="assignment.withdrawn", by=cast.lead).count() == 5
    assert rest


def test_what_is_begun_stays_where_only_the_rest_is_withdrawn(cast: Cast) -> None:
    _, members = a_project(cast, answers_per_passage=2)
    begin(own(members[0])[0])

    take_away(cast, members[0], with_begun=False)

    assert Counter(row.state for row in own(members[0])) == {"started": 1, "withdrawn": 7}


def test_what_was_withdrawn_from_somebody_does_not_come_back_to_them(cast: Cast) -> None:
    project, members = a_project(cast, passages=6, people=2, answers_per_passage=1)
    taken = set(names(members[0]))
    take_away(cast, members[0])
    take_away(cast, members[1])

    do(project, "assign_everyone", _assign_in_batches)

    again = {row.passage.external_id for row in own(members[0]) if row.state != "withdrawn"}
    assert not again & taken
    assert planned(project).short == 3  # what both have had: somebody else has to come


def test_work_of_somebody_who_left_can_be_given_to_others(cast: Cast) -> None:
    project, members = a_project(cast, passages=8, people=2, answers_per_passage=1)
    remove_member(members[0], by=cast.lead)
    assert [line.membership.pk for line in work_by_person(project) if line.to_do] == sorted(
        (member.pk for member in members), key=lambda pk: Membership.objects.get(pk=pk).pseudonym
    )

    take_away(cast, members[0])

    assert loads(members) == [0, 8]
    assert [line.membership.pk for line in work_by_person(project)] == [members[1].pk]


def test_there_has_to_be_something_to_withdraw(cast: Cast) -> None:
    _, members = a_project(cast, passages=2, people=1)
    begin(own(members[0])[0])
    hand_in(own(members[0])[1])

    with pytest.raises(Conflict, match="nothing to withdraw"):
        withdraw_work(members[0], by=cast.lead, with_begun=False)
    assert take_away(cast, members[0]) == {"withdrawn": 1, "assignments": 0}


def test_the_preview_says_what_withdrawing_does(cast: Cast) -> None:
    project, members = a_project(cast, passages=10, people=3, answers_per_passage=2)
    hand_in(own(members[0])[0])
    had = loads(members)

    said = planned(project, withdrawn_from=members[0].pk)
    take_away(cast, members[0])

    gained = [after - before for after, before in zip(loads(members), had, strict=True)]
    assert said.gets == {member.pseudonym: more for member, more in zip(members, gained, strict=True) if more > 0}
    assert -gained[0] == sum(said.gets.values()) > 0


def test_a_plan_is_what_is_then_handed_out(cast: Cast) -> None:
    project, members = a_project(cast, passages=11, people=3, is_open=False, answers_per_passage=2)
    said = planned(project)
    ask_for_plan(project, by=cast.lead)
    by_job = do(project, "plan_work", _plan_for_a_lead)

    change_project_state(project, by=cast.lead, act="open")

    assert said.gets == {member.pseudonym: len(own(member)) for member in members}
    assert by_job == said.as_dict()
    assert sorted(said.gets.values()) == [7, 7, 8]


def test_a_large_project_is_planned_by_a_job_and_its_result_is_shown(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, _ = a_project(cast, is_open=False)
    monkeypatch.setattr("annotator.queries.assigning.LOOKED_AT_ONCE", 10)
    assert preview(project).is_due

    job = ask_for_plan(project, by=cast.lead)

    assert (preview(project).found, preview(project).job, preview(project).is_due) == (None, job, False)
    do(project, "plan_work", _plan_for_a_lead)
    assert preview(project).found == planned(project)


def test_evening_out_moves_what_nobody_has_begun_to_those_with_least(cast: Cast) -> None:
    project, members = a_project(cast, passages=12, people=2, answers_per_passage=1)
    begin(own(members[0])[-1])
    late = newcomer(cast, project, "late")
    said = planned(project).even

    even_out(project, by=cast.lead)
    result = do(project, "even_out_work", _even_in_batches)

    assert result == {"moved": 4}
    assert loads([*members, late]) == [4, 4, 4]
    assert sum(many for _, _, many in said) == 4
    assert own(members[0], state="started")
    assert set(holders(project).values()) == {1}
    even_out(project, by=cast.lead)
    assert do(project, "even_out_work", _even_in_batches) == {"moved": 0}


def test_what_more_people_have_than_the_rule_asks_for_is_evened_out_as_promised(cast: Cast) -> None:
    project, members = a_project(cast, passages=25, people=2)
    change(project, cast.lead, answers_per_passage=1)
    late = newcomer(cast, project, "late")
    said = planned(project).even
    assert sorted(many for _, _, many in said) == [8, 8]

    even_out(project, by=cast.lead)

    assert do(project, "even_out_work", _even_in_batches) == {"moved": 16}
    assert loads([*members, late]) == [17, 17, 16]
    assert set(holders(project).values()) == {2}
    assert planned(project).even == []


def test_where_everybody_annotates_everything_nothing_is_evened_out(cast: Cast) -> None:
    project, members = a_project(cast, passages=4, people=1, answers_per_passage=1)
    newcomer(cast, project, "late")
    even_out(project, by=cast.lead)
    change(project, cast.lead, answers_per_passage=0)

    assert planned(project).even == []
    assert do(project, "even_out_work", _even_in_batches) == {"moved": 0}
    assert loads(members) == [4]


def test_what_was_promised_and_stays_is_counted_and_said(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    project, _ = a_project(cast, passages=4, people=1, answers_per_passage=1)
    newcomer(cast, project, "late")
    even_out(project, by=cast.lead)
    monkeypatch.setattr("annotator.actions.moving._give", lambda *_, **__: 0)

    result = do(project, "even_out_work", _even_in_batches)

    assert result == {"moved": 0, "stayed": 2}
    assert "2 passages stayed: begun meanwhile" in EVEN.says(JobState.DONE, result)
    assert "even" not in EVEN.says(JobState.DONE, result)


def test_what_was_to_be_evened_out_after_the_project_closed_says_so(cast: Cast) -> None:
    project, _ = a_project(cast, passages=4, people=1, answers_per_passage=1)
    newcomer(cast, project, "late")
    even_out(project, by=cast.lead)
    Project.objects.filter(pk=project.pk).update(state="paused")

    result = do(project, "even_out_work", _even_in_batches)

    assert result == {"moved": 0, "was_open": False}
    assert "not open" in EVEN.says(JobState.DONE, result)


def test_the_preview_counts_what_more_people_have_than_the_rule_asks_for_and_who_has_nothing(cast: Cast) -> None:
    project, _ = a_project(cast, passages=5, people=2)
    change(project, cast.lead, answers_per_passage=1)
    late = newcomer(cast, project, "late")

    said = planned(project)

    assert (said.gets, said.over, said.idle) == ({}, 5, [late.pseudonym])
    assert Planned.from_dict(said.as_dict()) == said


def test_who_begins_a_passage_before_it_is_moved_keeps_it(cast: Cast) -> None:
    project, members = a_project(cast, passages=4, people=1, answers_per_passage=1)
    newcomer(cast, project, "late")
    even_out(project, by=cast.lead)
    for row in own(members[0]):
        begin(row)

    assert do(project, "even_out_work", _even_in_batches) == {"moved": 0}
    assert {row.state for row in own(members[0])} == {"started"}


def test_what_comes_a_second_time_goes_with_what_is_moved(cast: Cast) -> None:
    """Else somebody would be given as a repeat what they have never seen."""
    project, members = a_project(cast, passages=90, people=1, answers_per_passage=1, repeats_per_hundred=10)
    late = newcomer(cast, project, "late")
    even_out(project, by=cast.lead)

    do(project, "even_out_work", _even_in_batches)

    gone = set(names(members[0], is_repeat=False, state="withdrawn"))
    assert len(gone) == 45
    assert not gone & set(names(members[0], is_repeat=True, state="assigned"))
    assert not own(late, is_repeat=True)


def test_nobody_gets_more_than_their_most_and_the_rest_is_said_to_be_short(cast: Cast) -> None:
    project, members = a_project(cast, passages=10, people=2, is_open=False, answers_per_passage=2)

    changed = set_most_passages(project, by=cast.lead, most={members[0].uuid: 3, members[1].uuid: None})

    assert changed == 1
    said = planned(project)
    assert said.gets == {members[0].pseudonym: 3, members[1].pseudonym: 10}
    assert said.short == 7


def test_a_limit_makes_sense_and_is_of_somebody_in_the_project(cast: Cast) -> None:
    project, members = a_project(cast, is_open=False)

    with pytest.raises(Invalid, match="from 0 to"):
        set_most_passages(project, by=cast.lead, most={members[0].uuid: -1, members[1].uuid: 5})
    with pytest.raises(Invalid, match="not in this project"):
        set_most_passages(project, by=cast.lead, most={cast.membership("ann").uuid: 5})
    assert not project.memberships.exclude(most_passages=None).exists()


def test_more_answers_per_passage_are_given_when_the_lead_hands_out(cast: Cast) -> None:
    project, members = a_project(cast, passages=6, people=3, answers_per_passage=1)
    assert loads(members) == [2, 2, 2]

    change(project, cast.lead, answers_per_passage=2)
    assert loads(members) == [2, 2, 2]
    Job.objects.create(kind="assign_everyone", project=project, asked_by=cast.lead)
    do(project, "assign_everyone", _assign_in_batches)

    assert loads(members) == [4, 4, 4]


def test_who_comes_first_is_not_given_everything_while_others_are_tested_or_invited(cast: Cast) -> None:
    project, _ = a_project(cast, passages=12, people=0, answers_per_passage=1, test_passages=1)
    keyed(cast, project, "t1")
    members = [newcomer(cast, project, f"tested{number}") for number in range(2)]
    invite(project, by=cast.lead, email="late@example.org", roles={"annotator"})
    invite(project, by=cast.lead, email="other@example.org", roles={"adjudicator"})

    for member in members:
        hand_in(own(member)[0], big="large")

    assert [len(own(member, passage__kind="work")) for member in members] == [4, 4]
    said = planned(project)
    assert (said.gets, said.kept, said.short) == ({}, 4, 0)


def test_what_was_kept_for_who_is_paused_or_has_failed_is_handed_out_to_others(cast: Cast) -> None:
    project, [member] = a_project(cast, passages=12, people=1, is_open=False, answers_per_passage=1, test_passages=1)
    keyed(cast, project, "t1")
    tested = [newcomer(cast, project, f"tested{number}") for number in range(2)]
    change_project_state(project, by=cast.lead, act="open")
    assert len(own(member)) == 4

    hand_in(own(tested[0])[0], old="aged")
    pause_member(tested[1], by=cast.lead)

    assert planned(project).gets == {member.pseudonym: 8}
