"""SWS JSON that is wrong is refused with the sentence's id and the reason, all at once."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.errors import Refused
from annotator.domain.formats.sws_json import SwsSentence, SwsTarget, read_sws_json, write_sws_json

GOOD = {"sentence": "It was a big “day”.", "sentence_split": ["It", "was", "a", "big", "``", "day", "''", "."]}


def entry(*targets: Any, **changed: Any) -> dict[str, Any]:
    return {**GOOD, "substitutes": list(targets), **changed}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"s1": {**GOOD}}, "s1: An entry has just the keys"),
        ({"s1": entry(more=1)}, "s1: An entry has just the keys"),
        ({"s1": entry(sentence=5)}, "s1: sentence is a text"),
        ({"s1": entry(sentence_split=["It", "is"])}, "s1: Token 1 is “is”, but the text goes on with “was"),
        ({"s1": entry(sentence_split=["It", "was"])}, "s1: The tokens end before the text does"),
        ({"s1": entry([[0, 9], {"x": 1}, 1])}, "s1: [0, 9] is no span of 8 tokens"),
        ({"s1": entry([[3, 3], {"x": 1}, 1])}, "is no span"),
        ({"s1": entry([[True, 2], {"x": 1}, 1])}, "is no span"),
        ({"s1": entry([[0, 1], {"x": 1}, -1])}, "s1: -1 is no type"),
        ({"s1": entry([[0, 1], {"x": 1}, True])}, "s1: True is no type"),
        ({"s1": entry([[0, 1], {"x": 1}, "1"])}, "s1: '1' is no type"),
        ({"s1": entry([[0, 1], {"x": "1"}, 1])}, "Suggestions are texts with their votes"),
        ({"s1": entry("nonsense")}, "A target is"),
        ([], "one object"),
    ],
)
def test_what_is_wrong_is_named(value: Any, message: str) -> None:
    with pytest.raises(Refused) as refused:
        read_sws_json(json.dumps(value).encode())

    assert message in str(refused.value.message)


def test_every_bad_sentence_is_in_one_report() -> None:
    with pytest.raises(Refused) as refused:
        read_sws_json(json.dumps({"s1": entry(sentence=5), "s2": entry(), "s3": entry("x")}).encode())

    assert [problem.path for problem in refused.value.problems] == ["s1", "s3"]  # type: ignore[attr-defined]


def test_the_same_id_twice_is_refused() -> None:
    one = json.dumps(entry())

    with pytest.raises(Refused):
        read_sws_json(f'{{"s1": {one}, "s1": {one}}}'.encode())


def test_targets_are_written_by_span_and_suggestions_in_their_order() -> None:
    late = SwsTarget((3, 4), (("large", 1), ("huge", 2)), 2)
    sentence = SwsSentence("s1", GOOD["sentence"], tuple(GOOD["sentence_split"]), (late, SwsTarget((0, 1), (), 1)))

    [found] = read_sws_json("".join(write_sws_json([sentence])).encode())

    assert [target.span for target in found.targets] == [(0, 1), (3, 4)]
    assert found.targets[1] == late


TEXTS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x00"), min_size=1, max_size=5)
WORDS = st.text(st.characters(categories=("L", "N", "So")), min_size=1, max_size=6)


@st.composite
def sentences(draw: st.DrawFn) -> list[SwsSentence]:
    found = []
    for name in draw(st.lists(TEXTS, unique=True, max_size=3)):
        tokens = draw(st.lists(WORDS, min_size=1, max_size=6))
        spans = draw(st.lists(st.integers(0, len(tokens) - 1), unique=True, max_size=3).map(sorted))
        votes = st.dictionaries(TEXTS, st.integers(0, 10), max_size=3)
        targets = [
            SwsTarget((first, len(tokens)), tuple(draw(votes).items()), draw(st.integers(0, 5))) for first in spans
        ]
        found.append(SwsSentence(name, " ".join(tokens), tuple(tokens), tuple(targets)))
    return found


@given(sentences())
def test_reading_what_was_written_gives_it_back(written: list[SwsSentence]) -> None:
    """parse ∘ format = identity, whatever the words and ids are; and it is the JSON that json.dumps writes."""
    text = "".join(write_sws_json(written))

    assert read_sws_json(text.encode()) == written
    assert text == json.dumps(json.loads(text), indent=4)
