"""The list of who did what: every kind of event has its words, filters leave what they say, nothing hidden is told."""

import ast
import re
from datetime import date
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from adjudication.actions.merging import merge_project
from annotator.actions.people import change_roles, pause_member, resume_member
from annotator.actions.questions import ask_question
from annotator.domain.activity import GROUPS, NOT_TOLD, kinds_told, place_of, places, said_of
from annotator.domain.jobs import JOB_MOVES
from annotator.domain.states import PROJECT_MOVES
from annotator.models import Event, Project, Subject
from annotator.queries import activity
from annotator.queries.activity import Activity, Wanted
from tests.conftest import Api
from tests.factories import Cast, answer_for, save_body

ROOT = Path(__file__).resolve().parent.parent.parent
KIND = re.compile(r"[a-z]+\.[a-z_]+")


def kinds_written() -> set[str]:
    """Every kind of event that actions name, and those made of states and acts."""
    found = {f"project.{act.replace(' ', '_')}" for _, act in PROJECT_MOVES}
    found |= {f"job.{state}" for state in JOB_MOVES.values()}
    subjects = {name for name, _ in places()} | {"run", "invitation", "work", "merge", "agreement", "qualification"}
    folders = [ROOT / app / "actions" for app in ("annotator", "adjudication", "exports")]
    for path in (path for folder in folders for path in folder.rglob("*.py")):
        texts = [node.value for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant)]
        kinds = [text for text in texts if isinstance(text, str) and KIND.fullmatch(text)]
        found |= {kind for kind in kinds if kind.partition(".")[0] in subjects}
    return found


def test_every_kind_of_event_has_its_words_and_every_subject_its_place() -> None:
    """A new kind without words fails."""
    lacking = {kind for kind in kinds_written() - set(kinds_told()) - set(NOT_TOLD) if kind not in FILES}
    assert lacking == set()
    subjects = {row.subject_name() for row in Subject.__subclasses__()} - {"user"}
    assert {name for name, _ in places()} == subjects
    assert {place.group for _, place in places()} <= set(GROUPS)


# Names of Celery's or of files that look like kinds.
FILES = {"answers.jsonl", "croissant.json", "manifest.json"}


def read(cast: Cast, *, user: Any = None, **wanted: Any) -> list[str]:
    lines, _ = Activity(cast.project, user=user or cast.lead, wanted=Wanted(**wanted)).page()
    return [f"{line.who} {line.did}" for line in lines]


def submitted(cast: Cast, name: str = "ann") -> None:
    row = cast.assignment(name)
    Api(cast.person(name)).act(row, "submit", save_body(answer_for(row)), 0)


def test_lines_say_who_did_what_newest_first_without_saves(cast: Cast) -> None:
    row = cast.assignment("ben")
    Api(cast.ben).save(row, save_body(answer_for(row)), 0)
    submitted(cast)
    pause_member(cast.membership("ben"), by=cast.lead)

    found = read(cast)

    name = cast.assignment("ann").passage.external_id
    assert found[:2] == [f"Lead paused {cast.membership('ben').pseudonym} (Ben)", f"Ann submitted “{name}”"]
    assert "Lead opened the project" in found
    assert not [line for line in found if "saved" in line or "?" in line]


def test_filters_leave_what_they_say(cast: Cast) -> None:
    submitted(cast)
    ask_question(cast.assignment("ann"), by=cast.ann, text="Is this a name?")
    merge_project(cast.project, by=cast.lead)
    everything = read(cast)

    assert all(line.startswith("Ann ") for line in read(cast, person=cast.ann))
    by_group = {group: read(cast, group=group) for group in GROUPS}
    routine = [line for line in by_group["jobs"] if "a job: " in line]
    assert sorted(line for lines in by_group.values() for line in lines) == sorted(everything + routine)
    assert "Lead asked for a job: Merge" in routine
    assert by_group["questions"] == [f"Ann asked about “{cast.assignment('ann').passage.external_id}”"]
    assert by_group["results"] == ["Lead merged: 0 targets, 0 kept"]
    assert all("in as" in line or "removed" in line for line in by_group["people"])
    assert {line.split()[1] for line in by_group["work"]} == {"handed", "submitted"}


def test_a_day_is_one_of_the_projects_zone(cast: Cast) -> None:
    Project.objects.filter(pk=cast.project.pk).update(time_zone="Pacific/Kiritimati")  # fourteen hours ahead
    cast.project.refresh_from_db()
    for hour, name in ((9, "ann"), (11, "ben")):
        with time_machine.travel(timezone.datetime(2031, 5, 1, hour, tzinfo=timezone.timezone.utc), tick=False):
            submitted(cast, name)

    first, second = read(cast, day=date(2031, 5, 1)), read(cast, day=date(2031, 5, 2))

    assert [line.split()[0] for line in first] == ["Ann"]
    assert [line.split()[0] for line in second] == ["Ben"]
    assert read(cast, day=date(2031, 5, 3)) == []
    assert read(cast, day=date(1999, 1, 1)) == []


def test_pages_go_by_key_and_miss_nothing(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = read(cast)
    monkeypatch.setattr(activity, "PAGE", 3)
    found, before = [], None
    while True:
        lines, before = Activity(cast.project, user=cast.lead, wanted=Wanted()).page(before)
        assert sum(line.times for line in lines) <= 3
        found += [f"{line.who} {line.did}" for line in lines]
        if before is None:
            break

    assert [line for line, _ in groupby(found)] == whole


def test_the_same_act_again_and_again_is_one_line(cast: Cast) -> None:
    for act in (pause_member, resume_member) * 2:
        act(cast.membership("ben"), by=cast.lead)
    for _ in range(3):
        ask_question(cast.assignment("ann"), by=cast.ann, text="Is this a name?")

    lines, _ = Activity(cast.project, user=cast.lead, wanted=Wanted()).page()

    assert [line.times for line in lines[:3]] == [3, 1, 1]


def test_a_lead_who_annotates_reads_nothing_of_what_they_have_still_to_submit(cast: Cast) -> None:
    change_roles(cast.membership("lead"), by=cast.lead, roles={"lead", "annotator"})
    before = read(cast)

    submitted(cast)
    ask_question(cast.assignment("ben"), by=cast.ben, text="Is this a name?")

    assert read(cast) == before
    assert len(read(cast, user=cast.other_lead)) == len(before) + 2  # who has nothing to annotate here would read both


def test_what_a_later_version_wrote_is_told_all_the_same() -> None:
    assert said_of("passage.turned_round", "", "", {}) == "passage turned round"
    assert place_of("moon") is None


def test_the_page_names_days_and_takes_nonsense_for_nothing(cast: Cast, client_of: Any) -> None:
    client = client_of("lead")

    body = client.get("/p/essays/activity").content.decode()
    odd = client.get("/p/essays/activity?day=yesterday&person=x&kind=moon&before=first")

    assert "opened the project" in body
    assert Event.objects.latest("pk").at.strftime("%A") in body
    assert odd.status_code == 200
    assert "Enter a valid date" in odd.content.decode()


@pytest.mark.parametrize("group", ["project", "people", "passages", "questions", "jobs", "decisions"])
def test_few_events_are_found_by_what_they_are_about(cast: Cast, group: str) -> None:
    """And not by walking through all that ever happened in the project, every save among it."""
    with CaptureQueriesContext(connection) as asked:
        Activity(cast.project, user=cast.lead, wanted=Wanted(group=group)).page()

    [listed] = [query["sql"] for query in asked if '"annotator_event"."id" + 0' in query["sql"]]
    assert '"annotator_event"."project_id" =' not in listed
