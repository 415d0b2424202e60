"""What every reader shares: lines of UTF-8 and nothing else, and a report that names each bad row by its line."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

MAX_LINE = 1_000_000  # bytes: a longer one is no line of ours
MAX_PROBLEMS = 10_000  # kept in a report; beyond it only counted
csv.field_size_limit(MAX_LINE)


@dataclass(frozen=True)
class RowProblem:
    """`line` counts from 1 in the file as it is."""

    line: int
    reason: str


@dataclass
class Report:
    """All that is wrong with a file. A file with a problem is not imported at all."""

    problems: list[RowProblem] = field(default_factory=list)
    more: int = 0

    def add(self, line: int, reason: str) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(RowProblem(line, reason))
        else:
            self.more += 1

    def __bool__(self) -> bool:
        return bool(self.problems)

    def as_csv(self) -> str:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["line", "reason"])
        writer.writerows([problem.line, problem.reason] for problem in self.problems)
        return out.getvalue()


def lines_of(data: bytes, report: Report) -> Iterator[tuple[int, str]]:
    """Each line with its number, without its end; what is not UTF-8 or too long is reported and left out. A byte order
    mark at the start is accepted."""
    for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        line = raw.removesuffix(b"\r")
        if len(line) > MAX_LINE:
            report.add(number, f"The line has {len(line):,} bytes: {MAX_LINE:,} are the most.")
            continue
        try:
            yield number, line.decode("utf-8")
        except UnicodeDecodeError as error:
            report.add(number, f"The line is not UTF-8 (byte {error.start} of it).")


def rows_of(
    data: bytes, report: Report, *, delimiter: str, required: Sequence[str], optional: Sequence[str] = ()
) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a table with a header line; columns may come in any order, unknown ones are refused."""
    good = list(lines_of(data, report))
    if report:
        return
    reader = csv.reader((f"{line}\n" for _, line in good), delimiter=delimiter, strict=True)
    began = 1
    try:
        names = next(reader, [])
        if not _check_header(names, report, required, optional):
            return
        began = reader.line_num + 1
        for cells in reader:
            line, began = began, reader.line_num + 1
            if not any(cells):
                continue
            if len(cells) != len(names):
                report.add(line, f"The row has {len(cells)} cells, the header {len(names)}.")
                continue
            yield line, dict(zip(names, cells, strict=True))
    except csv.Error as error:
        report.add(began, f"The row that begins here cannot be read: {error}.")


def _check_header(names: list[str], report: Report, required: Sequence[str], optional: Sequence[str]) -> bool:
    known = [*required, *optional]
    if missing := [name for name in required if name not in names]:
        report.add(1, f"The column “{missing[0]}” is missing. The columns are {', '.join(known)}.")
    for name in names:
        if name not in known:
            report.add(1, f"There is no column “{name}”. The columns are {', '.join(known)}.")
    if len(set(names)) != len(names):
        report.add(1, "A column stands twice in the header.")
    return not report
