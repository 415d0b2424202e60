"""What the doctor says of releases: file, splits and seal are as they were frozen."""

from collections.abc import Callable

import pytest
from django.db import connection

from annotator.guards import install_guards, remove_guards
from annotator.models import Event, Passage
from config.doctor import examine
from exports.actions.releasing import withdraw_release
from exports.models import Release
from exports.queries.examining.projects import examine_project
from tests.exports.test_releasing import draft, frozen
from tests.factories import Cast

pytestmark = pytest.mark.slow


def problems(cast: Cast) -> list[str]:
    [found] = [item for item in examine_project(cast.project) if item.check == "releases"]
    return found.problems


def gone(release: Release) -> None:
    release.path.unlink()


def another(release: Release) -> None:
    release.path.write_bytes(b"something else")


def moved(release: Release) -> None:
    Passage.objects.filter(project=release.project, external_id="essays-1").update(split="elsewhere")


def rewritten(release: Release) -> None:
    """An event that the release sealed, where nobody can."""
    remove_guards(connection)
    event = Event.objects.filter(project=release.project, subject="passage").order_by("pk").first()
    event = event or Event.objects.filter(project=release.project, subject="assignment").order_by("-seq", "pk")[0]
    Event.objects.filter(pk=event.pk).update(hash="0" * 64)
    install_guards(connection)


def test_a_release_that_is_as_it_was_is_looked_at_and_sound(decided: Cast) -> None:
    release = frozen(decided)
    assert problems(decided) == []

    withdraw_release(release, by=decided.lead, version=release.version, why="A wrong file.")
    frozen(decided)

    [found] = [item for item in examine_project(decided.project) if item.check == "releases"]
    assert (found.looked_at, found.problems) == (2, [])
    assert [item.problems for item in examine() if item.check == "releases"] == [[]]


def test_a_draft_is_not_looked_at(decided: Cast) -> None:
    gone(draft(decided))
    assert problems(decided) == []


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (gone, "its file is not here"),
        (another, "its file is not the one that was frozen"),
        (moved, "passages are not in"),
        (rewritten, "the log up to it is not the one that it sealed"),
    ],
)
@pytest.mark.parametrize("is_withdrawn", [False, True])
def test_what_is_not_as_it_was_frozen_is_a_finding(
    decided: Cast, damage: Callable[[Release], None], reason: str, is_withdrawn: bool
) -> None:
    release = frozen(decided)
    if is_withdrawn:
        withdraw_release(release, by=decided.lead, version=release.version, why="A wrong file.")

    damage(release)

    [said] = problems(decided)
    assert said.startswith("release 1 of essays: ")
    assert reason in said
