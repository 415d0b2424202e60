"""A submission as a few bytes: its spans, and of each the substitutes that count, by key and type.

Records of three whole numbers of 32 bits: first (marks, substitutes, version), then a record (start, end, substitutes)
for each span, then one (key, key, type) for each substitute, in the order typed. So the digests of thousands of answers
are read as one array.
"""

import hashlib
import sys
import zlib
from array import array
from functools import lru_cache

from annotator.domain.answers import Answer, united

VERSION = 1  # raised whenever the same answer would be packed otherwise
RECORD = 12  # bytes


def pack_answer(answer: Answer, *, folds: bool) -> bytes:
    marks: list[int] = []
    offers: list[int] = []
    for span, own in sorted(united(answer, folds=folds).items()):
        marks += (*span, len(own))
        for key, substitute in own.items():
            offers += (*_code_of(key), code_of_type(substitute.type))
    packed = array("I", [len(marks) // 3, len(offers) // 3, VERSION, *marks, *offers])
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


@lru_cache(maxsize=20_000)
def _code_of(key: str) -> tuple[int, int]:
    """64 bits that stand for a key. Keys are compared only within a target, where two different ones would be taken for
    one once in some quintillions of comparisons."""
    digest = hashlib.blake2b(key.encode(), digest_size=8).digest()
    return int.from_bytes(digest[:4], "little"), int.from_bytes(digest[4:], "little")


@lru_cache(maxsize=1_000)
def code_of_type(type_: str) -> int:
    return zlib.crc32(type_.encode())
