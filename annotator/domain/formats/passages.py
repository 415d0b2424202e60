"""Passages from files: TXT, CSV, TSV, JSONL, SWS JSON. A file is read whole, or its report says why not."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any, BinaryIO

from annotator.domain.errors import Invalid, Refused
from annotator.domain.formats.reading import Report, clip, lines_of, rows_of, whole
from annotator.domain.formats.sws_json import read_sws_json
from annotator.domain.language import MAX_LANG, is_language_tag
from annotator.domain.strict_json import parse_json
from annotator.domain.text import MAX_PASSAGE_LENGTH, is_blank, line_problems, passage_text_problems, with_line_feeds
from annotator.domain.tokens import StoredTokens, stored_tokens

TEXTS = ("group", "lang", "context_before", "context_after", "source_text")
SUFFIXES = {".txt": "txt", ".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".json": "sws"}
MAX_ID = 200


@dataclass(frozen=True)
class ReadPassage:
    """`tokens`, where the file gives them: [start, end], and the token itself where the text says it otherwise."""

    line: int
    id: str
    text: str
    group: str = ""
    lang: str = ""
    context_before: str = ""
    context_after: str = ""
    source_text: str = ""
    tokens: StoredTokens | None = None


def format_of(name: str) -> str:
    """By the file's ending; Invalid names the ones there are."""
    suffix = PurePath(name).suffix.lower()
    if suffix not in SUFFIXES:
        raise Invalid.of("format", f"“{name}” ends in none of {', '.join(SUFFIXES)}.")
    return SUFFIXES[suffix]


def read_passages(source: BinaryIO, *, name: str) -> tuple[list[ReadPassage], Report]:
    """The passages of a file; none, where the report has something to say."""
    report = Report()
    readers = {"txt": _txt, "csv": _csv, "tsv": _tsv, "jsonl": _jsonl, "sws": _sws}
    seen: dict[str, int] = {}
    passages = []
    for passage in readers[format_of(name)](source, PurePath(name).stem, report):
        checked = _checked(passage, report)
        if passage.id in seen:
            report.add(passage.line, f"The id “{clip(passage.id)}” stands in line {seen[passage.id]} already.")
        seen.setdefault(passage.id, passage.line)
        passages.append(checked)
    if not passages and not report:
        report.add(1, "The file holds no passage.")
    return ([] if report else passages), report


def _checked(passage: ReadPassage, report: Report) -> ReadPassage:
    texts = {field: with_line_feeds(getattr(passage, field)) for field in ("text", *TEXTS)}
    for problem in passage_text_problems(texts["text"]):
        report.add(passage.line, problem.message)
    for reason in [*id_problems(passage.id), *field_problems(texts)]:
        report.add(passage.line, reason)
    return replace(passage, **texts)  # type: ignore[arg-type]


def id_problems(name: str) -> list[str]:
    if is_blank(name):
        return ["The passage has no id."]
    if any(char in name for char in "\n\t"):
        return ["The id holds a line end or a tab."]
    return [problem.message for problem in line_problems(name, what="The id", path="id", most=MAX_ID)]


def field_problems(texts: Mapping[str, str]) -> list[str]:
    """Of all that goes with a passage's text."""
    longest = {"group": MAX_ID, "lang": MAX_LANG}
    problems = [
        problem.message
        for field in TEXTS
        for problem in line_problems(texts[field], what=field, path=field, most=longest.get(field, MAX_PASSAGE_LENGTH))
    ]
    if texts["lang"] and not is_language_tag(texts["lang"]):
        problems.append(f"“{clip(texts['lang'])}” is not a language tag such as en or pt-BR.")
    return problems


def _txt(source: BinaryIO, stem: str, report: Report) -> Iterator[ReadPassage]:
    """One passage a line; its id is the file's name and the number of the line."""
    for number, line in lines_of(source, report):
        if line.strip():
            yield ReadPassage(number, f"{stem}-{number}", line.strip(" \t"))


def _csv(source: BinaryIO, stem: str, report: Report) -> Iterator[ReadPassage]:
    return _table(source, report, ",")


def _tsv(source: BinaryIO, stem: str, report: Report) -> Iterator[ReadPassage]:
    return _table(source, report, "\t")


def _table(source: BinaryIO, report: Report, delimiter: str) -> Iterator[ReadPassage]:
    for line, row in rows_of(source, report, delimiter=delimiter, required=("id", "text"), optional=TEXTS):
        yield ReadPassage(line, **row)  # type: ignore[arg-type]


def _jsonl(source: BinaryIO, stem: str, report: Report) -> Iterator[ReadPassage]:
    for number, line in lines_of(source, report):
        if not line.strip():
            continue
        try:
            yield _from_object(number, parse_json(line.encode()))
        except Refused as error:
            report.add(number, error.message)


def _from_object(number: int, value: Any) -> ReadPassage:
    if not isinstance(value, dict) or not {"id", "text"} <= set(value):
        raise Invalid.of("shape", "A line is an object with id and text.")
    if unknown := sorted(set(value) - {"id", "text", "tokens", *TEXTS}):
        raise Invalid.of("unknown_key", f"A passage has no key “{unknown[0]}”.")
    texts = {key: item for key, item in value.items() if key != "tokens"}
    if wrong := [key for key, item in texts.items() if not isinstance(item, str)]:
        raise Invalid.of("shape", f"“{wrong[0]}” is not a text.")
    tokens = value.get("tokens")
    if tokens is None:
        return ReadPassage(number, **texts)
    if not isinstance(tokens, list) or not all(isinstance(token, str) for token in tokens):
        raise Invalid.of("shape", "“tokens” is not a list of texts.")
    return ReadPassage(number, **texts, tokens=stored_tokens(with_line_feeds(texts["text"]), tokens))


def _sws(source: BinaryIO, stem: str, report: Report) -> Iterator[ReadPassage]:
    """The sentences of a release; the number of the sentence stands for the line."""
    try:
        sentences = read_sws_json(whole(source))
    except Refused as error:
        for problem in getattr(error, "problems", [error]):
            report.add(1, problem.message)
        return
    for number, sentence in enumerate(sentences, start=1):
        text = with_line_feeds(sentence.text)  # before offsets exist
        yield ReadPassage(number, sentence.id, text, tokens=stored_tokens(text, list(sentence.tokens)))
