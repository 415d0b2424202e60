"""Tables with a header line, from CSV, TSV and XLSX: one set of rules for columns, whatever the file is."""

import csv
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, BinaryIO

from annotator.domain.errors import Invalid
from annotator.domain.formats.reading import MAX_LINE, Report, clip, counted, lines_of
from annotator.domain.formats.workbooks import sheet_rows

TABLES = ("csv", "tsv", "xlsx")
Row = tuple[int, list[str]]
LONGEST_ROW = 1_000  # lines: a longer one began with a quotation mark that was left open
csv.field_size_limit(MAX_LINE)


def rows_of(
    source: BinaryIO,
    report: Report,
    *,
    format: str,
    required: Sequence[str],
    optional: Sequence[str] = (),
    sheet: str | None = None,
) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows by their columns, which may come in any order; unknown ones are refused. Of a workbook `sheet`, or the
    first."""
    is_book = format == "xlsx"
    delimiter, rows = any_rows(source, report, format=format, sheet=sheet, known=required)
    line, head = next(rows, (0, []))
    if report:
        return
    if not line:
        report.add(1, f"The {'sheet' if is_book else 'file'} is empty.")
        return
    names = [name.strip() for name in head]
    if not _check_header(line, names, report, required, optional):
        return
    for line, cells in of_width(len(names), rows, report, delimiter):
        yield line, dict(zip(names, cells, strict=True))


def any_rows(
    source: BinaryIO,
    report: Report,
    *,
    format: str,
    sheet: str | None = None,
    known: Sequence[str] = (),
    names_each: bool = False,
) -> tuple[str, Iterator[Row]]:
    """What parts the cells ("" in a workbook), and every row that is not empty, whatever its header. `known`: names
    that tell the delimiter."""
    check_sheet(format, sheet)
    if format == "xlsx":
        delimiter, rows = "", sheet_rows(source, report, sheet)
    else:
        delimiter, rows = _text_rows(source, report, format, known, names_each)
    return delimiter, (row for row in rows if any(row[1]))


def of_width(
    width: int, rows: Iterable[Row], report: Report, delimiter: str, *, as_in: str = "the header"
) -> Iterator[Row]:
    """Those with as many cells as the header, or what else `as_in` names; the others are reported."""
    for line, cells in rows:
        if not delimiter and len(cells) < width:
            cells += [""] * (width - len(cells))  # a sheet keeps no empty cells at the end of a row
        if len(cells) != width:
            report.add(line, _wrong_width(len(cells), width, delimiter, as_in))
            continue
        yield line, cells


def check_sheet(format: str, sheet: str | None) -> None:
    if sheet is not None and format != "xlsx":
        raise Invalid.of("sheet", "Only a workbook (.xlsx) has sheets.", "sheet")


def _wrong_width(cells: int, width: int, delimiter: str, as_in: str) -> str:
    is_split = cells > width and delimiter in (",", ";")
    hint = f": a cell that holds “{delimiter}” goes into quotation marks" if is_split else ""
    return f"The row has {counted(cells, 'cell')}, {as_in} {width}{hint}."


def _text_rows(
    source: BinaryIO, report: Report, format: str, known: Sequence[str], names_each: bool
) -> tuple[str, Iterator[Row]]:
    """The delimiter, and the rows that it parts."""
    lines = lines_of(source, report, save_as="CSV UTF-8" if format == "csv" else "UTF-8", names_each=names_each)
    first = next(((number, line) for number, line in lines if line.strip()), None)
    if first is None:
        return ",", iter(())
    delimiter = "\t" if format == "tsv" else _delimiter(first[1], known)
    if delimiter == "\t" and format == "csv":
        report.refuse(first[0], "The columns are parted by tabs: name the file .tsv.")
        return delimiter, iter(())
    return delimiter, _parted(chain([first], lines), delimiter, report)


def _delimiter(head: str, known: Sequence[str]) -> str:
    """What gives most of the columns that are looked for, or most columns: where a comma is for decimals, spreadsheets
    write “;”."""

    def found(delimiter: str) -> tuple[int, int]:
        names = next(csv.reader([head], delimiter=delimiter), [])
        return len({name.strip() for name in names} & set(known)), len(names)

    return max((",", ";", "\t"), key=found)


def _parted(lines: Iterator[tuple[int, str]], delimiter: str, report: Report) -> Iterator[Row]:
    """A row that cannot be read is reported, and those after it are read all the same."""
    # A quotation mark in a TSV is a quotation mark: reading it as CSV does would unite rows.
    dialect: Any = {"quoting": csv.QUOTE_NONE} if delimiter == "\t" else {}
    feed = _Feed(lines)
    reader = csv.reader(feed, delimiter=delimiter, strict=True, **dialect)
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            _tell_unread(feed, error, report)
            reader = csv.reader(feed, delimiter=delimiter, strict=True, **dialect)
            continue
        first, last = feed.taken[0][0], feed.taken[-1][0]
        is_whole = last - first + 1 == len(feed.taken)
        feed.taken.clear()
        if is_whole:
            yield first, cells
        else:
            report.add(first, "A line of the row that begins here cannot be read.")


class _Feed:
    """Lines for a CSV reader; it knows which of them the row took up that is being read."""

    def __init__(self, lines: Iterator[tuple[int, str]]) -> None:
        self.lines = lines
        self.taken: list[tuple[int, str]] = []
        self.again: deque[tuple[int, str]] = deque()

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if len(self.taken) == LONGEST_ROW:
            raise StopIteration
        line = self.again.popleft() if self.again else next(self.lines)
        self.taken.append(line)
        return f"{line[1]}\n"


def _tell_unread(feed: _Feed, error: csv.Error, report: Report) -> None:
    (first, _), *others = feed.taken
    is_open = "unexpected end" in str(error)
    why = "a quotation mark was left open" if is_open else str(error)
    why = "a quotation mark inside a cell is written twice" if "expected after" in why else why
    report.add(first, f"The row that begins here cannot be read: {why}.")
    if is_open:  # what it swallowed is read by itself
        feed.again.extendleft(reversed(others))
    else:
        for line, _ in others:
            report.add(line, f"Taken up by line {first:,}.")
    feed.taken.clear()


def _check_header(
    line: int, names: list[str], report: Report, required: Sequence[str], optional: Sequence[str]
) -> bool:
    known = [*required, *optional]
    columns = f"The columns are {', '.join(known)}."
    if missing := [name for name in required if name not in names]:
        report.add(line, f"The column “{missing[0]}” is missing. {columns}")
    for name in names:
        if name not in known:
            report.add(line, f"There is no column “{clip(name)}”. {columns}" if name else "A column has no name.")
    if len(set(names)) != len(names):
        report.add(line, "A column occurs twice in the header.")
    return not report
