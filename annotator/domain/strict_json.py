"""JSON as the API takes it: whatever `json.loads` would quietly bend is refused here with a reason."""

import json
import math
import re
from collections import Counter
from typing import Any, NoReturn

from annotator.domain.errors import BadRequest

MAX_DEPTH = 20
# Python refuses to turn longer digit strings into numbers; no number of ours has more than 16 digits.
MAX_DIGITS = 18
_HOLDERS = (dict, list)
# NUL and halves of surrogate pairs come by escapes only: JSON allows no bare NUL, UTF-8 no surrogate.
_MAY_HIDE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")


class BadJson(BadRequest):
    code = "bad_json"


def parse_json(body: bytes) -> Any:
    """The value in `body`, or BadJson: bad UTF-8, duplicate keys, NaN, depth over 20, NUL, lone surrogates."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadJson(f"This is not UTF-8 (byte {error.start}).", code="bad_encoding") from None
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object_once,
            parse_constant=_refuse_constant,
            parse_int=_short_int,
            parse_float=_finite_float,
        )
    except RecursionError:
        raise BadJson(f"The JSON is nested deeper than {MAX_DEPTH} levels.", code="too_deep") from None
    except json.JSONDecodeError as error:
        raise BadJson(f"This is not JSON: {error.msg} (line {error.lineno}, column {error.colno}).") from None
    _check_depth(value)
    if _MAY_HIDE.search(text):
        _check_strings(value)
    return value


def _object_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise BadJson(f"The key {twice!a} stands twice in one object.", code="duplicate_key")
    return found


def _refuse_constant(word: str) -> NoReturn:
    raise BadJson(f"{word} is not a JSON number.", code="not_a_number")


def _short_int(digits: str) -> int:
    if len(digits.removeprefix("-")) > MAX_DIGITS:
        raise BadJson(f"A number has more than {MAX_DIGITS} digits.", code="number_too_long")
    return int(digits)


def _finite_float(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise BadJson("A number is too large.", code="not_a_number")
    return value


def _check_depth(value: Any) -> None:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            item
            for found in level
            if isinstance(found, _HOLDERS)
            for item in (found.values() if isinstance(found, dict) else found)
            if isinstance(item, _HOLDERS)
        ]
    if level:
        raise BadJson(f"The JSON is nested deeper than {MAX_DEPTH} levels.", code="too_deep")


def _check_strings(value: Any) -> None:
    if isinstance(value, str):
        _check_string(value)
    elif isinstance(value, dict):
        for key, item in value.items():
            _check_string(key)
            _check_strings(item)
    elif isinstance(value, list):
        for item in value:
            _check_strings(item)


def _check_string(text: str) -> None:
    if "\x00" in text:
        raise BadJson("A string holds the character NUL.", code="nul")
    if not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text):
        raise BadJson("A string holds half of a surrogate pair.", code="lone_surrogate")
