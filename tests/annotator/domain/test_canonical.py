"""Canonical JSON: one value, one row of bytes."""

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.canonical import canonical_json, sha256_of
from tests.annotator.domain.strategies import texts

LEAVES = st.none() | st.booleans() | st.integers() | texts()
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(texts(), inner), max_leaves=15)


def turned_round(value):
    """The same value with the keys of every object in the opposite order."""
    if isinstance(value, dict):
        return {key: turned_round(value[key]) for key in reversed(value)}
    return [turned_round(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ({}, "{}"),
        ({"b": 1, "a": [True, None, "x"]}, '{"a":[true,null,"x"],"b":1}'),
        ({"a": {"d": 1, "c": 2}}, '{"a":{"c":2,"d":1}}'),
        (["b", "a"], '["b","a"]'),
        ({"a": 1, "B": 2, "é": 3, "😀": 4, "ﬁ": 5}, '{"B":2,"a":1,"é":3,"ﬁ":5,"😀":4}'),
        ({"k": 'say "hi"\n\t\\'}, r'{"k":"say \"hi\"\n\t\\"}'),
        ("👩‍👩‍👧 e\u0301 \u00e9 \u00a0", '"👩‍👩‍👧 e\u0301 \u00e9 \u00a0"'),
        ({"none": True}, '{"none":true}'),
    ],
    ids=["empty", "sorted", "sorted-inside", "lists-keep-order", "code-point-order", "escapes", "utf-8", "answer"],
)
def test_keys_are_sorted_without_spaces_and_in_utf8(value, written):
    assert canonical_json(value) == written.encode("utf-8")


@given(VALUES)
def test_order_of_keys_does_not_matter(value):
    assert canonical_json(turned_round(value)) == canonical_json(value)


@given(VALUES)
def test_canonical_json_reads_back_as_the_value(value):
    assert json.loads(canonical_json(value)) == value


@pytest.mark.parametrize(
    ("one", "other"),
    [([1, 2], [2, 1]), (1, "1"), (True, 1), (None, False), ("\u00e9", "e\u0301"), ("a", "a "), ({}, [])],
    ids=["order", "string", "true", "null", "composition", "space", "kind"],
)
def test_different_values_have_different_hashes(one, other):
    assert sha256_of(one) != sha256_of(other)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")], ids=str)
def test_what_is_not_a_json_number_is_refused(number):
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json({"a": number})


def test_hash_is_sha256_of_the_canonical_bytes_in_hex():
    assert sha256_of({"b": 2, "a": "é"}) == hashlib.sha256('{"a":"é","b":2}'.encode()).hexdigest()
