"""A submission as a few bytes: its spans, and of each the substitutes that count, by key and type.

Records of three whole numbers of 32 bits: first (marks, substitutes, version), then a record (start, end, substitutes)
for each span, then one (key, key, type) for each substitute, in the order typed. So the digests of thousands of answers
are read as one array.
"""

import hashlib
import sys
import zlib
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from annotator.domain.answers import Answer, united

VERSION = 1  # raised whenever the same answer would be packed otherwise
RECORD = 12  # bytes


def pack_answer(answer: Answer, *, folds: bool) -> bytes:
    marks: list[int] = []
    offers: list[int] = []
    for span, own in sorted(united(answer, folds=folds).items()):
        marks += (*span, len(own))
        for key, substitute in own.items():
            offers += _record_of(key, substitute.type)
    packed = array("I", [len(marks) // 3, len(offers) // 3, VERSION, *marks, *offers])
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


@dataclass(frozen=True)
class Digests:
    """Of some submissions, one after another; `sizes`: how many bytes each has, 0 where it is not made yet."""

    sizes: NDArray[np.int64]
    data: bytes

    @classmethod
    def of(cls, digests: Sequence[bytes]) -> Self:
        return cls.joined([([len(digest) for digest in digests], b"".join(digests))])

    @classmethod
    def joined(cls, pieces: Iterable[tuple[Sequence[int], bytes]]) -> Self:
        listed = list(pieces)
        sizes = [np.array(own, dtype=np.int64) for own, _ in listed]
        return cls(np.concatenate([np.zeros(0, dtype=np.int64), *sizes]), b"".join(data for _, data in listed))

    def gaps(self) -> list[int]:
        found: list[int] = np.flatnonzero(self.sizes == 0).tolist()
        return found

    def filled(self, digests: Sequence[bytes]) -> "Digests":
        """`digests`: what goes into the gaps, in order."""
        missing = iter(digests)
        places = pairwise(accumulate(self.sizes.tolist(), initial=0))
        return Digests.of([self.data[start:end] if end > start else next(missing) for start, end in places])


@lru_cache(maxsize=20_000)
def _record_of(key: str, type_: str) -> tuple[int, int, int]:
    """A key is 64 bits. Keys are compared only within a target, where two different ones would be taken for
    one once in some quintillions of comparisons."""
    digest = hashlib.blake2b(key.encode(), digest_size=8).digest()
    return int.from_bytes(digest[:4], "little"), int.from_bytes(digest[4:], "little"), code_of_type(type_)


@lru_cache(maxsize=1_000)
def code_of_type(type_: str) -> int:
    return zlib.crc32(type_.encode())
