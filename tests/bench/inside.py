"""What the benchmarks do inside a house: each function prints one JSON value."""

import json
import time

from django.test import Client

from adjudication.models import AgreementReport
from annotator.domain.canonical import sha256_of
from annotator.models import Assignment, Job, Membership, Project, Submission
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
