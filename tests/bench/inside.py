"""What the benchmarks do inside a house: each function prints one JSON value."""

import json
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from adjudication.actions.deciding import decide_passage, decide_span
from adjudication.models import AgreementReport, Decision, DecisionStep, Merge, PassageResult, Target
from adjudication.queries.gold import in_gold, merge_now, standings
from annotator.actions.accounts import create_user
from annotator.actions.api_tokens import make_token
from annotator.actions.jobs import enqueue
from annotator.actions.running import claim
from annotator.actions.tallies import COUNT, _count_tallies
from annotator.bulk import tell_planner, without_collector
from annotator.domain.canonical import sha256_of
from annotator.domain.formats.sws_json import SwsSentence
from annotator.models import Assignment, Job, Membership, Passage, Project, Question, Submission, Tally
from exports.models import Release, SystemRun
from exports.queries.runs import gold_of
from tests.bench.figures import percentile

TIMES = 40


def wait_for_jobs(slug: str) -> None:
    while Job.objects.unfinished().filter(project__slug=slug).exists():
        time.sleep(0.1)
    print(json.dumps(True))


def seconds_of(slug: str, kind: str) -> None:
    job = Job.objects.whole().filter(project__slug=slug, kind=kind).newest_first()[0]
    assert job.ended_at is not None
    print(json.dumps((job.ended_at - job.asked_at).total_seconds()))


def change_one_in_a_hundred(slug: str) -> None:
    """New submissions, as if people had reopened and handed in otherwise."""
    rows = Assignment.objects.filter(passage__project__slug=slug).order_by("pk")
    chosen = [row for number, row in enumerate(rows.iterator()) if number % 100 == 0]
    answer = {"none": True}
    Submission.objects.bulk_create(
        [Submission(assignment=row, number=2, answer=answer, sha256=sha256_of(answer)) for row in chosen],
        batch_size=500,
    )
    Assignment.objects.filter(pk__in=[row.pk for row in chosen]).update(submissions_made=2)
    print(json.dumps(len(chosen)))


def pages(slug: str) -> None:
    client = Client(HTTP_HOST="127.0.0.1")
    client.force_login(Membership.objects.leading().get(project__slug=slug).user)
    report = AgreementReport.objects.of(Project.objects.get(slug=slug)).newest_first()[0]
    a, b = (row["name"] for row in report.result["annotators"][:2])
    found = {}
    for what, tail in (
        ("agreement", "agreement"),
        ("two people", f"agreement/{a}/{b}"),
        ("one person", f"agreement/{a}"),
        ("the merge", "merge"),
        ("merged passages", "merge/passages"),
    ):
        times = []
        for _ in range(TIMES):
            began = time.perf_counter()
            response = client.get(f"/p/{slug}/{tail}")
            times.append((time.perf_counter() - began) * 1000)
            assert response.status_code == 200
        found[what] = percentile(times, 0.95)
    print(json.dumps(found))


def decide_many(slug: str) -> None:
    """A thousand passages settled, two thousand targets decided."""
    project = Project.objects.get(slug=slug)
    lead = Membership.objects.leading().get(project=project).user
    assert lead is not None
    merge = merge_now(project)
    ids = list(PassageResult.objects.filter(merge=merge).in_order().values_list("passage", flat=True))[::20]
    for standing in standings(merge, ids):
        passage = standing.passage
        passage.project = project
        for target in list(standing.targets)[:2]:
            span, content = (target.start, target.end), {"verdict": "keep" if target.start % 2 else "drop"}
            decide_span(passage, span, by=lead, version=0, act=uuid4(), content=content)
        decide_passage(passage, by=lead, version=0, act=uuid4(), content={"verdict": "settled"})
    tell_planner(Decision, DecisionStep)  # a minute later the database looks by itself
    print(json.dumps(len(ids)))


def adjudicating(slug: str) -> None:
    project = Project.objects.get(slug=slug)
    client = Client(HTTP_HOST="127.0.0.1")
    client.force_login(Membership.objects.leading().get(project=project).user)
    merge = merge_now(project)
    rows = PassageResult.objects.filter(merge=merge, asks=True).order_by("-dispute", "passage_id")
    passages = [row.passage for row in rows.select_related("passage")[5 : 5 + TIMES]]
    here = f"/api/v1/projects/{slug}/passages"
    found = {
        "queue": percentile([_took(client, f"/p/{slug}/adjudicate") for _ in range(TIMES)], 0.95),
        "gold": percentile([_took(client, f"/p/{slug}/gold?after={1000 * n}") for n in range(TIMES // 2)], 0.95),
        "next passage": percentile([_took(client, f"{here}/{row.uuid}") for row in passages], 0.95),
        "what is next": percentile([_took(client, f"/p/{slug}/adjudicate/{row.uuid}/next") for row in passages], 0.95),
        "a decision": percentile([_decision(client, f"{here}/{row.uuid}", merge, row) for row in passages], 0.95),
    }
    began = time.perf_counter()
    ids = list(in_gold(merge).in_order().values_list("passage", flat=True))
    with without_collector():  # as an export does
        kept = sum(len(standing.gold.kept) for standing in standings(merge, ids, only_gold=True))
    assert kept > len(ids)
    print(json.dumps({**found, "gold of all": time.perf_counter() - began}))


def api(slug: str) -> None:
    """What a token costs beside a session, and how long lists of a hundred take by one."""
    project = Project.objects.get(slug=slug)
    lead: Any = Membership.objects.leading().get(project=project).user
    _, token = make_token(lead, by=lead, name="Bench", scopes=["read"])
    browser, program = (
        Client(HTTP_HOST="127.0.0.1"),
        Client(HTTP_HOST="127.0.0.1", HTTP_AUTHORIZATION=f"Bearer {token}"),
    )
    browser.force_login(lead)
    here, merge = f"/api/v1/projects/{slug}", merge_now(project)
    # By turns, so that a busy moment of the machine meets both.
    pairs = [(_took(browser, here), _took(program, here)) for _ in range(5 * TIMES)]
    found = {"a token": percentile([b - a for a, b in pairs], 0.5)}
    lists = (
        "members",
        "passages",
        "passages?answers=10",
        "questions",
        "jobs",
        "activity",
        "imports",
        "gold",
        "releases",
    )
    lists += ("runs", "agreement", f"merges/{merge.uuid}/targets")
    for tail in lists:
        address: str | None = (
            f"{here}/{tail}{'&' if '?' in tail else '?'}limit=100" if tail != "agreement" else f"{here}/{tail}"
        )
        times = []
        while address and len(times) < TIMES:
            began = time.perf_counter()
            response = program.get(address)
            times.append((time.perf_counter() - began) * 1000)
            assert response.status_code == 200, (address, response.content)
            address = response.json().get("next") or (address if len(times) < TIMES // 2 else None)
        found[tail.partition("/")[0]] = percentile(times, 0.95)
    print(json.dumps(found))


def give_accounts(slug: str) -> None:
    """Its voices become people who have worked for 90 days, asked, and set a passage aside now and then."""
    project = Project.objects.get(slug=slug)
    today, kinds = timezone.now().date(), {"refine-usage": 300, "diversify-expression": 200}
    voices = list(project.memberships.filter(user=None))
    for voice in voices:
        user = create_user(by=None, email=f"{voice.pseudonym.lower()}@bench.invalid", name=f"Bench {voice.pseudonym}")
        Membership.objects.filter(pk=voice.pk).update(user=user)
        days = (today - timedelta(days=ago) for ago in range(1, 91))
        given: dict[str, Any] = {"marks": 400, "substitutes": 500, "by_type": kinds, "active_ms": 7_200_000}
        Tally.objects.bulk_create([Tally(membership=voice, day=day, submitted=100, **given) for day in days])
    rows = Assignment.objects.filter(membership__in=voices).order_by("pk").values_list("pk", flat=True)
    chosen = list(rows)[::100]
    Assignment.objects.filter(pk__in=chosen).update(state="discarded", discard_reason="grammar")
    asked = [Question(assignment_id=pk, text="Is this a name?") for pk in chosen[::10]]
    Question.objects.bulk_create(asked)
    Project.objects.filter(pk=project.pk).update(state="open")
    tell_planner(Assignment, Tally, Question)
    print(json.dumps(len(voices)))


def board(slug: str) -> None:
    project = Project.objects.get(slug=slug)
    client = Client(HTTP_HOST="127.0.0.1")
    client.force_login(Membership.objects.leading().get(project=project).user)
    address = f"/p/{slug}/board"
    _took(client, address)  # the first of a process loads what a server has loaded before it serves
    found = {
        "board": percentile([_took(client, address) for _ in range(TIMES)], 0.95),
        "the part that refreshes itself": percentile(
            [_took(client, address, hx_request="true") for _ in range(TIMES)], 0.95
        ),
        "hours and counts": percentile([_took(client, f"{address}.csv") for _ in range(TIMES)], 0.95),
    }
    job = enqueue(COUNT.name, by=None, project=project, params={"whole": True})
    steps, began = [], time.perf_counter()
    while (run := claim(job.pk, worker="bench")) is None:
        time.sleep(0.1)
    enter = run.step

    @contextmanager
    def step(**given: Any) -> Iterator[None]:
        with enter(**given):
            since = time.perf_counter()
            yield
        steps.append((time.perf_counter() - since) * 1000)

    run.step = step  # type: ignore[method-assign]
    _count_tallies(run)
    print(json.dumps({**found, "recount": time.perf_counter() - began, "step": max(steps)}))


def systems(slug: str) -> None:
    """Twelve of them, each with other luck, sent as a browser sends them and scored by the worker."""
    project = Project.objects.get(slug=slug)
    release = Release.objects.of(project).frozen().get()
    client = Client(HTTP_HOST="127.0.0.1")
    client.force_login(Membership.objects.leading().get(project=project).user)
    gold, waits = gold_of(release, "test"), []
    for number in range(12):
        file = SimpleUploadedFile("p.json", _predictions(gold, number))
        began = time.perf_counter()
        sent = client.post(f"/p/{slug}/runs/new", {"file": file, "system": f"system {number}", "split": "test"})
        while "End to end" not in client.get(sent["Location"]).content.decode():
            time.sleep(0.1)
        waits.append(time.perf_counter() - began)
    runs = SystemRun.objects.on(release, "test").scored().select_related("job").newest_first()
    jobs = [run.job for run in runs if run.job]
    one, two = (str(run.uuid) for run in runs[:2])
    began = time.perf_counter()
    assert client.get(f"/p/{slug}/runs/{one}/against/{two}").status_code == 200
    found = {
        "compared": time.perf_counter() - began,
        "score": percentile([(job.ended_at - job.started_at).total_seconds() for job in jobs], 0.5),  # type: ignore[operator]
        "upload": max(waits),
    }
    for what, tail in (("leaderboard", "runs"), ("run", f"runs/{one}"), ("releases", "releases")):
        found[what] = percentile([_took(client, f"/p/{slug}/{tail}") for _ in range(TIMES)], 0.95)
    print(json.dumps(found))


def _predictions(gold: list[SwsSentence], seed: int) -> bytes:
    draw = random.Random(seed)
    entries = {}
    for sentence in gold:
        spans = [[["x", *target.span], [text for text, _ in target.suggestions]] for target in sentence.targets]
        spans = [span for span in spans if draw.random() < 0.6]
        entries[sentence.id] = {"input_words": list(sentence.tokens), "substitute_topk": [*spans, [["x", 0, 1], ["z"]]]}
    return json.dumps(entries).encode()


def _took(client: Client, address: str, **headers: str) -> float:
    began = time.perf_counter()
    assert client.get(address, headers=headers).status_code == 200
    return (time.perf_counter() - began) * 1000


def _decision(client: Client, address: str, merge: Merge, passage: Passage) -> float:
    target = Target.objects.filter(merge=merge, passage=passage).in_order()[0]
    body = json.dumps({"act": str(uuid4()), "content": {"verdict": "keep"}})
    where = f"{address}/decisions/{target.start}-{target.end}"
    began = time.perf_counter()
    headers = {"If-Match": '"0"'}
    answer = client.put(where, body, content_type="application/json", headers=headers)
    assert answer.status_code in (200, 412), answer.content
    return (time.perf_counter() - began) * 1000
