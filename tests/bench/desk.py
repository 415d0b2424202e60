"""The lead's desk: who is given what, worked out and handed out, and what a save takes meanwhile."""

import json
import threading
import time
from typing import Any

from annotator.domain.planning import Candidate, plan
from tests.bench.figures import Figure, percentile
from tests.bench.saves import load, started
from tests.house import House

NOTE = """Assignment: the plan of 20,000 passages × 10 of 50 people as a function alone, and as the job that a lead asks
for (with reading who has what). Then a worker hands out those 200,000 assignments, in transactions of at most 500 rows,
while ten people of another project save."""
PASSAGES, PEOPLE, EACH, PAUSE = 20_000, 50, 10, 0.05


def figures() -> list[Figure]:
    return [_plan(), *_of_engine("SQLite"), *_of_engine("PostgreSQL")]


def _plan() -> Figure:
    people = [Candidate(f"A{number:02d}") for number in range(PEOPLE)]
    passages = [f"p{number:06d}" for number in range(PASSAGES)]
    begun = time.perf_counter()
    plan(passages, people, {}, EACH, "bench")
    return Figure(f"plan of {PASSAGES:,} × {EACH} of {PEOPLE} people", time.perf_counter() - begun, "s", 5)


def _of_engine(name: str) -> list[Figure]:
    with started(name, "ten_annotators") as house:
        house.seed("a_desk_to_plan", "tests.seeds_desk")
        load(house, people=10, saves=10)  # warm
        alone = load(house, people=10, saves=60, pause=PAUSE)
        planned = _job(house, "plan_work")
        beside, took = _beside(house)
    return [
        Figure(f"{name}: the same as a job, with reading", planned, "s", 8),
        Figure(f"{name}: save beside nothing, p95", percentile(alone["ms"], 0.95), "ms", 150),
        Figure(f"{name}: handing out {PASSAGES * EACH:,} assignments", took, "s", 120),
        Figure(f"{name}: save while work is handed out, p95", percentile(beside["ms"], 0.95), "ms", 250),
        Figure(f"{name}: save while work is handed out, slowest", max(beside["ms"]), "ms", 1000),
        Figure(f"{name}: saves refused meanwhile", beside["errors"], "", 0),
    ]


def _beside(house: House) -> tuple[dict[str, Any], float]:
    """Ten people save for as long as the job runs."""
    took: list[float] = []
    job = threading.Thread(target=lambda: took.append(_job(house, "assign_everyone")))
    job.start()
    found: dict[str, Any] = {"ms": [], "errors": 0}
    while job.is_alive():
        once = load(house, people=10, saves=20, pause=PAUSE)
        found["ms"] += once["ms"]
        found["errors"] += once["errors"]
    job.join()
    return found, took[0]


def _job(house: House, kind: str) -> float:
    """Asked for, and done by the house's worker: seconds from its start to its end."""
    script = (
        "import json, time; from annotator.actions.jobs import enqueue; from annotator.models import Job, Project; "
        f"project = Project.objects.get(slug='desk'); job = enqueue('{kind}', by=None, project=project); "
        "\nwhile not job.is_over:\n    time.sleep(0.2); job.refresh_from_db()"
        "\nassert job.state == 'done', job.message"
        "\nprint(json.dumps((job.ended_at - job.started_at).total_seconds()))"
    )
    done = house.command("shell", "--no-imports", "-c", script, seconds=900)
    assert done.returncode == 0, done.stderr
    return float(json.loads(done.stdout.strip().splitlines()[-1]))
