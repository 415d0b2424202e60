"""Whether a workbook's zip may be opened: its size, its ratio and its XML, looked at before any library reads it."""

import struct
import zlib
from collections.abc import Iterator
from typing import BinaryIO
from xml.parsers import expat
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from annotator.domain.formats.reading import ARCHIVE, EMPTY, MAX_WHOLE, OLD_BOOK

MAX_PARTS = 2_000
MAX_LISTING = 4_000_000  # bytes of the list of parts
MAX_OTHER_PART = 16_000_000  # bytes of a part that is neither rows nor strings: it is read as a tree
MAX_RATIO = 200
RATIO_FROM = 1_000_000  # bytes: smaller parts may shrink as they like
CHUNK = 65_536
OLE_SEARCHED = 32_000_000  # bytes in which the name of an encrypted package is looked for
_LISTING_END, _LISTING_END_64 = b"PK\x05\x06", b"PK\x06\x07"
_STREAMED = ("xl/worksheets/", "xl/sharedstrings")


class BadPackage(Exception):
    """One line that says what the file is, and what to do."""


def check_package(source: BinaryIO) -> None:
    """BadPackage, unless every part can be read into memory that is bounded and holds no declarations."""
    source.seek(0)
    head = source.read(8)
    if not head:
        raise BadPackage(EMPTY)
    if head == OLD_BOOK:
        raise BadPackage(_old_or_encrypted(source))
    if not head.startswith(ARCHIVE):
        raise BadPackage("The file is no workbook, whatever its name says: save it as .xlsx.")
    _check_listing(source)
    try:
        with ZipFile(source) as archive:
            parts = archive.infolist()
        _check_sizes(parts)
        for part in parts:
            _check_part(source, part)
    except (BadZipFile, zlib.error, struct.error, EOFError, ValueError, OverflowError, NotImplementedError):
        raise BadPackage("The workbook is broken: open it in a spreadsheet and save it again.") from None


def _old_or_encrypted(source: BinaryIO) -> str:
    if "EncryptedPackage".encode("utf-16-le") in source.read(OLE_SEARCHED):
        return "The workbook is encrypted: save it without a password."
    return "The file is an old .xls book: save it as .xlsx."


def _check_listing(source: BinaryIO) -> None:
    """How long the list of parts is, before it is read whole."""
    size = source.seek(0, 2)
    source.seek(max(0, size - 22 - 65_535 - 20))
    tail = source.read()
    at = tail.rfind(_LISTING_END)
    if at < 0 or len(tail) < at + 22:
        raise BadPackage("The workbook is cut short: open it in a spreadsheet and save it again.")
    parts, length = struct.unpack("<HL", tail[at + 10 : at + 16])
    if parts > MAX_PARTS or length > MAX_LISTING or _LISTING_END_64 in tail[max(0, at - 20) : at]:
        raise BadPackage(f"The workbook has too many parts: {MAX_PARTS:,} are the most.")


def _check_sizes(parts: list[ZipInfo]) -> None:
    if len(parts) > MAX_PARTS:
        raise BadPackage(f"The workbook has {len(parts):,} parts: {MAX_PARTS:,} are the most.")
    if any(part.flag_bits & 0x1 for part in parts):
        raise BadPackage("The workbook is encrypted: save it without a password.")
    if sum(part.file_size for part in parts) > MAX_WHOLE:
        raise BadPackage(f"The workbook unpacks to more than {MAX_WHOLE // 1_000_000} MB.")
    for part in parts:
        if part.file_size > RATIO_FROM and part.file_size > MAX_RATIO * part.compress_size:
            raise BadPackage(f"The workbook's part {part.filename!a} is packed more than {MAX_RATIO} to 1.")


def _check_part(source: BinaryIO, part: ZipInfo) -> None:
    """Its size is counted, not believed: what reads a part later trusts what the list says."""
    length, prologue = 0, _Prologue()
    for chunk in _unpacked(source, part):
        length += len(chunk)
        if length > part.file_size:
            raise BadZipFile
        prologue.feed(chunk)
    if length != part.file_size:
        raise BadZipFile
    if prologue.has_doctype:
        raise BadPackage(f"The workbook's part {part.filename!a} has a document type, which no spreadsheet writes.")
    name = part.filename.lower()
    is_streamed = name.startswith(_STREAMED) and not name.endswith(".rels")
    if prologue.is_xml and length > MAX_OTHER_PART and not is_streamed:
        raise BadPackage(f"The workbook's part {part.filename!a} has more than {MAX_OTHER_PART // 1_000_000} MB.")


def _unpacked(source: BinaryIO, part: ZipInfo) -> Iterator[bytes]:
    """In pieces of a bounded length, whatever the part says of itself."""
    if part.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise BadZipFile
    source.seek(part.header_offset)
    name, extra = struct.unpack("<26xHH", source.read(30))
    source.seek(name + extra, 1)
    left, inflate = part.compress_size, zlib.decompressobj(-15)
    while left > 0 and (packed := source.read(min(CHUNK, left))):
        left -= len(packed)
        if part.compress_type == ZIP_STORED:
            yield packed
            continue
        while packed and not inflate.eof:
            yield inflate.decompress(packed, CHUNK)
            packed = inflate.unconsumed_tail
    if part.compress_type == ZIP_DEFLATED:
        yield inflate.flush()


class _Prologue:
    """What is before the first element of a part, if it is XML at all; whatever else it is, nothing parses it."""

    def __init__(self) -> None:
        self.has_doctype = self.is_xml = self.is_over = False
        self.parser = expat.ParserCreate()
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.StartElementHandler = self._element

    def feed(self, chunk: bytes) -> None:
        if not self.is_over:
            try:
                self.parser.Parse(chunk, False)
            except (expat.ExpatError, StopIteration):
                self.is_over = True

    def _doctype(self, *declared: object) -> None:
        self.has_doctype = True
        raise StopIteration

    def _element(self, *element: object) -> None:
        self.is_xml = True
        raise StopIteration
