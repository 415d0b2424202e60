"""Strict JSON: ordinary JSON reads as ever, and whatever would be bent is refused by name."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from annotator.domain.errors import BadRequest
from annotator.domain.strict_json import BadJson, parse_json
from tests.annotator.domain.strategies import texts

STRINGS = texts() | st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x00"))
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(10**16), 10**16)
    | st.floats(allow_nan=False, allow_infinity=False)
    | STRINGS
)
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(STRINGS, inner), max_leaves=15)
JSON_LOOKALIKES = st.text('[]{}":,.-+0123456789eE\\u truefalsn', max_size=40).map(str.encode)


def code_of(body):
    with pytest.raises(BadJson) as refusal:
        parse_json(body)
    return refusal.value.code


@given(VALUES, st.booleans(), st.sampled_from([None, 0, 2]))
def test_ordinary_json_reads_as_the_standard_library_reads_it(value, ensure_ascii, indent):
    text = json.dumps(value, ensure_ascii=ensure_ascii, indent=indent)

    assert parse_json(text.encode()) == json.loads(text) == value


@given(st.binary() | JSON_LOOKALIKES)
@example(b"\xff")
@example(b"[" * 50_000)
@example(b'{"a":' * 50_000)
@example(b"9" * 50_000)
def test_whatever_the_bytes_nothing_but_bad_json_is_raised(body):
    try:
        value = parse_json(body)
    except BadJson:
        return

    assert value == json.loads(body)


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b"{}", {}),
        (b" [1, -2, 3.5] \n", [1, -2, 3.5]),
        (b"null", None),
        (b'"\\ud83d\\ude00"', "😀"),
        ('"👩‍👩‍👧 🇩🇪"'.encode(), "👩‍👩‍👧 🇩🇪"),
        (b'"e\\u0301\\t\\n"', "e\u0301\t\n"),
        (b'[{"a": 1}, {"a": 2}]', [{"a": 1}, {"a": 2}]),
        (b'{"a": {"a": 1}}', {"a": {"a": 1}}),
        (b'{"a": 1, "A": 2}', {"a": 1, "A": 2}),
    ],
    ids=[
        "object",
        "numbers",
        "null",
        "escaped-pair",
        "emoji",
        "escapes",
        "key-in-two-objects",
        "key-in-inner-object",
        "key-in-two-cases",
    ],
)
def test_good_json_is_read(body, value):
    assert parse_json(body) == value


@pytest.mark.parametrize(
    "body",
    [b"\xff", b'"caf\xe9"', b'"\xf0\x9f\x98"', b'"\xed\xa0\x80"', b'"\xc0\x80"', "[]".encode("utf-16")],
    ids=["stray-byte", "latin-1", "cut-emoji", "encoded-surrogate", "overlong-nul", "utf-16"],
)
def test_body_that_is_not_utf8_is_refused(body):
    assert code_of(body) == "bad_encoding"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"  ",
        b"{",
        b"[1,]",
        b"{'a': 1}",
        b"[1] // one",
        b"{} {}",
        b"[01]",
        b'"a\nb"',
        b'"\x00"',
        b'"\\x41"',
        b"\xef\xbb\xbf{}",
        b"True",
    ],
    ids=[
        "nothing",
        "white-space",
        "cut",
        "trailing-comma",
        "single-quotes",
        "comment",
        "two-values",
        "leading-zero",
        "raw-line-feed",
        "raw-nul",
        "bad-escape",
        "byte-order-mark",
        "python",
    ],
)
def test_body_that_is_not_json_is_refused(body):
    assert code_of(body) == "bad_json"


def test_refusal_tells_line_and_column():
    with pytest.raises(BadJson, match=r"line 2, column 7"):
        parse_json(b'{"a": 1,\n "b": oops}')


@pytest.mark.parametrize(
    "body",
    [b'{"a": 1, "a": 1}', b'[{"b": {"a": 1, "c": 2, "a": 3}}]', b'{"a": 1, "\\u0061": 2}', b'{"": 1, "": 2}'],
    ids=["same-value", "nested", "escaped", "empty-key"],
)
def test_key_that_stands_twice_is_refused(body):
    assert code_of(body) == "duplicate_key"


def test_refusal_names_the_key_that_stands_twice():
    with pytest.raises(BadJson, match="'c'"):
        parse_json(b'{"a": 1, "b": 1, "c": 1, "d": 1, "c": 2}')


@pytest.mark.parametrize("word", [b"NaN", b"Infinity", b"-Infinity"])
@pytest.mark.parametrize("body", [b"%s", b'{"a": [1, %s]}'], ids=["alone", "nested"])
def test_constant_that_is_not_json_is_refused(body, word):
    assert code_of(body % word) == "not_a_number"


@pytest.mark.parametrize(
    ("opening", "closing"),
    [(b"[", b"]"), (b'{"a":', b"}")],
    ids=["lists", "objects"],
)
def test_twenty_levels_are_read_and_one_more_is_refused(opening, closing):
    def nested(levels):
        return opening * (levels - 1) + (b"[]" if opening == b"[" else b"{}") + closing * (levels - 1)

    assert parse_json(nested(20)) == json.loads(nested(20))
    assert code_of(nested(21)) == "too_deep"
    assert code_of(nested(50_000)) == "too_deep"


def test_depth_counts_lists_and_objects_together():
    assert parse_json(b'[{"a":' * 10 + b"1" + b"}]" * 10)
    assert code_of(b'[{"a":' * 10 + b"[]" + b"}]" * 10) == "too_deep"


def test_many_shallow_values_are_not_deep():
    assert parse_json(b"[" + b"[]," * 50 + b"[]]") == [[]] * 51


def test_eighteen_digits_are_read_and_one_more_is_refused():
    assert parse_json(b"9" * 18) == 10**18 - 1
    assert code_of(b"9" * 19) == "number_too_long"
    assert code_of(b'{"start": 1' + b"0" * 5_000 + b"}") == "number_too_long"
    assert code_of(b"-" + b"9" * 19) == "number_too_long"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (rb"\u0000", "nul"),
        (rb"a\u0000b", "nul"),
        (rb"\ud800", "lone_surrogate"),
        (rb"\udfff", "lone_surrogate"),
        (rb"\ude00\ud83d", "lone_surrogate"),
        (rb"\ud83dx", "lone_surrogate"),
    ],
    ids=["nul", "nul-inside", "first-surrogate", "last-surrogate", "pair-turned-round", "half-a-pair"],
)
@pytest.mark.parametrize("body", [b'"%s"', b'[[1, "%s"]]', b'{"%s": 1}'], ids=["alone", "nested", "key"])
def test_string_that_no_database_can_hold_is_refused(body, text, code):
    assert code_of(body % text) == code


def test_bad_json_is_a_bad_request():
    assert issubclass(BadJson, BadRequest)
