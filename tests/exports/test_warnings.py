"""What is to be ticked before a release is frozen: each warning, made to appear and mended again."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from adjudication.actions.deciding import decide_passage, decide_span
from adjudication.actions.doubles import draw_doubles
from adjudication.actions.measuring import agreement_settings, measure_agreement
from adjudication.actions.merging import merge_project
from adjudication.models import Double
from annotator.actions.passages import archive_passage
from annotator.actions.people import add_member
from annotator.actions.protocols import change_protocol
from annotator.actions.questions import answer_question, ask_question
from annotator.domain.errors import Conflict
from annotator.models import Passage, Project, Question
from exports.actions.releasing import build_release, freeze_release
from exports.models import Release
from exports.views.releases import LEADS_TO
from tests.adjudication.conftest import assignment_of
from tests.adjudication.test_deciding import UNCLE, passage_of
from tests.exports.systems import client_of
from tests.exports.test_releasing import draft, submit_again
from tests.factories import TEXT, Cast, make_user

pytestmark = pytest.mark.slow
ALWAYS = {"unsettled", "agreement"}  # of the project that is decided about


def _question(cast: Cast) -> None:
    ask_question(assignment_of(cast.ann, "essays-2"), by=cast.ann, text="Why?")


def _again(cast: Cast) -> None:
    """More people say something about what was decided."""
    submit_again(cast, "folks")
    merge_project(cast.project, by=cast.lead)


def _stale(cast: Cast) -> None:
    submit_again(cast)


def _gone(cast: Cast) -> None:
    archive_passage(passage_of(cast, "essays-2"), by=cast.lead)


def _rules(cast: Cast) -> None:
    project = Project.objects.get(pk=cast.project.pk)
    change_protocol(project, by=cast.lead, version=project.version, changes={"keep_at": 3})


def _twice(cast: Cast) -> None:
    eve = make_user("eve")
    add_member(cast.project, user=eve, by=cast.lead, roles={"adjudicator"})
    draw_doubles(cast.project, by=cast.lead, wanted=1)
    given = {"by": eve, "version": 0, "act": uuid4()}
    decide_passage(Double.objects.get().passage, content={"verdict": "settled"}, **given)


def _proposal(cast: Cast) -> None:
    project = Project.objects.get(pk=cast.project.pk)
    change_protocol(project, by=cast.lead, version=project.version, changes={"needs_consensus": True})
    given = {"by": cast.adjudicator, "version": 0, "act": uuid4()}
    decide_span(passage_of(cast), UNCLE, content={"verdict": "drop"}, **given)


def _tokens(cast: Cast) -> None:
    """“uncle” is a part of one."""
    start = TEXT.index("uncle")
    tokens = [[0, 1], [2, start + 5], [start + 6, len(TEXT)]]
    Passage.objects.filter(project=cast.project, external_id="essays-1").update(tokens=tokens)
    merge_project(cast.project, by=cast.lead)


@pytest.mark.parametrize(
    ("code", "happens", "says"),
    [
        ("questions", _question, "1 question is open"),
        ("again", _again, "1 passage is to be looked at again"),
        ("stale", _stale, "1 answer has changed since the merge"),
        ("stale", _gone, "answers have changed since the merge"),
        ("rules", _rules, "the rules have changed since the merge"),
        ("twice", _twice, "1 passage is being settled by two"),
        ("proposals", _proposal, "1 proposal is not agreed to"),
        ("tokens", _tokens, "2 targets are no span of tokens: not in SWS JSON"),
    ],
)
def test_each_warning_appears_leads_somewhere_and_has_to_be_ticked(
    decided: Cast, code: str, happens: Callable[[Cast], None], says: str
) -> None:
    assert {row["code"] for row in draft(decided).warnings} == ALWAYS
    happens(decided)

    made = draft(decided)

    told = {row["code"]: row for row in made.warnings}
    assert code in told
    assert says in told[code]["text"]
    others = [name for name in told if name != code]
    with pytest.raises(Conflict, match="Not ticked yet"):
        freeze_release(made, by=decided.lead, version=made.version, ticked=others)
    page = client_of(decided.lead).get(f"/p/essays/releases/{made.number}").content.decode()
    assert told[code]["text"][1:] in page
    if code in LEADS_TO:
        address = page.split(f'id="warning-{code}"')[1].split('href="')[1].split('"')[0]
        assert client_of(decided.lead).get(address).status_code == 200
    made.refresh_from_db()
    ticked = freeze_release(made, by=decided.lead, version=made.version, ticked=list(told)).ticked
    assert ticked == sorted(told)


def test_what_is_mended_is_no_warning_any_more(decided: Cast) -> None:
    _question(decided)
    assert "questions" in {row["code"] for row in draft(decided).warnings}

    question = Question.objects.get()
    answer_question(question, by=decided.lead, version=question.version, text="So.")
    measure_agreement(decided.project, by=decided.lead, settings=agreement_settings(decided.project, resamples=0))
    given = {"by": decided.adjudicator, "version": 0, "act": uuid4()}
    decide_passage(passage_of(decided, "essays-3"), content={"verdict": "settled"}, **given)

    assert draft(decided).warnings == []


def test_a_report_that_comes_during_a_build_is_neither_in_the_card_nor_taken_for_measured(decided: Cast) -> None:
    """What the card tells and what the warning says are one look."""
    made, seen = draft(decided), []

    def watch(done: int, total: int) -> None:
        if total and not seen:
            settings = agreement_settings(decided.project, resamples=0)
            seen.append(measure_agreement(decided.project, by=decided.lead, settings=settings))

    made = build_release(made, by=decided.lead, watch=watch)

    assert seen
    assert made.listed["agreement"] is None
    assert "agreement" in {row["code"] for row in made.warnings}


def test_the_command_lists_what_the_doctor_found(decided: Cast, tmp_path: Path, capsys: Any) -> None:
    Passage.objects.filter(project=decided.project, external_id="essays-1").update(tokens=[[0, 9999]])

    with pytest.raises(CommandError, match="The doctor has found something: nothing was frozen"):
        call_command("release", "essays", out=tmp_path, date="2026-11-18", sizes="test=1", despite="all")

    told = capsys.readouterr().out
    assert "Found: passages: passage essays-1: a token lies outside the text" in told
    assert Release.objects.get().is_draft
