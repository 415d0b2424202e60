"""A look at a file before it is taken in: counts, the first rows, what was found of rows, what is wrong.

What is given back is kept as JSON and shown by pages; of a large file only so much of it is kept."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, BinaryIO

from annotator.domain.formats.annotations import REQUIRED, ReadAnswers, read_answers, table_format
from annotator.domain.formats.passages import AnyTable, ReadPassage, format_of, read_passages
from annotator.domain.formats.reading import BYTE_ORDER_MARK, MAX_KEPT, MAX_PROBLEMS, Report, clip
from annotator.domain.formats.tables import TABLES, any_rows
from annotator.domain.passage_findings import FINDINGS, RowFinding, passage_findings, same_as, text_digest
from annotator.domain.passages import PASSAGE_TEXTS
from annotator.domain.protocols import Protocol

FIRST = 200  # rows that are shown whatever is found of them
MAX_CELL = 600  # characters of a cell, as it is shown
BEGINS = 120  # bytes of a row that is wrong, as it is shown
Found = dict[str, list[RowFinding]]  # by id, of passages of which anything was found
_DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs"}


@dataclass(frozen=True)
class Known:
    """What the project has. `named`: of these ids those that there are, with PASSAGE_FIELDS and the kind of each;
    `texts`: by digest, the id of the first passage that says it."""

    named: Callable[[Sequence[str]], Mapping[str, Mapping[str, Any]]] = lambda _: {}
    texts: Mapping[str, str] = field(default_factory=dict)
    language: str = "en"


def without_conflicts(
    passages: list[ReadPassage], kind: str, known: Mapping[str, Mapping[str, Any]], report: Report
) -> list[ReadPassage]:
    """Those with an id that the project has with another text, or another of anything, are reported and left out."""
    kept = []
    for passage in passages:
        there = known.get(passage.external_id)
        if there is not None and (other := _difference({"kind": kind, **passage.stored()}, there)):
            report.add(passage.line, f"The id “{clip(passage.external_id)}” is there already with another {other}.")
        else:
            kept.append(passage)
    return kept


def _difference(given: Mapping[str, Any], there: Mapping[str, Any]) -> str:
    return next((name for name in there if given[name] != there[name]), "")


def look_at_passages(
    source: BinaryIO, *, name: str, sheet: str | None, table: AnyTable, kind: str, known: Known
) -> dict[str, Any]:
    table.cells = {}
    read, report = read_passages(source, name=name, sheet=sheet, table=table)
    there = known.named([passage.external_id for passage in read])
    passages = without_conflicts(read, kind, there, report)
    good = [passage for passage in passages if passage.external_id not in there]
    found = _findings(good, known)
    rows = _Rows(good, table)
    errors = report.problems[:MAX_KEPT]
    bad = {item.line for item in report.problems}
    begin = _beginnings(source, name, {item.line for item in errors})
    kinds = Counter(code for items in found.values() for code in {item.code for item in items})
    told = [[passage.line, item.code, item.message] for passage in good for item in found.get(passage.external_id, ())]
    return {
        "about": _about(name, table),
        "columns": rows.columns,
        "has_header": table.columns.has_header if table.columns else True,
        "is_table": format_of(name) in TABLES,
        "broken": report.problems[0].reason if report.is_broken else "",
        "counts": {
            "rows": len(passages) + len(bad) + report.more,
            "fresh": 0 if report.is_broken else len(good),
            "already": len(passages) - len(good),
            "found": len(found),
            "errors": len(bad) + report.more,
        },
        "kinds": {code: kinds[code] for code in FINDINGS if kinds[code]},
        "first": [rows.row(item, found) for item in good[:FIRST]],
        "found": [rows.row(item, found) for item in islice(_with(good, found), MAX_KEPT)],
        "findings": told[:MAX_PROBLEMS],
        "more_findings": max(0, len(told) - MAX_PROBLEMS),
        "errors": [[item.line, item.reason, begin.get(item.line, "")] for item in errors],
        "errors_unseen": [[item.line, item.reason] for item in report.problems[MAX_KEPT:]],
        "more_errors": report.more + len(report.problems) - len(errors),
        "notes": _notes(table, report),
    }


def look_at_answers(
    source: BinaryIO, *, name: str, sheet: str | None, texts: Mapping[str, str], protocol: Protocol
) -> tuple[dict[str, Any], ReadAnswers]:
    """Of an annotation table: it is taken whole or not at all."""
    answers, report = read_answers(source, name=name, texts=texts, protocol=protocol, sheet=sheet)
    source.seek(0)
    delimiter, rows = any_rows(source, Report(), format=table_format(name), sheet=sheet, known=REQUIRED)
    (_, names), *first = [*islice(rows, FIRST + 1)] or [(1, [])]
    errors, warnings = report.problems[:MAX_KEPT], report.warnings
    begin = _beginnings(source, name, {item.line for item in errors})
    shown = [{"line": line, "cells": [clip(cell, MAX_CELL) for cell in cells], "said": []} for line, cells in first]
    result = {
        "about": [*(["UTF-8", _DELIMITERS[delimiter]] if delimiter else [])],
        "columns": [{"name": clip(item.strip()), "role": ""} for item in names],
        "has_header": True,
        "is_table": True,
        "broken": report.problems[0].reason if report.is_broken else "",
        "counts": {
            "rows": answers.rows,
            "people": len(answers.answers),
            "given": sum(map(len, answers.answers.values())),
            "repeated": answers.repeated,
            "found": len(warnings) + report.more_warnings,
            "errors": len({item.line for item in report.problems}) + report.more,
        },
        "people": [[who, len(given)] for who, given in sorted(answers.answers.items())],
        "kinds": {},
        "first": shown,
        "found": [],
        "findings": [[item.line, "warning", item.reason] for item in warnings],
        "more_findings": report.more_warnings,
        "errors": [[item.line, item.reason, begin.get(item.line, "")] for item in errors],
        "errors_unseen": [[item.line, item.reason] for item in report.problems[MAX_KEPT:]],
        "more_errors": report.more + len(report.problems) - len(errors),
        "notes": [],
    }
    return result, answers


def holds_answers(source: BinaryIO, *, name: str, sheet: str | None) -> bool:
    """Whether it is an annotation table, by its header."""
    format_ = format_of(name)
    if format_ not in TABLES:
        return False
    _, rows = any_rows(source, Report(), format=format_, sheet=sheet, known=REQUIRED)
    _, head = next(rows, (0, []))
    source.seek(0)
    return set(REQUIRED) <= {cell.strip() for cell in head}


def _with(passages: list[ReadPassage], found: Found) -> Iterator[ReadPassage]:
    return (item for item in passages if item.external_id in found)


def _findings(passages: list[ReadPassage], known: Known) -> Found:
    found: Found = {}
    above: dict[str, int] = {}  # by digest, the line in which it stands first
    for passage in passages:
        items = passage_findings(passage.text, passage.lang or known.language)
        digest = text_digest(passage.text)
        if digest in known.texts:
            items.insert(0, same_as(f"passage {clip(known.texts[digest])}"))
        elif digest in above:
            items.insert(0, same_as(f"line {above[digest]:,}"))
        else:
            above[digest] = passage.line
        if items:
            found[passage.external_id] = items
    return found


class _Rows:
    """As they are shown: a table by its own columns, other files by what passages of theirs have."""

    def __init__(self, passages: list[ReadPassage], table: AnyTable) -> None:
        self.cells = table.cells or {}
        if table.columns:
            names = table.names or [f"column {place}" for place in range(1, len(table.columns.roles) + 1)]
            self.columns = [
                {"name": clip(name), "role": role} for name, role in zip(names, table.columns.roles, strict=True)
            ]
        else:
            used = [name for name in PASSAGE_TEXTS if any(getattr(item, name) for item in passages)]
            self.columns = [{"name": name, "role": name} for name in ("id", "text", *used)]
        self.has_id = any(column["role"] == "id" for column in self.columns)

    def row(self, passage: ReadPassage, found: Found) -> dict[str, Any]:
        said = [[item.code, item.message] for item in found.get(passage.external_id, ())]
        cells = self.cells.get(passage.line) or [self._value(passage, column["role"]) for column in self.columns]
        row = {"line": passage.line, "cells": [clip(cell, MAX_CELL) for cell in cells], "said": said}
        return row if self.has_id else {**row, "id": passage.external_id}

    def _value(self, passage: ReadPassage, role: str) -> str:
        return str(getattr(passage, "external_id" if role == "id" else role))


def _about(name: str, table: AnyTable) -> list[str]:
    """How the file was read, in a few words."""
    format_ = format_of(name)
    about = [] if format_ == "xlsx" else ["UTF-8"]
    if table.delimiter:
        about.append(_DELIMITERS[table.delimiter])
    if table.columns:
        about.append(f"header in line {table.head_line:,}" if table.columns.has_header else "no header")
    return about


def _notes(table: AnyTable, report: Report) -> list[str]:
    """What is to be known of the file as a whole, and stops nothing."""
    notes = [f"Line {item.line:,}: {item.reason}" for item in report.warnings]
    names = [name for name in table.names if name]
    for name in dict.fromkeys(names):
        places = [place for place, other in enumerate(table.names, start=1) if other == name]
        if len(places) > 1:
            where = " and ".join(map(str, places))
            notes.append(f"Columns {where} are both called “{clip(name)}”: look which one is which.")
    return notes[:MAX_KEPT]


def _beginnings(source: BinaryIO, name: str, lines: set[int]) -> dict[int, str]:
    """How the rows begin that are wrong, as far as the file has them line by line."""
    if not lines or format_of(name) not in ("txt", "csv", "tsv", "jsonl"):
        return {}
    source.seek(0)
    found = {}
    for number, raw in enumerate(islice(source, max(lines)), start=1):
        if number in lines:
            raw = raw.removeprefix(BYTE_ORDER_MARK) if number == 1 else raw
            shown = raw[:BEGINS].rstrip(b"\r\n").decode("utf-8", errors="backslashreplace")
            shown = "".join(char if char.isprintable() else repr(char)[1:-1] for char in shown)
            found[number] = f"{shown}…" if len(raw) > BEGINS else shown
    return found


def keeps_out(result: Mapping[str, Any]) -> str:
    """What keeps the file out as it is, or ""."""
    if result["broken"]:
        return str(result["broken"])
    if "people" in result["counts"]:
        if result["counts"]["errors"]:
            return "A table of answers comes in whole: mend the rows that are wrong, then send it again."
        return str(result["conflict"]["message"]) if result["conflict"] else ""
    if not result["counts"]["fresh"]:
        return "There is nothing in the file that is new." if result["counts"]["already"] else "No row can come in."
    return ""


def report_lines(result: Mapping[str, Any]) -> Iterator[tuple[int | str, str, str]]:
    """(line, kind, what is said), by line: every error and every finding, also those that no page shows."""
    unseen = result.get("errors_unseen", [])  # not in what was found before they were kept
    rows = [(line, "error", reason) for line, reason, *_ in [*result["errors"], *unseen]]
    rows += [(line, "finding", message) for line, _, message in result["findings"]]
    yield from sorted(rows, key=lambda row: row[0])
    for kind, more in (("error", result["more_errors"] - len(unseen)), ("finding", result["more_findings"])):
        if more:
            yield "", kind, f"… and {more:,} more"
