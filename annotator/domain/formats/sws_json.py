"""SWS JSON, both ways: `{id: {"sentence", "sentence_split", "substitutes": [[[first, last], {text: votes}, type]]}}`.

Spans count tokens. Reading a release and writing it again gives equal parsed JSON, suggestions in their order.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from annotator.domain.errors import Invalid, Problem
from annotator.domain.strict_json import parse_json
from annotator.domain.tokens import Span, align_tokens

KEYS = ("sentence", "sentence_split", "substitutes")
MOST_PROBLEMS = 100  # named in one report
# After a key, only that of an entry: its own keys have a text and lists, and suggestions have votes.
_quoted = json.encoder.encode_basestring_ascii
_OBJECT = re.compile(rb"\s*:\s*\{")


@dataclass(frozen=True)
class SwsTarget:
    """`span` in tokens; `suggestions` in the file's order; `type` as in the file: in the release 1 or 2."""

    span: Span
    suggestions: tuple[tuple[str, int], ...]
    type: int
    annotators: int | None = None  # the voting index; a file does not tell it


@dataclass(frozen=True)
class SwsSentence:
    id: str
    text: str
    tokens: tuple[str, ...]
    targets: tuple[SwsTarget, ...] = ()

    @cached_property
    def spans(self) -> list[Span]:
        """Of the tokens, in the text; Invalid where they are not its."""
        return align_tokens(self.text, self.tokens)

    def text_of(self, span: Span) -> str:
        return self.text[self.spans[span[0]][0] : self.spans[span[1] - 1][1]]


def read_sws_json(data: bytes) -> list[SwsSentence]:
    """Every sentence, or Invalid with all that is wrong, each named by its id."""
    found = parse_json(data)
    if not isinstance(found, dict):
        raise Invalid([Problem("shape", "SWS JSON is one object: an entry for each sentence id.")])
    sentences, problems = [], []
    for name, entry in found.items():
        try:
            sentences.append(_sentence(name, entry))
        except Invalid as error:
            problems += [Problem(item.code, f"{name}: {item.message}", name) for item in error.problems]
    if problems:
        raise Invalid(problems[:MOST_PROBLEMS])
    return sentences


def lines_of_sentences(data: bytes, ids: Iterable[str]) -> Iterator[int]:
    """The line in which the entry of each id begins, ids in the file's order; the last one's where it is not found."""
    line = at = misses = 0
    is_escaped = data.isascii()
    for name in ids:
        key = json.dumps(name, ensure_ascii=is_escaped).encode(errors="replace")
        place = _place(data, key, at) if misses < MOST_PROBLEMS else -1
        if place < 0:
            misses += 1
        else:
            line += data.count(b"\n", at, place)
            at = place
        yield line + 1


def _place(data: bytes, key: bytes, at: int) -> int:
    place = data.find(key, at)
    while place >= 0 and not _OBJECT.match(data, place + len(key)):
        place = data.find(key, place + 1)
    return place


def _wrong(message: str) -> Invalid:
    return Invalid([Problem("sws_json", message)])


def _sentence(name: str, entry: Any) -> SwsSentence:
    if not isinstance(entry, dict) or set(entry) != set(KEYS):
        raise _wrong(f"An entry has just the keys {', '.join(KEYS)}.")
    text, tokens, targets = (entry[key] for key in KEYS)
    if not isinstance(text, str) or not isinstance(tokens, list) or not all(isinstance(t, str) for t in tokens):
        raise _wrong("sentence is a text and sentence_split a list of texts.")
    if not isinstance(targets, list):
        raise _wrong("substitutes is a list.")
    read: list[SwsTarget] = []
    problems: list[Problem] = []
    for item in targets:
        try:
            read.append(_target(item, len(tokens)))
        except Invalid as error:
            problems += error.problems
    found = SwsSentence(name, text, tuple(tokens), tuple(read))
    try:
        _ = found.spans  # they are the text's
    except Invalid as error:
        problems += error.problems
    if problems:
        raise Invalid(problems)
    return found


def _target(item: Any, tokens: int) -> SwsTarget:
    try:
        (first, last), suggestions, type_ = item
    except (TypeError, ValueError):
        raise _wrong("A target is [[first, last], {text: votes}, type].") from None
    if not (_is_count(first) and _is_count(last) and 0 <= first < last <= tokens):
        raise _wrong(f"[{first!r}, {last!r}] is no span of {tokens} tokens.")
    if not _is_count(type_) or type_ < 0:
        raise _wrong(f"{type_!r} is no type: 1 refines usage, 2 diversifies expression, others have other numbers.")
    if not isinstance(suggestions, dict) or not all(_is_count(votes) and votes >= 0 for votes in suggestions.values()):
        raise _wrong("Suggestions are texts with their votes.")
    return SwsTarget((first, last), tuple(suggestions.items()), type_)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def write_sws_json(sentences: Iterable[SwsSentence]) -> Iterator[str]:
    """As released: indent 4, ASCII, no final newline, sentence by sentence. One without targets has an empty list. Put
    together by hand: json writes with an indent at a quarter of the speed."""
    opening = "{\n    "
    for sentence in sentences:
        targets = sorted(sentence.targets, key=lambda target: target.span)
        yield (
            f"{opening}{_quoted(sentence.id)}: {{\n"
            f'        "sentence": {_quoted(sentence.text)},\n'
            f'        "sentence_split": {_block("[", map(_quoted, sentence.tokens), "]", 8)},\n'
            f'        "substitutes": {_block("[", map(_target_text, targets), "]", 8)}\n'
            "    }"
        )
        opening = ",\n    "
    yield "{}" if opening.startswith("{") else "\n}"


def _target_text(target: SwsTarget) -> str:
    """One of the list of targets, whose items stand 12 spaces in."""
    first, last = target.span
    votes = (f"{_quoted(text)}: {times}" for text, times in dict(target.suggestions).items())
    return (
        f"[\n                [\n                    {first},\n                    {last}\n                ],\n"
        f"                {_block('{', votes, '}', 16)},\n                {target.type}\n            ]"
    )


def _block(opening: str, items: Iterable[str], closing: str, indent: int) -> str:
    """A list or an object whose brackets stand `indent` spaces in, each item on a line of its own."""
    line = "\n" + " " * indent
    held = f",{line}    ".join(items)
    return f"{opening}{line}    {held}{line}{closing}" if held else opening + closing
