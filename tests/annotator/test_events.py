"""Every event knows whose activity it is: the project's, or the house's."""

import importlib
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from annotator.actions.jobs import enqueue
from annotator.actions.questions import ask_question
from annotator.guards import install_guards, remove_guards
from annotator.models import Event, Subject
from tests.conftest import Api
from tests.factories import Cast, answer_for, make_user, save_body

MIGRATION = importlib.import_module("annotator.migrations.0008_event_project")


def test_events_are_of_the_project_of_their_subject(cast: Cast) -> None:
    Api(cast.ann).save(cast.assignment("ann"), save_body(answer_for(cast.assignment("ann"))), 0)
    ask_question(cast.assignment("ann"), by=cast.ann, text="Is this a name?")
    enqueue("backup", by=None)
    enqueue("assign_everyone", by=cast.lead, project=cast.project)
    make_user("zoe")

    for event in Event.objects.all():
        subject = next(model for model in apps.get_models() if model.__name__.lower() == event.subject)
        row = subject._base_manager.get(pk=event.subject_id)
        assert event.project_id == row.event_project_id, event.kind
    kinds = set(Event.objects.in_project(cast.project).values_list("kind", flat=True))
    assert {"project.created", "member.joined", "assignment.saved", "question.asked", "job.asked"} <= kinds
    house = set(Event.objects.filter(project=None).values_list("subject", flat=True))
    assert house == {"user", "job"}


def test_every_subject_says_which_project_it_belongs_to() -> None:
    for model in apps.get_models():
        if issubclass(model, Subject):
            assert "event_project_id" in vars(model), model


@pytest.mark.parametrize("batch", [1, 2000])
def test_events_of_before_are_told_and_the_guards_stand_again(
    unguarded: Any, cast_committed: Cast, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    Api(cast_committed.ann).save(
        cast_committed.assignment("ann"), save_body(answer_for(cast_committed.assignment("ann"))), 0
    )
    told = dict(Event.objects.values_list("pk", "project_id"))
    remove_guards(connection)
    Event.objects.update(project=None)
    install_guards(connection)
    monkeypatch.setattr(MIGRATION, "BATCH", batch)

    with connection.schema_editor(atomic=False) as editor:
        MIGRATION.fill(apps, editor)

    assert dict(Event.objects.values_list("pk", "project_id")) == told
    with pytest.raises(Exception, match="append-only"):
        Event.objects.update(project=None)


def test_a_broken_chain_is_said_and_not_papered_over(unguarded: Any, cast_committed: Cast) -> None:
    remove_guards(connection)
    first = Event.objects.order_by("pk").first()
    Event.objects.filter(pk=first.pk).update(payload={"forged": 1})  # type: ignore[union-attr]
    install_guards(connection)

    with connection.schema_editor(atomic=False) as editor, pytest.raises(RuntimeError, match="is broken at event 1"):
        MIGRATION.fill(apps, editor)
