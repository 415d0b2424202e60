"""Background work at the shell, that of the whole house included."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser

from annotator.actions.jobs import cancel_job, retry_job
from annotator.management.base import AssayCommand
from annotator.models import Job
from annotator.queries.jobs import JobLine, job_line, job_lines

ACTS = {"cancel": cancel_job, "retry": retry_job}


class Command(AssayCommand):
    help = "List the latest jobs, or cancel or retry one."

    def add_arguments(self, parser: CommandParser) -> None:
        for act in ACTS:
            parser.add_argument(f"--{act}", metavar="JOB")

    def run(self, **options: Any) -> dict[str, Any]:
        lines = []
        for act, do in ACTS.items():
            if options[act] is not None:
                lines.append(job_line(do(self._job(options[act]), by=None)))
        lines = lines or job_lines(Job.objects.whole())
        for line in lines:
            self.say(_as_text(line), **options)
        if not lines:
            self.say("No job has run yet.", **options)
        return {"jobs": [_as_dict(line) for line in lines]}

    def _job(self, uuid: str) -> Job:
        try:
            found = Job.objects.whole().filter(uuid=uuid).first()
        except ValidationError:
            found = None
        if found is None:
            raise CommandError(f"There is no job {uuid}.")
        return found


def _as_text(line: JobLine) -> str:
    where = line.job.project.slug if line.job.project else "house"
    return f"{line.job.uuid}  {line.job.kind:<16} {where:<16} {line.state:<10} {line.percent:>3} %  {line.says}"


def _as_dict(line: JobLine) -> dict[str, Any]:
    job = line.job
    return {
        "job": str(job.uuid),
        "kind": job.kind,
        "project": job.project.slug if job.project else None,
        "state": line.state,
        "percent": line.percent,
        "says": line.says,
        "result": job.result,
    }
