"""The gold, as a file."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotator.domain.formats.assay_jsonl import write_assay_jsonl
from annotator.domain.formats.reading import counted
from annotator.domain.formats.sws_json import write_sws_json
from annotator.management.base import AssayCommand
from annotator.management.files import project_named, written
from annotator.models import Project
from exports.queries.answers import everything_of
from exports.queries.gold import GoldInput, SwsGold, is_up_to_date, merge_to_export

FORMATS = ("sws", "assay")


class Command(AssayCommand):
    help = (
        "Write the gold as SWS JSON, or everything (answers, questions, decisions, comments, the card) as Assay JSONL."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument("--format", required=True, help=f"one of {', '.join(FORMATS)}")
        parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="written whole, or not at all")
        parser.add_argument(
            "--split", default="all", help="all, or one of those that the first release drew, such as test"
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
        splits = sorted(set(project.passages.exclude(split="").values_list("split", flat=True)))
        if split != "all" and not splits:
            raise CommandError(f"{slug} has no release yet, and splits are drawn by the first one: leave --split out.")
        if split not in ("all", *splits):
            raise CommandError(f"There is no split “{split}”: take all, {' or '.join(splits)}.")
        if split != "all" and format == "assay":
            raise CommandError("Assay JSONL is of a whole project: leave --split out.")
        if format == "assay":
            return self._everything(project, out, **options)
        given = GoldInput.now(merge_to_export(project), with_decisions=not without_decisions)
        gold = SwsGold(given, split="" if split == "all" else split)
        told = self._sws(gold, out, leave_out_off_token, **options)
        return {**told, "with_decisions": not without_decisions}

    def _sws(self, gold: SwsGold, out: Path, leave_out: bool, **options: Any) -> dict[str, Any]:
        merge, counts = gold.given.merge, gold.counts
        with written(out) as file:
            file.writelines(write_sws_json(gold))
            gold.rows.check_whole()
            if counts.off_tokens and not leave_out:
                raise CommandError(
                    f"Nothing was written: SWS JSON counts in tokens, and these are no spans of tokens: "
                    f"{gold.off_borders_named}. --leave-out-off-token writes the rest."
                )
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
        lines = 0
        with written(out) as file:
            for line in write_assay_jsonl(everything_of(project)):
                file.write(line)
                lines += 1
        self.say(f"{counted(lines, 'line')} → {out}", **options)
        return {"file": str(out), "lines": lines}
