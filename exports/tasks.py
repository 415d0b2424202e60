"""Celery's doors to what leaves the house."""

from annotator.tasks import job_task
from exports.actions.releasing import BUILD, FREEZE

for kind in (BUILD, FREEZE):
    job_task(kind)
