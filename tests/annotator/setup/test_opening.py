"""The last step: what is missing, and the button."""

from django.test import Client

from annotator.actions.invitations import invite
from annotator.actions.people import add_member
from annotator.actions.projects import add_passages
from annotator.actions.setting_up import skip_step
from annotator.domain.passages import NewPassage
from annotator.models import Assignment, Project, User
from annotator.queries.setup import setup_of
from tests.factories import make_user


def lacking(project: Project) -> list[str]:
    return [step.name for step in setup_of(Project.objects.get(pk=project.pk)).missing]


def test_everything_that_is_missing_is_in_one_list(at_desk: Client, draft: Project) -> None:
    shown = at_desk.get("/p/novels/setup/open")

    assert [line.step.name for line in shown.context["missing"]] == lacking(draft)
    assert lacking(draft) == ["passages", "screening", "guidelines", "people", "test"]


def test_without_passages_it_stays_shut(at_desk: Client, draft: Project) -> None:
    shown = at_desk.post("/p/novels/setup/open")

    assert shown.status_code == 409
    assert "There are no passages to annotate yet." in shown.content.decode()
    assert Project.objects.get(slug="novels").state == "draft"


def test_what_is_skipped_is_not_missing(draft: Project, lead: User) -> None:
    for step in ("screening", "test"):
        skip_step(draft, by=lead, step=step)

    assert lacking(draft) == ["passages", "guidelines", "people"]


def test_people_are_enough_when_a_target_can_be_kept(draft: Project, lead: User) -> None:
    add_member(draft, user=make_user("nils"), by=lead, roles={"annotator"})
    assert setup_of(draft).step("people").state == "part"

    invite(draft, by=lead, email="new@example.org", roles={"annotator"})

    assert setup_of(draft).step("people").note == "1 invited, 1 joined"
    assert setup_of(draft).step("people").state == "done"


def test_opening_gives_everybody_their_work(at_desk: Client, draft: Project, lead: User) -> None:
    add_passages(draft, by=lead, passages=[NewPassage("e1", "We had a very big party.")])
    add_member(draft, user=make_user("nils"), by=lead, roles={"annotator"})

    opened = at_desk.post("/p/novels/setup/open")

    assert opened.status_code == 302
    assert Project.objects.get(slug="novels").state == "open"
    assert Assignment.objects.filter(passage__project=draft).count() == 1
    assert lacking(draft) == []


def test_the_step_of_an_open_project_says_so(at_desk: Client, draft: Project, lead: User) -> None:
    add_passages(draft, by=lead, passages=[NewPassage("e1", "We had a very big party.")])
    at_desk.post("/p/novels/setup/open")

    shown = at_desk.get("/p/novels/setup/open").content.decode()

    assert "This project is open" in shown
