"""Celery's doors to bringing several people's work together."""

from adjudication.actions.curves import CURVE
from adjudication.actions.measuring import AGREEMENT
from adjudication.actions.merging import MERGE
from annotator.tasks import job_task

for kind in (MERGE, AGREEMENT, CURVE):
    job_task(kind)
