"""One set of rules for columns, whatever the file is."""

import io

import pytest

from annotator.domain.errors import Invalid
from annotator.domain.formats.reading import Report
from annotator.domain.formats.tables import rows_of
from tests.annotator.domain.formats.books import book


def read(source: str | io.BytesIO, format: str = "csv", sheet: str | None = None):
    report = Report()
    file = io.BytesIO(source.encode()) if isinstance(source, str) else source
    rows = list(rows_of(file, report, format=format, required=("id", "text"), optional=("group",), sheet=sheet))
    return rows, [(item.line, item.reason) for item in report.problems]


def test_semicolons_part_columns_where_a_spreadsheet_wrote_them() -> None:
    rows, problems = read('\ufeffid;text;group\na;"One; two, three.";g\nb;Four, five.;\n')

    assert problems == []
    assert [row["text"] for _, row in rows] == ["One; two, three.", "Four, five."]


def test_a_header_of_semicolons_that_lacks_a_column_is_told_the_column() -> None:
    assert [reason for _, reason in read("id;txt\na;b\n")[1]] == [
        "The column “text” is missing. The columns are id, text, group.",
        "There is no column “txt”. The columns are id, text, group.",
    ]


def test_tabs_in_a_csv_are_named() -> None:
    assert read("id\ttext\na\tb\n") == ([], [(1, "The columns are parted by tabs: name the file .tsv.")])


@pytest.mark.parametrize(
    ("data", "format", "reason"),
    [
        ("id;text\na;one; two\n", "csv", "The row has 3 cells, the header 2: a cell that holds “;” goes into"),
        ("id,text\na,one, two\n", "csv", "The row has 3 cells, the header 2: a cell that holds “,” goes into"),
        ("id,text\na\n", "csv", "The row has 1 cell, the header 2."),
        ("id\ttext\na\tb\tc\n", "tsv", "The row has 3 cells, the header 2."),
    ],
)
def test_a_row_that_fell_apart_is_told_why(data: str, format: str, reason: str) -> None:
    [(line, said)] = read(data, format)[1]

    assert line == 2
    assert said.startswith(reason)


def test_a_book_has_the_same_columns() -> None:
    rows, problems = read(book(["text ", "id"], ["One.", 1], [], ["Two.", "b"], [None, "c"]), "xlsx")

    assert problems == []
    assert rows == [
        (2, {"text": "One.", "id": "1"}),
        (4, {"text": "Two.", "id": "b"}),
        (5, {"text": "", "id": "c"}),
    ]


def test_a_book_is_told_of_its_columns_by_row() -> None:
    assert read(book([], ["id", "txt", None, "group"]), "xlsx")[1] == [
        (2, "The column “text” is missing. The columns are id, text, group."),
        (2, "There is no column “txt”. The columns are id, text, group."),
        (2, "A column has no name."),
    ]
    assert read(book(["id", "text"], ["a", "b", "c"]), "xlsx")[1] == [(2, "The row has 3 cells, the header 2.")]
    assert read(book(), "xlsx")[1] == [(1, "The sheet is empty.")]


def test_only_a_book_has_sheets() -> None:
    assert read(book(["id", "text"], ["a", "b"], title="S"), "xlsx", "S")[0] == [(2, {"id": "a", "text": "b"})]
    with pytest.raises(Invalid, match="Only a workbook"):
        read("id,text\na,b\n", sheet="S")
