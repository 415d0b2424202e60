"""The gold, as a file."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotator.domain.formats.reading import counted
from annotator.management.base import AssayCommand
from annotator.management.files import project_named, written
from annotator.models import Project
from exports.domain.exporting import ALL, FORMATS
from exports.queries.exporting import check_split, write_everything, write_gold
from exports.queries.gold import GoldInput, SwsGold, is_up_to_date, merge_to_export


class Command(AssayCommand):
    help = (
        "Write the gold as SWS JSON, or everything (answers, questions, decisions, comments, the card) as Assay JSONL."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument("--format", required=True, help=f"one of {', '.join(FORMATS)}")
        parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="written whole, or not at all")
        parser.add_argument(
            "--split", default=ALL, help="all, or one of those that the first release drew, such as test"
        )
        parser.add_argument(
            "--leave-out-off-token", action="store_true", help="sws: write the rest where a target is no span of tokens"
        )

        parser.add_argument("--without-decisions", action="store_true", help="sws: the bare merge, nothing adjudicated")

    def run(
        self,
        *,
        slug: str,
        format: str,
        out: Path,
        split: str,
        leave_out_off_token: bool,
        without_decisions: bool,
        **options: Any,
    ) -> dict[str, Any]:
        if format not in FORMATS:
            raise CommandError(f"There is no format “{format}”: take {' or '.join(FORMATS)}.")
        project = project_named(slug)
        check_split(project, split, format=format)
        if format == "assay":
            return self._everything(project, out, **options)
        given = GoldInput.now(merge_to_export(project), with_decisions=not without_decisions)
        gold = SwsGold(given, split="" if split == ALL else split)
        told = self._sws(gold, out, leave_out_off_token, **options)
        return {**told, "with_decisions": not without_decisions}

    def _sws(self, gold: SwsGold, out: Path, leave_out: bool, **options: Any) -> dict[str, Any]:
        merge, counts = gold.given.merge, gold.counts
        with written(out) as file:
            write_gold(file, gold, leaves_out=leave_out, how="--leave-out-off-token writes the rest.")
        is_current = is_up_to_date(merge)
        self.say(f"{counted(counts.sentences, 'sentence')}, {counted(gold.targets, 'target')} → {out}", **options)
        if counts.off_tokens:
            self.say(f"Left out, no span of tokens: {gold.off_borders_named}.", **options)
        if counts.added:
            self.say(
                f"{counted(len(counts.added), 'suggestion')} that nobody offered, written with one vote.", **options
            )
        if not is_current:
            slug = merge.project.slug
            self.say(
                f"Answers or rules have changed since it was merged: `manage.py merge {slug}` counts them.", **options
            )
        return {
            "file": str(out),
            "sentences": counts.sentences,
            "targets": gold.targets,
            "added": len(counts.added),
            "left_out": counts.off_tokens,
            "merge": str(merge.uuid),
            "is_up_to_date": is_current,
            "signature": merge.signature,
        }

    def _everything(self, project: Project, out: Path, **options: Any) -> dict[str, Any]:
        with written(out) as file:
            lines = write_everything(file, project)
        self.say(f"{counted(lines, 'line')} → {out}", **options)
        return {"file": str(out), "lines": lines}
