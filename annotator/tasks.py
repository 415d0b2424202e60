"""Celery's doors: each loads a job by its id and does the work of its kind. The task's name is the job's kind."""

from celery import current_app, shared_task

import annotator.actions.importing.answers
import annotator.actions.importing.passages
import annotator.actions.importing.projects  # noqa: F401 (each says what its files bring)
from annotator.actions.assigning import HAND_OUT, PLAN
from annotator.actions.checking import LOOK
from annotator.actions.importing.arrivals import CLEAR, IMPORT
from annotator.actions.importing.previews import LOOK_AT_FILE
from annotator.actions.mailing import INVITATIONS, PASSWORD_LINK
from annotator.actions.moving import EVEN, WITHDRAW
from annotator.actions.running import work_on
from annotator.actions.screening import SCREEN
from annotator.actions.tallies import COUNT
from annotator.actions.tokens import MAKE_TOKENS
from annotator.actions.unscreening import UNSCREEN
from annotator.domain.jobs import JobKind, register


def worker_name() -> str:
    """Of the worker this process belongs to; config/celery.py gives it before the processes part."""
    return str(current_app.worker_name)


@shared_task(name="ping")  # type: ignore[untyped-decorator]
def ping() -> str:
    """Proves that a worker hears the broker; its name and answer stand in the worker's log."""
    return "pong"


def job_task(kind: JobKind) -> None:
    """Workers can do jobs of this kind from now on, and pages know what to say of them."""
    register(kind)

    @shared_task(name=kind.name)  # type: ignore[untyped-decorator]
    def work(pk: int) -> None:
        work_on(pk, kind.work, worker=worker_name())


for kind in (HAND_OUT, PLAN, WITHDRAW, EVEN, LOOK, COUNT, LOOK_AT_FILE, SCREEN, UNSCREEN, IMPORT, CLEAR, MAKE_TOKENS):
    job_task(kind)
for kind in (INVITATIONS, PASSWORD_LINK):
    job_task(kind)
