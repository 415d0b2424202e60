"""What the commands that read files share: opening them, and saying what is wrong with them."""

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from django.core.management.base import CommandError

from annotator.domain.formats.reading import BadFile, Report, alike
from annotator.management.base import Failed
from annotator.models import Project

SHOWN = 50  # reasons at the terminal; the CSV has every line


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
            _write_report(report_to, path, report.as_csv(), say)
        untold = report.more + _say_alike(path, ((row.line, row.reason) for row in report.problems), "", say)
        if untold:
            say(f"… and {untold:,} more (--report FILE writes all of them).")
        rows = [{"line": problem.line, "reason": problem.reason} for problem in report.problems]
        result = {"problems": rows, "more": report.more}
        raise Failed(f"{path}: {error.message}", result=result) from None


def say_warnings(path: Path, kept: dict[str, Any] | None, *, say: Callable[[str], Any], report_to: Path | None) -> None:
    """Of a file that was imported all the same."""
    warnings = (kept or {}).get("warnings", [])
    untold = (kept or {}).get("more_warnings", 0)
    untold += _say_alike(path, ((row["line"], row["reason"]) for row in warnings), "warning: ", say)
    if untold:
        say(f"… and {untold:,} more warnings.")
    if report_to is not None and warnings:
        report = Report()
        for warning in warnings:
            report.warn(warning["line"], warning["reason"])
        report.more_warnings += (kept or {})["more_warnings"]
        _write_report(report_to, path, report.as_csv(), say)


def _say_alike(path: Path, rows: Iterable[tuple[int, str]], kind: str, say: Callable[[str], Any]) -> int:
    """Each reason once, under the first line that gives it; how many lines are left unsaid."""
    found = alike(rows)
    for item in found[:SHOWN]:
        say(f"{path}:{item.lines[0]}: {kind}{item}")
    return sum(len(item.lines) for item in found[SHOWN:])


def _write_report(report_to: Path, source: Path, text: str, say: Callable[[str], Any]) -> None:
    try:
        if report_to.exists() and report_to.samefile(source):
            raise OSError(0, "it is the file that was to be imported")
        report_to.write_text(text, encoding="utf-8")
    except OSError as error:
        say(f"The report {report_to} cannot be written: {error.strerror}.")


@contextmanager
def written(path: Path) -> Iterator[TextIO]:
    """A file that appears under its name only when it is whole; a link is followed to what it names."""
    target = path.resolve()
    if target.is_dir() or (target.exists() and not target.is_file()):
        raise CommandError(f"{path} is {'a folder' if target.is_dir() else 'no ordinary file'}: name a file to write.")
    half_done: Path | None = None
    try:
        # A name of its own: two exports to one file must not write into each other.
        fd, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
        half_done = Path(name)
        with open(fd, "w", encoding="utf-8", newline="") as file:
            yield file
        half_done.chmod(0o666 & ~_umask())
        half_done.replace(target)
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}.") from None
    finally:
        if half_done is not None:
            with suppress(OSError):
                half_done.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
