"""Celery's doors to the jobs of the whole house."""

from annotator.tasks import job_task
from config.housekeeping import BACK_UP, COPY_DATABASE

job_task(BACK_UP)
job_task(COPY_DATABASE)
