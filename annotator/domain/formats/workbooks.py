"""Rows of an XLSX workbook as texts. Values only, as they were stored: nothing is calculated, and nothing guessed."""

import warnings
from collections.abc import Iterator
from typing import Any, BinaryIO

from annotator.domain.formats.packages import BadPackage, check_package
from annotator.domain.formats.reading import Report, clip, counted

MAX_ROWS = 1_048_576  # of a sheet, by its format
MAX_CELLS = 20_000_000  # of a sheet, with the gaps in its rows
_BROKEN = "The workbook cannot be read: open it in a spreadsheet and save it again as .xlsx."


def sheet_rows(source: BinaryIO, report: Report, sheet: str | None = None) -> Iterator[tuple[int, list[str]]]:
    """Each row that is not empty, with its number and without the empty cells at its end. A cell that has no text to
    give is reported by its name."""
    try:
        check_package(source)
        found = _sheet(_book(source, data_only=True), sheet, report)
        rows = _Rows(source, found.title, report)
        cells_in_all = 0
        for number, cells in enumerate(found.iter_rows(), start=1):
            cells_in_all += len(cells)
            if number > MAX_ROWS or cells_in_all > MAX_CELLS:
                raise BadPackage(f"The sheet has more than {MAX_ROWS:,} rows or {MAX_CELLS:,} cells.")
            if texts := rows.texts(number, cells) if cells else []:
                yield number, texts
    except BadPackage as bad:
        report.refuse(1, str(bad))
    except Exception:  # a book that is bent on purpose makes the library raise nearly anything
        report.refuse(1, _BROKEN)


def _book(source: BinaryIO, *, data_only: bool) -> Any:
    from openpyxl import load_workbook  # type: ignore[import-untyped]

    # It warns of what it does not keep when it writes, and nothing is written.
    warnings.filterwarnings("ignore", category=UserWarning, module="openpyxl")
    return load_workbook(source, read_only=True, data_only=data_only, keep_links=False)


def _sheet(book: Any, name: str | None, report: Report) -> Any:
    sheets = {sheet.title: sheet for sheet in book.worksheets}
    if not sheets:
        raise BadPackage("The workbook has no sheet of cells.")
    if name is not None and name not in sheets:
        there = ", ".join(f"“{clip(title)}”" for title in list(sheets)[:20])
        raise BadPackage(f"There is no sheet “{clip(name)}”: the workbook has {there}.")
    found = sheets[name] if name is not None else next(iter(sheets.values()))
    if name is None and len(sheets) > 1:
        report.warn(1, f"The workbook has {counted(len(sheets), 'sheet')}: only the first, “{found.title}”, was read.")
    found.reset_dimensions()  # what the sheet says of its size may be wrong, and would cut rows off
    return found


class _Rows:
    def __init__(self, source: BinaryIO, title: str, report: Report) -> None:
        self.report = report
        self.formulas = _Formulas(source, title)
        self.warned: set[tuple[str, int]] = set()  # once for each column

    def texts(self, number: int, cells: Any) -> list[str]:
        """None of them where a cell is wrong: the row is not read as if the cell were empty."""
        texts, is_good = [], True
        for cell in cells:
            if cell.value is None:
                texts.append("")
                is_good = self._check_empty(number, cell) and is_good
            elif cell.data_type == "e":
                self.report.add(number, f"{cell.coordinate} holds the error {clip(str(cell.value))}.")
                is_good = False
            else:
                texts.append(self._text(number, cell))
        while texts and not texts[-1]:
            texts.pop()
        return texts if is_good else []

    def _check_empty(self, number: int, cell: Any) -> bool:
        # A stored text of no length has the type "str"; a gap in the row is no cell and has no place.
        if not hasattr(cell, "row") or cell.data_type == "str" or not self.formulas.has_one(number, cell.column):
            return True
        reason = "is a formula without a stored value: open the workbook in a spreadsheet and save it, or put the value"
        self.report.add(number, f"{cell.coordinate} {reason} there.")
        return False

    def _text(self, number: int, cell: Any) -> str:
        value = cell.value
        if isinstance(value, str):
            return value.replace("_x000D_", "\r")  # how the format writes a carriage return
        if isinstance(value, bool):
            return "TRUE" if value else "FALSE"
        if isinstance(value, int | float):
            if value == int(value):
                return str(int(value))
            self._warn(number, cell, "number", f"{value!r}")
            return f"{value!r}"
        text = _date(value)
        self._warn(number, cell, "date", text)
        return text

    def _warn(self, number: int, cell: Any, what: str, text: str) -> None:
        if (what, cell.column) not in self.warned:
            self.warned.add((what, cell.column))
            reason = f"{cell.coordinate} is a {what}, read as {text}: the sheet may show it otherwise"
            self.report.warn(number, f"{reason}. Other {what}s in this column are not named.")


def _date(value: Any) -> str:
    """ISO 8601; a day where the time is midnight, as cells keep days."""
    if hasattr(value, "date") and not (value.hour or value.minute or value.second or value.microsecond):
        value = value.date()
    return str(value.isoformat() if hasattr(value, "isoformat") else value)


class _Formulas:
    """The same sheet with formulas in place of their values, read beside it and only as far as somebody asks."""

    def __init__(self, source: BinaryIO, title: str) -> None:
        self.source, self.title = source, title
        self.number, self.cells = 0, ()
        self.rows: Iterator[Any] | None = None

    def has_one(self, number: int, column: int) -> bool:
        if self.rows is None:
            sheet = _book(self.source, data_only=False)[self.title]
            sheet.reset_dimensions()
            self.rows = sheet.iter_rows()
        while self.number < number:
            self.number, self.cells = self.number + 1, next(self.rows)
        return len(self.cells) >= column and self.cells[column - 1].data_type == "f"
