"""Canonical JSON: the one form that is hashed and compared (sorted keys, no spaces, UTF-8)."""

import hashlib
import json
from typing import Any


def canonical_json(value: Any) -> bytes:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8")


def sha256_of(value: Any) -> str:
    return hashlib.sha256(canonical_json(value)).hexdigest()
