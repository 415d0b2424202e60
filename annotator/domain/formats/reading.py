"""What every reader shares: lines of UTF-8 and nothing else, and a report that names each bad row by its line."""

import csv
import io
from bisect import insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from annotator.domain.errors import Refused, TooLarge
from annotator.domain.formats.cells import neutral

MAX_LINE = 1_000_000  # bytes: a longer one is no line of ours
MAX_WHOLE = 256_000_000  # bytes
MAX_PROBLEMS = 10_000  # kept in a report, and as many warnings; beyond it only counted
MAX_KEPT = 1_000  # of each, kept with an import
LINES_NAMED = 5  # of those that have the same reason, and the last
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
OLD_BOOK = bytes.fromhex("D0CF11E0A1B11AE1")  # .xls, and whatever a password was put on
ARCHIVE = b"PK\x03\x04"
HEAD = 4_096  # bytes, by which a binary file is known
EMPTY = "The file is empty."


@dataclass(frozen=True)
class RowProblem:
    """`line` counts from 1 in the file as it is; of a workbook it is the row."""

    line: int
    reason: str


@dataclass(frozen=True)
class Alike:
    """One reason, and every line that gives it."""

    reason: str
    lines: tuple[int, ...]

    @property
    def where(self) -> str:
        """2, or 2, 3, 4, 5, 6 … 25."""
        first = ", ".join(map(str, self.lines[:LINES_NAMED]))
        return f"{first} … {self.lines[-1]}" if len(self.lines) > LINES_NAMED else first

    def __str__(self) -> str:
        return f"{self.reason} ({len(self.lines):,} lines: {self.where})" if len(self.lines) > 1 else self.reason


def alike(rows: Iterable[tuple[int, str]]) -> list[Alike]:
    """(line, reason), …: each reason once, in the order in which they first come."""
    found: dict[str, list[int]] = {}
    for line, reason in rows:
        found.setdefault(reason, []).append(line)
    return [Alike(reason, tuple(lines)) for reason, lines in found.items()]


@dataclass
class Report:
    """All that is wrong with a file, in the file's order. A file with a problem is not imported at all; warnings stop
    nothing."""

    problems: list[RowProblem] = field(default_factory=list)
    more: int = 0
    warnings: list[RowProblem] = field(default_factory=list)
    more_warnings: int = 0
    is_broken: bool = False  # as a whole: also where single bad rows would stay out, none comes in

    def refuse(self, line: int, reason: str) -> None:
        """What is wrong with the file, not with a row of it."""
        self.is_broken = True
        self.add(line, reason)

    def add(self, line: int, reason: str) -> None:
        self.more += not _keep(self.problems, line, reason)

    def warn(self, line: int, reason: str) -> None:
        self.more_warnings += not _keep(self.warnings, line, reason)

    def __bool__(self) -> bool:
        return bool(self.problems)

    def as_dict(self) -> dict[str, Any]:
        """To be kept with the import: the first of each, and how many more there were."""
        told: dict[str, Any] = {}
        for kind, found, more in (
            ("problems", self.problems, self.more),
            ("warnings", self.warnings, self.more_warnings),
        ):
            told[kind] = [{"line": item.line, "reason": item.reason} for item in found[:MAX_KEPT]]
            told[f"more_{kind}"] = more + max(0, len(found) - MAX_KEPT)
        return told

    def as_csv(self) -> str:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["line", "kind", "reason"])
        rows = [(item, "problem") for item in self.problems] + [(item, "warning") for item in self.warnings]
        for item, kind in sorted(rows, key=lambda row: row[0].line):
            writer.writerow([item.line, kind, neutral(item.reason)])
        for kind, more in (("problem", self.more), ("warning", self.more_warnings)):
            if more:
                writer.writerow(["", kind, f"… and {more:,} more"])
        return out.getvalue()


def _keep(kept: list[RowProblem], line: int, reason: str) -> bool:
    has_room = len(kept) < MAX_PROBLEMS
    if has_room:
        insort(kept, RowProblem(line, reason), key=lambda item: item.line)
    return has_room


def clip(text: str, most: int = 80) -> str:
    """For messages: a cell of a megabyte is not repeated whole."""
    return text if len(text) <= most else f"{text[:most]}…"


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


class BadFile(Refused):
    """Nothing of the file was taken; `report` names every line that is wrong."""

    code = "bad_file"

    def __init__(self, report: Report) -> None:
        count = len(report.problems) + report.more
        super().__init__(f"{counted(count, 'problem')} in the file; nothing was imported.")
        self.report = report


def lines_of(
    source: BinaryIO, report: Report, *, longest: int = MAX_LINE, save_as: str = "UTF-8", names_each: bool = False
) -> Iterator[tuple[int, str]]:
    """Each line with its number, without its end, as the file is read; what is not UTF-8 or too long is reported and
    left out. A byte order mark at the start is accepted. `save_as`: what the form is called where people save it;
    `names_each`: every line that is not UTF-8, not only the first."""
    has_other_bytes, number = False, 0
    head = _head(source)
    for number, (raw, length) in enumerate(_raw_lines(source, longest), start=1):
        if number == 1 and (reason := foreign_file(raw, save_as=save_as) or binary_file(head, save_as=save_as)):
            report.refuse(1, reason)
            return
        line = raw.removeprefix(BYTE_ORDER_MARK) if number == 1 else raw
        if length > longest:
            report.add(number, f"The line has {length:,} bytes: {longest:,} are the most.")
            continue
        if b"\r" in line.rstrip(b"\r\n"):
            report.add(number, "There is a carriage return inside the line: save the file with LF or CRLF line ends.")
            continue
        try:
            yield number, line.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8")
        except UnicodeDecodeError as error:
            if not has_other_bytes:  # one cause, and every line with an accent has it
                reason = f"The line is not UTF-8 (byte {error.start} of it): the file is in another encoding"
                report.add(number, f"{reason}, such as Windows-1252. Save it as {save_as}.")
            elif names_each:
                report.add(number, f"Not UTF-8 at byte {error.start}.")
            has_other_bytes = True
    if not number:
        report.refuse(1, EMPTY)


def foreign_file(head: bytes, *, save_as: str = "UTF-8") -> str:
    """What the first bytes say where they are no UTF-8 at all; "" where they may be."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or _has_utf16(head[:200]):
        return f"The file is UTF-16 (“Unicode text”), not UTF-8. Save it as {save_as}."
    if head.startswith((ARCHIVE, OLD_BOOK)):
        return f"The file is a workbook or an archive, whatever its name says. Save it as {save_as} or as .xlsx."
    return ""


def binary_file(head: bytes, *, save_as: str = "UTF-8") -> str:
    """What the first bytes say where they are no text of any encoding; "" where they may be. In an old encoding of text
    there is hardly a control character; bytes of a picture or of random are of them by the dozen."""
    controls = sum(byte < 0x20 and byte not in b"\t\n\v\f\r\x1b" for byte in head)
    try:
        head[:-3].decode("utf-8")  # the last character may be cut
        share = 3
    except UnicodeDecodeError as error:
        share = 3 if error.reason == "unexpected end of data" else 30
    if head.startswith(b"%PDF-") or (len(head) >= 16 and controls * share > len(head)):
        return f"This is a binary file, no text, whatever its name says. Save what is meant as {save_as}."
    return ""


def _head(source: BinaryIO) -> bytes:
    if not source.seekable():
        return b""
    here = source.tell()
    head = source.read(HEAD)
    source.seek(here)
    return head


def _has_utf16(head: bytes) -> bool:
    """Without a byte order mark: of letters as most files begin with, every other byte is NUL."""
    has_first, has_second = (half.count(0) * 4 >= len(half) * 3 for half in (head[0::2], head[1::2]))
    return len(head) >= 4 and has_first != has_second


def _raw_lines(source: BinaryIO, longest: int) -> Iterator[tuple[bytes, int]]:
    """Each line and its length in bytes; of one that is too long only the beginning is kept."""
    while line := source.readline(longest + 2):
        length, piece = len(line.rstrip(b"\r\n")), line
        while piece and not piece.endswith(b"\n"):
            piece = source.readline(longest)
            length += len(piece.rstrip(b"\r\n"))
        yield line, length


def whole(source: BinaryIO) -> bytes:
    """For formats that cannot be read line by line; Invalid where the file is too large for that."""
    data = source.read(MAX_WHOLE + 1)
    if len(data) > MAX_WHOLE:
        raise TooLarge.of("too_large", f"The file has more than {MAX_WHOLE // 1_000_000} MB.")
    return data.removeprefix(BYTE_ORDER_MARK)
