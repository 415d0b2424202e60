"""What /healthz says, at the shell; `--worker` is the health check of a worker's container."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotator.management.base import AssayCommand
from config.health import has_worker_here, report


class Command(AssayCommand):
    help = "Say how database, broker and workers are; exit 1 where something is wrong."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--worker", action="store_true", help="only: does a worker of this machine answer?")

    def run(self, *, worker: bool, **options: Any) -> dict[str, Any]:
        if worker:
            if not has_worker_here():
                raise CommandError("No worker of this machine has given a sign of life.")
            return {"worker": "ok"}
        found = {part: state for part, state in report().items() if part != "web"}
        self.say("\n".join(f"{part:<9} {state}" for part, state in found.items()), **options)
        if any(state in ("does not answer", "cannot be written", "none") for state in found.values()):
            raise CommandError("Something is missing; jobs wait until it is back.")
        return found
