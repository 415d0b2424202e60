"""Who may see what (`visible_to`), and what the database itself refuses."""

import pytest
from django.db import IntegrityError, models, transaction

from annotator.actions.people import add_member, change_roles
from annotator.models import Assignment, Membership, Passage, Project, Submission, User
from tests.conftest import Api
from tests.factories import Cast, answer_for, save_body


def seen_by(cast: Cast, name: str) -> set[str]:
    rows = Assignment.objects.visible_to(cast.person(name)).select_related("membership__user")
    return {row.membership.user.name for row in rows if row.membership.user}


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("ann", {"Ann"}),
        ("lead", {"Ann", "Ben", "Former"}),
        ("adjudicator", {"Ann", "Ben", "Former"}),
        ("former", set()),
        ("stranger", set()),
        ("other_lead", set()),
    ],
)
def test_an_annotator_sees_only_their_own_work(cast: Cast, name: str, seen: set[str]) -> None:
    assert seen_by(cast, name) == seen


def test_a_lead_who_annotates_is_blind_until_they_have_submitted(cast: Cast) -> None:
    change_roles(cast.membership("lead"), by=cast.lead, roles={"lead", "annotator"})
    row = cast.assignment("lead")
    others = Assignment.objects.filter(passage=row.passage).exclude(membership__user=cast.lead)

    before = others & Assignment.objects.visible_to(cast.lead)
    count_before = before.count()
    Api(cast.lead).act(row, "submit", save_body(answer_for(row)), 0)

    assert count_before == 0
    assert (others & Assignment.objects.visible_to(cast.lead)).count() == others.count() == 3


def test_a_discard_does_not_open_a_leads_eyes(cast: Cast) -> None:
    change_roles(cast.membership("lead"), by=cast.lead, roles={"lead", "annotator"})
    row = cast.assignment("lead")
    Api(cast.lead).act(row, "discard", {**save_body(None), "answer": None} | {"reason": "grammar"}, 0)
    Api(cast.lead).act(row, "discard", {"save_id": save_body(None)["save_id"], "reason": "grammar"}, 0)

    seen = Assignment.objects.visible_to(cast.lead).filter(passage=row.passage)

    assert [item.membership.user for item in seen] == [cast.lead]


def test_giving_up_the_role_for_a_moment_does_not_open_a_leads_eyes(cast: Cast) -> None:
    change_roles(cast.membership("lead"), by=cast.lead, roles={"lead", "annotator"})
    change_roles(cast.membership("lead"), by=cast.lead, roles={"lead"})

    assert seen_by(cast, "lead") == set()


def test_submissions_are_as_visible_as_their_assignments(cast: Cast, api: Api) -> None:
    row = cast.assignment("ann")
    api.act(row, "submit", save_body(answer_for(row)), 0)

    counts = {
        name: Submission.objects.visible_to(cast.person(name)).count() for name in ("ann", "ben", "lead", "former")
    }

    assert counts == {"ann": 1, "ben": 0, "lead": 1, "former": 0}


def test_passages_are_visible_to_those_who_were_given_them(cast: Cast) -> None:
    names = ("ann", "lead", "adjudicator", "former", "stranger", "other_lead")
    essays = Passage.objects.filter(project=cast.project)

    counts = [(essays & Passage.objects.visible_to(cast.person(name))).count() for name in names]

    assert counts == [4, 4, 4, 0, 0, 0]


def test_a_lead_sees_the_members_of_their_project_only(cast: Cast) -> None:
    seen = Membership.objects.visible_to(cast.lead)

    assert {row.project.slug for row in seen} == {"essays"}
    assert list(Membership.objects.visible_to(cast.ann)) == [cast.membership("ann")]


@pytest.mark.parametrize(
    "changes",
    [
        {"state": "lost"},
        {"state": "discarded"},
        {"discard_reason": "grammar"},
        {"state": "submitted"},
        {"number": 0},
        {"number": 2},
    ],
    ids=str,
)
def test_the_database_refuses_an_impossible_assignment(cast: Cast, changes: dict) -> None:
    rows = Assignment.objects.filter(pk=cast.assignment("ann").pk)

    with pytest.raises(IntegrityError), transaction.atomic():
        rows.update(**changes)


def test_the_database_refuses_an_impossible_member(cast: Cast) -> None:
    rows = Membership.objects.filter(pk=cast.membership("ann").pk)
    for changes in (
        {"is_annotator": False},
        {"qualification": "maybe"},
        {"pseudonym": cast.membership("ben").pseudonym},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.update(**changes)


@pytest.mark.parametrize("model", [User, Project, Passage, Membership])
def test_what_has_work_cannot_be_deleted(cast: Cast, model: type[models.Model]) -> None:
    with pytest.raises(models.ProtectedError), transaction.atomic():
        model._default_manager.all().delete()


def test_the_same_person_joins_a_project_once(cast: Cast) -> None:
    from annotator.domain.errors import Conflict

    with pytest.raises(Conflict, match="already"):
        add_member(cast.project, user=cast.ann, by=cast.lead, roles={"lead"})
