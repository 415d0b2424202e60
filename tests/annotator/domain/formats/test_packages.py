"""Files that are no workbook, or one that must not be opened: each is told in one line, before anything is read."""

import io
import re
import tracemalloc
import zipfile

import pytest

from annotator.domain.formats import packages
from annotator.domain.formats.packages import BadPackage, check_package
from tests.annotator.domain.formats.books import book, changed, lying, with_part

GOOD = book(["id", "text"])
OLD_BOOK = bytes.fromhex("D0CF11E0A1B11AE1")
BOMB = b"<a>" + b"0" * 20_000_000
LAUGHS = b'<?xml version="1.0"?>%s<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;">]><a>&c;</a>'


def archive(*parts: tuple[str, bytes]) -> io.BytesIO:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in parts:
            made.writestr(name, data)
    return out


def encrypted_part() -> io.BytesIO:
    data = GOOD.getvalue()
    return io.BytesIO(re.sub(rb"(PK\x01\x02.{4})\x00", lambda found: found[1] + b"\x01", data, flags=re.DOTALL))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "The file is empty."),
        (b"id,text\na,b\n", "is no workbook"),
        (OLD_BOOK + b"\x00" * 600 + "Workbook".encode("utf-16-le"), "is an old .xls book: save it as .xlsx"),
        (OLD_BOOK + b"\x00" * 600 + "EncryptedPackage".encode("utf-16-le"), "is encrypted: save it without a password"),
        (GOOD.getvalue()[:-30], "is cut short"),
        (GOOD.getvalue()[:200] + GOOD.getvalue()[300:], "is broken"),
        (encrypted_part().getvalue(), "is encrypted: save it without a password"),
        (archive(*((f"p{n}", b"") for n in range(2_001))).getvalue(), "too many parts"),
        (with_part(GOOD, "xl/worksheets/bomb.xml", BOMB).getvalue(), "is packed more than 200 to 1"),
        (lying(GOOD, name="xl/worksheets/bomb.xml", data=BOMB, told=99).getvalue(), "is broken"),
        (with_part(GOOD, "xl/styles2.xml", LAUGHS % b"").getvalue(), "has a document type"),
        (with_part(GOOD, "xl/any.bin", LAUGHS % (b"<!--" + b"-x" * 99_999 + b"-->")).getvalue(), "has a document type"),
        (
            with_part(GOOD, "xl/wide.xml", LAUGHS.replace(b"%s", b"").decode().encode("utf-16")).getvalue(),
            "document type",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_must_not_be_opened_is_one_clear_line(data: bytes, expected: str) -> None:
    with pytest.raises(BadPackage, match=expected):
        check_package(io.BytesIO(data))


def test_a_workbook_may_hold_pictures_and_a_word_about_document_types() -> None:
    check_package(with_part(book(["<!DOCTYPE html>"]), "xl/media/image1.png", b"\x89PNG\r\n" + bytes(range(256)) * 50))


@pytest.mark.parametrize(
    ("limit", "expected"),
    [("MAX_WHOLE", "unpacks to more than"), ("MAX_PARTS", "too many parts"), ("MAX_OTHER_PART", "has more than")],
)
def test_limits_are_held(limit: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, limit, 3)

    with pytest.raises(BadPackage, match=expected):
        check_package(GOOD)


def test_strings_and_sheets_may_be_longer_than_other_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    long = changed(GOOD, "xl/sharedStrings.xml", lambda xml: xml + b" " * 400_000)
    monkeypatch.setattr(packages, "MAX_OTHER_PART", 300_000)

    check_package(long)


def test_a_part_that_lies_about_its_size_is_never_unpacked_whole() -> None:
    source = lying(GOOD, name="xl/worksheets/bomb.xml", data=b"<a>" + b"0" * 60_000_000, told=99)
    tracemalloc.start()

    with pytest.raises(BadPackage):
        check_package(source)

    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()
