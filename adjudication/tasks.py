"""Celery's doors to bringing several people's work together."""

import adjudication.actions.importing  # noqa: F401 (what comes with a project)
from adjudication.actions.curves import CURVE
from adjudication.actions.measuring import AGREEMENT
from adjudication.actions.merging import MERGE
from adjudication.actions.settling import SETTLE_QUIET, UNDO_ACT
from annotator.tasks import job_task

for kind in (MERGE, AGREEMENT, CURVE, SETTLE_QUIET, UNDO_ACT):
    job_task(kind)
