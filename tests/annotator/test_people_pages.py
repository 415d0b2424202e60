"""The page of a project's people: who is how far, who is found, and what a lead does about each."""

from datetime import timedelta
from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from annotator.actions.accounts import allow_creating_projects, disable_user
from annotator.actions.assignments import discard_assignment, save_answer, submit_assignment
from annotator.actions.forgotten import make_password_link
from annotator.actions.importing.answers import add_voices
from annotator.actions.invitations import invite
from annotator.actions.people import add_member, bring_back, pause_member, remove_member
from annotator.domain.errors import Conflict, NotAllowed
from annotator.domain.people import MemberState
from annotator.domain.qualification import Qualification
from annotator.models import Assignment, Event, Invitation, Membership, Passage, Project, Tally, User
from annotator.queries import people
from annotator.queries.people import PersonLine, people_page
from annotator.queries.work import own_progress
from tests.conftest import nothing_written
from tests.factories import Cast, answer_for, make_user
from tests.house import PASSWORD


def line_of(cast: Cast, name: str) -> PersonLine:
    rows = Membership.objects.filter(pk=cast.membership(name).pk)
    [line] = people_page(rows, cast.project, by=cast.lead).lines
    return line


def work_through(cast: Cast, name: str) -> None:
    """One submitted, one set aside, one begun."""
    user = cast.person(name)
    for number, act in enumerate((submit_assignment, discard_assignment, save_answer), start=1):
        row = cast.assignment(name, number)
        said = {"reason": "grammar"} if act is discard_assignment else {"active_ms": 0, "answer": answer_for(row)}
        act(row, by=user, version=0, save_id=uuid4(), **said)


def test_a_line_says_how_much_is_done_of_what_was_given(cast: Cast) -> None:
    work_through(cast, "ann")

    line = line_of(cast, "ann")

    assert (line.done, line.given) == (2, 4)
    progress = own_progress(cast.ann, cast.project)
    assert (line.done, line.given) == (progress.done, progress.total)


def test_tests_practice_and_withdrawn_work_are_no_work(cast: Cast) -> None:
    work_through(cast, "ann")
    for number, kind in ((1, "test"), (4, "practice")):
        Passage.objects.filter(pk=cast.assignment("ann", number).passage_id).update(kind=kind)
    Assignment.objects.filter(pk=cast.assignment("ann", 3).pk).update(state="withdrawn")

    assert (line_of(cast, "ann").done, line_of(cast, "ann").given) == (1, 1)
    assert own_progress(cast.ann, cast.project).total == 1


def test_a_line_says_when_somebody_was_last_at_work(cast: Cast) -> None:
    assert line_of(cast, "ann").last_at is None
    work_through(cast, "ann")
    saved = line_of(cast, "ann").last_at
    later = timezone.now() + timedelta(hours=3)
    day = {"membership": cast.membership("ann"), "day": later.date()}
    Tally.objects.update_or_create(**day, defaults={"last_at": later})

    assert saved == cast.assignment("ann", 3).changed_at
    assert line_of(cast, "ann").last_at == later


def test_states_are_told_and_found_alike(cast: Cast) -> None:
    ann, ben = cast.membership("ann"), cast.membership("ben")
    pause_member(ann, by=cast.lead)
    Membership.objects.filter(pk=ben.pk).update(qualification=Qualification.PENDING)
    failed = add_member(cast.project, user=cast.stranger, by=cast.lead, roles={"annotator"})
    Membership.objects.filter(pk=failed.pk).update(qualification=Qualification.FAILED)

    rows = cast.project.memberships.all()
    for state in MemberState:
        assert {row.pk for row in rows.in_state(state)} == {row.pk for row in rows if row.state == state}, state
    assert {row.state for row in rows} == set(MemberState)


def test_a_page_has_the_next_by_name_and_voices_last(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    add_voices(cast.project, by=cast.lead, answers={"Aaron": {}})
    for name in ("zoe", "Mia", "ann2"):
        add_member(cast.project, user=make_user(name), by=cast.lead, roles={"annotator"})
    User.objects.filter(email="ann2@example.org").update(name="ANN")  # as good as ann
    monkeypatch.setattr(people, "PEOPLE_LISTED", 2)

    found, after, pages = list[str](), "", 0
    while pages == 0 or after:
        page = people_page(cast.project.memberships.active(), cast.project, by=cast.lead, after=after)
        found, after, pages = [*found, *(line.label for line in page.lines)], page.following, pages + 1

    assert [name.lower() for name in found] == ["adjudicator", "ann", "ann", "ben", "lead", "mia", "zoe", "aaron"]
    assert pages == 4


def test_the_next_page_begins_where_the_last_ended_though_that_person_is_gone(cast: Cast) -> None:
    after = str(cast.membership("ann").uuid)
    remove_member(cast.membership("ann"), by=cast.lead)

    page = people_page(cast.project.memberships.active(), cast.project, by=cast.lead, after=after)

    assert [line.label for line in page.lines] == ["Ben", "Lead"]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ["Adjudicator", "Ann", "Ben", "Lead"]),
        ("?q=an", ["Ann"]),
        ("?q=BEN@", ["Ben"]),
        ("?role=lead", ["Lead"]),
        ("?state=removed", ["Former"]),
        ("?state=paused", []),
        ("?state=invited", []),
        ("?state=nonsense&role=king&after=x", ["Adjudicator", "Ann", "Ben", "Lead"]),
    ],
)
def test_people_are_found_by_what_the_address_says(cast: Cast, client_of: Any, query: str, names: list[str]) -> None:
    page = client_of("lead").get(f"/p/essays/people{query}").content.decode()

    all_names = ("Adjudicator", "Ann", "Ben", "Former", "Lead")
    assert [name for name in all_names if f'aria-label="Change {name}"' in page] == names


def test_invitations_are_found_by_state_and_search(cast: Cast, client_of: Any) -> None:
    for email in ("one@example.org", "two@example.org"):
        invite(cast.project, by=cast.lead, email=email, roles={"annotator"})
    client = client_of("lead")

    shown = {
        query: [email for email in ("one@", "two@") if email in client.get(f"/p/essays/people{query}").content.decode()]
        for query in ("", "?state=invited", "?q=two", "?state=working")
    }

    assert shown == {"": ["one@", "two@"], "?state=invited": ["one@", "two@"], "?q=two": ["two@"], "?state=working": []}


def test_looking_at_people_writes_nothing_and_asks_as_much_however_many_there_are(
    cast: Cast, client_of: Any, django_assert_max_num_queries: Any
) -> None:
    client = client_of("lead")
    for number in range(12):
        add_member(cast.project, user=make_user(f"person{number}"), by=cast.lead, roles={"annotator"})

    with nothing_written(), django_assert_max_num_queries(14):
        assert client.get("/p/essays/people").status_code == 200


def test_how_the_test_went_leads_to_its_page(cast: Cast, client_of: Any) -> None:
    ann, client = cast.membership("ann"), client_of("lead")
    link = f"/p/essays/people/{ann.uuid}/test"
    before = client.get("/p/essays/people").content.decode()
    result = {"f05": "0.8333", "hit": 3, "shared": 2, "is_passed": True}
    Membership.objects.filter(pk=ann.pk).update(qualification=Qualification.PASSED, qualification_result=result)
    [line] = [text for text in client.get("/p/essays/people").content.decode().split("<tr>") if link in text]
    Passage.objects.filter(pk=cast.assignment("ann", 4).passage_id).update(kind="test", key_answer={"none": True})

    later = client.get("/p/essays/people").content.decode()

    assert link not in before
    assert "passed" in line
    assert "F0.5 0.83" in line
    assert later.count("not tested") == 1  # ben


def test_whom_a_lead_has_let_pass_is_not_told_of_as_passed(cast: Cast, client_of: Any) -> None:
    ann = cast.membership("ann")
    result = {"f05": "0.0000", "hit": 0, "shared": 0, "is_passed": False, "is_let_pass": True}
    Membership.objects.filter(pk=ann.pk).update(qualification=Qualification.PASSED, qualification_result=result)

    page = client_of("lead").get("/p/essays/people").content.decode()

    assert f'<a href="/p/essays/people/{ann.uuid}/test">let pass</a>' in page
    assert ">passed</a>" not in page


def test_every_act_says_first_what_happens(cast: Cast, client_of: Any) -> None:
    invite(cast.project, by=cast.lead, email="new@example.org", roles={"annotator"})

    page = unescape(client_of("lead").get("/p/essays/people").content.decode())

    for said in (
        "Nothing is saved for them until you resume",
        "Access ends at once. What they submitted stays and counts",
        "The old one opens nothing any more.",
        "nobody joins by it",
    ):
        assert said in page


# --- bringing back ----------------------------------------------------------------------------------------------------


def test_who_was_removed_is_brought_back_with_roles_and_work(cast: Cast, client_of: Any) -> None:
    before = cast.membership("former")

    answer = client_of("lead").post(f"/p/essays/people/{before.uuid}/bring-back", follow=True)

    after = cast.membership("former")
    assert "Former is in the project again" in answer.content.decode()
    assert (after.removed_at, after.roles, after.pseudonym) == (None, ["annotator"], before.pseudonym)
    assert after.assignments.count() == 4
    assert client_of("former").get("/p/essays/work").status_code == 200


def test_nobody_is_brought_back_who_is_there_or_whose_account_is_closed(cast: Cast) -> None:
    disable_user(cast.former, by=None)

    for name, said in (("ann", "is in the project"), ("former", "closed")):
        with pytest.raises(Conflict, match=said):
            bring_back(cast.membership(name), by=cast.lead)


def test_bringing_back_ends_an_invitation_that_was_still_open(cast: Cast) -> None:
    invite(cast.project, by=cast.lead, email="former@example.org", roles={"adjudicator"})

    bring_back(cast.membership("former"), by=cast.lead)

    assert not Invitation.objects.pending().exists()


# --- a forgotten password, where there is no e-mail -------------------------------------------------------------------


def test_a_lead_makes_a_link_by_which_somebody_sets_a_new_password(cast: Cast, client_of: Any) -> None:
    page = client_of("lead").post(f"/p/essays/people/{cast.membership('ann').uuid}/password-link").content.decode()

    path = "/set-password/" + page.partition("http://127.0.0.1:8000/set-password/")[2].partition('"')[0]
    assert Client().post(path, {"password": PASSWORD}).status_code == 302
    assert User.objects.get(pk=cast.ann.pk).check_password(PASSWORD)
    assert Event.objects.of(cast.membership("ann")).last().kind == "member.password_link_made"
    assert "/set-password/" not in client_of("lead").get("/p/essays/people").content.decode()


def test_only_who_leads_all_projects_of_somebody_helps_them(cast: Cast) -> None:
    """Or a lead could see by another's eyes what they do not lead."""
    add_member(cast.other_project, user=cast.ann, by=cast.other_lead, roles={"adjudicator"})
    member = cast.membership("ann")

    with pytest.raises(NotAllowed, match="all projects"):
        make_password_link(member, by=cast.lead)

    assert not line_of(cast, "ann").can_be_helped
    add_member(cast.other_project, user=cast.lead, by=cast.other_lead, roles={"lead"})
    assert line_of(cast, "ann").can_be_helped
    assert "/set-password/" in make_password_link(member, by=cast.lead)


def test_nobody_comes_by_a_link_to_creating_projects(cast: Cast) -> None:
    allow_creating_projects(cast.ann, by=None)

    with pytest.raises(NotAllowed):
        make_password_link(cast.membership("ann"), by=cast.lead)

    allow_creating_projects(cast.lead, by=None)
    assert make_password_link(cast.membership("ann"), by=User.objects.get(pk=cast.lead.pk))


@pytest.mark.parametrize("name", ["lead", "former"])
def test_no_link_is_made_for_oneself_or_for_who_was_removed(cast: Cast, client_of: Any, name: str) -> None:
    answer = client_of("lead").post(f"/p/essays/people/{cast.membership(name).uuid}/password-link")

    assert answer.status_code in (302, 404)
    assert Event.objects.filter(kind="member.password_link_made").count() == 0


def test_no_link_is_made_where_letters_are_sent(cast: Cast, settings: Any) -> None:
    settings.MAIL = {"sender": "assay@example.org", "server": {}}

    with pytest.raises(Conflict, match="by e-mail"):
        make_password_link(cast.membership("ann"), by=cast.lead)


def test_a_draft_has_people_too(cast: Cast, client_of: Any) -> None:
    assert Project.objects.get(slug="letters").state == "draft"
    assert client_of("other_lead").get("/p/letters/people").status_code == 200
