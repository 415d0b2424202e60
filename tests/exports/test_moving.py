"""A whole project in a file, decisions and all: out, in and out again is the same to the byte."""

import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from adjudication.actions.comments import add_comment, resolve_comment
from adjudication.actions.deciding import decide_passage, decide_span, undo_decisions
from adjudication.actions.doubles import draw_doubles
from adjudication.actions.merging import merge_project
from adjudication.models import Comment, Decision, DecisionStep, Double
from adjudication.queries.gold import looking_again, merge_now
from annotator.actions.people import add_member
from annotator.actions.questions import answer_question, ask_question
from annotator.models import Project, Question
from config.doctor import examine
from exports.actions.releasing import change_card
from exports.models import Card
from tests.adjudication.conftest import assignment_of, three  # noqa: F401 (a fixture)
from tests.adjudication.test_deciding import PARTY, SUMMER, UNCLE, passage_of
from tests.adjudication.test_queue import crowd  # noqa: F401 (a fixture)
from tests.factories import Cast, load_cast, make_user
from tests.kept import once

pytestmark = pytest.mark.slow


@pytest.fixture
def decided(crowd: Cast) -> Cast:  # noqa: F811
    """Edited, undone and settled on one passage; another is settled by two, of whom one is not done."""
    once(_decide, crowd)
    return load_cast()


def _decide(crowd: Cast) -> None:  # noqa: F811
    here = {"by": crowd.adjudicator, "version": 0}
    edited = {"verdict": "keep", "suggestions": [{"text": "relation", "from": ["relative"]}], "removed": ["kinsman"]}
    decide_span(passage_of(crowd), UNCLE, act=uuid4(), content=edited, reason="😀 “so”", cause="taste", **here)
    undone = decide_span(passage_of(crowd), PARTY, act=uuid4(), content={"verdict": "keep"}, **here).act
    assert undone is not None
    undo_decisions(passage_of(crowd), by=crowd.adjudicator, act=uuid4(), undoes=undone)
    decide_span(passage_of(crowd), SUMMER, act=uuid4(), content={"verdict": "moved", "span": list(PARTY)}, **here)
    decide_passage(passage_of(crowd), act=uuid4(), content={"verdict": "settled"}, **here)
    eve = make_user("eve")
    add_member(crowd.project, user=eve, by=crowd.lead, roles={"adjudicator"})
    draw_doubles(crowd.project, by=crowd.lead, wanted=1)
    other = Double.objects.get().passage
    for user in (crowd.adjudicator, eve):
        decide_passage(other, by=user, version=0, act=uuid4(), content={"verdict": "settled"})


def written(slug: str, path: Path) -> bytes:
    call_command("export", slug, format="assay", out=path)
    return path.read_bytes()


def moved(path: Path, slug: str = "copied") -> Project:
    call_command("import_project", slug, str(path), "--lead=new@example.org")
    return Project.objects.get(slug=slug)


def test_decisions_travel_with_their_steps(decided: Cast, tmp_path: Path) -> None:
    before = written("essays", tmp_path / "one.jsonl")
    copy = moved(tmp_path / "one.jsonl")

    assert written("copied", tmp_path / "two.jsonl") == before
    assert [found.problems for found in examine() if found.problems] == []
    merge_project(copy, by=None)
    for project in (decided.project, copy):
        again = Decision.objects.counting().of(project).filter(looking_again(merge_now(project)))
        assert list(again) == []
    for name in ("one", "two"):
        slug = {"one": "essays", "two": "copied"}[name]
        call_command("export", slug, format="sws", out=tmp_path / f"{name}.json")
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


def test_who_decided_can_be_followed_and_decided_on(decided: Cast, tmp_path: Path) -> None:
    written("essays", tmp_path / "one.jsonl")
    copy = moved(tmp_path / "one.jsonl")
    merge_project(copy, by=None)
    lead = copy.memberships.get(is_lead=True).user
    passage = copy.passages.select_related("project").get(external_id="essays-1")

    row = Decision.objects.get(passage=passage, start=UNCLE[0])
    assert lead is not None
    decide_span(passage, UNCLE, by=lead, version=row.version, act=uuid4(), content={"verdict": "drop"})

    assert DecisionStep.objects.filter(decision=row).count() == 2
    assert [found.problems for found in examine() if found.problems] == []


def test_a_file_of_the_first_version_is_still_read(decided: Cast, tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    lines = written("essays", path).decode().splitlines(keepends=True)
    kept = [line for line in lines if "decision" not in json.loads(line) and "adjudicator" not in json.loads(line)]
    path.write_text("".join([kept[0].replace('"assay":2', '"assay":1'), *kept[1:]]))

    assert moved(path).passages.count() == 4


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda line: line["decision"].update(passage="nowhere"), "There is no passage “nowhere”"),
        (lambda line: line["decision"].update(start=0, end=9999), "is not a span of the passage"),
        (lambda line: line["decision"].update(steps=[]), "at least one step"),
        (lambda line: line["decision"]["steps"][0].update(by="Nobody"), "There is no “Nobody”"),
        (lambda line: line["decision"]["steps"][0].update(content={"verdict": "maybe"}), "A verdict is one of"),
        (lambda line: line["decision"]["steps"][0].update(act="x"), "is not the id of an act"),
        (lambda line: line["decision"].update(more=1), "has just the keys"),
    ],
)
def test_a_bad_decision_is_named_and_nothing_comes(
    decided: Cast, tmp_path: Path, capsys: Any, damage: Any, reason: str
) -> None:
    path = tmp_path / "one.jsonl"
    lines = [json.loads(line) for line in written("essays", path).splitlines()]
    damage(next(line for line in lines if "decision" in line and line["decision"]["start"] is not None))
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))

    with pytest.raises(CommandError, match="nothing was imported"):
        call_command("import_project", "copied", str(path), "--lead=new@example.org")

    assert reason in capsys.readouterr().err
    assert not Project.all_rows.filter(slug="copied").exists()


def _talk(cast: Cast) -> None:
    """Asked and answered, asked and open; said of a span by somebody who decided nothing, and resolved; a card."""
    asked = ask_question(assignment_of(cast.ben, "essays-1"), by=cast.ben, text="Is “uncle” 😀 a name?")
    answer_question(asked, by=cast.lead, version=asked.version, text="No.\nA kin term.")
    ask_question(assignment_of(cast.ann, "essays-2"), by=cast.ann, text="And this?")
    said = add_comment(passage_of(cast), by=cast.lead, text="Look here.", span=UNCLE)
    add_comment(passage_of(cast, "essays-3"), by=cast.adjudicator, text="Nothing to do.")
    resolve_comment(said, by=cast.adjudicator, version=said.version)
    change_card(cast.project, by=cast.lead, version=0, values={"licence": "cc-by-4.0", "pay": "by the hour"})


def test_questions_comments_and_the_card_travel_too(decided: Cast, tmp_path: Path) -> None:
    _talk(decided)
    before = written("essays", tmp_path / "one.jsonl")
    copy = moved(tmp_path / "one.jsonl")

    assert written("copied", tmp_path / "two.jsonl") == before
    assert b"@example.org" not in before
    asked = Question.objects.filter(assignment__passage__project=copy).order_by("text")
    assert [(row.text, row.answer, row.answered_at is None) for row in asked] == [
        ("And this?", "", True),
        ("Is “uncle” 😀 a name?", "No.\nA kin term.", False),
    ]
    said = Comment.objects.filter(passage__project=copy).order_by("pk")
    assert [(row.text, row.start, row.resolved_at is None) for row in said] == [
        ("Look here.", UNCLE[0], False),
        ("Nothing to do.", None, True),
    ]
    first = said[0].resolved_by
    assert first is not None
    assert first.pseudonym == decided.project.memberships.get(user=decided.adjudicator).pseudonym
    assert Card.objects.get(project=copy).values == {"licence": "cc-by-4.0", "pay": "by the hour"}
    assert [found.problems for found in examine() if found.problems] == []


def test_what_was_asked_and_said_goes_on_where_it_has_come_to(decided: Cast, tmp_path: Path) -> None:
    _talk(decided)
    written("essays", tmp_path / "one.jsonl")
    copy = moved(tmp_path / "one.jsonl")
    lead = copy.memberships.get(is_lead=True).user
    assert lead is not None

    asked = Question.objects.get(assignment__passage__project=copy, answered_at=None)
    answer_question(asked, by=lead, version=asked.version, text="Yes.")
    said = Comment.objects.get(passage__project=copy, resolved_at=None)
    resolve_comment(said, by=lead, version=said.version)
    change_card(copy, by=lead, version=Card.objects.get(project=copy).version, values={"pay": "none"})

    assert [found.problems for found in examine() if found.problems] == []


@pytest.mark.parametrize(
    ("kind", "damage", "reason"),
    [
        ("question", {"annotator": "Nobody"}, "There is no assignment"),
        ("question", {"text": " "}, "A question has a text"),
        ("question", {"text": "x" * 2001}, "2000 are the most"),
        ("question", {"asked_at": "soon"}, "is no instant"),
        ("question", {"answered_at": None, "answer": "x"}, "is answered at an instant"),
        ("question", {"more": 1}, "has just the keys"),
        ("comment", {"passage": "nowhere"}, "There is no passage “nowhere”"),
        ("comment", {"by": "Nobody"}, "There is no “Nobody”"),
        ("comment", {"start": 0, "end": 9999}, "is not a span of the passage"),
        ("comment", {"text": ""}, "A comment has a text"),
        ("comment", {"resolved_at": "2026-01-01T00:00:00+00:00", "resolved_by": None}, "resolved by somebody"),
        ("card", {"colour": "red"}, "no field “colour”"),
        ("card", {"pay": 1}, "is not a text"),
    ],
)
def test_a_bad_question_comment_or_card_is_named(
    decided: Cast, tmp_path: Path, capsys: Any, kind: str, damage: dict[str, Any], reason: str
) -> None:
    _talk(decided)
    path = tmp_path / "one.jsonl"
    lines = [json.loads(line) for line in written("essays", path).splitlines()]
    next(line for line in lines if kind in line)[kind].update(damage)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))

    with pytest.raises(CommandError, match="nothing was imported"):
        call_command("import_project", "copied", str(path), "--lead=new@example.org")

    assert reason in capsys.readouterr().err
    assert not Project.all_rows.filter(slug="copied").exists()


def test_a_second_card_is_named(decided: Cast, tmp_path: Path, capsys: Any) -> None:
    _talk(decided)
    path = tmp_path / "one.jsonl"
    lines = written("essays", path).decode().splitlines(keepends=True)
    path.write_text("".join([*lines, *(line for line in lines if line.startswith('{"card"'))]))

    with pytest.raises(CommandError, match="nothing was imported"):
        call_command("import_project", "copied", str(path), "--lead=new@example.org")

    assert "There is one card in a file." in capsys.readouterr().err
