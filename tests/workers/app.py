"""The product's Celery application, with two kinds of job whose steps can be counted."""

import time
from typing import Any

from celery import shared_task
from django.utils import timezone

from config.celery import app

__all__ = ["app"]


@shared_task(name="count")
def count(pk: int) -> None:
    from annotator.actions.running import work_on
    from annotator.tasks import worker_name

    work_on(pk, count_steps, worker=worker_name())


@shared_task(name="sum")
def add(pk: int) -> None:
    from annotator.actions.running import Part, in_parts, work_on
    from annotator.tasks import worker_name

    work = in_parts(
        plan=lambda run: [Part(run.job.params, total=run.job.params["steps"])] * run.job.params["parts"],
        part=count_steps,
        add_up=lambda run, results: {"steps": sum(result["steps"] for result in results if result)},
    )
    work_on(pk, work, worker=worker_name())


def count_steps(run: Any) -> dict[str, int]:
    """Each step writes one row, and none writes a row twice: whatever is killed, there are as many rows as steps."""
    from annotator.models import LoginAttempt

    steps = run.job.params["steps"]
    for n in range(run.job.done, steps):
        with run.step(done=n + 1, total=steps):
            LoginAttempt.objects.create(email=f"{run.job.pk}", address="step", at=timezone.now())
        time.sleep(run.job.params.get("pause", 0))
    return {"steps": steps}
