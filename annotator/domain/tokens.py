"""Tokens and the text they were made from: aligned in order, never searched (method.md 3).

Penn-Treebank tokens rewrite quotation marks; everything else stands in the text as it is, with white space between.
"""

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotator.domain.errors import Invalid, Problem

Span = tuple[int, int]
TOKEN_BYTES = 12  # of a packed one
# As a passage keeps them: (start, end), and the token itself where the text says it otherwise.
StoredTokens = tuple[tuple[int | str, ...], ...]
# What a token of quotation marks may stand for in the text.
_QUOTES = {
    "``": ("``", "''", '"', "“", "”", "„", "«", "‘‘"),
    "''": ("''", "``", '"', "”", "“", "»", "’’"),
    "`": ("`", "'", "‘", "’"),
    "'": ("'", "’", "‘", "`"),
    '"': ('"', "“", "”", "''", "``"),
}


def align_tokens(text: str, tokens: Sequence[str]) -> list[Span]:
    """The span of each token in code points; Invalid, naming the token, where the text does not go on with it."""
    spans, position = [], 0
    for number, token in enumerate(tokens):
        while position < len(text) and text[position].isspace():
            position += 1
        length = _length_of(token, text, position)
        if not length:
            found = text[position : position + max(10, len(token))]
            message = f"Token {number} is “{token}”, but the text goes on with “{found}”."
            raise Invalid([Problem("tokens", message, f"tokens[{number}]")])
        spans.append((position, position + length))
        position += length
    if text[position:].strip():
        message = f"The tokens end before the text does: “{text[position : position + 20]}” is left."
        raise Invalid([Problem("tokens", message, "tokens")])
    return spans


def _length_of(token: str, text: str, position: int) -> int:
    """How much of the text at `position` is this token; 0 where it is not."""
    if not token:
        return 0
    for form in _QUOTES.get(token, (token,)):
        if text.startswith(form, position):
            return len(form)
    # U+00A0 inside a token may have become a plain space, and the other way round.
    there = text[position : position + len(token)]
    is_same = len(there) == len(token) and there.replace("\u00a0", " ") == token.replace("\u00a0", " ")
    return len(token) if is_same else 0


def stored_tokens(text: str, tokens: Sequence[str]) -> StoredTokens:
    spans = align_tokens(text, tokens)
    return tuple(
        (start, end) if text[start:end] == token else (start, end, token)
        for (start, end), token in zip(spans, tokens, strict=True)
    )


def spans_of(stored: Iterable[Sequence[int | str]]) -> list[Span]:
    return [(int(token[0]), int(token[1])) for token in stored]


def texts_of(text: str, stored: Iterable[Sequence[int | str]]) -> list[str]:
    """The tokens as the file gave them."""
    return [str(token[2]) if len(token) == 3 else text[int(token[0]) : int(token[1])] for token in stored]


def pack_tokens(text: str, stored: Iterable[Sequence[int | str]]) -> tuple[bytes, dict[str, str]]:
    """(start, end, is it a word) of each token as little-endian int32, and by its number each token that the text says
    otherwise. A word holds a letter or a digit."""
    numbers: list[int] = []
    rewritten = {}
    for number, token in enumerate(stored):
        start, end = int(token[0]), int(token[1])
        there = text[start:end]
        numbers += (start, end, any(map(str.isalnum, there)))
        if len(token) == 3 and token[2] != there:
            rewritten[str(number)] = str(token[2])
    return struct.pack(f"<{len(numbers)}i", *numbers), rewritten


def words_in(spans: bytes) -> int:
    """How many of the packed tokens are words."""
    return sum(is_word for _, _, is_word in struct.iter_unpack("<3i", spans))


def unpack_tokens(spans: bytes, rewritten: Mapping[str, str]) -> StoredTokens:
    plain = ((start, end) for start, end, _ in struct.iter_unpack("<3i", spans))
    if not rewritten:
        return tuple(plain)
    given = {int(number): token for number, token in rewritten.items()}
    return tuple((*span, given[number]) if number in given else span for number, span in enumerate(plain))


@dataclass(frozen=True)
class TokenBorders:
    """Where tokens begin and end, to say a span of code points in tokens."""

    begins: dict[int, int]
    ends: dict[int, int]

    @classmethod
    def of(cls, spans: Sequence[Span]) -> "TokenBorders":
        return cls(
            {start: number for number, (start, _) in enumerate(spans)},
            {end: number + 1 for number, (_, end) in enumerate(spans)},
        )

    def span(self, start: int, end: int) -> Span | None:
        """[first, last) in tokens, or None for a span off token borders: it is reported, never moved."""
        first, last = self.begins.get(start), self.ends.get(end)
        return (first, last) if first is not None and last is not None and first < last else None
