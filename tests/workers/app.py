"""The product's Celery application, with two kinds of job whose steps can be counted, and with workers that die or
dawdle at a given place."""

import importlib
import os
import signal
import time
from typing import Any

from celery import shared_task, signals
from django.utils import timezone

from config.celery import app

__all__ = ["app"]


@signals.worker_process_init.connect
def meddle(**_: Any) -> None:
    """TEST_DIES, "module:function:n": kill -9 on the whole worker when this has been called n times. TEST_DAWDLES,
    "module:function:seconds": so long before each call. TEST_BATCH: rows in one step of a merge or a freeze."""
    from adjudication.actions import merging
    from exports.actions import releasing

    for module in (merging, releasing):
        module.BATCH = int(os.environ.get("TEST_BATCH", module.BATCH))
    for name, then in (("TEST_DIES", _dying), ("TEST_DAWDLES", _dawdling)):
        if place := os.environ.get(name):
            where, function, number = place.split(":")
            module = importlib.import_module(where)
            setattr(module, function, then(getattr(module, function), float(number)))


def _dying(real: Any, times: float) -> Any:
    called = 0

    def dies(*given: Any, **named: Any) -> Any:
        nonlocal called
        called += 1
        found = real(*given, **named)
        if called == times:
            os.killpg(os.getpgid(0), signal.SIGKILL)
        return found

    return dies


def _dawdling(real: Any, seconds: float) -> Any:
    def dawdles(*given: Any, **named: Any) -> Any:
        time.sleep(seconds)
        return real(*given, **named)

    return dawdles


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
