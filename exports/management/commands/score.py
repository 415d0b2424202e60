"""A system against gold: a file, or a project of ours."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotator.domain.errors import Invalid, Problem, Refused
from annotator.domain.formats.reading import whole
from annotator.domain.formats.sws_json import read_sws_json
from annotator.management.base import AssayCommand
from annotator.management.files import opened, project_named
from annotator.models import Project
from exports.domain.predictions import read_predictions
from exports.domain.scoring import score_sws
from exports.queries.gold import GoldInput, SwsGold, is_up_to_date, merge_to_export

SCORERS = ("sws",)
SHOWN = 20  # problems at the terminal


class Command(AssayCommand):
    help = "Score a system's predictions against gold: a file (no database needed), or what a project has merged."
    needs_migrated_database = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("scorer", help=f"one of {', '.join(SCORERS)}")
        gold = parser.add_mutually_exclusive_group(required=True)
        gold.add_argument("--gold", type=Path, metavar="FILE", help="SWS JSON")
        gold.add_argument("--project", metavar="SLUG", help="its current merge, with figures by persons and by type")
        parser.add_argument("--pred", required=True, type=Path, metavar="FILE", help="SWS predictions")

    def _handle(self, **options: Any) -> None:
        self.needs_migrated_database = options["project"] is not None
        super()._handle(**options)

    def run(self, *, scorer: str, gold: Path | None, project: str | None, pred: Path, **options: Any) -> dict[str, Any]:
        if scorer not in SCORERS:
            raise CommandError(f"There is no scorer “{scorer}”: take {', '.join(SCORERS)}.")
        names: dict[int, str] | None = None
        told: dict[str, Any] = {}
        if project is not None:
            sentences, names, told = self._merged(project_named(project), **options)
        else:
            assert gold is not None
            sentences = self._read(gold, read_sws_json)
        predictions = self._read(pred, lambda data: read_predictions(data, sentences))
        found = score_sws(sentences, predictions, type_names=names)
        self.say("\n".join(f"{name:<28} {_spoken(value)}" for name, value in _flat(found).items()), **options)
        return {**found, **told}

    def _merged(self, project: Project, **options: Any) -> tuple[list[Any], dict[int, str], dict[str, Any]]:
        """The gold, the names of its types, and what it was."""
        merge = merge_to_export(project)
        gold = SwsGold(GoldInput.now(merge))
        sentences = list(gold)
        gold.rows.check_whole()
        if gold.counts.off_tokens:
            raise CommandError(
                f"Nothing was scored: SWS counts in tokens, and these are no spans of tokens: "
                f"{gold.off_borders_named}. `manage.py export {project.slug} --format sws --leave-out-off-token` "
                f"writes the rest, to be scored with --gold."
            )
        is_current = is_up_to_date(merge)
        if not is_current:
            self.say(
                f"Answers or rules have changed since it was merged: `manage.py merge {project.slug}` counts them.",
                **options,
            )
        return (
            sentences,
            gold.given.type_names,
            {"merge": str(merge.uuid), "is_up_to_date": is_current, "gold": merge.signature},
        )

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


def _flat(found: dict[str, Any]) -> dict[str, Any]:
    """Each type on a line of its own."""
    types = {f"by_type {name}": figures for name, figures in found["by_type"].items()}
    return {**{name: value for name, value in found.items() if name != "by_type"}, **types}


def _spoken(value: Any) -> str:
    if isinstance(value, list):
        return "  ".join(_spoken(item) for item in value)
    if isinstance(value, dict):
        return "  ".join(f"{key}: {_spoken(item)}" for key, item in value.items())
    if isinstance(value, float):
        return f"{value:.4f}"
    return "–" if value is None else f"{value:,}" if isinstance(value, int) else str(value)
