"""Workbooks for the tests: made by the library, or bent by hand where no spreadsheet would write them so."""

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from openpyxl import Workbook

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def book(*rows: Sequence[Any], title: str = "Rows", others: Iterable[str] = ()) -> io.BytesIO:
    """A workbook whose first sheet has these rows."""
    made = Workbook()
    sheet = made.active
    assert sheet is not None
    sheet.title = title
    for row in rows:
        sheet.append(list(row))
    for name in others:
        made.create_sheet(name)
    out = io.BytesIO()
    made.save(out)
    return out


def changed(source: io.BytesIO, part: str, change: Callable[[bytes], bytes]) -> io.BytesIO:
    """The same workbook with one part rewritten."""
    out = io.BytesIO()
    with zipfile.ZipFile(source) as there, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for info in there.infolist():
            data = there.read(info)
            made.writestr(info.filename, change(data) if info.filename == part else data)
    return out


def with_part(source: io.BytesIO, name: str, data: bytes) -> io.BytesIO:
    out = io.BytesIO(source.getvalue())
    with zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED) as made:
        made.writestr(name, data)
    return out


def with_sheet_xml(rows: str) -> io.BytesIO:
    """`rows`: what is inside sheetData."""
    xml = f'<?xml version="1.0"?><worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>'
    return changed(book(["x"]), "xl/worksheets/sheet1.xml", lambda _: xml.encode())


def lying(source: io.BytesIO, *, name: str, data: bytes, told: int) -> io.BytesIO:
    """A part whose headers tell another size, with the checksum of what would be read by them."""
    out = with_part(source, name, data).getvalue()
    right = struct.pack("<L", zlib.crc32(data)), struct.pack("<L", len(data))
    wrong = struct.pack("<L", zlib.crc32(data[:told])), struct.pack("<L", told)
    return io.BytesIO(out.replace(right[0], wrong[0]).replace(right[1], wrong[1]))
