"""The gold, or everything, as one file: what the command writes and the API gives."""

import io
import tempfile
from typing import IO

from django.conf import settings

from adjudication.queries.merges import current_merge
from annotator.domain.errors import Conflict, Invalid
from annotator.domain.formats.assay_jsonl import write_assay_jsonl
from annotator.domain.formats.sws_json import write_sws_json
from annotator.models import Assignment, Project
from annotator.uploads import DiskFull
from exports.domain.exporting import ALL, ENDINGS
from exports.queries.answers import everything_of
from exports.queries.gold import GoldInput, SwsGold

MOST_PASSAGES = 10_000  # exported in one request: gold of so many takes some seconds
MOST_ANSWERS = 100_000  # likewise


def check_split(project: Project, split: str, *, format: str) -> None:
    splits = sorted(project.passages.exclude(split="").order_by().values_list("split", flat=True).distinct())
    if split != ALL and not splits:
        message = f"{project.slug} has no release yet, and splits are drawn by the first one: export all."
        raise Invalid.of("split", message, "split")
    if split not in (ALL, *splits):
        raise Invalid.of("split", f"There is no split “{split}”: take all, {' or '.join(splits)}.", "split")
    if split != ALL and format == "assay":
        raise Invalid.of("split", "Assay JSONL is of a whole project: export all.", "split")


def write_gold(file: IO[str], gold: SwsGold, *, leaves_out: bool, how: str) -> None:
    """Conflict after the last row, where something cannot be written: what is in the file by then is to be thrown away.
    `how`: what to say for the rest to be written."""
    file.writelines(write_sws_json(gold))
    gold.rows.check_whole()
    if gold.counts.off_tokens and not leaves_out:
        message = (
            f"Nothing was written: SWS JSON counts in tokens, and these are no spans of tokens: "
            f"{gold.off_borders_named}. {how}"
        )
        raise Conflict(message, code="off_tokens")


def write_everything(file: IO[str], project: Project) -> int:
    """How many lines."""
    lines = 0
    for line in write_assay_jsonl(everything_of(project)):
        file.write(line)
        lines += 1
    return lines


def exported(project: Project, *, format: str, split: str, **given: str) -> tuple[IO[bytes], str]:
    """The file, whole, and its name. It has no name on the disk, and is gone with whoever reads it; no query is open
    any more while somebody slow does."""
    check_split(project, split, format=format)
    _check_size(project)
    try:
        settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
        kept = tempfile.TemporaryFile(dir=settings.DATA_DIR)  # noqa: SIM115 (closed by whoever sends it)
        file = io.TextIOWrapper(kept, encoding="utf-8", newline="")
        try:
            if format == "assay":
                write_everything(file, project)
            else:
                _write_gold(file, project, split, **given)
            file.flush()
        except BaseException:
            file.close()
            raise
    except OSError as error:
        raise DiskFull(f"The export cannot be written ({error.strerror}). Tell the operator.") from None
    file.detach()
    kept.seek(0)
    part = "" if split == ALL else f"-{split}"
    return kept, f"{project.slug}{part}.{ENDINGS[format]}"


def _write_gold(file: IO[str], project: Project, split: str, *, decisions: str, off_tokens: str) -> None:
    given = _gold_now(project, with_decisions=decisions == "yes")
    gold = SwsGold(given, split="" if split == ALL else split)
    write_gold(file, gold, leaves_out=off_tokens == "leave_out", how="off_tokens=leave_out gives the rest.")


def _gold_now(project: Project, *, with_decisions: bool) -> GoldInput:
    merge = current_merge(project)
    if merge is None:
        raise Conflict("There is no merge yet: merge first.", code="no_merge")
    return GoldInput.now(merge, with_decisions=with_decisions)


def _check_size(project: Project) -> None:
    """A request that takes minutes is broken off somewhere on its way."""
    passages, answers = project.passages.count(), Assignment.objects.filter(passage__project=project).count()
    if passages > MOST_PASSAGES or answers > MOST_ANSWERS:
        message = (
            f"This project has {passages:,} passages and {answers:,} answers: so up to {MOST_PASSAGES:,} and "
            f"{MOST_ANSWERS:,} are exported. Make a release and take its files, or ask the operator for an export."
        )
        raise Conflict(message, code="too_much")
