"""A system's predictions from the shell: scored against a release, and on its leaderboard."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotator import uploads
from annotator.management.base import AssayCommand, Failed
from annotator.management.files import opened, project_named
from exports.actions.runs import measure_system
from exports.domain.runs import FIGURES, RunState, System, full_name
from exports.management.releases import release_numbered

SHOWN = 20  # problems at the terminal


class Command(AssayCommand):
    help = "Score a system's predictions against a release; the run stands on the leaderboard."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument("file", type=Path, help="SWS predictions")
        parser.add_argument("--system", required=True, help="what it is called")
        parser.add_argument("--system-version", default="", help="which version of it")
        parser.add_argument("--description", default="", help="a word on what it does")
        parser.add_argument("--url", default="", help="where one can read more")
        parser.add_argument("--release", type=int, metavar="N", help="the newest by itself")
        parser.add_argument("--split", default="", help="the last of the release by itself, which is test as a rule")

    def run(
        self, *, slug: str, file: Path, system: str, split: str, release: int | None, **options: Any
    ) -> dict[str, Any]:
        found = release_numbered(project_named(slug), release)
        told = System(system, options["system_version"], options["description"], options["url"])
        with opened(file) as source:
            kept = uploads.keep(source)
        run = measure_system(found, by=None, split=split or found.splits[-1], system=told, file=kept)
        if run.state == RunState.REFUSED:
            for problem in run.errors[1:SHOWN]:
                self.stderr.write(f"{file}: {problem['message']}")
            more = f" And {run.counts['problems'] - SHOWN:,} more." if run.counts["problems"] > SHOWN else ""
            message = f"{file}: {run.errors[0]['message']}{more} Nothing was scored."
            raise Failed(message, result={"run": str(run.uuid), "problems": run.errors})
        if not run.is_scored:
            raise CommandError("A worker is scoring these predictions just now.")
        if (run.system, run.system_version) != (told.name, told.version):
            self.say(f"These very predictions were sent before, as “{run.title}”: it is one run.", **options)
        self.say(f"{run.title} on {run.split} of release {found.number}", **options)
        for figure in FIGURES:
            value = run.scores[figure.key]
            self.say(f"{full_name(figure):<18} {'–' if value is None else f'{value:.4f}'}", **options)
        return {"run": str(run.uuid), "release": found.number, "split": run.split, **run.scores}
