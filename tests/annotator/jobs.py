"""Ready-made jobs for the tests of background work."""

from datetime import timedelta
from typing import Any

from django.db.models.functions import Now

from annotator.actions.jobs import enqueue
from annotator.actions.running import Part, claim, work_on
from annotator.actions.running import in_parts as whole
from annotator.actions.sweeping import sweep
from annotator.models import Job
from tests.factories import Cast


def ask(cast: Cast, **params: Any) -> Job:
    return enqueue("test", by=cast.lead, project=cast.project, params=params)


def let_the_lease_run_out(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(lease_until=Now() - timedelta(seconds=1))


def crash(job: Job) -> None:
    assert claim(job.pk, worker="w") is not None
    let_the_lease_run_out(job)
    sweep()


def in_parts(pk: int, *, part: Any = lambda run: {"n": run.job.params["n"]}, sizes: list[int] | None = None) -> None:
    work = whole(
        plan=lambda run: [Part({"n": n}, total=n) for n in ([1, 2, 3] if sizes is None else sizes)],
        part=part,
        add_up=lambda run, results: {"sum": sum(r["n"] for r in results if r)},
    )
    work_on(pk, work, worker="w")
