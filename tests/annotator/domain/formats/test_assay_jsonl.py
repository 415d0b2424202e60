"""Lines of assignments are put together by hand: they are to be what canonical JSON makes of the same values."""

import json

from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.canonical import canonical_json
from annotator.domain.formats.assay_jsonl import ASSIGNMENT_FIELDS, StoredAssignment, write_assay_jsonl
from tests.annotator.domain.strategies import texts

ODD = {
    "astral": "😀 \U0010ffff",
    "separators": "\u2028\u2029\x7f\x1f",
    "ﬁ": [1, 1.0, -0.0, 1e16, 1e-7, 10**25, True, None],
    "😀": {"b": {"a": []}, "a": '"\\/'},
}
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts()
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(texts(), inner), max_leaves=10)


def written(answers, *, word="", number=1, is_repeat=False):
    """The line, and what it is to be; the first answer is the draft too."""
    values = {
        "active_ms": number,
        "annotator": f"A{word}",
        "discard_reason": word,
        "discard_remark": word,
        "draft": answers[0],
        "number": number,
        "passage": word,
        "round": number,
        "state": word,
    }
    stored = [json.dumps(answer) for answer in answers]
    row = StoredAssignment(
        **{**values, "draft": stored[0]}, is_repeat=is_repeat, submissions=[(text, word) for text in stored]
    )
    submissions = [{"answer": answer, "at": word} for answer in answers]
    [line] = write_assay_jsonl([row])
    repeat = {"is_repeat": True} if is_repeat else {}  # absent: it is none
    return line.encode(), canonical_json({"assignment": {**values, **repeat, "submissions": submissions}}) + b"\n"


def test_odd_values_are_written_as_canonical_json():
    line, expected = written([ODD, {"marks": []}, ODD], word='\u2028 😀 " \\ \x01', number=7)

    assert line == expected


@given(st.lists(VALUES, min_size=1, max_size=3), texts(), st.integers(min_value=0), st.booleans())
def test_any_values_are_written_as_canonical_json(answers, word, number, is_repeat):
    line, expected = written(answers, word=word, number=number, is_repeat=is_repeat)

    assert line == expected


def test_equal_values_in_different_text_are_written_alike():
    row = StoredAssignment(0, "A", "", "", '{"b": 1, "a": 2}', False, 1, "p", 1, "started", [('{"a":2,"b":1}', "t")])

    [line] = write_assay_jsonl([row])

    assert line.count('{"a":2,"b":1}') == 2


def test_no_field_is_forgotten():
    assert {*ASSIGNMENT_FIELDS, "passage", "annotator", "submissions"} == set(StoredAssignment._fields)
