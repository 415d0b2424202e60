"""Tables of passages with any header: what a column is guessed to be, and rows that stay out."""

import io
from random import Random

import pytest

from annotator.domain.errors import Invalid
from annotator.domain.formats.columns import Columns, columns_from, guessed_columns
from annotator.domain.formats.passages import AnyTable, read_passages
from tests.annotator.domain.formats.books import book

ESSAYS = """essay_line,sentence,previous,essay,cefr
e001-03,In my opinion the school should give more time.,I think about it often.,e001,B1
e001-04,"The teachers say always, that time is short.",In my opinion …,e001,B1
"""


def guessed(*rows: list[str]) -> tuple[tuple[str, ...], bool]:
    found = guessed_columns(list(enumerate(rows, start=1)))
    return found.roles, found.has_header


def read(data: str | bytes | io.BytesIO, name: str = "essays.csv", **given: Columns):
    table = AnyTable(**given)
    source = data if isinstance(data, io.BytesIO) else io.BytesIO(data.encode() if isinstance(data, str) else data)
    passages, report = read_passages(source, name=name, table=table)
    return passages, [(item.line, item.reason) for item in report.problems], table


@pytest.mark.parametrize(
    ("rows", "roles", "has_header"),
    [
        ([["id", "text"], ["1", "One."]], ("id", "text"), True),
        ([["Sentence ID", "Sentence", "DocID"], ["1", "One.", "d"]], ("id", "text", "group"), True),
        ([["nr", "satz"], ["1", "Ein Satz."], ["2", "Noch einer."]], ("id", "text"), True),
        ([["a", "b"], ["x y z", "1"], ["x y w", "1"]], ("text", ""), True),
        ([["It was a long day.", "1"], ["So it was.", "2"]], ("text", "id"), False),
        ([["text", "sentence"], ["One.", "Two."]], ("text", "id"), True),
        (
            [["Nr", "Wo her?", "Anm."], ["1", "He is here now.", ""], ["2", "So is she, I say.", ""]],
            ("id", "text", ""),
            True,
        ),
        (
            [["Was sagt er?", "x", "x"], ["So it is with us.", "a", ""], ["We are here now.", "a", ""]],
            ("text", "", ""),
            False,
        ),
        (
            [["Q.", "The S", "The S"], ["b", "So it was then.", ""], ["a", "It was so then.", ""]],
            ("id", "text", ""),
            True,
        ),
    ],
)
def test_columns_are_guessed_by_name_and_contents(rows, roles, has_header) -> None:
    assert guessed(*rows) == (roles, has_header)


def test_what_somebody_said_of_a_column_no_guess_takes_away() -> None:
    rows = list(enumerate([["nr", "satz", "essay"], ["1", "Ein Satz.", "e"], ["2", "Noch einer.", "e"]], start=1))

    assert guessed_columns(rows, True, {0: "group"}).roles == ("group", "text", "")
    assert guessed_columns(rows, True, {1: "context_before"}).roles == ("text", "context_before", "group")
    assert guessed_columns(rows, False, {2: "", 7: "id"}).roles == ("id", "text", "")


def test_most_rows_say_how_many_cells_a_row_has() -> None:
    passages, problems, table = read("1;One thing is here.\n2;Two &amp; more things.\n3;Three things are here.\n")

    assert problems == [(2, "The row has 3 cells, most rows 2: a cell that holds “;” goes into quotation marks.")]
    assert ([passage.external_id for passage in passages], table.columns) == (
        ["1", "3"],
        Columns(("id", "text"), False),
    )


def test_a_header_above_numbers_and_sentences_is_one_whatever_it_is_called() -> None:
    rows = "".join(f"{n};She made mistake {n} when she choosed it.;essay {n // 5};\n" for n in range(1, 31))
    passages, problems, table = read("Nr;The Sentence (raw);Wo her?;Anm.\n" + rows.replace("mistake 7", "a &amp; b"))

    assert (table.columns, len(passages)) == (Columns(("id", "text", "", "")), 29)
    assert problems == [(8, "The row has 5 cells, the header 4: a cell that holds “;” goes into quotation marks.")]


def test_a_row_of_a_book_lacks_the_empty_cells_at_its_end() -> None:
    rows = [[1, "Ein Satz ist hier."], [2, "Noch einer ist da.", "x"], [3, "Der dritte ist da."]]

    passages, problems, _ = read(book(*rows), "a.xlsx")

    assert (len(passages), problems) == (3, [])


def test_the_essays_of_a_school_are_read_as_they_come() -> None:
    passages, problems, table = read(ESSAYS)

    assert problems == []
    assert table.columns == Columns(("id", "text", "context_before", "group", ""))
    assert [(p.external_id, p.text, p.context_before, p.group) for p in passages][1] == (
        "e001-04", "The teachers say always, that time is short.", "In my opinion …", "e001",
    )  # fmt: skip


def test_without_an_id_a_row_is_called_by_file_and_line() -> None:
    passages, _, _ = read("sentence\nOne thing.\n\nTwo things.\n")

    assert [passage.external_id for passage in passages] == ["essays-2", "essays-4"]


def test_a_lead_may_say_otherwise() -> None:
    passages, _, table = read(ESSAYS, columns=Columns(("group", "context_after", "text", "", "")))

    assert next((p.text, p.group, p.context_after[:5], p.external_id) for p in passages) == (
        "I think about it often.", "e001-03", "In my", "essays-2",
    )  # fmt: skip
    assert table.cells is None


@pytest.mark.parametrize(
    ("roles", "message"),
    [
        (["id", ""], "Say which column is the text."),
        (["text", "text"], "Only one column can be “Text”."),
        (["text", "colour"], "A column cannot be “colour”."),
    ],
)
def test_columns_that_make_no_passage_are_refused(roles: list[str], message: str) -> None:
    with pytest.raises(Invalid, match=message):
        columns_from({"roles": roles, "has_header": True})


def test_two_columns_named_alike_are_two_columns() -> None:
    passages, problems, table = read("text,text\nOne thing.,Another one.\n")

    assert (table.names, problems) == (["text", "text"], [])
    assert passages[0].text == "One thing."


@pytest.mark.parametrize(
    ("data", "errors", "ids"),
    [
        ("id,text\na,\nb,One.\n", [(2, "The passage has no text.")], ["b"]),
        ("id,text\na,One.\na,Two.\nb,Three.\n", [(3, "The id “a” is already in line 2.")], ["a", "b"]),
        ("id,text\na,One, two.\nb,Three.\n", [(2, "The row has 3 cells, the header 2")], ["b"]),
        ('id,text\na,"She said "no", thanks.\nb,Two.\n', [(2, "inside a cell is written twice")], ["b"]),
        ('id,text\na,"Left open.\nb,Two.\nc,Three.\n', [(2, "a quotation mark was left open")], ["b", "c"]),
        ('id,text\na,"Left open.\nb,Two "it.\n', [(2, "cannot be read"), (3, "Taken up by line 2.")], []),
        (b"id,text\na,caf\xe9\nb,na\xefve\nc,Fine.\n", [(2, "another encoding"), (3, "Not UTF-8 at byte 4.")], ["c"]),
        (b'id,text\na,"One\ncaf\xe9\ntwo."\nb,Fine.\n', [(2, "A line of the row"), (3, "not UTF-8")], ["b"]),
        ("id,text\na,a\x00b\nb,Fine.\n", [(2, "control character U+0000")], ["b"]),
        ("id,text\na," + "x" * 20_412 + "\nb,Fine.\n", [(2, "20,412 characters; 20,000 are the most")], ["b"]),
        ("id,text\na," + "x" * 1_200_000 + "\nb,Fine.\n", [(2, "1,200,002 bytes")], ["b"]),
    ],
)
def test_what_is_wrong_with_a_row_keeps_that_row_out(data, errors, ids) -> None:
    passages, problems, _ = read(data)

    assert [line for line, _ in problems] == [line for line, _ in errors]
    assert all(wanted in reason for (_, reason), (_, wanted) in zip(problems, errors, strict=True)), problems
    assert [passage.external_id for passage in passages] == ids


@pytest.mark.parametrize(
    ("data", "name", "reason"),
    [
        ("id,text\na,One.\n".encode("utf-16"), "a.csv", "UTF-16"),
        (Random(1).randbytes(3_000), "a.csv", "This is a binary file"),
        (b"%PDF-1.7\n1 0 obj\n", "a.txt", "This is a binary file"),
        (bytes(range(256)) * 9, "a.json", "This is a binary file"),
        (b"PK\x03\x04rest", "a.csv", "a workbook or an archive, whatever its name says"),
        (b"PK\x03\x04rest", "a.xlsx", "The workbook is cut short"),
        ("", "a.csv", "The file is empty."),
        ("id\ttext\na\tb\n", "a.csv", "name the file .tsv"),
    ],
)
def test_a_file_that_is_broken_as_a_whole_gives_nothing(data, name: str, reason: str) -> None:
    passages, problems, _ = read(data, name)

    assert (passages, len(problems)) == ([], 1)
    assert reason in problems[0][1]


def test_a_book_has_columns_of_any_name_too() -> None:
    passages, problems, table = read(book(["Nr", "Satz"], [1, "Ein Satz."], [2, "Noch einer."]), "a.xlsx")

    assert ([(p.external_id, p.text) for p in passages], problems) == ([("1", "Ein Satz."), ("2", "Noch einer.")], [])
    assert table.delimiter == ""
