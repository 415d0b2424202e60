"""What is laid down is what was made, and only where everything began alike."""

import pytest
from django.db import transaction

from tests.factories import Cast, make_user
from tests.kept import Stored, everything_stored, once

made: list[Cast] = []


@pytest.fixture(autouse=True)
def _nothing_made_yet() -> None:
    made.clear()


def made_or_laid_down(cast: Cast) -> Stored:
    """As a test would find it, and rolled back after it."""
    with transaction.atomic():
        once(_make, cast)
        found = everything_stored()
        transaction.set_rollback(True)
    return found


def _make(cast: Cast) -> None:
    """A row is new, one is changed and one is gone."""
    made.append(cast)
    make_user("newcomer")
    cast.project.name = "Renamed"
    cast.project.save(update_fields=["name"])
    cast.other_project.passages.all().delete()


def test_what_is_laid_down_is_what_was_made(cast: Cast) -> None:
    before, first = everything_stored(), made_or_laid_down(cast)
    made.clear()

    again = made_or_laid_down(cast)

    assert made == []
    assert again == first != before


def test_where_it_begins_otherwise_it_is_made_again(cast: Cast) -> None:
    made_or_laid_down(cast)
    made.clear()
    make_user("somebody")

    made_or_laid_down(cast)

    assert len(made) == 1
