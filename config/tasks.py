"""Celery's doors to the jobs of the whole house."""

from annotator.tasks import job_task
from config.demo.deciding import DECIDE_DEMO
from config.housekeeping import BACK_UP, COPY_DATABASE

job_task(BACK_UP)
job_task(COPY_DATABASE)
job_task(DECIDE_DEMO)
