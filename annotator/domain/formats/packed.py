"""Answers as a few bytes each, until somebody asks for one: a table of a million rows fits into memory."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotator.domain.answers import Answer, Mark, Substitute

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode


def pack(value: Any) -> bytes:
    return _encode(value).encode()


class PackedAnswers(Mapping[str, Answer]):
    """passage id → answer. `packed`: of each the marks as [start, end, type, text, type, text, …], types by number."""

    __slots__ = ("_packed", "_texts", "_types")

    def __init__(self, packed: Mapping[str, bytes | bytearray], texts: Mapping[str, str], types: Sequence[str]) -> None:
        self._packed, self._texts, self._types = packed, texts, types

    def __getitem__(self, passage: str) -> Answer:
        return Answer(tuple(self._marks(self._texts[passage], json.loads(self._packed[passage]))))

    def _marks(self, text: str, marks: list[list[Any]]) -> Iterator[Mark]:
        for start, end, *given in marks:
            pairs = zip(given[0::2], given[1::2], strict=True)
            substitutes = tuple(Substitute(written, self._types[number]) for number, written in pairs)
            yield Mark(start, end, text[start:end], substitutes)

    def __contains__(self, passage: object) -> bool:
        return passage in self._packed

    def __iter__(self) -> Iterator[str]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)
