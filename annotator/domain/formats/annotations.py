"""Annotation tables (CSV, TSV, XLSX): one row per mark and type, as annotators hand them in (method.md 8).

`sentence_id, annotator, word to change, substitutes, type`, and where a word occurs more than once `start, end` in code
points, or `occurrence`. Nothing is guessed: a row that does not say which word it means is reported.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import PurePath
from typing import BinaryIO

from annotator.domain.answers import (
    MAX_ANSWER,
    MAX_MARKS,
    MAX_SUBSTITUTES,
    Answer,
    Mark,
    Substitute,
    submit_problems,
    united,
)
from annotator.domain.canonical import canonical_json
from annotator.domain.errors import Invalid
from annotator.domain.findings import RULES
from annotator.domain.formats.cells import as_meant
from annotator.domain.formats.packed import PackedAnswers, pack
from annotator.domain.formats.reading import Report, clip
from annotator.domain.formats.tables import TABLES, check_sheet, rows_of
from annotator.domain.formats.words import Span, WrongRow, span_of_word
from annotator.domain.lengths import MAX_NAME_LENGTH, MAX_SUBSTITUTE_LENGTH
from annotator.domain.look import Look
from annotator.domain.protocols import Protocol
from annotator.domain.text import collapse_spaces, forbidden_character, is_blank

REQUIRED = ("sentence_id", "annotator", "word to change", "substitutes", "type")
OPTIONAL = ("start", "end", "occurrence")
# The findings that a table is warned of: each looks at one substitute only, and takes microseconds.
WARNED = tuple(rule for rule in RULES if rule.code in ("comma", "same_as_quote"))
Row = dict[str, str]
FIELD, ROW = "\x1f", "\x1e"  # what no text may hold


def table_format(name: str) -> str:
    """By the file's ending; Invalid names the ones there are."""
    suffix = PurePath(name).suffix.lower().removeprefix(".")
    if suffix == "xls":
        raise Invalid.of("format", f"“{name}” is an old .xls book: save it as .xlsx.")
    if suffix not in TABLES:
        endings = ", ".join(f".{item}" for item in TABLES)
        raise Invalid.of("format", f"“{name}” is no annotation table: it ends in none of {endings}.")
    return suffix


@dataclass
class ReadAnswers:
    """annotator → passage id → answer, for those that have a row. An answer is made when it is asked for."""

    answers: dict[str, Mapping[str, Answer]] = field(default_factory=dict)
    rows: int = 0
    repeated: int = 0  # substitutes that an annotator gave twice for one mark, and that count once


def read_answers(
    source: BinaryIO, *, name: str, texts: Mapping[str, str], protocol: Protocol, sheet: str | None = None
) -> tuple[ReadAnswers, Report]:
    """By the file's name; see read_annotations."""
    return read_annotations(source, format=table_format(name), texts=texts, protocol=protocol, sheet=sheet)


def read_annotations(
    source: BinaryIO, *, format: str, texts: Mapping[str, str], protocol: Protocol, sheet: str | None = None
) -> tuple[ReadAnswers, Report]:
    """`texts`: the project's passages by id. Nothing, where the report has a problem; its warnings stop nothing."""
    check_sheet(format, sheet)
    report, found = Report(), ReadAnswers()
    table = _Table(texts, protocol, report)
    for line, row in rows_of(source, report, format=format, required=REQUIRED, optional=OPTIONAL, sheet=sheet):
        found.rows += 1
        try:
            table.take(line, row)
        except WrongRow as wrong:
            report.add(line, str(wrong))
    if not found.rows and not report:
        report.add(1, "The table has no rows.")
    for who, records in table.records.items():
        packed: dict[str, bytes | bytearray] = {}
        for passage in list(records):
            packed[passage], repeated = table.finished(who, passage, records.pop(passage))
            found.repeated += repeated
        found.answers[who] = PackedAnswers(packed, texts, table.types)
    return (ReadAnswers(), report) if report else (found, report)


def is_name(name: str) -> bool:
    is_one_line = not any(char in name for char in "\n\t")
    return not is_blank(name) and is_one_line and len(name) <= MAX_NAME_LENGTH and not forbidden_character(name)


def likely_same(names: Iterable[str]) -> list[list[str]]:
    """Names that are equal but for small and capital letters, spaces or Unicode form: likely one person, in groups."""
    groups: dict[str, dict[str, None]] = {}
    for name in names:
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
        groups.setdefault(collapse_spaces(folded), {})[name] = None
    return [list(group) for group in groups.values() if len(group) > 1]


class _Table:
    """Takes rows one by one. What it keeps of each is bytes: objects of a million rows would not fit."""

    def __init__(self, texts: Mapping[str, str], protocol: Protocol, report: Report) -> None:
        self.texts, self.protocol, self.report = texts, protocol, report
        self.types = [item.key for item in protocol.types]
        self.numbers: dict[str, int] = {}  # of the types, by whatever the rows call them
        # annotator → passage id → line, start, end, type, text, text, … of each row, parted by what no text holds
        self.records: dict[str, dict[str, bytearray]] = {}
        self.ids = {passage: passage for passage in texts}  # the same string for every row of a passage

    def take(self, line: int, row: Row) -> None:
        who, passage = self._who(row), self._passage(row)
        start, end = _span(row, self.texts[passage])
        record = FIELD.join((f"{line}{FIELD}{start}{FIELD}{end}{FIELD}{self._type(row)}", *self._substitutes(row)))
        self.records.setdefault(who, {}).setdefault(passage, bytearray()).extend(f"{record}{ROW}".encode())

    def _who(self, row: Row) -> str:
        name = as_meant(row["annotator"].strip())
        if name not in self.records and not is_name(name):
            raise WrongRow(f"“{clip(name)}” is no annotator's name.")
        return name

    def _passage(self, row: Row) -> str:
        passage = self.ids.get(row["sentence_id"]) or self.ids.get(as_meant(row["sentence_id"]))
        if passage is None:
            raise WrongRow(f"There is no passage “{clip(row['sentence_id'])}”.")
        return passage

    def _type(self, row: Row) -> int:
        key = row["type"].strip()
        if key not in self.numbers:
            self.numbers[key] = self.types.index(_known_type(key, self.protocol))
        return self.numbers[key]

    def _substitutes(self, row: Row) -> list[str]:
        cell, separator = as_meant(row["substitutes"]), self.protocol.separator
        if character := forbidden_character(cell):
            raise WrongRow(f"The substitutes hold the control character {character}.")
        given = [text for text in map(collapse_spaces, cell.split(separator) if separator else [cell]) if text]
        if len(given) < self.protocol.min_substitutes:
            raise WrongRow(f"“{clip(row['word to change'])}” has no substitute.")
        if long := [text for text in given if len(text) > MAX_SUBSTITUTE_LENGTH]:
            raise WrongRow(f"“{clip(long[0])}” has {len(long[0])} characters: {MAX_SUBSTITUTE_LENGTH} are the most.")
        return given

    def finished(self, who: str, passage: str, records: bytearray) -> tuple[bytes, int]:
        """The answer packed, and how many substitutes were given twice."""
        text, given = self.texts[passage], 0
        first_lines: dict[Span, int] = {}
        line_of: dict[int, int] = {}  # of a substitute, by its identity
        marks = []
        for record in records.decode().split(ROW)[:-1]:
            fields = record.split(FIELD)
            line, start, end, number = map(int, fields[:4])
            first_lines.setdefault((start, end), line)
            substitutes = tuple(Substitute(written, self.types[number]) for written in fields[4:])
            line_of |= {id(item): line for item in substitutes}
            marks.append(Mark(start, end, text[start:end], substitutes))
            given += len(substitutes)
        once = united(Answer(tuple(marks)), folds=self.protocol.folds_substitutes)
        spans = sorted(once)
        answer = Answer(tuple(Mark(*span, text[slice(*span)], tuple(once[span].values())) for span in spans))
        for mark in answer.marks:
            self._warn(mark, text, line_of)
        for line, reason in _problems(answer, [first_lines[span] for span in spans], self.protocol):
            self.report.add(line, f"{who}, {passage}: {reason}")
        packed = [
            [*span, *(part for item in once[span].values() for part in (self.types.index(item.type), item.text))]
            for span in spans
        ]
        return pack(packed), given - sum(map(len, once.values()))

    def _warn(self, mark: Mark, text: str, line_of: dict[int, int]) -> None:
        """What the workbench would point out, at the row that gave the substitute."""
        look = Look(text, "", self.protocol, mark)
        for found in (found for rule in WARNED for found in rule.check(look)):
            if found.substitute is not None:
                self.report.warn(line_of[id(mark.substitutes[found.substitute])], found.message)


def _known_type(key: str, protocol: Protocol) -> str:
    kind = protocol.type_named(key) or protocol.type_named(as_meant(key))
    if kind is None:
        known = ", ".join(f"{item.key} ({item.label})" for item in protocol.open_types)
        raise WrongRow(f"There is no type “{clip(key)}”: the project has {known}.")
    if kind.is_retired:
        raise WrongRow(f"The type “{kind.label}” has been removed from this project.")
    return kind.key


def _problems(answer: Answer, lines: list[int], protocol: Protocol) -> Iterator[tuple[int, str]]:
    """Whatever else keeps the answer from being submitted, by the rules that everybody's answers are held to: what
    parse_answer asks of a whole answer, and submit_problems. `lines`: of each mark, where it is first given."""
    if len(answer.marks) > MAX_MARKS:
        yield sorted(lines)[MAX_MARKS], f"{len(answer.marks)} marks: {MAX_MARKS} are the most."
    for line, mark in zip(lines, answer.marks, strict=True):
        if len(mark.substitutes) > MAX_SUBSTITUTES:
            yield line, f"{len(mark.substitutes)} substitutes: {MAX_SUBSTITUTES} are the most."
    if _may_be_too_large(answer) and (size := len(canonical_json(answer.as_dict()))) > MAX_ANSWER:
        yield max(lines), f"The answer has {size:,} bytes: {MAX_ANSWER:,} are the most."
    overlapping = _overlapping(answer, lines)
    for problem in submit_problems(answer, protocol):
        index = problem.path.removeprefix("marks[").partition("]")[0]
        yield next(overlapping, lines[0]) if problem.code == "overlap" else lines[int(index)], problem.message


def _may_be_too_large(answer: Answer) -> bool:
    """A character has four bytes at the most, or is escaped by two; what goes round a text is shorter than 200."""
    parts = [mark.quote for mark in answer.marks] + [item.text for mark in answer.marks for item in mark.substitutes]
    return 4 * sum(map(len, parts)) + 200 * len(parts) > MAX_ANSWER


def _overlapping(answer: Answer, lines: list[int]) -> Iterator[int]:
    """The line of each mark that overlaps an earlier one; marks are in the order of their spans."""
    ends = accumulate((mark.end for mark in answer.marks), max)
    before = zip(ends, answer.marks[1:], lines[1:], strict=False)
    return (line for end, mark, line in before if mark.start < end)


def _span(row: Row, text: str) -> Span:
    """Literally first, then without the quote of a cell that was made neutral."""
    given = row["word to change"]
    start, end = _number(row, "start"), _number(row, "end")
    if (start is None) != (end is None):
        raise WrongRow("start and end come together.")
    if start is not None and end is not None:
        word = text[start:end]
        if not 0 <= start < end <= len(text) or word not in (given, as_meant(given)):
            raise WrongRow(f"At [{start}, {end}) the sentence has “{clip(word)}”, not “{clip(given)}”.")
        occurrence = _number(row, "occurrence")
        if occurrence is not None and span_of_word(word, occurrence, text) != (start, end):
            raise WrongRow(f"Occurrence {occurrence} of “{clip(word)}” is not at [{start}, {end}).")
        return start, end
    return span_of_word(given if given in text else as_meant(given), _number(row, "occurrence"), text)


def _number(row: Row, name: str) -> int | None:
    value = row.get(name, "").strip()
    if value and not (value.isascii() and value.isdigit() and len(value) < 10):
        raise WrongRow(f"“{clip(value)}” is no {name}.")
    return int(value) if value else None
