"""Annotation tables (CSV, TSV): one row per mark and type, as annotators hand them in (method.md 8).

`sentence_id, annotator, word to change, substitutes, type`, and where a word stands more than once `start, end` in code
points, or `occurrence`. Nothing is guessed: a row that does not say which word it means is reported.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import BinaryIO

from annotator.domain.answers import (
    MAX_ANSWER,
    MAX_SUBSTITUTE_LENGTH,
    Answer,
    Mark,
    Substitute,
    parse_answer,
    submit_problems,
    united,
)
from annotator.domain.canonical import canonical_json
from annotator.domain.errors import Invalid, Refused
from annotator.domain.formats.reading import Report, clip, rows_of
from annotator.domain.language import is_cut_out
from annotator.domain.protocols import Protocol
from annotator.domain.text import collapse_spaces, forbidden_character, is_blank

REQUIRED = ("sentence_id", "annotator", "word to change", "substitutes", "type")
OPTIONAL = ("start", "end", "occurrence")
DELIMITERS = {"csv": ",", "tsv": "\t"}
MAX_NAME = 100
Span = tuple[int, int]


def table_format(name: str) -> str:
    """By the file's ending; Invalid names the ones there are."""
    suffix = PurePath(name).suffix.lower().removeprefix(".")
    if suffix not in DELIMITERS:
        raise Invalid.of("format", f"“{name}” is no annotation table: it ends neither in .csv nor in .tsv.")
    return suffix


@dataclass
class ReadAnswers:
    """annotator → passage id → answer, for those that have a row."""

    answers: dict[str, dict[str, Answer]] = field(default_factory=dict)
    rows: int = 0
    repeated: int = 0  # substitutes that an annotator gave twice for one mark, and that count once


def read_annotations(
    source: BinaryIO, *, format: str, texts: Mapping[str, str], protocol: Protocol
) -> tuple[ReadAnswers, Report]:
    """`texts`: the project's passages by id. Nothing, where the report has something to say."""
    report, found = Report(), ReadAnswers()
    marks: dict[tuple[str, str], dict[Span, list[Substitute]]] = {}
    first_lines: dict[tuple[str, str], int] = {}
    for line, row in rows_of(source, report, delimiter=DELIMITERS[format], required=REQUIRED, optional=OPTIONAL):
        found.rows += 1
        try:
            who, passage = _who(row), _passage(row, texts)
            span = _span(row, texts[passage])
            given = _substitutes(row, protocol)
        except _Wrong as wrong:
            report.add(line, str(wrong))
            continue
        first_lines.setdefault((who, passage), line)
        marks.setdefault((who, passage), {}).setdefault(span, []).extend(given)
    for (who, passage), spans in marks.items():
        answer = _answer(spans, texts[passage], protocol)
        found.repeated += sum(map(len, spans.values())) - sum(len(mark.substitutes) for mark in answer.marks)
        for problem in _problems(answer, texts[passage], protocol):
            report.add(first_lines[who, passage], f"{who}, {passage}: {problem}")
        found.answers.setdefault(who, {})[passage] = answer
    if not found.rows and not report:
        report.add(1, "The table has no rows.")
    return (ReadAnswers(), report) if report else (found, report)


def _problems(answer: Answer, text: str, protocol: Protocol) -> list[str]:
    """Whatever else keeps the answer from being submitted, by the rules that everybody's answers are held to."""
    try:
        parsed = parse_answer(answer.as_dict(), text=text, protocol=protocol)
    except Refused as refusal:
        return [refusal.message]
    size = len(canonical_json(parsed.as_dict()))
    too_large = [f"The answer has {size:,} bytes: {MAX_ANSWER:,} are the most."] if size > MAX_ANSWER else []
    return too_large + [problem.message for problem in submit_problems(parsed, protocol)]


def is_name(name: str) -> bool:
    is_one_line = not any(char in name for char in "\n\t")
    return not is_blank(name) and is_one_line and len(name) <= MAX_NAME and not forbidden_character(name)


class _Wrong(Exception):
    pass


def _who(row: dict[str, str]) -> str:
    name = row["annotator"].strip()
    if not is_name(name):
        raise _Wrong(f"“{clip(name)}” is no annotator's name.")
    return name


def _passage(row: dict[str, str], texts: Mapping[str, str]) -> str:
    if row["sentence_id"] not in texts:
        raise _Wrong(f"There is no passage “{clip(row['sentence_id'])}”.")
    return row["sentence_id"]


def _span(row: dict[str, str], text: str) -> Span:
    word = row["word to change"]
    start, end = _number(row, "start"), _number(row, "end")
    if (start is None) != (end is None):
        raise _Wrong("start and end come together.")
    if start is not None and end is not None:
        if not 0 <= start < end <= len(text) or text[start:end] != word:
            raise _Wrong(f"At [{start}, {end}) the sentence has “{clip(text[start:end])}”, not “{clip(word)}”.")
        occurrence = _number(row, "occurrence")
        if occurrence is not None and _span_of_word(word, occurrence, text) != (start, end):
            raise _Wrong(f"Occurrence {occurrence} of “{clip(word)}” is not at [{start}, {end}).")
        return start, end
    return _span_of_word(word, _number(row, "occurrence"), text)


def _number(row: dict[str, str], name: str) -> int | None:
    value = row.get(name, "").strip()
    if value and not (value.isascii() and value.isdigit() and len(value) < 10):
        raise _Wrong(f"“{clip(value)}” is no {name}.")
    return int(value) if value else None


def _span_of_word(word: str, occurrence: int | None, text: str) -> Span:
    """The word where it stands by itself; `occurrence` counts from 1 where it does so more than once."""
    if not word:
        raise _Wrong("The word to change is missing.")
    everywhere = [found.start() for found in re.finditer(f"(?={re.escape(word)})", text)]  # also where they overlap
    places = [start for start in everywhere if not is_cut_out(text, start, start + len(word))]
    shown = clip(word)
    if not places:
        inside = " but inside a longer word: give start and end" if everywhere else ""
        raise _Wrong(f"“{shown}” does not stand in the sentence{inside}.")
    if occurrence is None and len(places) > 1:
        raise _Wrong(
            f"“{shown}” stands {len(places)} times in the sentence: say which by occurrence, or start and end."
        )
    if occurrence is not None and not 1 <= occurrence <= len(places):
        times = "once" if len(places) == 1 else f"{len(places)} times"
        raise _Wrong(f"“{shown}” stands {times} in the sentence: there is no occurrence {occurrence}.")
    start = places[(occurrence or 1) - 1]
    return start, start + len(word)


def _substitutes(row: dict[str, str], protocol: Protocol) -> list[Substitute]:
    kind = protocol.type_named(row["type"].strip())
    if kind is None:
        known = ", ".join(item.key for item in protocol.types)
        raise _Wrong(f"There is no type “{clip(row['type'])}”: the project has {known}.")
    if character := forbidden_character(row["substitutes"]):
        raise _Wrong(f"The substitutes hold the control character {character}.")
    given = [collapse_spaces(text) for text in row["substitutes"].split(protocol.separator)]
    if len([text for text in given if text]) < protocol.min_substitutes:
        raise _Wrong(f"“{clip(row['word to change'])}” has no substitute.")
    if long := [text for text in given if len(text) > MAX_SUBSTITUTE_LENGTH]:
        raise _Wrong(f"“{clip(long[0])}” has {len(long[0])} characters: {MAX_SUBSTITUTE_LENGTH} are the most.")
    return [Substitute(text, kind.key) for text in given if text]


def _answer(spans: dict[Span, list[Substitute]], text: str, protocol: Protocol) -> Answer:
    """Rows of one span are one mark; of equal substitutes the first counts."""
    given = Answer(tuple(Mark(*span, text[slice(*span)], tuple(spans[span])) for span in sorted(spans)))
    once = united(given, folds=protocol.folds_substitutes)
    return Answer(tuple(Mark(*span, text[slice(*span)], tuple(own.values())) for span, own in once.items()))
