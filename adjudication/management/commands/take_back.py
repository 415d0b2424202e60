"""A wrongly imported file, out again."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser

from adjudication.actions.taking_back import take_back
from annotator.actions.importing.arrivals import CLEAR
from annotator.actions.running import work_here
from annotator.domain.formats.reading import counted
from annotator.management.base import AssayCommand
from annotator.management.files import project_named
from annotator.models import Arrival, Project


class Command(AssayCommand):
    help = (
        "Take a file back that was imported into a project, or is on its way; merges and reports made since go with "
        "it. Without ARRIVAL: list what was imported."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument("arrival", nargs="?", help="as import_passages and import_annotations name it")

    def run(self, *, slug: str, arrival: str | None, **options: Any) -> dict[str, Any]:
        project = project_named(slug)
        if arrival is None:
            return self._list(project, **options)
        found = self._arrival(project, arrival)
        rows = 0
        if job := take_back(found, by=None):
            work_here(job.pk, CLEAR.work, watch=self.progress_bar(**options))
            job.refresh_from_db()
            rows = (job.result or {}).get("rows", 0)
        self.say(f"{slug}: “{found.name}” is taken back, {counted(rows, 'row')} removed.", **options)
        return {"project": slug, "arrival": str(found.uuid), "rows": rows}

    def _list(self, project: Project, **options: Any) -> dict[str, Any]:
        found = project.arrivals.filter(over_at=None).order_by("-started_at")
        for row in found:
            when = f"{row.started_at:%Y-%m-%d %H:%M}"
            self.say(f"{row.uuid}  {row.kind:<9} {row.state:<10} {when}  {row.name}", **options)
        if not found:
            self.say(f"Nothing was imported into {project.slug}.", **options)
        return {"arrivals": [{"arrival": str(row.uuid), "kind": row.kind, "name": row.name} for row in found]}

    def _arrival(self, project: Project, uuid: str) -> Arrival:
        try:
            found = project.arrivals.filter(uuid=uuid).first()
        except ValidationError:
            found = None
        if found is None:
            raise CommandError(f"There is no arrival {uuid} in {project.slug}: `take_back {project.slug}` lists them.")
        if found.over_at:
            raise CommandError(f"“{found.name}” is not in {project.slug} any more.")
        return found
