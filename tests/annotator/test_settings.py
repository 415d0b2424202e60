"""A project's settings, its state with what happens then, and a copy of its set-up."""

from typing import Any

import pytest

from annotator.actions.controlling import choose_controls
from annotator.actions.projects import add_passages, change_project_state
from annotator.actions.qualifying import set_key
from annotator.actions.settings import SETTINGS, change_settings, copy_setup
from annotator.actions.tallies import COUNT
from annotator.domain.errors import Conflict, Invalid, NotAllowed, Stale
from annotator.domain.passages import NewPassage
from annotator.domain.project_life import acts_of
from annotator.domain.states import PROJECT_MOVES, ProjectState
from annotator.models import Event, Project
from tests.factories import Cast, mark

PAGE = "/p/essays/settings"


def now(project: Project) -> dict[str, Any]:
    return {name: getattr(project, name) for name in SETTINGS}


def change(cast: Cast, **changes: Any) -> bool:
    project = Project.objects.get(pk=cast.project.pk)
    return change_settings(project, by=cast.lead, shown=now(project), wanted={**now(project), **changes})


def test_what_is_changed_is_told_and_what_is_not_makes_no_event(cast: Cast) -> None:
    assert change(cast, name="  Essays of  spring ", time_zone="Europe/Berlin")
    assert not change(cast)

    cast.project.refresh_from_db()
    assert (cast.project.name, cast.project.time_zone) == ("Essays of spring", "Europe/Berlin")
    [event] = Event.objects.filter(kind="project.settings_changed")
    assert event.payload == {"settings": ["name", "time_zone"]}


def test_two_leads_who_change_different_things_both_have_their_way(cast: Cast) -> None:
    shown = now(cast.project)

    change_settings(cast.project, by=cast.lead, shown=shown, wanted={**shown, "name": "One"})
    change_settings(cast.project, by=cast.lead, shown=shown, wanted={**shown, "time_zone": "Asia/Tokyo"})

    with pytest.raises(Stale) as caught:
        change_settings(cast.project, by=cast.lead, shown=shown, wanted={**shown, "name": "Two"})
    assert caught.value.stored == {"name": "One"}
    cast.project.refresh_from_db()
    assert (cast.project.name, cast.project.time_zone) == ("One", "Asia/Tokyo")


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("name", "\u200b", "something to be seen"),
        ("name", "a\nb", ""),
        ("language", "english please", "not a language tag"),
        ("time_zone", "Europe/Atlantis", "no time zone"),
    ],
)
def test_what_makes_no_sense_is_named_and_nothing_is_written(cast: Cast, field: str, value: str, said: str) -> None:
    before = now(Project.objects.get(pk=cast.project.pk))
    if value == "a\nb":  # white space is folded, a line feed with it
        assert change(cast, name=value)
        return

    with pytest.raises(Invalid, match=said):
        change(cast, **{field: value})

    assert now(Project.objects.get(pk=cast.project.pk)) == before


def test_another_language_has_tokens_made_anew(cast: Cast) -> None:
    cast.project.jobs.all().delete()

    change(cast, language="de")

    assert cast.project.jobs.filter(kind="make_tokens").count() == 1


def test_other_days_have_tallies_counted_anew(cast: Cast) -> None:
    cast.project.jobs.all().delete()

    change(cast, time_zone="Asia/Tokyo")

    assert cast.project.jobs.filter(kind=COUNT.name).count() == 1


def test_the_page_says_what_somebody_else_has_changed(cast: Cast, client_of: Any) -> None:
    client = client_of("lead")
    form = client.get(PAGE).context["form"].initial
    assert form["shown_name"] == "Essays"
    sent = {name: value for name, value in form.items() if value is not False}
    change(cast, name="Theirs")

    answer = client.post(PAGE, {**sent, "name": "Mine"})

    assert answer.status_code == 409
    body = answer.content.decode()
    assert "Somebody has changed these settings in the meantime" in body
    assert "Now: Theirs" in body
    assert 'value="Mine"' in body
    again = {**sent, "name": "Mine", "shown_name": "Theirs"}
    assert client.post(PAGE, again).status_code == 302
    assert Project.objects.get(pk=cast.project.pk).name == "Mine"


def test_every_act_says_what_happens_and_archived_ones_go_one_way_only() -> None:
    for state in ProjectState:
        for was_opened in (True, False):
            acts = acts_of(state, was_opened=was_opened)
            assert {act.name for act in acts} <= {name for _, name in PROJECT_MOVES}
            assert all(act.says and act.label for act in acts)
            assert len({act.name for act in acts}) == len(acts)
    assert [act.name for act in acts_of(ProjectState.ARCHIVED, was_opened=False)] == ["unarchive"]


def test_the_page_asks_before_it_closes(cast: Cast, client_of: Any) -> None:
    body = client_of("lead").get(PAGE).content.decode()

    assert "nobody can save, submit or reopen" in body
    assert 'name="act" value="close"' in body
    assert 'value="open"' not in body
    client_of("lead").post("/p/essays/state", {"act": "close"})
    assert Project.objects.get(pk=cast.project.pk).state == "closed"


def with_a_test(cast: Cast) -> None:
    [test] = add_passages(cast.project, by=cast.lead, passages=[NewPassage("t1", "A big house.", kind="test")])
    set_key(test, by=cast.lead, answer={"marks": [mark("A big house.", "big", "large")]})


def test_a_copy_has_rules_guidelines_and_tests_and_neither_people_nor_work(cast: Cast) -> None:
    with_a_test(cast)
    cast.lead.can_create_projects = True
    Project.objects.filter(pk=cast.project.pk).update(guidelines="Mark words.", language="de", time_zone="Asia/Tokyo")
    source = Project.objects.get(pk=cast.project.pk)

    made = copy_setup(source, by=cast.lead, slug="letters-2", name="Letters")

    made.refresh_from_db()
    for field in ("protocol_data", "guidelines", "language", "time_zone", "shows_names_to_adjudicators"):
        assert getattr(made, field) == getattr(source, field)
    assert (made.state, made.seed == source.seed) == ("draft", False)
    [row] = made.passages.all()
    assert (row.kind, row.text, row.key_answer["marks"][0]["quote"]) == ("test", "A big house.", "big")
    assert [(member.user, member.roles) for member in made.memberships.all()] == [(cast.lead, ["lead"])]
    with pytest.raises(Conflict, match="no passages"):
        change_project_state(made, by=cast.lead, act="open")


def test_a_test_that_became_a_control_is_copied_as_one(cast: Cast) -> None:
    with_a_test(cast)
    cast.lead.can_create_projects = True
    choose_controls(cast.project, by=cast.lead, passages=[cast.project.passages.get(kind="test").uuid])

    made = copy_setup(cast.project, by=cast.lead, slug="letters-2", name="Letters")

    [row] = made.passages.all()
    assert (row.kind, row.external_id, row.key_answer["marks"][0]["quote"]) == ("control", "t1", "big")


def test_who_may_not_create_projects_or_lead_the_other_copies_nothing(cast: Cast, client_of: Any) -> None:
    cast.stranger.can_create_projects = True
    for user in (cast.lead, cast.stranger):
        with pytest.raises(NotAllowed):
            copy_setup(cast.project, by=user, slug="copy", name="Copy")
    assert "You may not create projects" in client_of("lead").get(f"{PAGE}/copy").content.decode()


def test_a_copy_under_an_address_that_is_taken_is_refused_beside_it(cast: Cast, client_of: Any) -> None:
    type(cast.lead).objects.filter(pk=cast.lead.pk).update(can_create_projects=True)
    client = client_of("lead")

    answer = client.post(f"{PAGE}/copy", {"slug": "letters", "name": "Copy"})

    assert answer.status_code == 409
    assert answer.context["form"].errors["slug"] == ["There is a project “letters” already."]
    assert client.post(f"{PAGE}/copy", {"slug": "new-one", "name": "Copy"})["Location"] == "/p/new-one/"


@pytest.mark.parametrize(
    ("given", "at"), [({"name": "More letters"}, "more-letters"), ({"name": "x", "slug": ""}, None)]
)
def test_the_address_of_a_copy_is_made_of_its_name(
    cast: Cast, client_of: Any, given: dict[str, str], at: str | None
) -> None:
    type(cast.lead).objects.filter(pk=cast.lead.pk).update(can_create_projects=True)

    answer = client_of("lead").post(f"{PAGE}/copy", given)

    if at:
        assert answer["Location"] == f"/p/{at}/"
    else:
        assert answer.context["form"].errors["slug"] == ["No address can be made of this name: give one."]


def test_an_address_that_cannot_be_is_refused_in_our_words(cast: Cast, client_of: Any) -> None:
    type(cast.lead).objects.filter(pk=cast.lead.pk).update(can_create_projects=True)

    answer = client_of("lead").post(f"{PAGE}/copy", {"name": "Copy", "slug": "My copy!"})

    assert answer.context["form"].errors["slug"] == [
        "“My copy!” cannot be an address: use 2 to 50 small letters, digits and hyphens."
    ]


def test_an_archived_project_is_not_changed(cast: Cast) -> None:
    change_project_state(cast.project, by=cast.lead, act="archive")

    with pytest.raises(Conflict, match="archived"):
        change(cast, name="New")
