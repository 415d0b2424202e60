"""Celery's doors: each loads a job by its id and hands it to one action. The task's name is the job's kind."""

from celery import current_app, shared_task

from annotator.actions.assigning import assign_in_batches
from annotator.actions.running import work_on


def worker_name() -> str:
    """Of the worker this process belongs to; config/celery.py gives it before the processes part."""
    return str(current_app.worker_name)


@shared_task(name="ping")  # type: ignore[untyped-decorator]
def ping() -> str:
    """Proves that a worker hears the broker; its name and answer stand in the worker's log."""
    return "pong"


@shared_task(name="assign_everyone")  # type: ignore[untyped-decorator]
def assign_everyone(pk: int) -> None:
    work_on(pk, assign_in_batches, worker=worker_name())
