"""Workbooks: what a cell is read as, and which cells have no text."""

import datetime
import io
import time
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook

from annotator.domain.formats import workbooks
from annotator.domain.formats.reading import Report
from annotator.domain.formats.workbooks import sheet_rows
from tests.annotator.domain.formats.books import book, changed, with_sheet_xml


def read(source: io.BytesIO, sheet: str | None = None) -> tuple[list[tuple[int, list[str]]], Report]:
    report = Report()
    return list(sheet_rows(source, report, sheet)), report


@pytest.mark.parametrize(
    ("value", "text", "warning"),
    [
        ("a text", "a text", ""),
        (" kept \n as it is ", " kept \n as it is ", ""),
        ("two_x000D_\nlines", "two\r\nlines", ""),
        (7, "7", ""),
        (7.0, "7", ""),
        (-3, "-3", ""),
        (1e15, "1000000000000000", ""),
        (0.25, "0.25", "B1 is a number, read as 0.25"),
        (True, "TRUE", ""),
        (False, "FALSE", ""),
        (datetime.date(2024, 2, 29), "2024-02-29", "B1 is a date, read as 2024-02-29"),
        (datetime.datetime(2024, 2, 29, 8, 30), "2024-02-29T08:30:00", "B1 is a date"),
        (datetime.time(8, 30), "08:30:00", "B1 is a date"),
    ],
)
def test_a_cell_is_read_as_it_was_stored(value: Any, text: str, warning: str) -> None:
    rows, report = read(book(["x", value]))

    assert (rows, report.problems) == ([(1, ["x", text])], [])
    assert [warning in item.reason for item in report.warnings] == ([True] if warning else [])


def test_numbers_of_a_column_are_warned_of_once() -> None:
    _, report = read(book([1.5, "x"], [2.5, 0.5], [3.5, datetime.date(2024, 1, 2)]))

    assert [(item.line, item.reason.split(",")[0]) for item in report.warnings] == [
        (1, "A1 is a number"),
        (2, "B2 is a number"),
        (3, "B3 is a date"),
    ]


def test_empty_cells_and_rows_at_the_end_are_not_there() -> None:
    made = Workbook()
    made.active.append(["a", None, "c"])  # type: ignore[union-attr]
    made.active["H9"].number_format = "0.00"  # type: ignore[index] # a cell that only has a format
    out = io.BytesIO()
    made.save(out)

    rows, report = read(out)

    assert (rows, report) == ([(1, ["a", "", "c"])], Report())


def test_what_a_sheet_says_of_its_size_is_not_believed() -> None:
    there = book(["a", "b"], ["c", "d"])
    source = changed(there, "xl/worksheets/sheet1.xml", lambda xml: xml.replace(b'ref="A1:B2"', b'ref="A1:A1"'))
    assert source.getvalue() != there.getvalue()

    assert read(source)[0] == [(1, ["a", "b"]), (2, ["c", "d"])]


def test_a_formula_without_a_stored_value_is_named_by_its_cell() -> None:
    rows, report = read(book(["a", "b"], ["c", None], ["d", "=A1"], ["=A2", "e"]))

    assert [(item.line, item.reason.split(":")[0]) for item in report.problems] == [
        (3, "B3 is a formula without a stored value"),
        (4, "A4 is a formula without a stored value"),
    ]
    assert rows == [(1, ["a", "b"]), (2, ["c"])]


def test_a_formula_with_a_stored_value_is_its_value_also_where_that_is_empty() -> None:
    cells = '<c r="A1" t="str"><f>B1</f><v>stored</v></c><c r="B1" t="str"><f>C1</f><v></v></c><c r="C1"><v>5</v></c>'

    rows, report = read(with_sheet_xml(f'<row r="1">{cells}</row>'))

    assert (rows, report.problems) == ([(1, ["stored", "", "5"])], [])


@pytest.mark.parametrize("error", ["#N/A", "#REF!", "#DIV/0!"])
def test_an_error_is_named_by_its_cell(error: str) -> None:
    rows, report = read(book(["a", "b"], ["c", error]))

    assert [(item.line, item.reason) for item in report.problems] == [(2, f"B2 holds the error {error}.")]
    assert rows == [(1, ["a", "b"])]


def test_of_merged_cells_the_first_has_the_value() -> None:
    made = load_workbook(book(["a", "b", "c"]))
    made.active.merge_cells("A1:B1")  # type: ignore[union-attr]
    out = io.BytesIO()
    made.save(out)

    assert read(out)[0] == [(1, ["a", "", "c"])]


def test_sheets_are_chosen_by_name_and_else_the_first_is_read() -> None:
    source = book(["first"], title="One", others=["Two"])

    rows, report = read(source)
    assert rows == [(1, ["first"])]
    assert [item.reason for item in report.warnings] == ["The workbook has 2 sheets: only the first, “One”, was read."]
    assert read(source, "One")[1] == Report()
    assert read(source, "Two")[0] == []
    [problem] = read(source, "Three")[1].problems
    assert problem.reason == "There is no sheet “Three”: the workbook has “One”, “Two”."


def test_a_row_far_below_ends_the_reading() -> None:
    rows, report = read(with_sheet_xml('<row r="1"><c r="A1"><v>1</v></c></row><row r="99999999999"/>'))

    assert [item.reason for item in report.problems] == ["The sheet has more than 1,048,576 rows or 20,000,000 cells."]
    assert rows[0] == (1, ["1"])


def test_cells_far_to_the_right_end_the_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbooks, "MAX_CELLS", 20_000)
    far = '<row r="{0}"><c r="XFD{0}"><v>1</v></c></row>'

    assert not read(with_sheet_xml(far.format(1)))[1]
    assert "20,000 cells" in read(with_sheet_xml(far.format(1) + far.format(2)))[1].problems[0].reason


@pytest.mark.parametrize(
    "xml",
    [
        '<row r="x"/>',
        '<row r="1"><c r="A1" t="s"><v>99</v></c></row>',  # no such shared string
        '<row r="1"><c r="!!"><v>1</v></c></row>',
        '<row r="1"><c r="A1"><v>one</v></c></row>',
        "<row>",
    ],
)
def test_a_sheet_that_is_bent_is_one_clear_line(xml: str) -> None:
    _, report = read(with_sheet_xml(xml))

    assert [(item.line, "cannot be read" in item.reason) for item in report.problems] == [(1, True)]


def test_cells_that_have_only_a_format_do_not_make_reading_slow() -> None:
    """Beside each such row the formulas are looked at: on and on, never from the beginning."""
    row = '<row r="{0}"><c r="A{0}"><v>{0}</v></c><c r="B{0}" s="0"/><c r="C{0}"><v>1</v></c></row>'
    source = with_sheet_xml("".join(row.format(number) for number in range(1, 5_001)))

    began = time.process_time()
    rows, report = read(source)

    assert (rows[-1], report.problems) == ((5_000, ["5000", "", "1"]), [])
    assert time.process_time() - began < 15
