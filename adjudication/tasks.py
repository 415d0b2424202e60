"""Celery's doors to bringing several people's work together."""

from adjudication.actions.merging import MERGE
from annotator.tasks import job_task

job_task(MERGE)
