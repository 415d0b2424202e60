"""What every reader shares: lines of UTF-8 and nothing else, and a report that names each bad row by its line."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from annotator.domain.errors import Refused, TooLarge

MAX_LINE = 1_000_000  # bytes: a longer one is no line of ours
MAX_WHOLE = 256_000_000  # bytes
MAX_PROBLEMS = 10_000  # kept in a report; beyond it only counted
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
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
        writer.writerows([problem.line, _no_formula(problem.reason)] for problem in self.problems)
        if self.more:
            writer.writerow(["", f"… and {self.more:,} more"])
        return out.getvalue()


def _no_formula(text: str) -> str:
    """A spreadsheet would carry out a cell that begins like this."""
    return f"'{text}" if text[:1] in "=+-@\t\r" else text


def clip(text: str, most: int = 80) -> str:
    """For messages: a cell of a megabyte is not repeated whole."""
    return text if len(text) <= most else f"{text[:most]}…"


class BadFile(Refused):
    """Nothing of the file was taken; `report` names every line that is wrong."""

    code = "bad_file"

    def __init__(self, report: Report) -> None:
        count = len(report.problems) + report.more
        super().__init__(f"{count:,} problem{'s' if count > 1 else ''} in the file; nothing was imported.")
        self.report = report


def lines_of(source: BinaryIO, report: Report, *, longest: int = MAX_LINE) -> Iterator[tuple[int, str]]:
    """Each line with its number, without its end, as the file is read; what is not UTF-8 or too long is reported and
    left out. A byte order mark at the start is accepted."""
    for number, (raw, length) in enumerate(_raw_lines(source, longest), start=1):
        line = raw.removeprefix(BYTE_ORDER_MARK) if number == 1 else raw
        if length > longest:
            report.add(number, f"The line has {length:,} bytes: {longest:,} are the most.")
            continue
        if b"\r" in line.rstrip(b"\r\n"):
            report.add(number, "There is a carriage return inside the line: save the file with LF or CRLF line ends.")
            continue
        try:
            yield number, line.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8")
        except UnicodeDecodeError as error:
            report.add(number, f"The line is not UTF-8 (byte {error.start} of it).")


def _raw_lines(source: BinaryIO, longest: int) -> Iterator[tuple[bytes, int]]:
    """Each line and its length in bytes; of one that is too long only the beginning is kept."""
    while line := source.readline(longest + 2):
        length, piece = len(line.rstrip(b"\r\n")), line
        while piece and not piece.endswith(b"\n"):
            piece = source.readline(longest)
            length += len(piece.rstrip(b"\r\n"))
        yield line, length


def whole(source: BinaryIO) -> bytes:
    """For formats that cannot be read line by line; Invalid where the file is too large for that."""
    data = source.read(MAX_WHOLE + 1)
    if len(data) > MAX_WHOLE:
        raise TooLarge.of("too_large", f"The file has more than {MAX_WHOLE // 1_000_000} MB.")
    return data.removeprefix(BYTE_ORDER_MARK)


def rows_of(
    source: BinaryIO, report: Report, *, delimiter: str, required: Sequence[str], optional: Sequence[str] = ()
) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a table with a header line; columns may come in any order, unknown ones are refused."""
    fed: list[int] = []  # the lines of the row being read
    # A quotation mark in a TSV is a quotation mark: reading it as CSV does would unite rows.
    dialect: Any = {"quoting": csv.QUOTE_NONE} if delimiter == "\t" else {}
    reader = csv.reader(_feed(lines_of(source, report), fed), delimiter=delimiter, strict=True, **dialect)
    try:
        names = next(reader, [])
        if report or not _check_header(names, report, required, optional):
            return
        fed.clear()
        for cells in reader:
            line = fed[0]
            fed.clear()
            if not any(cells):
                continue
            if len(cells) != len(names):
                report.add(line, f"The row has {len(cells)} cells, the header {len(names)}.")
                continue
            yield line, dict(zip(names, cells, strict=True))
    except csv.Error as error:
        report.add(fed[0] if fed else 1, f"The row that begins here cannot be read: {error}.")


def _feed(lines: Iterator[tuple[int, str]], fed: list[int]) -> Iterator[str]:
    for number, line in lines:
        fed.append(number)
        yield f"{line}\n"


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
