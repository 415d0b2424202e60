"""The pages on which a lead gives work, plants controls, and looks at tests."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from annotator.actions.assigning import _plan_for_a_lead
from annotator.actions.checking import _look_at_checks
from annotator.actions.jobs import _enqueue
from annotator.actions.moving import _withdraw_in_batches
from annotator.actions.people import remove_member
from annotator.actions.projects import change_project_state
from annotator.models import Membership, Project
from annotator.queries.assigning import Planned, planned
from tests.annotator.working import a_project, begin, change, do, hand_in, keyed, newcomer, own
from tests.factories import Cast


@pytest.fixture
def lead(client_of: Any) -> Client:
    client: Client = client_of("lead")
    return client


def shown(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status
    return " ".join(answer.content.decode().split())


def form(project: Project, *members: Membership, **given: Any) -> dict[str, Any]:
    """What the page's form sends, unchanged."""
    project.refresh_from_db()
    limits = {f"most-{member.uuid}": "" for member in members}
    k = project.protocol.answers_per_passage
    return {"version": project.version, "answers_per_passage": k, **limits, **given}


def test_the_page_says_who_has_how_much_and_who_would_get_what(cast: Cast, lead: Client) -> None:
    project, members = a_project(cast, passages=5, people=2, answers_per_passage=1)
    late = newcomer(cast, project, "late")

    said = shown(lead, "/p/desk/assignment")

    assert "1 person annotates each of 5 passages" in said
    assert "Nobody would be given anything" in said
    assert (
        f"1 from <b>{max(members, key=lambda row: (len(own(row, state='assigned')), row.pseudonym)).pseudonym}" in said
    )
    assert f"to <b>{late.pseudonym}</b>" in said


def test_a_lead_changes_the_rule_sees_the_preview_and_hands_out(cast: Cast, lead: Client) -> None:
    project, members = a_project(cast, passages=6, people=3, answers_per_passage=1)

    answer = lead.post("/p/desk/assignment", form(project, *members, answers_per_passage=2), follow=True)

    said = " ".join(answer.content.decode().split())
    assert "Nothing is given or taken by that" in said
    for member in members:
        assert f"<b>{member.pseudonym}</b> gets 2" in said
    assert lead.post("/p/desk/hand-out").status_code == 302


def test_limits_are_set_and_a_bad_one_is_named_with_nothing_lost(cast: Cast, lead: Client) -> None:
    project, members = a_project(cast, passages=6, people=2, is_open=False)
    first, second = (f"most-{member.uuid}" for member in members)

    refused = lead.post("/p/desk/assignment", form(project, *members, **{first: "-1", second: "4"}))
    assert refused.status_code == 422
    assert "greater than or equal to 0" in refused.content.decode()
    assert 'value="4"' in refused.content.decode()
    assert not project.memberships.exclude(most_passages=None).exists()

    lead.post("/p/desk/assignment", form(project, *members, **{first: "", second: "4"}))
    assert [Membership.objects.get(pk=member.pk).most_passages for member in members] == [None, 4]


def test_a_rule_that_was_changed_elsewhere_is_not_overwritten(cast: Cast, lead: Client) -> None:
    project, members = a_project(cast, is_open=False)
    old = form(project, *members, answers_per_passage=2)
    lead.post("/p/desk/assignment", form(project, *members, answers_per_passage=3))

    refused = lead.post("/p/desk/assignment", old)

    assert refused.status_code == 422
    assert "changed this project in the meantime" in refused.content.decode()
    project.refresh_from_db()
    assert project.protocol.answers_per_passage == 3


def test_withdrawing_asks_first_and_says_what_happens(cast: Cast, lead: Client) -> None:
    project, members = a_project(cast, passages=9, people=3, answers_per_passage=1)
    hand_in(own(members[0])[0])
    path = f"/p/desk/assignment/withdraw/{members[0].uuid}"

    said = shown(lead, path)

    assert "2 passages are withdrawn" in said
    for member in members[1:]:
        assert f"<b>{member.pseudonym}</b> gets 1" in said
    assert len(own(members[0], state="assigned")) == 2
    answer = lead.post(path, {"begun": "1"})
    assert answer["Location"].startswith("/p/desk/jobs/")
    assert project.jobs.filter(kind="withdraw_work").count() == 1


def test_where_everybody_annotates_everything_nobody_else_is_given_what_is_withdrawn(cast: Cast, lead: Client) -> None:
    _, members = a_project(cast, passages=2, people=2)

    said = shown(lead, f"/p/desk/assignment/withdraw/{members[0].uuid}")

    assert "Everybody annotates every passage, so nobody else is given anything" in said


def test_what_more_people_have_than_the_rule_asks_for_and_who_has_nothing_is_said(cast: Cast, lead: Client) -> None:
    project, members = a_project(cast, passages=5, people=2)
    change(project, cast.lead, answers_per_passage=1)
    late = newcomer(cast, project, "late")

    said = shown(lead, "/p/desk/assignment")
    asked = shown(lead, f"/p/desk/assignment/withdraw/{members[0].uuid}")

    assert "everybody has what the rule asks for" not in said
    assert "5 passages are given to more people than the rule asks for" in said
    assert f"<b>{late.pseudonym}</b> has no work: even out to give them some" in said
    assert "Nobody else is left" not in asked
    assert f"even without {members[0].pseudonym}, as many people have each passage as the rule asks for" in asked


def test_a_rule_that_can_never_give_gold_is_pointed_out(cast: Cast, lead: Client) -> None:
    project, _ = a_project(cast, passages=2, people=2, is_open=False, answers_per_passage=1)
    warned = "needs 2 answers for the gold: with no more than that it is left out"
    for path in ("/p/desk/assignment", "/p/desk/setup/rules"):
        assert warned in shown(lead, path)

    change(project, cast.lead, answers_per_passage=2)

    for path in ("/p/desk/assignment", "/p/desk/setup/rules"):
        assert warned not in shown(lead, path)


def test_there_is_nothing_to_withdraw_from_who_is_done_or_of_another_project(cast: Cast, lead: Client) -> None:
    _, members = a_project(cast, passages=1, people=1)
    hand_in(own(members[0])[0])
    path = f"/p/desk/assignment/withdraw/{members[0].uuid}"

    assert "Nothing to withdraw" in shown(lead, path)
    assert lead.post(path, {"begun": "1"}).status_code == 409
    shown(lead, f"/p/desk/assignment/withdraw/{cast.membership('ann').uuid}", 404)
    assert lead.post("/p/desk/assignment/plan", {"membership": "nonsense"}).status_code == 404


def test_a_large_project_is_planned_when_asked_for(cast: Cast, lead: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    project, members = a_project(cast, passages=4, people=2, is_open=False, answers_per_passage=1)
    monkeypatch.setattr("annotator.queries.assigning.LOOKED_AT_ONCE", 1)
    assert "takes a few seconds" in shown(lead, "/p/desk/assignment")

    lead.post("/p/desk/assignment/plan")
    assert "Working it out" in shown(lead, "/p/desk/assignment")
    part = lead.get("/p/desk/assignment", headers={"HX-Request": "true"}).content.decode()
    assert part.strip().startswith("<section")
    do(project, "plan_work", _plan_for_a_lead)

    said = shown(lead, "/p/desk/assignment")
    assert f"<b>{members[0].pseudonym}</b> gets 2" in said
    assert "Work it out again" in said


def test_who_left_is_listed_while_they_have_unfinished_work(cast: Cast, lead: Client) -> None:
    _, members = a_project(cast, passages=2, people=2, answers_per_passage=1)
    remove_member(members[0], by=cast.lead)

    said = shown(lead, "/p/desk/assignment")

    assert members[0].pseudonym in said
    assert '<span class="tag">removed</span>' in said


def test_what_who_left_has_not_finished_is_said_to_count_as_given(cast: Cast, lead: Client) -> None:
    project, members = a_project(cast, passages=4, people=2, answers_per_passage=1)
    hand_in(own(members[0])[0])
    assert "1 passage they have not finished goes on counting as given to them" in shown(lead, "/p/desk/people")

    remove_member(members[0], by=cast.lead)

    said, name = shown(lead, "/p/desk/assignment"), members[0].pseudonym
    assert f"<b>{name}</b> does not annotate any more, and 1 passage they have not finished counts as given" in said
    for page in (said, shown(lead, "/p/desk/people?state=removed")):
        assert f'/p/desk/assignment/withdraw/{members[0].uuid}">Withdraw it</a>' in page
    assert planned(project).left == [(name, str(members[0].uuid), 1)]
    assert Planned.from_dict(planned(project).as_dict()) == planned(project)

    lead.post(f"/p/desk/assignment/withdraw/{members[0].uuid}", {"begun": "1"})
    do(project, "withdraw_work", _withdraw_in_batches)
    assert planned(project).left == []


def test_nothing_is_withdrawn_before_it_is_worked_out_who_gets_it(
    cast: Cast, lead: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, members = a_project(cast, passages=4, people=2, answers_per_passage=1)
    monkeypatch.setattr("annotator.queries.assigning.LOOKED_AT_ONCE", 1)
    path = f"/p/desk/assignment/withdraw/{members[0].uuid}"
    assert '<button class="btn bad" disabled' in shown(lead, path)

    lead.post("/p/desk/assignment/plan", {"membership": members[0].uuid, "begun": "1"})
    assert '<button class="btn bad" disabled' in shown(lead, path)
    do(project, "plan_work", _plan_for_a_lead)

    assert '<button class="btn bad">Withdraw 2 passages' in shown(lead, path)


def test_the_part_that_refreshes_itself_does_not_ask_for_everybodys_work(
    cast: Cast, lead: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_project(cast, passages=4, people=2, answers_per_passage=1)
    monkeypatch.setattr("annotator.views.assigning.work_by_person", None)

    part = lead.get("/p/desk/assignment", headers={"HX-Request": "true"}).content.decode()

    assert part.strip().startswith("<section")


def test_controls_are_chosen_and_rates_set(cast: Cast, lead: Client) -> None:
    project, _ = a_project(cast, is_open=False)
    keyed(cast, project, "t1", "t2")
    one, two = project.passages.filter(kind="test").order_by("external_id")

    lead.post("/p/desk/controls", {"choose": "1", "shown": [one.uuid, two.uuid], "passages": [two.uuid]})
    project.refresh_from_db()
    rates = {"version": project.version, "controls_per_hundred": 5, "repeats_per_hundred": 3}
    lead.post("/p/desk/controls", rates)

    said = shown(lead, "/p/desk/controls")
    assert "1 control is enough for the first 20 passages" in said
    project.refresh_from_db()
    assert (project.protocol.controls_per_hundred, project.protocol.repeats_per_hundred) == (5, 3)
    assert project.passages.get(kind="control").pk == two.pk


def test_what_is_not_shown_stays_what_it_is(cast: Cast, lead: Client) -> None:
    project, _ = a_project(cast, is_open=False)
    keyed(cast, project, "c1", "c2", kind="control")
    one, two = project.passages.filter(kind="control").order_by("external_id")

    lead.post("/p/desk/controls", {"choose": "1", "shown": [one.uuid]})

    assert dict(project.passages.filter(pk__in=[one.pk, two.pk]).values_list("external_id", "kind")) == {
        "c1": "test",
        "c2": "control",
    }


def test_bad_rates_and_unknown_passages_are_refused_with_a_word(cast: Cast, lead: Client) -> None:
    project, _ = a_project(cast, is_open=False)
    rates = {"version": project.version, "controls_per_hundred": 21, "repeats_per_hundred": 3}

    refused = lead.post("/p/desk/controls", rates)
    unknown = lead.post("/p/desk/controls", {"choose": "1", "passages": [uuid4()]})

    assert (refused.status_code, unknown.status_code) == (422, 409)
    assert "less than or equal to 20" in refused.content.decode()
    assert "has no key any more" in unknown.content.decode()


def test_a_control_that_can_be_told_from_the_work_is_pointed_out(cast: Cast, lead: Client) -> None:
    project, _ = a_project(cast, is_open=False)
    keyed(cast, project, "c1", kind="control")
    assert "could tell it" not in shown(lead, "/p/desk/controls")

    project.passages.filter(kind="work").update(context_before="Before it.")

    assert "it lacks context, which every work passage has" in shown(lead, "/p/desk/controls")


def test_what_controls_have_told_stands_beside_each_person(cast: Cast, lead: Client) -> None:
    project, _ = a_project(cast, passages=80, people=0, controls_per_hundred=5, repeats_per_hundred=5)
    keyed(cast, project, "c1", "c2", kind="control")
    zoe = newcomer(cast, project, "zoe")
    one, two = own(zoe, passage__kind="control")
    hand_in(one, big="large")
    hand_in(two, old="aged")
    repeat = own(zoe, is_repeat=True)[0]
    hand_in(own(zoe, is_repeat=False, passage=repeat.passage)[0], big="large", old="aged")
    hand_in(repeat, big="large")
    _enqueue("look_at_checks", by=None, project=project)
    do(project, "look_at_checks", _look_at_checks)

    said = shown(lead, "/p/desk/controls")

    assert "1 of 2 · 50 %" in said
    assert "50.0 %" in said
    assert "100.0 %" in said


@pytest.fixture
def tested(cast: Cast) -> Project:
    project, _ = a_project(cast, passages=2, people=1, test_passages=1)
    keyed(cast, project, "t1", "t2")
    return project


def test_a_lead_sees_all_of_a_test_and_gives_one_more_try(cast: Cast, lead: Client, tested: Project) -> None:
    zoe = newcomer(cast, tested, "zoe")
    path = f"/p/desk/people/{zoe.uuid}/test"
    assert "Shown beside the key once they have handed it in" in shown(lead, path)
    hand_in(own(zoe)[0], old="aged")

    said = shown(lead, path)
    assert "did not pass" in said
    assert '<b class="num">0.0000</b>; 0.5 was asked for' in said
    assert "large" in said
    assert "aged" in said
    assert "1 test passage is new to them; a try takes 1" in said
    lead.post(f"{path}/try-again")

    assert "An earlier try" in shown(lead, path)
    assert len(own(zoe, passage__kind="test", state="assigned")) == 1
    lead.post(f"{path}/let-pass")
    said = shown(lead, path)
    assert "A lead has let them pass" in said
    assert len(own(zoe, passage__kind="work")) == 2


def test_who_joined_before_is_tested_when_the_lead_says_so(cast: Cast, lead: Client, tested: Project) -> None:
    member = tested.memberships.get(user__email="person0@example.org")
    path = f"/p/desk/people/{member.uuid}/test"
    assert f'<a href="{path}">not tested</a>' in shown(lead, "/p/desk/people")
    assert "They joined before there was a test" in shown(lead, path)

    lead.post(f"{path}/ask")

    assert "is being tested" in shown(lead, path)
    refused = lead.post(f"{path}/ask", follow=True).content.decode()
    assert "They are, or have been, tested already." in refused


def test_the_person_sees_their_figures_and_what_was_asked_for_but_never_the_key(cast: Cast, tested: Project) -> None:
    zoe = newcomer(cast, tested, "zoe")
    assert zoe.user is not None
    client = Client()
    client.force_login(zoe.user)
    for path in ("/p/desk/work", "/p/desk/"):
        before = shown(client, path)
        assert "First comes a short test of 1 passage, in the same workbench" in before
        assert "F0.5 of at least 0.5" in before
    hand_in(own(zoe)[0], old="aged")

    said = shown(client, "/p/desk/work")

    figures = (
        "You found 0 of the 1 mark in the key; 1 of your marks is not in it. (F0.5 0.00, at least 0.5 was asked for.)"
    )
    assert f"You did not pass the test. {figures}" in said
    at_home = shown(client, "/p/desk/")
    assert f"{figures} No work is given to you; a lead can give you one more try." in at_home
    assert "No passages are given to you, since you did not pass the test." in at_home
    for path in ("/p/desk/work", f"/p/desk/work/{own(zoe)[0].number}", "/p/desk/"):
        assert "large" not in shown(client, path)
    shown(client, f"/p/desk/people/{zoe.uuid}/test", 404)


def test_in_a_test_is_said_how_far_it_is(cast: Cast) -> None:
    project, _ = a_project(cast, passages=2, people=1)
    keyed(cast, project, "t1", "t2")
    zoe = newcomer(cast, project, "zoe")
    assert zoe.user is not None
    client = Client()
    client.force_login(zoe.user)
    hand_in(own(zoe)[0], big="large")

    said = shown(client, "/p/desk/")

    assert "a short test of 2 passages" in said
    assert "1 of 2 done." in said
    assert "Go on with passage 2" in said


@pytest.mark.parametrize("act", ["pause", "close"])
def test_where_nothing_can_be_saved_a_passage_is_offered_to_read(cast: Cast, act: str) -> None:
    project, [member] = a_project(cast, passages=2, people=1)
    assert member.user is not None
    client = Client()
    client.force_login(member.user)
    begin(own(member)[0])
    change_project_state(project, by=cast.lead, act=act)

    for path in ("/p/desk/", "/p/desk/work"):
        said = shown(client, path)
        assert "Read passage 1</a>" in said
        assert "Go on with" not in said


def test_work_that_waits_for_a_pass_is_on_no_page(cast: Cast, lead: Client, tested: Project) -> None:
    member = tested.memberships.get(user__email="person0@example.org")
    assert member.user is not None
    client = Client()
    client.force_login(member.user)
    shown(client, "/p/desk/work/1")
    lead.post(f"/p/desk/people/{member.uuid}/test/ask")

    said = shown(client, "/p/desk/work")

    assert "You are asked to take a short test" in said
    assert "w000" not in said
    assert "w001" not in said
    shown(client, "/p/desk/work/1", 404)
