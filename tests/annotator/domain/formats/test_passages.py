"""Passages from files: what is read, and what each bad line is told."""

import io
import json
from dataclasses import replace
from typing import Any

import pytest

from annotator.domain.errors import Invalid
from annotator.domain.formats.cells import neutral
from annotator.domain.formats.passages import AnyTable, format_of, read_passages
from annotator.domain.tokens import texts_of
from tests.annotator.domain.formats.books import book


def file_of(data: str | bytes) -> io.BytesIO:
    return io.BytesIO(data.encode() if isinstance(data, str) else data)


def read(data: str | bytes, name: str) -> list[tuple[str, str]]:
    passages, report = read_passages(file_of(data), name=name)
    assert report.problems == []
    return [(passage.external_id, passage.text) for passage in passages]


def problems(data: str | bytes, name: str) -> list[tuple[int, str]]:
    _, report = read_passages(file_of(data), name=name)
    return [(problem.line, problem.reason) for problem in report.problems]


def test_text_is_one_passage_a_line() -> None:
    data = "\ufeffFirst one.\r\n\n  Third, with “quotes”.  \n"

    assert read(data, "essay.txt") == [("essay-1", "First one."), ("essay-3", "Third, with “quotes”.")]


def test_tables_have_their_columns_in_any_order() -> None:
    assert read("text,id,group\nIt was big.,p1,g\n", "a.csv") == [("p1", "It was big.")]
    assert read('id,text\np1,"Two\nlines, one passage."\n', "a.csv") == [("p1", "Two\nlines, one passage.")]


@pytest.mark.parametrize("word", ["-ish", "@home", "=", "+1"])
@pytest.mark.parametrize("table", [None, AnyTable()], ids=["of known columns", "of any columns"])
def test_cells_that_were_made_neutral_for_spreadsheets_are_taken_back(word: str, table: AnyTable | None) -> None:
    data = f"id,text,group\n{neutral(word)}1,{neutral(word)} it's so.,{neutral(word)}\n"

    [passage], report = read_passages(file_of(data), name="a.csv", table=table and replace(table))

    assert not report
    assert (passage.external_id, passage.text, passage.group) == (f"{word}1", f"{word} it's so.", word)


def test_a_text_that_begins_with_a_quotation_keeps_it() -> None:
    assert read("id,text\na,'-ish' is a suffix.\n", "a.csv") == [("a", "'-ish' is a suffix.")]


def test_a_quotation_mark_in_a_tsv_is_a_quotation_mark() -> None:
    assert read('id\ttext\na\t"Yes," he said.\nb\t"No\n', "a.tsv") == [("a", '"Yes," he said.'), ("b", '"No')]


def test_spaces_are_cut_from_a_line_of_text_and_nothing_else() -> None:
    assert read("  \u00a0Ten km\u00a0\t\n", "a.txt") == [("a-1", "\u00a0Ten km\u00a0")]


def test_tokens_of_a_release_are_aligned_after_line_ends_are_settled() -> None:
    sentence = {
        "sentence": "One two.\r\nThree.",
        "sentence_split": ["One", "two", ".", "Three", "."],
        "substitutes": [],
    }

    [passage], report = read_passages(file_of(json.dumps({"s1": sentence})), name="a.json")

    assert not report
    assert passage.tokens is not None
    assert texts_of(passage.text, passage.tokens) == sentence["sentence_split"]
    assert passage.text[9:14] == "Three"


def test_lines_of_json_carry_everything() -> None:
    row = {
        "id": "p1",
        "text": "He said “no”.",
        "tokens": ["He", "said", "``", "no", "''", "."],
        "group": "g",
        "lang": "en",
    }

    [passage], report = read_passages(file_of(json.dumps(row)), name="a.jsonl")

    assert not report
    assert (passage.group, passage.lang) == ("g", "en")
    assert passage.tokens == ((0, 2), (3, 7), (8, 9, "``"), (9, 11), (11, 12, "''"), (12, 13))
    assert texts_of(passage.text, passage.tokens) == row["tokens"]


@pytest.mark.parametrize(
    ("data", "name", "expected"),
    [
        ("", "a.txt", [(1, "The file is empty.")]),
        ("", "a.csv", [(1, "The file is empty.")]),
        ("", "a.jsonl", [(1, "The file is empty.")]),
        ("", "a.json", [(1, "The file is empty.")]),
        ("\n \n", "a.txt", [(1, "The file holds no passage.")]),
        ("id,text\n", "a.csv", [(1, "The file holds no passage.")]),
        (b"fine\nna\xefve\n", "a.txt", [(2, "The line is not UTF-8 (byte 2 of it)")]),
        (b"id,text\np1,na\xefve\np2,\n", "a.csv", [(2, "not UTF-8"), (3, "The passage has no text.")]),
        ("id,txt\n", "a.csv", [(1, "The column “text” is missing"), (1, "There is no column “txt”")]),
        ("id,text,id\n", "a.csv", [(1, "A column occurs twice in the header.")]),
        ("id,text\np1,one,two\np2\n", "a.csv", [(2, "The row has 3 cells"), (3, "The row has 1 cell, the header 2.")]),
        ('id,text\np1,"one\n', "a.csv", [(2, "The row that begins here cannot be read")]),
        ("id,text\np1,one\np1,two\n", "a.csv", [(3, "The id “p1” is already in line 2.")]),
        ("id,text\np1,\n,two\n", "a.csv", [(2, "The passage has no text."), (3, "The passage has no id.")]),
        ("id,text\np1,a\x01b\n", "a.csv", [(2, "The passage holds the control character U+0001.")]),
        ("id,text,group\np1,a,x\x00y\n", "a.csv", [(2, "group holds the control character U+0000")]),
        ("id,text,lang\np1,a,Klingon!\n", "a.csv", [(2, "is not a language tag")]),
        ('id,text\n"p\n1",a\n\u200b,b\n', "a.csv", [(2, "line end or a tab"), (4, "no id")]),
        ("one\rtwo\r", "a.txt", [(1, "carriage return inside the line")]),
        ('{"id": "p1"}\n[]\n', "a.jsonl", [(1, "A line is an object"), (2, "A line is an object")]),
        ('{"id": "p1", "text": "a", "x": 1}', "a.jsonl", [(1, "A passage has no key “x”.")]),
        ('{"id": 1, "text": "a"}', "a.jsonl", [(1, "“id” is not a text.")]),
        ('{"id": "p1", "text": "a", "id": "p2"}', "a.jsonl", [(1, "")]),
        ('{"id": "p1", "text": "a b", "tokens": ["a"]}', "a.jsonl", [(1, "The tokens end before")]),
        ('{"id": "p1", "text": "\\u0000"}', "a.jsonl", [(1, "")]),
        ("{", "a.json", [(1, "This is not JSON")]),
    ],
)
def test_every_bad_line_is_named(data: str | bytes, name: str, expected: list[tuple[int, str]]) -> None:
    found = problems(data, name)

    assert [line for line, _ in found] == [line for line, _ in expected]
    for (_, reason), (_, wanted) in zip(found, expected, strict=True):
        assert wanted in reason


def test_a_line_of_ten_megabytes_is_named_not_read() -> None:
    assert problems("x" * 10_000_000, "a.txt") == [(1, "The line has 10,000,000 bytes: 1,000,000 are the most.")]


def test_all_bad_lines_are_in_one_report_also_as_a_table() -> None:
    _, report = read_passages(file_of(b'id,text\np1,\np2,"a, b"\np2,c\n'), name="a.csv")

    assert report.as_csv() == (
        "line,kind,reason\n2,problem,The passage has no text.\n4,problem,The id “p2” is already in line 3.\n"
    )


def test_an_ending_that_is_no_format_is_refused() -> None:
    with pytest.raises(Invalid, match="ends in none of"):
        format_of("essay.docx")


@pytest.mark.parametrize("value", [None, 5, "x", [1]])
def test_tokens_are_texts(value: Any) -> None:
    data = json.dumps({"id": "p1", "text": "a", "tokens": value}).encode()

    _, report = read_passages(file_of(data), name="a.jsonl")

    assert bool(report) == (value is not None)


def test_a_workbook_is_a_table() -> None:
    source = book(["id", "text", "group"], [1, "It was big.", None], ["p2", "Two\nlines.", "g"], others=["Notes"])

    passages, report = read_passages(source, name="a.XLSX")
    assert [(item.line, item.external_id, item.text, item.group) for item in passages] == [
        (2, "1", "It was big.", ""),
        (3, "p2", "Two\nlines.", "g"),
    ]
    assert [warning.line for warning in report.warnings] == [1]
    assert read_passages(source, name="a.xlsx", sheet="Notes")[1].problems[0].reason == "The sheet is empty."


def test_a_workbook_is_told_by_row_and_cell() -> None:
    source = book(["id", "text"], ["p1", "=A1"], ["p2", None], ["p2", "#N/A"], ["p2", "a"])

    _, report = read_passages(source, name="a.xlsx")

    assert [(item.line, item.reason.partition(":")[0]) for item in report.problems] == [
        (2, "B2 is a formula without a stored value"),
        (3, "The passage has no text."),
        (4, "B4 holds the error #N/A."),
        (5, "The id “p2” is already in line 3."),
    ]


def test_an_old_book_is_told_what_to_do() -> None:
    with pytest.raises(Invalid, match=r"is an old \.xls book: save it as \.xlsx"):
        format_of("essay.xls")
    assert problems(bytes.fromhex("D0CF11E0A1B11AE1") + b"\x00" * 600, "a.xlsx") == [
        (1, "The file is an old .xls book: save it as .xlsx.")
    ]


def test_sheets_are_of_workbooks() -> None:
    with pytest.raises(Invalid, match="Only a workbook"):
        read_passages(file_of("A.\n"), name="a.txt", sheet="S")


@pytest.mark.parametrize("indent", [4, None])
def test_sentences_of_a_release_are_named_by_line_and_id(indent: int | None) -> None:
    good = {"sentence": "Mind s3 and é.", "sentence_split": ["Mind", "s3", "and", "é", "."], "substitutes": []}
    marked = {**good, "substitutes": [[[1, 2], {"é": 1, "s3": 2}, 1]]}
    data = json.dumps({"s1": marked, "é": {**good, "sentence": "\x01 x"}, "s3": {"sentence": ""}}, indent=indent)

    found = problems(data, "a.json")

    lines = [number for number, line in enumerate(data.splitlines(), 1) if '"\\u00e9": {' in line or '"s3": {' in line]
    assert [line for line, _ in found] == (lines if indent else [1, 1])
    assert [reason.partition(":")[0] for _, reason in found] == ["é", "s3"]


def test_what_is_found_later_in_a_release_has_its_line_too() -> None:
    entry = {"sentence": "A.", "sentence_split": ["A", "."], "substitutes": []}
    data = json.dumps({"s1": entry, "s" * 300: entry}, indent=1, ensure_ascii=False)

    [(line, reason)] = problems(data, "a.json")

    assert data.splitlines()[line - 1].strip().startswith('"sss')
    assert "The id has 300 characters" in reason


def test_json_that_breaks_off_is_told_the_line() -> None:
    assert problems('{\n "a": 1,\n x', "a.json")[0][0] == 3
    assert problems('{"id": "a", "text": "b"}\n{"id": x}\n', "a.jsonl")[0][1].endswith("(column 8).")


def test_json_in_utf_16_is_told_so() -> None:
    assert "UTF-16" in problems("{}".encode("utf-16"), "a.json")[0][1]
