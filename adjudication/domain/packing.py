"""Arrays as bytes, on their way from one part of a job to another."""

import io
import json
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

FASTEST = 1  # small whole numbers shrink to an eighth, which costs less than the way of the rest to the database


def pack_arrays(head: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """`head` is what JSON can say."""
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, head=np.frombuffer(json.dumps(head).encode(), dtype=np.uint8), **arrays)
    return zlib.compress(buffer.getbuffer(), FASTEST)


def unpack_arrays(data: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    with np.load(io.BytesIO(zlib.decompress(data)), allow_pickle=False) as found:
        arrays = {name: found[name] for name in found.files}
    head: dict[str, Any] = json.loads(arrays.pop("head").tobytes())
    return head, arrays
