"""Celery's doors to the jobs of the whole house."""

from celery import shared_task

from annotator.actions.running import work_on
from annotator.tasks import worker_name
from config.housekeeping import back_up_as_job, copy_as_job


@shared_task(name="backup")  # type: ignore[untyped-decorator]
def backup(pk: int) -> None:
    work_on(pk, back_up_as_job, worker=worker_name())


@shared_task(name="copy_database")  # type: ignore[untyped-decorator]
def copy_database(pk: int) -> None:
    work_on(pk, copy_as_job, worker=worker_name())
