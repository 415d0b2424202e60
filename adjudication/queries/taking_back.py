"""What of many decisions at once can still be taken back."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from adjudication.models import DecisionStep
from annotator.domain.jobs import JobState
from annotator.models import Job, Project, User

LOOKED_AT = 20  # jobs of one person


@dataclass(frozen=True)
class SettledAtOnce:
    """The quiet ones, as one person settled them in one act."""

    act: UUID
    passages: int
    proposed: int  # of them, under consensus
    at: datetime


def settled_at_once(project: Project, user: User, *, settling: str, undoing: str) -> SettledAtOnce | None:
    """The newest such act of theirs that is over and was not taken back, however many passages it was and wherever they
    have been since. Also of a job that was cancelled half-way: what it settled is settled. By the names of the jobs."""
    rows = Job.objects.whole().filter(project=project, asked_by=user, kind__in=(settling, undoing)).newest_first()
    taken_back = set()
    for job in rows[:LOOKED_AT]:
        if job.kind == undoing:
            if job.state not in (JobState.FAILED, JobState.CANCELLED):
                taken_back.add(job.params["undoes"])
        elif not job.is_over:
            return None  # the queue says how far it is
        elif job.params["act"] not in taken_back:
            act = UUID(job.params["act"])
            steps = DecisionStep.objects.of_act(act)
            times = steps.count()
            if times and job.ended_at:
                return SettledAtOnce(act, times, steps.filter(is_proposal=True).count(), job.ended_at)
    return None
