"""Passages from files: TXT, CSV, TSV, XLSX, JSONL, SWS JSON. A file is read whole, or its report says why not."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import PurePath
from typing import Any, BinaryIO

from annotator.domain.errors import Invalid, Refused
from annotator.domain.formats.cells import as_meant, text_as_meant
from annotator.domain.formats.columns import LOOKED_AT, Columns, guessed_columns
from annotator.domain.formats.reading import EMPTY, HEAD, Report, binary_file, clip, foreign_file, lines_of, whole
from annotator.domain.formats.sws_json import lines_of_sentences, read_sws_json
from annotator.domain.formats.tables import TABLES, any_rows, check_sheet, of_width, rows_of
from annotator.domain.language import MAX_LANG, is_language_tag
from annotator.domain.lengths import MAX_ID_LENGTH, MAX_PASSAGE_LENGTH
from annotator.domain.passages import PASSAGE_TEXTS, NewPassage
from annotator.domain.strict_json import parse_json
from annotator.domain.text import is_blank, line_problems, passage_text_problems, with_line_feeds
from annotator.domain.tokens import stored_tokens

SUFFIXES = {".txt": "txt", ".csv": "csv", ".tsv": "tsv", ".xlsx": "xlsx", ".jsonl": "jsonl", ".json": "sws"}


@dataclass(frozen=True)
class ReadPassage(NewPassage):
    """And the line where it begins."""

    line: int = 0


@dataclass
class AnyTable:
    """How a table with any header is to be read, and what was found of it. Rows that are wrong stay out, the others
    come in."""

    columns: Columns | None = None  # None: guessed
    has_header: bool | None = None  # likewise
    chosen: Mapping[int, str] = field(default_factory=dict)  # by place: columns that are not guessed with the others
    names: list[str] = field(default_factory=list)
    delimiter: str = ""
    head_line: int = 0
    cells: dict[int, list[str]] | None = None  # by line, where somebody wants to show them


def format_of(name: str) -> str:
    """By the file's ending; Invalid names the ones there are."""
    suffix = PurePath(name).suffix.lower()
    if suffix == ".xls":
        raise Invalid.of("format", f"“{name}” is an old .xls book: save it as .xlsx.")
    if suffix not in SUFFIXES:
        raise Invalid.of("format", f"“{name}” ends in none of {', '.join(SUFFIXES)}.")
    return SUFFIXES[suffix]


def read_passages(
    source: BinaryIO, *, name: str, sheet: str | None = None, table: AnyTable | None = None
) -> tuple[list[ReadPassage], Report]:
    """The passages of a file, of a workbook those of `sheet` or of the first. With `table` they are those that nothing
    is wrong with; else, where the report has a problem, they are only good for finding more of them."""
    format_ = format_of(name)
    check_sheet(format_, sheet)
    report = Report()
    seen: dict[str, int] = {}
    passages = []
    for passage in _read(source, name, format_, report, sheet, table):
        checked, reasons = _checked(passage)
        if passage.external_id in seen:
            reasons.append(f"The id “{clip(passage.external_id)}” is already in line {seen[passage.external_id]}.")
        for reason in reasons:
            # The sentences of a release may all be in one line.
            report.add(passage.line, f"{clip(passage.external_id)}: {reason}" if format_ == "sws" else reason)
        seen.setdefault(passage.external_id, passage.line)
        if not reasons or table is None:
            passages.append(checked)
    if not passages and not report:
        report.refuse(1, "The file holds no passage.")
    return passages, report


def _read(
    source: BinaryIO, name: str, format_: str, report: Report, sheet: str | None, table: AnyTable | None
) -> Iterator[ReadPassage]:
    stem = PurePath(name).stem
    if format_ == "sws":
        return _sws(source, stem, report)
    if format_ in TABLES:
        if table is not None:
            return _any_table(source, stem, report, format_, sheet, table)
        return _table(source, report, format_, sheet)
    return {"txt": _txt, "jsonl": _jsonl}[format_](source, stem, report, names_each=table is not None)


def _checked(passage: ReadPassage) -> tuple[ReadPassage, list[str]]:
    texts = {field: with_line_feeds(getattr(passage, field)) for field in ("text", *PASSAGE_TEXTS)}
    reasons = [problem.message for problem in passage_text_problems(texts["text"])]
    reasons += [*id_problems(passage.external_id), *field_problems(texts)]
    return replace(passage, **texts), reasons  # type: ignore[arg-type]


def id_problems(name: str) -> list[str]:
    if is_blank(name):
        return ["The passage has no id."]
    if any(char in name for char in "\n\t"):
        return ["The id holds a line end or a tab."]
    return [problem.message for problem in line_problems(name, what="The id", path="id", most=MAX_ID_LENGTH)]


def field_problems(texts: Mapping[str, str]) -> list[str]:
    """Of all that goes with a passage's text."""
    longest = {"group": MAX_ID_LENGTH, "lang": MAX_LANG}
    problems = [
        problem.message
        for field in PASSAGE_TEXTS
        for problem in line_problems(texts[field], what=field, path=field, most=longest.get(field, MAX_PASSAGE_LENGTH))
    ]
    if texts["lang"] and not is_language_tag(texts["lang"]):
        problems.append(f"“{clip(texts['lang'])}” is not a language tag such as en or pt-BR.")
    return problems


def _txt(source: BinaryIO, stem: str, report: Report, *, names_each: bool) -> Iterator[ReadPassage]:
    """One passage a line; its id is the file's name and the number of the line."""
    for number, line in lines_of(source, report, names_each=names_each):
        if line.strip():
            yield ReadPassage(f"{stem}-{number}", line.strip(" \t"), line=number)


def _table(source: BinaryIO, report: Report, format_: str, sheet: str | None) -> Iterator[ReadPassage]:
    rows = rows_of(source, report, format=format_, required=("id", "text"), optional=PASSAGE_TEXTS, sheet=sheet)
    for line, row in rows:
        row = _as_meant(row)
        yield ReadPassage(row.pop("id"), line=line, **row)  # type: ignore[arg-type]


def _as_meant(row: Mapping[str, str]) -> dict[str, str]:
    """Without the quotes that keep spreadsheets from carrying a cell out."""
    return {name: (as_meant if name in ("id", "group", "lang") else text_as_meant)(cell) for name, cell in row.items()}


def _any_table(
    source: BinaryIO, stem: str, report: Report, format_: str, sheet: str | None, table: AnyTable
) -> Iterator[ReadPassage]:
    """By the columns that were chosen, or guessed; without an id, a row is called by file and line."""
    table.delimiter, rows = any_rows(source, report, format=format_, sheet=sheet, names_each=True)
    first = list(islice(rows, LOOKED_AT))
    if report.is_broken:
        return
    if not first:
        report.refuse(1, "The file is empty." if table.delimiter else "The sheet is empty.")
        return
    columns = table.columns = table.columns or guessed_columns(
        first, table.has_header, table.chosen, is_padded=not table.delimiter
    )
    if columns.has_header:
        (table.head_line, head), *first = first
        table.names = [name.strip() for name in head]
        if len(head) != len(columns.roles):
            report.refuse(table.head_line, f"The header has {len(head)} columns, and {len(columns.roles)} were chosen.")
            return
    as_in = "the header" if columns.has_header else "most rows"
    for line, cells in of_width(len(columns.roles), chain(first, rows), report, table.delimiter, as_in=as_in):
        if table.cells is not None:
            table.cells[line] = cells
        given = _as_meant({role: cell for role, cell in zip(columns.roles, cells, strict=True) if role})
        name = given.pop("id") if "id" in given else f"{stem}-{line}"
        yield ReadPassage(name, line=line, **given)  # type: ignore[arg-type]


def _jsonl(source: BinaryIO, stem: str, report: Report, *, names_each: bool) -> Iterator[ReadPassage]:
    for number, line in lines_of(source, report, names_each=names_each):
        if not line.strip():
            continue
        try:
            yield _from_object(number, parse_json(line.encode()))
        except Refused as error:
            report.add(number, error.message.replace("(line 1, column", "(column"))  # of the line, which is named


def _from_object(number: int, value: Any) -> ReadPassage:
    if not isinstance(value, dict) or not {"id", "text"} <= set(value):
        raise Invalid.of("shape", "A line is an object with id and text.")
    if unknown := sorted(set(value) - {"id", "text", "tokens", *PASSAGE_TEXTS}):
        raise Invalid.of("unknown_key", f"A passage has no key “{unknown[0]}”.")
    texts = {key: item for key, item in value.items() if key != "tokens"}
    if wrong := [key for key, item in texts.items() if not isinstance(item, str)]:
        raise Invalid.of("shape", f"“{wrong[0]}” is not a text.")
    name, tokens = texts.pop("id"), value.get("tokens")
    if tokens is None:
        return ReadPassage(name, line=number, **texts)
    if not isinstance(tokens, list) or not all(isinstance(token, str) for token in tokens):
        raise Invalid.of("shape", "“tokens” is not a list of texts.")
    given = stored_tokens(with_line_feeds(texts["text"]), tokens)
    return ReadPassage(name, line=number, **texts, tokens=given)


def _sws(source: BinaryIO, stem: str, report: Report) -> Iterator[ReadPassage]:
    """The sentences of a release."""
    data = b""
    try:
        data = whole(source)
        if reason := (foreign_file(data[:200]) or binary_file(data[:HEAD])) if data else EMPTY:
            raise Invalid.of("file", reason)
        sentences = read_sws_json(data)
    except Invalid as error:
        lines = lines_of_sentences(data, [problem.path for problem in error.problems])
        for line, problem in zip(lines, error.problems, strict=True):
            report.refuse(line, problem.message)
        return
    except Refused as error:
        place = re.search(r"\(line (\d+), column", error.message)
        report.refuse(int(place.group(1)) if place else 1, error.message)
        return
    lines = lines_of_sentences(data, [sentence.id for sentence in sentences])
    for line, sentence in zip(lines, sentences, strict=True):
        text = with_line_feeds(sentence.text)  # before offsets exist
        yield ReadPassage(sentence.id, text, line=line, tokens=stored_tokens(text, list(sentence.tokens)))
