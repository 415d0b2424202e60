"""Events and submissions cannot be changed, not even past the actions."""

import pytest
from django.core.management import call_command
from django.db import DatabaseError, IntegrityError, connection, transaction

from annotator.guards import guarded, install_guards, missing_guards, remove_guards
from annotator.models import Event, Submission
from tests.conftest import Api
from tests.factories import Cast, answer_for, save_body


@pytest.fixture
def submitted(cast: Cast, api: Api) -> Cast:
    row = cast.assignment("ann")
    api.act(row, "submit", save_body(answer_for(row)), 0)
    return cast


def test_all_migrations_leave_the_guards_in_place(db: None) -> None:
    assert missing_guards(connection) == set()


@pytest.mark.parametrize("model", [Event, Submission])
def test_an_update_is_refused_by_the_database(submitted: Cast, model: type) -> None:
    field = {Event: {"kind": "forged"}, Submission: {"answer": {"none": True}}}[model]

    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        model.objects.update(**field)


@pytest.mark.parametrize("model", [Event, Submission])
def test_a_delete_is_refused_by_the_database(submitted: Cast, model: type) -> None:
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        model.objects.all()._raw_delete("default")


@pytest.mark.parametrize("table", [table for table in guarded() if table.startswith("annotator_")])
def test_emptying_a_table_is_refused_by_the_database(submitted: Cast, table: str) -> None:
    statement = f"TRUNCATE {table} CASCADE" if connection.vendor == "postgresql" else f"DELETE FROM {table}"
    connection.check_constraints()  # PostgreSQL truncates nothing while foreign keys are still to be checked

    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_missing_guards_are_named_and_can_be_put_back(db: None) -> None:
    remove_guards(connection)
    missing = missing_guards(connection)

    install_guards(connection)

    assert len(missing) == (6 if connection.vendor == "postgresql" else 9)
    assert missing_guards(connection) == set()


def test_there_is_no_change_without_a_migration(db: None) -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_an_event_cannot_be_replaced_under_its_own_number(submitted: Cast) -> None:
    """SQLite's INSERT OR REPLACE would otherwise slip past the guards on UPDATE and DELETE."""
    event = Event.objects.latest("pk")
    again = Event(
        subject=event.subject, subject_id=event.subject_id, seq=event.seq, kind="forged", at=event.at, hash="x"
    )

    with pytest.raises(IntegrityError), transaction.atomic():
        again.save()
    if connection.vendor == "sqlite":
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(
                "INSERT OR REPLACE INTO annotator_event SELECT * FROM annotator_event WHERE id = %s", [event.pk]
            )
    assert Event.objects.get(pk=event.pk).kind == event.kind
