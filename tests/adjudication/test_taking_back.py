"""Taking a file back; and that nobody sees anything of one that is on its way."""

import io
import re
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.core.management import call_command
from django.test import Client

from adjudication.actions.comments import add_comment
from adjudication.actions.deciding import decide_passage
from adjudication.actions.taking_back import take_back
from adjudication.models import AgreementReport, Merge
from annotator.actions.importing.answers import import_annotations
from annotator.actions.importing.arrivals import CLEAR
from annotator.actions.importing.passages import import_passages
from annotator.actions.passages import replace_passage
from annotator.actions.people import add_member
from annotator.actions.qualifying import set_key
from annotator.actions.running import claim, work_here
from annotator.actions.tokens import MAKE_TOKENS, _keep, _made
from annotator.domain.errors import Conflict, NotAllowed
from annotator.models import Assignment, Event, Job, PassageTokens
from config.doctor import examine
from tests.adjudication.conftest import submit
from tests.annotator.arrivals import HEAD, MORE, TABLE, begun_answers, begun_passages, file_of, kill_half_way, rows
from tests.annotator.test_commands import run
from tests.factories import Cast, make_user, mark
from tests.test_blindness import NOON, crawl

JOBS = "/p/essays/jobs"  # every job's, the import's too
# What tells of the import itself, cut out of its page: its job, its event, its file. The rest is compared.
OF_THE_IMPORT = {
    "/p/essays/board": rb'<section id="board-jobs".*?</section>',
    "/p/essays/activity": rb"<tr>(?:(?!</tr>).)*?<td>began to import [^<]*</td></tr>\s*|\d+ lines?, from",
    "/p/essays/passages/add": rb'<section class="panel">\s*<header><h2>Files</h2></header>.*?</section>\s*',
    "/p/essays/setup/passages": rb'<section class="panel">\s*<header><h2>Files</h2></header>.*?</section>\s*',
}
HERE = "/api/v1/projects/essays"
STARTS = ["/", "/p/essays/", "/p/essays/people", "/p/essays/questions", "/p/essays/activity?group=passages"]
STARTS += ["/api/v1/assignments", f"{HERE}/progress", f"{HERE}/merges", f"{HERE}/agreement", f"{HERE}/gold"]
# Where people meet in a passage: of these some must have been looked at.
LOOKED_AT = ("/merge/passages/", "/passages.csv", "/api/v1/projects/essays/passages/", "/p/essays/passages/")


def everything_seen(cast: Cast, tmp_path: Any) -> dict[str, Any]:
    """Every page of a lead and of an annotator, every command's output, every export."""
    seen: dict[str, Any] = {}
    for command in ("merge", "agreement"):
        run(command, "essays")  # so that the next ones find nothing new
    merged = run("merge", "essays")
    seen["merge"] = {key: merged[key] for key in ("input", "passages", "answers", "targets", "too_few")}
    seen["agreement"] = run("agreement", "essays")
    doors = [f"{HERE}/passages/{uuid}" for uuid in cast.project.passages.values_list("uuid", flat=True)]
    doors += [f"{door}/{tail}" for door in doors for tail in ("comments", "same?start=5&end=10")]
    for name in ("lead", "ann", "adjudicator"):
        client = Client()
        client.force_login(cast.person(name))
        for address, answer in crawl(client, [*STARTS, *doors]).items():
            path = address.partition("?")[0]
            if path != JOBS and not path.startswith(f"{JOBS}/"):
                status, headers, body = answer
                headers.pop("Content-Length")
                own = OF_THE_IMPORT.get(path, rb"(?!)")
                seen[f"{name} {address}"] = (status, headers, re.sub(own, b"", body, flags=re.DOTALL).split())
    out = tmp_path / "out.jsonl"
    call_command("export", "essays", "--format", "assay", "--out", str(out))
    seen["export"] = out.read_bytes()
    call_command("export", "essays", "--format", "sws", "--out", str(out))
    seen["gold"] = out.read_bytes()
    seen["doctor"] = [
        (f.check, f.problems, f.looked_at) for f in examine() if f.check not in ("event chains", "merges")
    ]
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("begin", [begun_passages, begun_answers])
def test_an_unfinished_arrival_is_nowhere(
    three: Cast, begin: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with time_machine.travel(NOON, tick=False):
        before = everything_seen(three, tmp_path)
        assert all(any(part in address and told[0] == 200 for address, told in before.items()) for part in LOOKED_AT)
        counted = rows()

        kill_half_way(begin(three), monkeypatch)

        assert rows() != counted
        after = everything_seen(three, tmp_path)
        assert after.keys() == before.keys()
        assert {what for what in before if before[what] != after[what]} == set()


def test_a_table_can_be_taken_back_with_what_was_made_of_it(three: Cast) -> None:
    counted = rows()
    before = run("merge", "essays")["input"]
    done = import_annotations(three.project, by=three.lead, source=file_of(TABLE), name="t.csv", is_sparse=False)
    assert run("merge", "essays")["answers"] > 5
    run("agreement", "essays", "--resamples", "100")

    found = run("take_back", "essays", str(done.arrival.uuid))

    assert found["rows"] == 18
    assert rows() == counted
    assert (Merge.objects.count(), AgreementReport.objects.count()) == (0, 0)
    assert run("merge", "essays")["input"] == before
    assert list(Event.objects.of(done.arrival).values_list("kind", flat=True)) == [
        "arrival.begun",
        "arrival.done",
        "arrival.taken_back",
    ]
    assert all(not finding.problems for finding in examine())
    again = import_annotations(three.project, by=three.lead, source=file_of(TABLE), name="t.csv", is_sparse=False)
    assert again.made == 8


def test_passages_are_taken_back_with_what_was_handed_out_of_them(cast: Cast) -> None:
    counted = rows()
    done = import_passages(cast.project, by=cast.lead, source=file_of(MORE), name="more.txt")

    job = take_back(done.arrival, by=cast.lead)
    assert Assignment.objects.own(cast.ann).count() == 4
    assert job is not None
    work_here(job.pk, CLEAR.work)

    assert rows() == counted


@pytest.mark.parametrize("state", ["waiting", "running", "done"])
def test_tokens_are_in_nobodys_way_and_go_with_their_passages(cast: Cast, state: str) -> None:
    done = import_passages(cast.project, by=cast.lead, source=file_of(MORE), name="more.txt")
    tokens = cast.project.jobs.get(kind=MAKE_TOKENS.name)
    run_of_it = claim(tokens.pk, worker="w") if state == "running" else None
    rows_of_it = _made(cast.project, list(cast.project.passages.values_list("pk", flat=True)))
    if state == "done":
        work_here(tokens.pk, MAKE_TOKENS.work)

    job = take_back(done.arrival, by=cast.lead)
    assert job is not None
    if run_of_it:  # its passages were read before they were taken back
        with run_of_it.step(done=0, total=0):
            assert _keep(cast.project, rows_of_it) == 4
    work_here(job.pk, CLEAR.work)

    assert cast.project.passages.count() == 4
    assert PassageTokens.objects.count() == (0 if state == "waiting" else 4)
    assert all(not finding.problems for finding in examine())


def test_what_somebody_worked_on_or_rests_on_it_is_not_taken_back(three: Cast) -> None:
    done = import_passages(three.project, by=three.lead, source=file_of(MORE), name="more.txt")
    tables = HEAD + "more-1,V1,number,No.,refine-usage\n"
    table = import_annotations(three.project, by=three.lead, source=file_of(tables), name="t.csv", is_sparse=True)

    with pytest.raises(NotAllowed):
        take_back(done.arrival, by=three.ann)
    with pytest.raises(Conflict, match="later import rests on it"):
        take_back(done.arrival, by=three.lead)
    busy = three.project.jobs.create(kind="merge")
    with pytest.raises(Conflict, match="A job of this project is under way"):
        take_back(table.arrival, by=three.lead)
    Job.objects.filter(pk=busy.pk).move("cancel")
    run("merge", "essays")
    Merge.objects.update(is_pinned=True)
    with pytest.raises(Conflict, match="A decision or a release rests on it"):
        take_back(table.arrival, by=three.lead)
    Merge.objects.update(is_pinned=False)
    job = take_back(table.arrival, by=three.lead)
    assert job is not None
    work_here(job.pk, CLEAR.work)
    submit(three, three.ann, passage="more-1")
    with pytest.raises(Conflict, match="Somebody has worked on its passages"):
        take_back(done.arrival, by=three.lead)


def test_a_table_whose_answers_were_decided_about_since_stays(three: Cast) -> None:
    done = import_annotations(three.project, by=three.lead, source=file_of(TABLE), name="t.csv", is_sparse=False)
    run("merge", "essays")
    passage = three.project.passages.select_related("project").earliest("pk")
    given = {"act": uuid4(), "version": 0, "content": {"verdict": "settled"}}
    decide_passage(passage, by=three.adjudicator, **given)

    with pytest.raises(Conflict, match="Somebody has decided about its answers"):
        take_back(done.arrival, by=three.lead)

    assert Assignment.objects.filter(arrival=done.arrival).exists()


def test_who_waits_for_test_passages_that_are_taken_back_waits_no_more(cast: Cast) -> None:
    text = b"This is a big house.\n"
    tests = import_passages(cast.project, by=cast.lead, source=io.BytesIO(text), name="t.txt", kind="test")
    key = {"marks": [mark("This is a big house.", "big", "large")]}
    set_key(cast.project.passages.get(arrival=tests.arrival), by=cast.lead, answer=key)
    zoe = add_member(cast.project, user=make_user("zoe"), by=cast.lead, roles={"annotator"})
    assert zoe.qualification == "pending"

    take_back(tests.arrival, by=cast.lead)

    zoe.refresh_from_db()
    assert zoe.qualification == ""
    assert zoe.assignments.filter(passage__kind="work").count() == 4


def test_passages_that_were_decided_about_stay(cast: Cast) -> None:
    arrival = import_passages(cast.project, by=cast.lead, source=file_of(MORE), name="more.txt").arrival
    passage = cast.project.passages.filter(arrival=arrival).select_related("project").earliest("pk")
    add_comment(passage, by=cast.adjudicator, text="Is this one sentence?")

    with pytest.raises(Conflict, match="decided or said something"):
        take_back(arrival, by=cast.lead)

    assert cast.project.passages.filter(arrival=arrival).exists()


def test_passages_of_which_one_was_replaced_stay(cast: Cast) -> None:
    draft = cast.other_project
    arrival = import_passages(draft, by=None, source=file_of(MORE), name="more.txt").arrival
    replace_passage(draft.passages.filter(arrival=arrival).earliest("pk"), by=None, text="A better one.")

    with pytest.raises(Conflict, match="has been replaced by another"):
        take_back(arrival, by=None)
