"""Background work as it truly stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from annotator.domain.jobs import JobState, made_by, percent, sentence_of, spoken_time
from annotator.models import Job, Worker
from annotator.models.jobs import JobQuerySet

JOBS_LISTED = 50


@dataclass(frozen=True)
class JobLine:
    """A job as it truly stands: also when nobody works on it."""

    job: Job
    done: int
    total: int
    parts: int
    parts_done: int
    has_worker: bool
    is_unheard: bool  # its worker has given no sign of life

    @property
    def percent(self) -> int:
        return 100 if self.job.state == JobState.DONE else min(99, percent(self.done, self.total))

    @property
    def age(self) -> str:
        return spoken_time((timezone.now() - self.job.asked_at).total_seconds())

    @property
    def took(self) -> str:
        begun = self.job.started_at or self.job.asked_at
        return spoken_time(((self.job.ended_at or timezone.now()) - begun).total_seconds())

    @property
    def state(self) -> str:
        """A job that its parts are working on is running, to whoever waits for it."""
        return JobState.RUNNING if self.job.state == JobState.DIVIDED else self.job.state

    @property
    def made(self) -> dict[str, str]:
        """By its noun, the id of what is there by now."""
        is_done = self.job.state == JobState.DONE
        return made_by(self.job.kind, self.job.result or {}) if is_done else {}

    @property
    def says(self) -> str:
        return self._of_an_end if self.job.is_over else self._of_the_way

    @property
    def _of_the_way(self) -> str:
        is_held = self.job.state == JobState.RUNNING
        if self.job.is_cancel_asked:
            is_deaf = is_held and (self.is_unheard or not self.has_worker)
            return "Its worker is gone; it ends within a minute." if is_deaf else "Stopping after the current step."
        if not self.has_worker:
            return "No worker is running. The job goes on as soon as one does."
        if is_held and self.is_unheard:
            return "Its worker has stopped answering. Another one takes over within a minute."
        return "Waiting for a worker." if self.job.state == JobState.WAITING else ""

    @property
    def _of_an_end(self) -> str:
        return sentence_of(self.job.kind, JobState(self.job.state), self.job.result or {}) or self.job.message


def job_line(job: Job) -> JobLine:
    """As it stands now, whatever `job` was when it was read."""
    [line] = job_lines(Job.objects.filter(pk=job.pk))
    return line


def has_worker() -> bool:
    return Worker.objects.alive().exists()


def job_lines(jobs: JobQuerySet) -> list[JobLine]:
    """The newest, in two statements however many they are: the page asks every other second."""
    return _lines(jobs.newest_first(), JOBS_LISTED)


def lines_of(jobs: Sequence[Job]) -> list[JobLine]:
    """Of these, in their order, likewise."""
    lines = {line.job.pk: line for line in _lines(Job.objects.filter(pk__in=[job.pk for job in jobs]), len(jobs))}
    return [lines[job.pk] for job in jobs]


def _lines(jobs: JobQuerySet, most: int) -> list[JobLine]:
    is_alive = has_worker()
    rows = jobs.with_progress().select_related("project", "asked_by")[:most]
    return [_line(row, is_alive) for row in rows]


def _line(job: Any, has_worker: bool) -> JobLine:
    done, total = (job.parts_sum_done, job.parts_sum_total) if job.parts_count else (job.done, job.total)
    return JobLine(job, done, total, job.parts_count, job.parts_done, has_worker, job.is_unheard)
