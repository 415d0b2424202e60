"""A release is of one moment, though people go on working while it is built."""

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from adjudication.actions.deciding import decide_passage, decide_span
from adjudication.actions.merging import merge_project
from adjudication.models import Decision, Double
from annotator.actions.assignments import discard_assignment, undo_discard
from annotator.actions.people import add_member
from annotator.actions.screening import screen_many
from annotator.models import Event, Passage, Project, User
from exports.actions.releasing import build_release, change_card
from exports.models import Card, Release
from exports.queries.examining.projects import OF_PROJECTS
from exports.queries.listing import moment_now, seals_of
from exports.queries.releases import decided_since
from tests.adjudication.conftest import assignment_of, submit
from tests.adjudication.test_deciding import UNCLE, passage_of
from tests.exports.test_releasing import draft, files_of
from tests.factories import TEXTS, Cast, make_user, mark

pytestmark = pytest.mark.slow


def discard(user: User, passage: str, reason: str) -> None:
    row = assignment_of(user, passage)
    discard_assignment(row, by=user, version=row.version, save_id=uuid4(), reason=reason)


def take_back(user: User, passage: str) -> None:
    row = assignment_of(user, passage)
    undo_discard(row, by=user, version=row.version, save_id=uuid4())


def settle(cast: Cast, passage: str) -> None:
    given = {"by": cast.adjudicator, "version": 0, "act": uuid4()}
    decide_passage(passage_of(cast, passage), content={"verdict": "settled"}, **given)


def discarded_in(release: Release) -> list[tuple[str, str]]:
    lines = [json.loads(line) for line in files_of(release)["answers.jsonl"].splitlines()]
    rows = [line["assignment"] for line in lines if "assignment" in line]
    return [(row["passage"], row["discard_reason"]) for row in rows if row["state"] == "discarded"]


@pytest.fixture
def discarding(decided: Cast) -> User:
    """Has set a passage aside, which the merge knows."""
    cleo = User.objects.get(email="cleo@example.org")
    discard(cleo, "essays-3", "duplicate")
    merge_project(decided.project, by=decided.lead)
    return cleo


def test_what_is_decided_submitted_and_taken_back_during_a_build_is_not_in_it(decided: Cast, discarding: User) -> None:
    made = draft(decided)
    before = made.path.read_bytes()
    seen = []

    def watch(done: int, total: int) -> None:
        if total and not seen:  # everything is listed, nothing is written yet
            seen.append(done)
            settle(decided, "essays-4")
            submit(decided, discarding, mark(TEXTS[3], "tired", "weary"), passage="essays-4")
            take_back(discarding, "essays-3")

    build_release(made, by=decided.lead, watch=watch)

    assert seen
    assert made.path.read_bytes() == before
    assert decided_since(made) == 1


def test_what_two_decide_blind_to_each_other_is_in_it_once_both_have_settled_it(decided: Cast) -> None:
    eve = make_user("eve")
    add_member(decided.project, user=eve, by=decided.lead, roles={"adjudicator"})
    double = Double.objects.create(passage=passage_of(decided, "essays-4"))

    def seats() -> list[int]:
        lines = [json.loads(line) for line in files_of(draft(decided))["answers.jsonl"].splitlines()]
        return [line["decision"]["seat"] for line in lines if line.get("decision", {}).get("passage") == "essays-4"]

    settle(decided, "essays-4")
    assert seats() == []
    assert decided_since(Release.objects.get()) == 0

    made, settled = draft(decided), []

    def watch(done: int, total: int) -> None:
        if total and not settled:
            settled.append(done)
            decide_passage(double.passage, by=eve, version=0, act=uuid4(), content={"verdict": "settled"})

    before = made.path.read_bytes()
    build_release(made, by=decided.lead, watch=watch)
    assert made.path.read_bytes() == before
    assert seats() == [1, 2]


def test_a_discard_is_told_with_the_reason_that_the_merge_knew(decided: Cast, discarding: User) -> None:
    take_back(discarding, "essays-3")
    assert discarded_in(draft(decided)) == [("essays-3", "duplicate")]

    discard(discarding, "essays-3", "grammar")
    assert discarded_in(draft(decided)) == [("essays-3", "duplicate")]

    take_back(discarding, "essays-3")
    discard(discarding, "essays-3", "context")
    submit(decided, discarding, passage="essays-4")  # else the input would be the one that was merged before
    merge_project(decided.project, by=decided.lead)
    assert discarded_in(draft(decided)) == [("essays-3", "context")]


@contextlib.contextmanager
def before_read(number: int, act: Callable[[], None], is_on: Callable[[], bool]) -> Iterator[list[str]]:
    """`act` just before the statement with that number, of those that look at what may change; which it was."""
    seen: list[str] = []
    met: list[str] = []

    def wrapper(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        tables = ("annotator_event", "adjudication_decisionstep", "exports_card", "annotator_project")
        if is_on() and sql.startswith("SELECT") and any(f'FROM "{table}"' in sql for table in tables):
            met.append(sql)
            if len(met) == number:
                seen.append(sql)
                act()
        return execute(sql, params, many, context)

    with connection.execute_wrapper(wrapper):
        yield seen


def test_a_decision_between_any_two_looks_is_in_gold_and_seal_or_in_neither(decided: Cast) -> None:
    """Also the card: what it says is what the log says at that moment."""
    made, number, states = draft(decided), 0, []
    while True:
        number += 1
        before = made.path.read_bytes()
        calls: list[int] = []

        def act(number: int = number) -> None:
            card = Card.objects.filter(project=decided.project).first()
            pay = {"pay": f"{number} an hour"}
            change_card(decided.project, by=decided.lead, version=card.version if card else 0, values=pay)
            there = Decision.objects.filter(passage=passage_of(decided), start=UNCLE[0]).first()
            said = {"verdict": "drop" if number % 2 else "keep"}
            given = {"by": decided.adjudicator, "version": there.version if there else 0, "act": uuid4()}
            decide_span(passage_of(decided), UNCLE, content=said, **given)

        with before_read(number, act, lambda calls=calls: len(calls) > len(OF_PROJECTS)) as acted:
            build_release(made, by=decided.lead, watch=lambda done, total, calls=calls: calls.append(total))
        if not acted:
            break
        during = made.path.read_bytes()
        build_release(made, by=decided.lead)
        after = made.path.read_bytes()
        assert before != after
        assert during in (before, after), acted
        states.append(during == after)
    assert set(states) == {True, False}


def test_an_event_that_is_committed_late_is_not_of_the_moment(decided: Cast) -> None:
    """Two write at once: the smaller id may come later."""
    moment = moment_now(decided.project)
    settle(decided, "essays-4")
    late = Event.objects.order_by("-pk")[0]
    settle(decided, "essays-3")
    after = Event.objects.order_by("-pk")[0]

    gaps = [[], [[late.pk, late.pk]], [[moment.event + 1, after.pk]]]
    everything, without_it, before = seals_of(decided.project, [(after.pk, gap) for gap in gaps])
    assert before == moment.seal
    assert everything == moment_now(decided.project).seal
    assert without_it not in (before, everything)
    assert moment_now(decided.project).has("decision", late.subject_id, late.seq)
    assert not moment.has("decision", late.subject_id, late.seq)


def test_the_seal_is_over_the_data_and_not_over_jobs(decided: Cast) -> None:
    """An event more of a job or a release leaves it as it is; any other makes it another."""
    first = moment_now(decided.project)
    made = draft(decided)
    assert moment_now(decided.project).seal == first.seal == made.listed["seal"]
    assert moment_now(decided.project).event > first.event
    assert Event.objects.filter(subject__in=("job", "release"), pk__gt=first.event).exists()

    change_card(decided.project, by=decided.lead, version=0, values={"pay": "none"})

    assert moment_now(decided.project).seal != first.seal
    assert files_of(made)["manifest.json"].decode().count(first.seal) == 1


def test_decisions_on_passages_that_have_left_do_not_leave_with_the_rest(decided: Cast, tmp_path: Path) -> None:
    settle(decided, "essays-3")
    passage = passage_of(decided, "essays-3")
    type(passage).objects.filter(pk=passage.pk).update(archived_at=timezone.now())
    merge_project(decided.project, by=decided.lead)

    made = draft(decided)

    found = files_of(made)
    assert b"essays-3" not in found["answers.jsonl"]
    assert json.loads(found["manifest.json"])["decisions"] == 3
    assert decided_since(made) == 0
    (tmp_path / "answers.jsonl").write_bytes(found["answers.jsonl"])
    call_command("import_project", "copied", str(tmp_path / "answers.jsonl"), "--lead=new@example.org")
    assert Project.objects.get(slug="copied").passages.count() == 3


def test_what_was_accepted_with_the_rest_is_told_apart(decided: Cast) -> None:
    screen_many(decided.project, by=decided.lead, act="accept_rest")

    found = files_of(draft(decided))

    told = json.loads(found["manifest.json"])["screening"]
    assert told == {"unseen": 4, "accepted": 4, "unscreened": 0, "refused": {}}
    assert "4 were accepted (4 of them all at once, without being looked at)." in found["README.md"].decode()


def test_a_passage_that_is_refused_after_the_merge_is_still_told_as_the_merge_had_it(
    decided: Cast, tmp_path: Path
) -> None:
    """The release is made again from its answers, elsewhere."""
    Passage.objects.filter(external_id="essays-4").update(screening="refused", screening_reason="short")

    found = files_of(draft(decided))

    told = json.loads(found["manifest.json"])["screening"]
    assert told == {"accepted": 0, "unscreened": 3, "refused": {"short": 1}}
    assert "of 4 passages that came in 0 were accepted, 1 refused (1 too short), 3 not screened." in (
        found["README.md"].decode()
    )
    (tmp_path / "answers.jsonl").write_bytes(found["answers.jsonl"])
    call_command("import_project", "copied", str(tmp_path / "answers.jsonl"), "--lead=new@example.org")
    assert Project.objects.get(slug="copied").passages.work().count() == 4
