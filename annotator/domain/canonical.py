"""Canonical JSON: the one form that is hashed and compared (sorted keys, no spaces, UTF-8)."""

import hashlib
import json
from typing import Any

# Kept: json.dumps makes a new one for every value that is not written its own way.
_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical_text(value: Any) -> str:
    return _ENCODER.encode(value)


def canonical_json(value: Any) -> bytes:
    return canonical_text(value).encode("utf-8")


def sha256_of(value: Any) -> str:
    return hashlib.sha256(canonical_json(value)).hexdigest()
