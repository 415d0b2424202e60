"""What the commands that read files share: opening them, and saying what is wrong with them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from django.core.management.base import CommandError

from annotator.domain.formats.reading import BadFile
from annotator.management.base import Failed
from annotator.models import Project

SHOWN = 50  # lines of a report at the terminal; the CSV has them all


def project_named(slug: str) -> Project:
    project = Project.objects.filter(slug=slug).first()
    if project is None:
        raise CommandError(f"There is no project “{slug}”.")
    return project


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    try:
        with path.open("rb") as source:
            yield source
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from None


@contextmanager
def reporting(path: Path, *, say: Callable[[str], Any], report_to: Path | None) -> Iterator[None]:
    """Every bad line by name: at the terminal, as JSON, or as CSV."""
    try:
        yield
    except BadFile as error:
        report = error.report
        if report_to is not None:
            report_to.write_text(report.as_csv(), encoding="utf-8")
        for problem in report.problems[:SHOWN]:
            say(f"{path}:{problem.line}: {problem.reason}")
        if len(report.problems) > SHOWN:
            say(f"… and {len(report.problems) + report.more - SHOWN:,} more (--report FILE writes all of them).")
        rows = [{"line": problem.line, "reason": problem.reason} for problem in report.problems]
        result = {"problems": rows, "more": report.more}
        raise Failed(f"{path}: {error.message}", result=result) from None


@contextmanager
def written(path: Path) -> Iterator[TextIO]:
    """A file that appears under its name only when it is whole."""
    half_done = path.with_name(f".{path.name}.part")
    try:
        with half_done.open("w", encoding="utf-8", newline="") as file:
            yield file
        half_done.replace(path)
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}.") from None
    finally:
        with suppress(OSError):
            half_done.unlink(missing_ok=True)
