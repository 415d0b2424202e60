"""Changing the rules of a project: by a lead, on the version they saw, as far as its work allows."""

import pytest
from django.core.management import CommandError, call_command

from annotator.actions.projects import change_project_state
from annotator.actions.protocols import change_protocol
from annotator.domain.errors import Conflict, NotAllowed, Stale
from annotator.models import Event, Project
from tests.adjudication.conftest import submit
from tests.annotator.test_commands import run
from tests.factories import Cast


def fresh(cast: Cast) -> Project:
    return Project.objects.get(pk=cast.project.pk)


def test_a_lead_changes_how_votes_are_counted_at_any_time(cast: Cast) -> None:
    submit(cast, cast.ann, passage="essays-1")
    project = fresh(cast)

    changed = change_protocol(project, by=cast.lead, version=project.version, changes={"keep_at": 3})

    assert (fresh(cast).protocol.keep_at, changed.version) == (3, project.version + 1)
    assert Event.objects.of(changed).last().payload == {"switches": ["keep_at"]}  # type: ignore[union-attr]
    again = change_protocol(changed, by=cast.lead, version=changed.version, changes={"keep_at": 3})
    assert again.version == changed.version


def test_somebody_elses_change_is_not_overwritten(cast: Cast) -> None:
    project = fresh(cast)
    change_protocol(project, by=cast.lead, version=project.version, changes={"keep_at": 3})

    with pytest.raises(Stale) as refused:
        change_protocol(project, by=cast.lead, version=project.version, changes={"keep_at": 4})

    assert refused.value.stored["protocol"]["keep_at"] == 3


def test_rules_of_the_work_change_only_while_nobody_works_and_never_after(cast: Cast) -> None:
    project = fresh(cast)
    with pytest.raises(Conflict, match="pause the project first"):
        change_protocol(project, by=cast.lead, version=project.version, changes={"max_substitutes": 3})
    paused = change_project_state(project, by=cast.lead, act="pause")
    changed = change_protocol(paused, by=cast.lead, version=paused.version, changes={"max_substitutes": 3})
    assert changed.protocol.max_substitutes == 3
    change_project_state(changed, by=cast.lead, act="open")
    submit(cast, cast.ann, passage="essays-1")
    paused = change_project_state(changed, by=cast.lead, act="pause")

    with pytest.raises(Conflict, match="fixed by the first save"):
        change_protocol(paused, by=cast.lead, version=paused.version, changes={"max_substitutes": 4})


def test_only_a_lead_and_not_in_the_archive(cast: Cast) -> None:
    project = fresh(cast)
    for who in (cast.ann, cast.adjudicator, cast.other_lead):
        with pytest.raises(NotAllowed):
            change_protocol(project, by=who, version=project.version, changes={"keep_at": 3})
    archived = change_project_state(project, by=cast.lead, act="archive")
    with pytest.raises(Conflict, match="archived"):
        change_protocol(archived, by=cast.lead, version=archived.version, changes={"keep_at": 3})


def test_a_draft_that_was_archived_returns_to_draft(cast: Cast) -> None:
    draft = change_project_state(cast.other_project, by=cast.other_lead, act="archive")
    assert draft.state == "archived"
    assert change_project_state(draft, by=cast.other_lead, act="unarchive").state == "draft"
    archived = change_project_state(cast.project, by=cast.lead, act="archive")
    with pytest.raises(Conflict):
        change_project_state(archived, by=cast.lead, act="return to draft")
    assert change_project_state(archived, by=cast.lead, act="unarchive").state == "closed"


def test_the_command_shows_and_changes(cast: Cast, capsys: pytest.CaptureFixture[str]) -> None:
    changes = ["--set", "keep_at=3", "--set", "quota_per_passage=2.5"]
    changes += ["--add-type", "long=Lengthen", "--add-type", "short=Shorten"]
    found = run("protocol", "essays", *changes)

    protocol = found["protocol"]
    assert (protocol["keep_at"], protocol["quota_per_passage"]) == (3, "2.5")
    assert [item["key"] for item in protocol["types"]][2:] == ["long", "short"]
    call_command("protocol", "essays", "--retire", "short", "--relabel", "refine-usage=Better")
    said = capsys.readouterr().out
    assert "Changed." in said
    call_command("protocol", "essays", "--relabel", "refine-usage=Better")
    assert "“Better”" in capsys.readouterr().out
    for words in (["--set", "keep_at"], ["--set", "nothing=1"], ["--retire", "nothing"]):
        with pytest.raises(CommandError):
            call_command("protocol", "essays", *words)
