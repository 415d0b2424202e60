"""Tables with a header line, from CSV, TSV and XLSX: one set of rules for columns, whatever the file is."""

import csv
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, BinaryIO

from annotator.domain.errors import Invalid
from annotator.domain.formats.reading import MAX_LINE, Report, clip, counted, lines_of
from annotator.domain.formats.workbooks import sheet_rows

TABLES = ("csv", "tsv", "xlsx")
Row = tuple[int, list[str]]
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
    check_sheet(format, sheet)
    is_book = format == "xlsx"
    delimiter, rows = "", sheet_rows(source, report, sheet)
    if not is_book:
        delimiter, rows = _text_rows(source, report, format, required)
    line, head = next(((line, cells) for line, cells in rows if any(cells)), (0, []))
    if report:
        return
    if not line:
        report.add(1, f"The {'sheet' if is_book else 'file'} is empty.")
        return
    names = [name.strip() for name in head]
    if not _check_header(line, names, report, required, optional):
        return
    width = len(names)
    for line, cells in rows:
        if not any(cells):
            continue
        if is_book and len(cells) < width:
            cells += [""] * (width - len(cells))  # a sheet keeps no empty cells at the end of a row
        if len(cells) != width:
            report.add(line, _wrong_width(len(cells), width, delimiter))
            continue
        yield line, dict(zip(names, cells, strict=True))


def check_sheet(format: str, sheet: str | None) -> None:
    if sheet is not None and format != "xlsx":
        raise Invalid.of("sheet", "Only a workbook (.xlsx) has sheets.", "sheet")


def _wrong_width(cells: int, width: int, delimiter: str) -> str:
    is_split = cells > width and delimiter in (",", ";")
    hint = f": a cell that holds “{delimiter}” goes into quotation marks" if is_split else ""
    return f"The row has {counted(cells, 'cell')}, the header {width}{hint}."


def _text_rows(source: BinaryIO, report: Report, format: str, required: Sequence[str]) -> tuple[str, Iterator[Row]]:
    """The delimiter, and the rows that it parts."""
    lines = lines_of(source, report, save_as="CSV UTF-8" if format == "csv" else "UTF-8")
    first = next(((number, line) for number, line in lines if line.strip()), None)
    if first is None:
        return "", iter(())
    delimiter = "\t" if format == "tsv" else _delimiter(first[1], required)
    if delimiter == "\t" and format == "csv":
        report.add(first[0], "The columns are parted by tabs: name the file .tsv.")
        return delimiter, iter(())
    return delimiter, _parted(chain([first], lines), delimiter, report)


def _delimiter(head: str, required: Sequence[str]) -> str:
    """What gives most of the columns that must be there: where a comma is for decimals, spreadsheets write “;”."""

    def found(delimiter: str) -> int:
        names = next(csv.reader([head], delimiter=delimiter), [])
        return len({name.strip() for name in names} & set(required))

    return max((",", ";", "\t"), key=found)


def _parted(lines: Iterator[tuple[int, str]], delimiter: str, report: Report) -> Iterator[Row]:
    fed: list[int] = []  # the lines of the row being read
    # A quotation mark in a TSV is a quotation mark: reading it as CSV does would unite rows.
    dialect: Any = {"quoting": csv.QUOTE_NONE} if delimiter == "\t" else {}
    reader = csv.reader(_feed(lines, fed), delimiter=delimiter, strict=True, **dialect)
    try:
        for cells in reader:
            line = fed[0]
            fed.clear()
            yield line, cells
    except csv.Error as error:
        report.add(fed[0] if fed else 1, f"The row that begins here cannot be read: {error}.")


def _feed(lines: Iterator[tuple[int, str]], fed: list[int]) -> Iterator[str]:
    for number, line in lines:
        fed.append(number)
        yield f"{line}\n"


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
