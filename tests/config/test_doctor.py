"""Doctor: a sound house is sound, and each kind of damage is found; nothing is written."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from adjudication.actions.deciding import decide_passage
from adjudication.actions.merging import merge_project
from adjudication.models import Decision, DecisionStep, Merge, PassageResult, Target
from annotator.domain.canonical import sha256_of
from annotator.guards import install_guards, remove_guards
from annotator.models import Assignment, Event, Passage, PassageTokens, Submission
from config.doctor import examine
from tests.annotator.test_commands import run
from tests.conftest import Api, nothing_written
from tests.factories import Cast, answer_for, load_cast, mark, save_body
from tests.kept import once
from tests.seeds import do_waiting_jobs

BEYOND = {"start": 0, "end": 9999, "quote": "x", "substitutes": []}


@pytest.fixture
def house(cast: Cast) -> Cast:
    """Two have submitted the same passage; merged, and every passage has its tokens."""
    once(_fill, cast)
    return load_cast()


def _fill(cast: Cast) -> None:
    for name in ("ann", "ben"):
        row = Assignment.objects.get(membership__user=cast.person(name), passage__external_id="essays-1")
        response = Api(cast.person(name)).act(row, "submit", save_body(answer_for(row, "large", "huge")), 0)
        assert response.status_code == 200
    merge_project(cast.project, by=cast.lead)
    passage = Passage.objects.select_related("project").get(external_id="essays-1")
    decide_passage(passage, by=cast.lead, version=0, act=uuid4(), content={"verdict": "settled"})
    do_waiting_jobs()


def test_a_sound_house_is_sound_and_nothing_is_written(house: Cast) -> None:
    with nothing_written():
        result = run("doctor")

    assert result["ok"] is True
    looked_at = {item["check"]: item["looked_at"] > 0 for item in result["checks"]}
    assert looked_at.pop("arrivals") is False  # nothing was imported
    assert looked_at.pop("releases") is False  # nor released
    assert looked_at.pop("tallies") is False  # nobody has counted the days of before yet
    assert looked_at == dict.fromkeys(
        [
            *("guards", "event chains", "answers", "submissions", "lost work", "passages", "merges", "decisions"),
            "proxies",
        ],
        True,
    )


@pytest.mark.parametrize(("left", "is_alarm"), [(4, False), (3, False), (2, True), (0, True)])
def test_work_that_vanishes_without_an_event_is_an_alarm(cast: Cast, left: int, is_alarm: bool) -> None:
    """T4: half of somebody's marks gone, and nobody has saved; taking marks away oneself is none."""
    row = cast.assignment("ann")
    words = [word for word in row.passage.text.split() if len(word) > 3][:6]
    answer = {"marks": [mark(row.passage.text, word, "other") for word in dict.fromkeys(words)]}
    assert len(answer["marks"]) >= 5
    api = Api(cast.ann)
    api.save(row, save_body(answer), 0)
    api.save(row, save_body({"marks": answer["marks"][:4]}), 1)
    assert "lost work" not in {finding.check for finding in examine() if finding.problems}
    Assignment.objects.filter(pk=row.pk).update(draft={"marks": answer["marks"][:left]}, marks=left)

    found = {finding.check: finding.problems for finding in examine()}["lost work"]

    said = f"{cast.membership('ann').pseudonym} of “essays” has {left} marks, and their saves left 4"
    assert [said in problem for problem in found] == [True] * is_alarm


def _event() -> None:
    event = Event.objects.filter(kind="assignment.submitted").order_by("pk").first()
    assert event is not None
    Event.objects.filter(pk=event.pk).update(payload={"marks": 7})


def _last_event() -> None:
    event = Event.objects.filter(kind="assignment.submitted").order_by("pk").last()
    assert event is not None
    event.delete()


def _quote() -> None:
    row = Submission.objects.order_by("pk").first()
    assert row is not None
    row.answer["marks"][0]["quote"] = "other"
    Submission.objects.filter(pk=row.pk).update(answer=row.answer)


def _not_an_answer() -> None:
    """Sealed as if it had been submitted so."""
    Submission.objects.update(answer={}, sha256=sha256_of({}))
    Assignment.objects.filter(submissions_made=1).update(draft={})


def _submission() -> None:
    Submission.objects.order_by("pk")[0].delete()


@pytest.mark.parametrize(
    ("damage", "check", "words"),
    [
        (_event, "event chains", "is broken at event"),
        (_last_event, "event chains", "not what its last event says"),
        (_quote, "answers", "is not what its hash says"),
        (_quote, "answers", "The passage has"),
        (_not_an_answer, "answers", "either marks or none"),
        (lambda: Assignment.objects.update(draft={"marks": [BEYOND]}), "answers", "is not a span of the passage"),
        (lambda: Assignment.objects.filter(marks=1).update(marks=9), "answers", "counts its draft wrong"),
        (lambda: Assignment.objects.filter(marks=1).update(substitutes=9), "answers", "counts its draft wrong"),
        (lambda: Assignment.objects.update(substitutes_by_type={"x": 1}), "answers", "counts its draft wrong"),
        (_submission, "submissions", "says 1 submissions, and there are 0"),
        (lambda: Passage.objects.update(tokens=[[0, 9999]]), "passages", "outside the text"),
        (lambda: PassageTokens.objects.update(spans=b"short"), "passages", "kept tokens are not those of its text"),
        (lambda: PassageTokens.objects.update(spans=b"\0" * 12), "passages", "kept tokens are not those of its text"),
        (lambda: PassageTokens.objects.update(rewritten={"99": "``"}), "passages", "kept tokens are not those"),
        (lambda: Target.objects.update(quote="x"), "merges", "is not what the text says"),
        (lambda: Target.objects.update(votes=99), "merges", "counts its votes wrong"),
        (lambda: Target.objects.update(is_kept=False), "merges", "against the setting"),
        (lambda: Decision.objects.update(content={"verdict": None}), "decisions", "not what its last step says"),
        (lambda: Decision.objects.update(proposed=1), "decisions", "not what its last step says"),
        (lambda: Decision.objects.about_passages().update(seat=2), "decisions", "by seat 2 of two"),
        (lambda: DecisionStep.objects.all().delete(), "decisions", "not what its last step says"),
        (lambda: Decision.objects.update(start=0, end=9999), "decisions", "outside the text"),
        (lambda: Merge.objects.update(targets=99), "merges", "the merge says 99 targets"),
    ],
)
def test_each_damage_is_found(house: Cast, damage: Callable[[], Any], check: str, words: str) -> None:
    remove_guards(connection)
    damage()
    install_guards(connection)

    found = {finding.check: finding.problems for finding in examine()}

    assert any(words in problem for problem in found[check]), found


def test_targets_of_a_passage_that_discards_outnumber_are_no_damage(house: Cast) -> None:
    merge = Merge.objects.current().get()
    PassageResult.objects.filter(merge=merge, passage__external_id="essays-1").update(verdict="discarded")
    Target.objects.update(is_kept=False)
    Merge.objects.update(kept=0)

    assert {finding.check: finding.problems for finding in examine()}["merges"] == []


def test_a_group_in_two_splits_is_found(house: Cast) -> None:
    for number, split in ((1, "validation"), (2, "test")):
        Passage.objects.filter(external_id=f"essays-{number}").update(group="g", split=split)

    assert "the group “g” is in the splits validation and test" in str(examine())


def test_missing_guards_are_a_problem_and_the_command_fails(house: Cast, capsys: Any) -> None:
    remove_guards(connection)

    with pytest.raises(CommandError, match="problems"):
        call_command("doctor", json=True)

    assert '"ok": false' in capsys.readouterr().out
    install_guards(connection)
