"""The lead's word on a test: letting pass, one more try, and testing who was there before."""

import pytest

from annotator.actions.assignments import save_answer
from annotator.actions.people import change_roles
from annotator.actions.testing import ask_for_test, give_another_try, let_pass
from annotator.domain.errors import Conflict, NotAllowed
from annotator.models import Event, Membership, Project
from annotator.queries.testing import test_lines as lines_of
from annotator.queries.work import next_assignment, own_progress
from tests.annotator.working import a_project, begin, change, hand_in, keyed, names, newcomer, own, set_aside
from tests.conftest import Api
from tests.factories import Cast, save_body


@pytest.fixture
def tested(cast: Cast) -> Project:
    """A try takes two of the five test passages."""
    project, _ = a_project(cast, passages=3, people=1, test_passages=2)
    keyed(cast, project, *(f"t{number}" for number in range(5)))
    return project


@pytest.fixture
def zoe(cast: Cast, tested: Project) -> Membership:
    return newcomer(cast, tested, "zoe")


def open_tests(member: Membership) -> list[str]:
    return [row.passage.external_id for row in own(member, passage__kind="test", state="assigned")]


def fail(member: Membership) -> None:
    for row in own(member, passage__kind="test", state="assigned"):
        hand_in(row, old="aged")
    member.refresh_from_db()
    assert member.qualification == "failed"


def test_a_try_takes_as_many_as_the_rules_say(zoe: Membership) -> None:
    assert (zoe.qualification, len(open_tests(zoe)), len(own(zoe))) == ("pending", 2, 2)


def test_one_more_try_is_of_passages_not_seen_before_and_counts_alone(cast: Cast, zoe: Membership) -> None:
    first = set(open_tests(zoe))
    fail(zoe)

    give_another_try(zoe, by=cast.lead)

    zoe.refresh_from_db()
    assert (zoe.qualification, zoe.qualification_result, zoe.tests_from) == ("pending", None, 3)
    assert len(open_tests(zoe)) == 2
    assert not first & set(open_tests(zoe))
    for row in own(zoe, passage__kind="test", state="assigned"):
        hand_in(row, big="large")
    zoe.refresh_from_db()
    assert (zoe.qualification, zoe.qualification_result["f05"]) == ("passed", "1.0000")
    assert len(own(zoe, passage__kind="work")) == 3


def test_there_is_a_third_try_only_with_enough_new_passages(cast: Cast, zoe: Membership) -> None:
    fail(zoe)
    give_another_try(zoe, by=cast.lead)
    fail(zoe)

    with pytest.raises(Conflict, match="A try takes 2, and 1 of the test passages with a key is new to them"):
        give_another_try(zoe, by=cast.lead)
    keyed(cast, zoe.project, "t9")
    give_another_try(zoe, by=cast.lead)
    assert "t9" in open_tests(zoe)


def test_where_a_try_takes_all_there_have_to_be_new_ones(cast: Cast, zoe: Membership) -> None:
    change(zoe.project, cast.lead, test_passages=0)
    zoe.refresh_from_db()
    other = newcomer(cast, zoe.project, "yan")
    assert len(open_tests(other)) == 5
    fail(other)

    with pytest.raises(Conflict, match="None of the test passages with a key are new to them"):
        give_another_try(other, by=cast.lead)


def test_only_who_did_not_pass_tries_again(cast: Cast, zoe: Membership) -> None:
    with pytest.raises(Conflict, match="Only who did not pass"):
        give_another_try(zoe, by=cast.lead)
    let_pass(zoe, by=cast.lead)
    with pytest.raises(Conflict, match="not being tested"):
        give_another_try(zoe, by=cast.lead)
    with pytest.raises(Conflict, match="not being tested"):
        let_pass(zoe, by=cast.lead)


def test_letting_pass_opens_the_work_and_keeps_the_figures(cast: Cast, zoe: Membership) -> None:
    fail(zoe)

    let_pass(zoe, by=cast.lead)

    zoe.refresh_from_db()
    result = zoe.qualification_result
    assert (zoe.qualification, result["f05"], result["is_passed"], result["is_let_pass"]) == (
        "passed",
        "0.0000",
        False,
        True,
    )
    assert len(own(zoe, passage__kind="work")) == 3
    assert Event.objects.filter(kind="qualification.let_pass", by=cast.lead).count() == 1


def test_letting_pass_in_the_middle_ends_the_test(cast: Cast, zoe: Membership) -> None:
    hand_in(own(zoe)[0], big="large")

    let_pass(zoe, by=cast.lead)

    zoe.refresh_from_db()
    assert (zoe.qualification, zoe.qualification_result) == ("passed", {"is_let_pass": True})
    assert [row.state for row in own(zoe, passage__kind="test")] == ["submitted", "withdrawn"]
    following = next_assignment(zoe)
    assert following is not None
    assert following.passage.kind == "work"


def test_who_was_there_before_is_tested_only_if_a_lead_says_so(cast: Cast, tested: Project) -> None:
    member = tested.memberships.get(user__email="person0@example.org")
    assert member.user is not None
    assert (member.qualification, own_progress(member.user, tested).total) == ("", 3)

    ask_for_test(member, by=cast.lead)

    member.refresh_from_db()
    assert (member.qualification, len(open_tests(member))) == ("pending", 2)
    following = next_assignment(member)
    assert following is not None
    assert following.passage.kind == "test"


def test_their_work_waits_for_the_pass_and_is_then_where_it_was(cast: Cast, tested: Project) -> None:
    member = tested.memberships.get(user__email="person0@example.org")
    assert member.user is not None
    row = own(member)[0]
    begin(row)
    ask_for_test(member, by=cast.lead)
    api, row = Api(member.user), own(member)[0]

    assert api.call("GET", f"/api/v1/assignments/{row.uuid}").status_code == 404
    assert api.save(row, save_body({"marks": []}), row.version).status_code == 404
    with pytest.raises(NotAllowed, match="First comes the test"):
        save_answer(row, by=member.user, version=row.version, save_id=row.uuid, active_ms=0, answer={"marks": []})
    assert own_progress(member.user, tested).total == 0
    for test in own(member, passage__kind="test"):
        hand_in(test, big="large")

    told = api.call("GET", f"/api/v1/assignments/{row.uuid}").json()
    assert (told["state"], told["answer"]["marks"][0]["quote"]) == ("started", "big")
    assert own_progress(member.user, tested).total == 3


def test_who_has_submitted_is_not_tested_any_more(cast: Cast, tested: Project, zoe: Membership) -> None:
    member = tested.memberships.get(user__email="person0@example.org")
    hand_in(own(member)[0])

    with pytest.raises(Conflict, match="submitted work already"):
        ask_for_test(member, by=cast.lead)
    with pytest.raises(Conflict, match="tested already"):
        ask_for_test(zoe, by=cast.lead)


def test_there_is_no_test_without_passages(cast: Cast) -> None:
    _, [member] = a_project(cast, passages=1, people=1)

    with pytest.raises(Conflict, match="None of the test passages with a key are new to them: add some"):
        ask_for_test(member, by=cast.lead)
    assert len(names(member)) == 1


def test_a_lead_sees_key_and_answer_of_what_is_done_with(cast: Cast, zoe: Membership) -> None:
    first, second = own(zoe)
    hand_in(first, big="Large", old="aged")

    done, waiting = lines_of(zoe, by=cast.lead)

    assert [(span.quote, span.key, span.own, span.is_shared) for span in done.spans] == [
        ("big", "large", "Large", True),
        ("old", "", "aged", False),
    ]
    assert done.found is not None
    assert (f"{float(done.found.f05):.3f}", done.found.hit, done.found.shared) == ("0.556", 1, 1)
    assert (waiting.found, list(waiting.spans), waiting.assignment.pk) == (None, [], second.pk)
    set_aside(second)
    assert [line.is_earlier for line in lines_of(zoe, by=cast.lead)] == [False, False]


def test_a_lead_who_is_tested_too_sees_nothing_of_their_own_test_passages(
    cast: Cast, tested: Project, zoe: Membership
) -> None:
    change(tested, cast.lead, test_passages=0)
    other = newcomer(cast, tested, "yan")
    fail(other)
    lead = tested.memberships.get(user=cast.lead)
    change_roles(lead, by=cast.lead, roles={"lead", "annotator"})

    assert lines_of(other, by=cast.lead) == []
    lead.refresh_from_db()
    assert [line.found for line in lines_of(lead, by=cast.lead)] == [None] * 5
    assert zoe
