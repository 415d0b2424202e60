"""From an empty Assay to a draft."""

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client

from annotator.actions.accounts import create_first_user
from annotator.domain.errors import NotAllowed
from annotator.guards import install_guards, remove_guards
from annotator.links import first_token
from annotator.models import Project, User
from annotator.presets import guidelines_for, policy_for
from tests.factories import make_user

ME = {"name": "Katrin Berg", "email": "katrin@example.org", "password": "a-long-password-indeed"}
NEW = {"name": "Learner novels 2026", "slug": "", "preset": "sws", "language": "en", "time_zone": "Europe/Berlin"}


@pytest.fixture
def empty_house(unguarded: None) -> None:
    """Nobody is in it; with real transactions, since the cast of all other tests is not."""
    remove_guards(connection)
    call_command("flush", interactive=False, verbosity=0)
    install_guards(connection)


@pytest.mark.usefixtures("empty_house")
def test_the_first_person_is_led_from_the_link_to_a_new_project(client: Client) -> None:
    page = f"/first/{first_token()}"
    for shown in (client.get("/log-in"), client.get(page)):
        assert b"Nobody is here yet" in shown.content

    made = client.post(page, ME)

    assert made["Location"] == "/new"
    user = User.objects.get()
    assert (user.email, user.can_create_projects) == ("katrin@example.org", True)
    assert client.get("/new").status_code == 200
    assert client.get("/")["Location"] == "/new"


@pytest.mark.django_db
def test_the_link_is_over_once_anybody_is_here(client: Client) -> None:
    make_user("nils")
    before = User.objects.count()

    for answer in (client.get(f"/first/{first_token()}"), client.post(f"/first/{first_token()}", ME)):
        assert answer.status_code == 410
    assert User.objects.count() == before


@pytest.mark.usefixtures("empty_house")
def test_nobody_comes_first_without_the_link(client: Client) -> None:
    assert client.post("/first/guessed", ME).status_code == 410
    assert not User.objects.exists()


@pytest.mark.usefixtures("empty_house")
def test_nobody_comes_first_twice() -> None:
    create_first_user(**ME)

    with pytest.raises(NotAllowed):
        create_first_user(**{**ME, "email": "other@example.org"})


@pytest.mark.usefixtures("empty_house")
def test_what_is_wrong_with_the_first_account_is_said_and_nothing_is_made(client: Client) -> None:
    shown = client.post(f"/first/{first_token()}", {**ME, "password": "short"})

    assert shown.status_code == 400
    assert b"Katrin Berg" in shown.content
    assert not User.objects.exists()


def test_a_new_project_is_a_draft_with_our_guidelines_led_by_who_made_it(client: Client, lead: User) -> None:
    client.force_login(lead)

    made = client.post("/new", NEW)

    project = Project.objects.get(slug="learner-novels-2026")
    assert made["Location"] == "/p/learner-novels-2026/setup/rules"
    assert (project.state, project.time_zone) == ("draft", "Europe/Berlin")
    assert project.guidelines == guidelines_for("sws")
    assert project.look_up_policy == policy_for("sws")
    assert project.memberships.get().roles == ["lead"]


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("name", "", "This field is required."),
        ("slug", "Über uns", "cannot be an address"),
        ("slug", "a", "cannot be an address"),
        ("language", "English!", "is not a language tag"),
        ("time_zone", "Atlantis", "There is no time zone"),
        ("preset", "wets", "Select a valid choice"),
        ("name", "\u4f5c\u6587", "No address can be made of this name"),
    ],
)
def test_what_is_wrong_is_said_beside_the_field_and_nothing_typed_is_lost(
    client: Client, lead: User, field: str, value: str, said: str
) -> None:
    client.force_login(lead)

    shown = client.post("/new", {**NEW, field: value})

    assert shown.status_code == 400
    where = "slug" if "No address" in said else field
    assert said in str(shown.context["form"].errors[where])
    assert "Europe/Berlin" in shown.content.decode() or field == "time_zone"
    assert not Project.objects.led_by(lead).exists()


def test_an_address_that_is_taken_is_said_so(client: Client, lead: User, draft: Project) -> None:
    client.force_login(lead)

    shown = client.post("/new", {**NEW, "slug": "novels"})

    assert "There is a project “novels” already." in str(shown.context["form"].errors["slug"])


@pytest.mark.django_db
def test_who_may_not_create_projects_does_not_find_the_page(client: Client) -> None:
    client.force_login(make_user("nils"))

    assert [client.get("/new").status_code, client.post("/new", NEW).status_code] == [404, 404]
    assert b"New project" not in client.get("/").content
