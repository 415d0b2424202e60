"""Merge and agreement in parts on real brokers: whatever is killed, there is one result, as if nothing had been."""

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.bench.material import write_annotations, write_passages
from tests.house import ROOT
from tests.workers.crew import Crew

pytestmark = pytest.mark.services
PASSAGES = 42
ACTIONS = "adjudication.actions"
FILL = """
from django.core.management import call_command
call_command("create_project", "small", protocol="sws", lead="lead@example.org")
call_command("import_passages", "small", "{folder}/p.jsonl")
call_command("import_annotations", "small", "{folder}/a.csv")
"""
ASK_TO_MERGE = """
from adjudication.actions.merging import ask_to_merge
from annotator.models import Project
print(ask_to_merge(Project.objects.get(slug="small"), by=None, shards={shards}).pk)
"""
ASK_FOR_AGREEMENT = """
from adjudication.actions.measuring import _ask, agreement_settings
from annotator.models import Project
project = Project.objects.get(slug="small")
params = {{"shards": {shards}}}
print(_ask(project, by=None, settings=agreement_settings(project), params=params, is_rung=True).pk)
"""
FORGET = """
from adjudication.actions import measuring, merging
from adjudication.models import AgreementReport, Merge
Merge.objects.update(is_current=False)
for merge in Merge.objects.all():
    merging._remove(merge)
for report in AgreementReport.objects.all():
    measuring._remove(report)
"""
TARGET = (
    *("passage_id", "start", "end", "quote", "annotators", "of", "votes", "type", "type_tie", "is_kept", "dispute"),
    *("is_overlapping", "has_variants", "is_near_miss", "quote_key", "evidence", "change", "voters", "suggestions"),
)
RESULT = (
    *("passage_id", "of", "discards", "verdict", "targets", "kept", "dispute", "pa_det", "type_ties", "overlaps"),
    *("variants", "near_misses", "near", "singles", "asks", "evidence"),
)


@pytest.fixture(scope="module", params=["filesystem", "redis"])
def crew(request: pytest.FixtureRequest) -> Iterator[Crew]:
    made = Crew(request.param)
    folder = made.house.folder
    write_passages(folder / "p.jsonl", PASSAGES)
    write_annotations(folder / "a.csv", PASSAGES)
    told(made, "shell", "--no-imports", "-c", FILL.format(folder=folder))
    yield made
    made.remove()


@pytest.fixture(autouse=True)
def _anew(crew: Crew) -> None:
    told(crew, "shell", "--no-imports", "-c", FORGET)


def told(crew: Crew, *words: str) -> str:
    done = crew.house.command(*words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def asked(crew: Crew, script: str, shards: int) -> int:
    return int(told(crew, "shell", "--no-imports", "-c", script.format(shards=shards)))


def merged(crew: Crew) -> list[list[tuple[Any, ...]]]:
    """Everything the one merge holds, but for its keys and times."""
    assert crew.sql("SELECT is_current, finished_at IS NULL FROM adjudication_merge") in ([(1, 0)], [(True, False)])
    return [
        crew.sql(f"SELECT {', '.join(map(json.dumps, columns))} FROM adjudication_{table} ORDER BY 1, 2, 3")
        for table, columns in (("target", TARGET), ("passageresult", RESULT))
    ]


def count(crew: Crew, table: str) -> int:
    return int(crew.sql(f"SELECT count(*) FROM {table}")[0][0])


def is_tidy(crew: Crew) -> bool:
    """Of projects: the house copies its database when a worker looks round, which may be just before it is killed."""
    over = "('done', 'failed', 'cancelled')"
    left = crew.sql(f"SELECT id FROM annotator_job WHERE project_id IS NOT NULL AND state NOT IN {over}")
    return not left and count(crew, "adjudication_sharddata") == 0


def killed(crew: Crew, place: str) -> None:
    """A worker that is killed when it has come there, with whatever it held."""
    worker = crew.hire(is_mortal=True, TEST_DIES=f"{ACTIONS}.{place}", TEST_BATCH="40")
    assert worker.wait(60) == -9
    crew.let_leases_run_out()


def test_a_merge_whose_workers_are_killed_while_planning_in_a_part_and_at_the_end(crew: Crew) -> None:
    pk = asked(crew, ASK_TO_MERGE, 6)
    killed(crew, "merging:_write_shards:1")
    assert (crew.job(pk)["state"], count(crew, "adjudication_merge")) == ("running", 1)
    killed(crew, "merging:_write:5")
    assert crew.job(pk)["state"] == "divided"
    assert 0 < count(crew, "adjudication_passageresult") < PASSAGES
    killed(crew, "merging:_finish:1")
    assert crew.job(pk)["state"] == "running"
    last = crew.hire()
    found = crew.wait(pk, seconds=30, state="done")
    crew.kill(last)

    assert (found["result"]["made"], count(crew, "adjudication_passageresult")) == (True, PASSAGES)
    assert is_tidy(crew)
    after = merged(crew)
    told(crew, "shell", "--no-imports", "-c", FORGET)
    told(crew, "merge", "small", "--shards=1")
    assert merged(crew) == after


def test_a_report_whose_workers_are_killed_in_a_part_and_in_the_sum(crew: Crew) -> None:
    pk = asked(crew, ASK_FOR_AGREEMENT, 7)
    killed(crew, "measuring:_count:3")
    assert crew.job(pk)["state"] == "divided"
    killed(crew, "measuring:_insert_pairs:1")
    assert crew.sql("SELECT count(*) FROM adjudication_agreementreport WHERE NOT is_done") == [(1,)]
    last = crew.hire()
    found = crew.wait(pk, seconds=30, state="done")
    crew.kill(last)

    assert found["result"]["made"]
    assert (count(crew, "adjudication_agreementreport"), count(crew, "adjudication_agreementpair")) == (1, 45)
    assert is_tidy(crew)
    after = told(crew, "agreement", "small", "--json")
    told(crew, "shell", "--no-imports", "-c", FORGET)
    assert told(crew, "agreement", "small", "--json", "--shards=1") == after


def test_a_command_that_sends_it_to_the_workers_follows_it_to_the_end(crew: Crew) -> None:
    alone = [told(crew, "merge", "small", "--json"), told(crew, "agreement", "small", "--json")]
    told(crew, "shell", "--no-imports", "-c", FORGET)
    worker = crew.hire()

    sent = [told(crew, kind, "small", "--queue", "--json") for kind in ("merge", "agreement")]

    crew.kill(worker)
    merges = [json.loads(text) for text in (alone[0], sent[0])]
    assert merges[0].pop("merge") != merges[1].pop("merge")
    assert merges[1] == merges[0]
    assert sent[1] == alone[1]
    assert crew.sql("SELECT DISTINCT worker FROM annotator_job WHERE kind = 'annotator_curve'") != [("",)]


def test_two_workers_share_the_parts_and_two_commands_make_one_merge(crew: Crew) -> None:
    commands = [
        subprocess.Popen(
            [sys.executable, "manage.py", "merge", "small", "--json", "--shards=3"],
            cwd=ROOT, env=crew.house.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for _ in range(2)
    ]  # fmt: skip
    made = [json.loads(command.communicate(timeout=60)[0]) for command in commands]
    assert made[0]["merge"] == made[1]["merge"]
    assert sorted(result["made"] for result in made) == [False, True]
    by_commands = merged(crew)
    told(crew, "shell", "--no-imports", "-c", FORGET)

    workers = [crew.hire(TEST_DAWDLES=f"{ACTIONS}.merging:_merge_shard:0.2") for _ in range(2)]
    pk = asked(crew, ASK_TO_MERGE, 14)
    crew.wait(pk, seconds=40, state="done")
    for worker in workers:
        crew.kill(worker)

    parts = crew.sql(f"SELECT worker, attempts FROM annotator_job WHERE parent_id = {pk}")
    assert (len(parts), len({worker for worker, _ in parts})) == (14, 2)
    assert merged(crew) == by_commands
    assert is_tidy(crew)
