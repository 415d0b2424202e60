"""Commands: thin doors with one clear line where something is refused."""

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotator.management.base import AssayCommand
from annotator.models import Event, Project, User
from tests.conftest import nothing_written
from tests.factories import Cast
from tests.house import ROOT, House


def run(*words: str, **options: Any) -> dict[str, Any]:
    import contextlib

    out = StringIO()
    with contextlib.redirect_stdout(out):
        call_command(*words, json=True, **options)
    found = json.loads(out.getvalue())
    assert isinstance(found, dict)
    return found


def test_create_user_prints_a_link_that_sets_the_password(db: None, client) -> None:
    result = run("create_user", "Zoe@Example.org", "--can-create-projects")

    user = User.objects.get(email="zoe@example.org")
    assert (result["created"], user.can_create_projects, user.has_usable_password()) == (True, True, False)
    assert client.get(result["link"].removeprefix("http://127.0.0.1:8000")).status_code == 200


def test_create_user_again_is_a_reset(cast: Cast) -> None:
    result = run("create_user", "ann@example.org")

    assert result["created"] is False
    assert User.objects.filter(email="ann@example.org").count() == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("create_user", "not-an-address"), "is not an e-mail address"),
        (("disable_user", "nobody@example.org"), "There is no account"),
        (("create_project", "Bad Slug", "--protocol=sws", "--lead=x@example.org"), "cannot be an address"),
        (("create_project", "new", "--protocol=best", "--lead=x@example.org"), "There is no protocol “best”"),
        (("create_project", "new", "--protocol=sws", "--lead=x"), "is not an e-mail address"),
        (("create_project", "new", "--protocol=sws", "--lead=x@example.org", "--time-zone=Mars"), "no time zone"),
        (("create_project", "essays", "--protocol=sws", "--lead=x@example.org"), "There is a project “essays” already"),
    ],
)
def test_bad_input_is_one_clear_line_and_nothing_is_written(cast: Cast, words: tuple[str, ...], message: str) -> None:
    users = User.objects.count()

    with pytest.raises(CommandError, match=message):
        call_command(*words)

    assert User.objects.count() == users


def test_create_project_makes_the_lead_where_there_is_none(db: None) -> None:
    result = run("create_project", "poems", "--protocol", "sws", "--lead", "iris@example.org", "--name", "Poems")

    project = Project.objects.get(slug="poems")
    assert (project.state, project.protocol.preset, project.version) == ("draft", "sws", 1)
    assert project.memberships.get().user == User.objects.get(email="iris@example.org")
    assert "/set-password/" in result["link"]
    assert [event.kind for event in Event.objects.of(project)] == ["project.created"]


def test_create_project_takes_guidelines_and_what_may_be_looked_up(db: None, tmp_path: Path) -> None:
    file = tmp_path / "guidelines.md"
    file.write_text("# Do\r\nwell", newline="")

    run("create_project", "poems", "--protocol=sws", "--lead=iris@example.org", f"--guidelines={file}",
        "--look-up-policy=Any dictionary; no chat bots.")  # fmt: skip

    project = Project.objects.get(slug="poems")
    assert (project.guidelines, project.look_up_policy) == ("# Do\nwell", "Any dictionary; no chat bots.")
    file.write_bytes(b"\xff")
    with pytest.raises(CommandError, match="is not UTF-8"):
        call_command("create_project", "others", protocol="sws", lead="iris@example.org", guidelines=file)


def test_disable_user_is_said_once(cast: Cast) -> None:
    run("disable_user", "ann@example.org")

    with pytest.raises(CommandError, match="disabled already"), nothing_written():
        call_command("disable_user", "ann@example.org")


@pytest.fixture
def fresh() -> Any:
    made = House()
    yield made
    made.remove()


@pytest.mark.process
def test_a_command_right_after_setup_makes_the_database(fresh: House) -> None:
    done = fresh.command("create_user", "first@example.org")

    assert done.returncode == 0, done.stderr
    assert fresh.query("SELECT email FROM annotator_user") == [("first@example.org",)]


@pytest.mark.process
def test_a_missing_argument_is_one_line(fresh: House) -> None:
    done = fresh.command("create_project", "essays")

    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "--protocol" in done.stderr


@pytest.mark.process
def test_a_pending_migration_is_one_line(fresh: House) -> None:
    fresh.command("create_user", "first@example.org")
    fresh.command("migrate", "annotator", "0001_house")

    done = fresh.command("create_user", "second@example.org")

    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "migrations behind" in done.stderr


@pytest.mark.process
def test_a_dead_database_is_one_line(fresh: House) -> None:
    fresh.env["DATABASE_URL"] = "postgres://nobody@127.0.0.1:1/none"

    done = fresh.command("create_user", "first@example.org")

    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "The database does not answer" in done.stderr


@pytest.mark.process
def test_a_failure_is_one_line_and_an_error_in_json(fresh: House) -> None:
    done = fresh.command("merge", "nowhere", "--json")

    assert (done.returncode, done.stderr) == (1, "There is no project “nowhere”.\n")
    assert json.loads(done.stdout) == {"error": "There is no project “nowhere”."}


@pytest.mark.process
def test_a_reader_that_goes_away_never_makes_a_success(fresh: House) -> None:
    """`manage.py doctor | true` must not hide what the doctor found."""
    fresh.command("create_user", "first@example.org")
    read_end, write_end = os.pipe()
    os.close(read_end)
    command = [sys.executable, "manage.py", "merge", "nowhere", "--json"]

    done = subprocess.run(command, cwd=ROOT, env=fresh.env, stdout=write_end, stderr=write_end, check=False)

    os.close(write_end)
    assert done.returncode != 0


@pytest.mark.process
def test_a_terminal_that_cannot_show_a_letter_is_no_failure(fresh: House) -> None:
    fresh.env["PYTHONIOENCODING"] = "ascii"

    done = fresh.command("create_user", "ann@example.org", "--name", "Zoë")

    assert done.returncode == 0, done.stderr


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_has_the_terminals_own_colour_and_a_refusal_is_red() -> None:
    screen = Terminal()
    command = AssayCommand(stderr=screen, force_color=True)  # type: ignore[arg-type]

    command.progress_bar()(3, 10)
    assert screen.getvalue() == f"\r[{'#' * 9:<30}]  30 %"

    command.stderr.write("No.")
    assert "\x1b[" in screen.getvalue()
