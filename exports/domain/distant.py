"""Distant supervision (Wang et al. 2023, 3.2): synonyms are put into plain sentences; each is then a target, and the
word whose place it took is its suggestion.

All entries of the thesaurus are substituted unless `rate` says otherwise: the paper takes each for a target, and of the
words of SWS_DS 13.2 % are targets (6.1), about as many as the rule that replaces all entries finds (12.5 %, table 4).
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import BinaryIO

from annotator.domain.errors import Invalid
from annotator.domain.formats.reading import BYTE_ORDER_MARK, Report, foreign_file
from annotator.domain.formats.sws_json import SwsSentence, SwsTarget
from annotator.domain.text import forbidden_character, is_blank
from exports.domain.english import tokens_of
from exports.domain.entries import Entry, EntryFinder
from exports.domain.thesaurus import Thesaurus

MAX_SENTENCE = 10_000  # bytes: a longer line is no sentence
CHUNK = 100  # sentences made into examples at a time
# SWS JSON wants a type of every target and SWS_DS has none (3.2): 0 is neither of the two that annotators give.
NO_TYPE = 0
_REMEMBERED = 20_000  # synonyms
Line = tuple[int, str]  # its number in the file, from 1
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode


@dataclass
class Corpus:
    """Plain sentences, one a line, read as they are asked for. Lines that cannot be read are left out, counted, and
    named among the warnings of `report`."""

    source: BinaryIO
    report: Report
    sentences: int = 0
    bad_lines: int = 0

    def chunks(self) -> Iterator[list[Line]]:
        chunk: list[Line] = []
        for line in self:
            chunk.append(line)
            if len(chunk) == CHUNK:
                yield chunk
                chunk = []
        if chunk:
            yield chunk

    def __iter__(self) -> Iterator[Line]:
        for number, line in enumerate(_raw_lines(self.source), start=1):
            if number == 1:
                line = line.removeprefix(BYTE_ORDER_MARK)
                if reason := foreign_file(line):
                    raise Invalid.of("corpus", reason)
            text, reason = _read(line.rstrip(b"\r\n"))
            if reason:
                self.bad_lines += 1
                self.report.warn(number, reason)
            elif not is_blank(text):
                self.sentences += 1
                yield number, text.strip()


def _raw_lines(source: BinaryIO) -> Iterator[bytes]:
    """Of one that is too long only the beginning."""
    while line := source.readline(MAX_SENTENCE + 2):
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = source.readline(MAX_SENTENCE)
        yield line


def _read(line: bytes) -> tuple[str, str]:
    """The text, and what is wrong with it."""
    if len(line) > MAX_SENTENCE:
        return "", f"The line has more than {MAX_SENTENCE:,} bytes: put one sentence on each."
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        return "", "The line is not UTF-8."
    character = forbidden_character(text)
    return text, f"The line holds the control character {character}." if character else ""


@dataclass(frozen=True)
class Made:
    """Of a chunk: its examples as lines of JSON, and what was counted."""

    lines: str
    examples: int
    targets: int


@dataclass(frozen=True)
class ExampleMaker:
    """All that examples hang on besides their sentences. It goes whole to other processes."""

    thesaurus: Thesaurus
    seed: int = 1
    rate: float = 1.0
    with_tagger: bool = True
    keeps_all: bool = False  # sentences without a target, too

    @cached_property
    def finder(self) -> EntryFinder:
        return EntryFinder(self.thesaurus, with_tagger=self.with_tagger)

    def made(self, chunk: Sequence[Line]) -> Made:
        examples = [self.example(number, text) for number, text in chunk]
        kept = [example for example in examples if example.targets or self.keeps_all]
        return Made("".join(map(_line, kept)), len(kept), sum(len(example.targets) for example in kept))

    def example(self, number: int, text: str) -> SwsSentence:
        """`number`: of the line. Hangs on no other sentence, so the division of the work changes nothing."""
        tokens, spans = tokens_of(text)
        new_text, new_tokens, targets = "", list[str](), list[SwsTarget]()
        done = at = 0  # so many tokens, and characters
        for entry, synonym in self._drawn(number, tokens):
            new_text += text[at : spans[entry.start][0]] + synonym
            new_tokens += tokens[done : entry.start]
            first = len(new_tokens)
            new_tokens += _tokens_of_synonym(synonym)
            original = " ".join(tokens[entry.start : entry.end])
            targets.append(SwsTarget((first, len(new_tokens)), ((original, 1),), NO_TYPE))
            done, at = entry.end, spans[entry.end - 1][1]
        return SwsSentence(f"ds-{number}", new_text + text[at:], (*new_tokens, *tokens[done:]), tuple(targets))

    def _drawn(self, number: int, tokens: Sequence[str]) -> Iterator[tuple[Entry, str]]:
        """The entries that are substituted, each with the synonym that a hash of seed, line and place draws."""
        for entry in self.finder.entries(tokens):
            draw = blake2b(f"{self.seed}:{number}:{entry.start}".encode(), digest_size=8).digest()
            if int.from_bytes(draw[:4]) < self.rate * 2**32:
                first = int.from_bytes(draw[4:]) % len(self.thesaurus.synonyms[entry.part][entry.key])
                synonym = next(self.finder.offers(entry, tokens, first=first), None)
                if synonym is not None:
                    yield entry, synonym


@lru_cache(maxsize=_REMEMBERED)
def _tokens_of_synonym(synonym: str) -> list[str]:
    return tokens_of(synonym)[0]


def _line(example: SwsSentence) -> str:
    """An entry of SWS JSON with its id inside: such files are read line by line."""
    entry = {
        "id": example.id,
        "sentence": example.text,
        "sentence_split": example.tokens,
        "substitutes": [(target.span, dict(target.suggestions), target.type) for target in example.targets],
    }
    return _encode(entry) + "\n"
