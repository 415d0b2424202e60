"""Celery's doors to what leaves the house."""

import exports.actions.importing  # noqa: F401 (what comes with a project)
from annotator.tasks import job_task
from exports.actions.delivering import DELIVER
from exports.actions.foreign import IMPORT_GOLD
from exports.actions.releasing import BUILD, FREEZE
from exports.actions.runs import SCORE

for kind in (BUILD, FREEZE, IMPORT_GOLD, SCORE, DELIVER):
    job_task(kind)
