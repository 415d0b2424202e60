"""Reports in the file's order, and files in another encoding."""

import io

import pytest

from annotator.domain.formats import reading
from annotator.domain.formats.reading import BadFile, Report, alike, lines_of


def reasons(data: bytes) -> list[tuple[int, str]]:
    report = Report()
    list(lines_of(io.BytesIO(data), report, save_as="CSV UTF-8"))
    return [(item.line, item.reason) for item in report.problems]


def test_problems_are_in_the_files_order_whenever_they_were_found() -> None:
    report = Report()
    for line, reason in [(7, "a"), (3, "b"), (7, "c"), (1, "d")]:
        report.add(line, reason)

    assert [(item.line, item.reason) for item in report.problems] == [(1, "d"), (3, "b"), (7, "a"), (7, "c")]


def test_warnings_are_no_problems() -> None:
    report = Report()
    report.warn(4, "look here")
    assert not report
    report.add(9, "=wrong")

    assert BadFile(report).message == "1 problem in the file; nothing was imported."
    assert report.as_csv() == "line,kind,reason\n4,warning,look here\n9,problem,'=wrong\n"


def test_beyond_the_most_they_are_only_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_PROBLEMS", 2)
    report = Report()
    for line in range(5):
        report.add(line, "wrong")
        report.warn(line, "look")

    assert (len(report.problems), report.more, len(report.warnings), report.more_warnings) == (2, 3, 2, 3)
    assert BadFile(report).message.startswith("5 problems")
    assert report.as_csv().endswith(",problem,… and 3 more\n,warning,… and 3 more\n")


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_a_file_in_another_encoding_is_told_so_once(encoding: str) -> None:
    data = "id,text\na,naïve\nb,café\nc,plain\nd,über\n".encode(encoding)

    [(line, reason)] = reasons(data)

    assert line == 2
    assert "not UTF-8" in reason
    assert reason.endswith("Save it as CSV UTF-8.")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_told_so_with_and_without_its_mark(encoding: str) -> None:
    data = "id,text\na,naïve\nb,日本\n".encode(encoding)

    assert reasons(data) == [(1, "The file is UTF-16 (“Unicode text”), not UTF-8. Save it as CSV UTF-8.")]


def test_a_workbook_under_another_name_is_told_so() -> None:
    assert "workbook" in reasons(b"PK\x03\x04rest\nof it\n")[0][1]


def test_a_file_of_nothing_is_empty() -> None:
    assert reasons(b"") == [(1, "The file is empty.")]
    assert reasons(b"\n") == []


def test_the_same_reason_is_told_once_with_its_lines() -> None:
    found = alike([(2, "a"), (3, "b"), (4, "a"), *((line, "c") for line in range(5, 12))])

    assert list(map(str, found)) == ["a (2 lines: 2, 4)", "b", "c (7 lines: 5, 6, 7, 8, 9 … 11)"]
