"""A system against a gold file."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotator.domain.errors import Invalid, Problem, Refused
from annotator.domain.formats.reading import whole
from annotator.domain.formats.sws_json import read_sws_json
from annotator.management.base import AssayCommand
from annotator.management.files import opened
from exports.domain.predictions import read_predictions
from exports.domain.scoring import score_sws

SCORERS = ("sws",)
SHOWN = 20  # problems at the terminal


class Command(AssayCommand):
    help = "Score a system's predictions against gold: no project and no database needed."
    needs_migrated_database = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("scorer", help=f"one of {', '.join(SCORERS)}")
        parser.add_argument("--gold", required=True, type=Path, metavar="FILE", help="SWS JSON")
        parser.add_argument("--pred", required=True, type=Path, metavar="FILE", help="SWS predictions")

    def run(self, *, scorer: str, gold: Path, pred: Path, **options: Any) -> dict[str, Any]:
        if scorer not in SCORERS:
            raise CommandError(f"There is no scorer “{scorer}”: take {', '.join(SCORERS)}.")
        sentences = self._read(gold, read_sws_json)
        predictions = self._read(pred, lambda data: read_predictions(data, sentences))
        found = score_sws(sentences, predictions)
        self.say("\n".join(f"{name:<28} {_spoken(value)}" for name, value in found.items()), **options)
        return found

    def _read(self, path: Path, read: Any) -> Any:
        try:
            with opened(path) as source:
                return read(whole(source))
        except Refused as error:
            problems = error.problems if isinstance(error, Invalid) else [Problem(error.code, error.message)]
            for problem in problems[1:SHOWN]:
                self.stderr.write(f"{path}: {problem.message}")
            more = f" And {len(problems) - SHOWN:,} more." if len(problems) > SHOWN else ""
            raise CommandError(f"{path}: {problems[0].message}{more} Nothing was scored.") from None


def _spoken(value: Any) -> str:
    if isinstance(value, list):
        return "  ".join(_spoken(item) for item in value)
    if isinstance(value, dict):
        return "  ".join(f"{key}: {_spoken(item)}" for key, item in value.items())
    if isinstance(value, float):
        return f"{value:.4f}"
    return "–" if value is None else f"{value:,}" if isinstance(value, int) else str(value)
