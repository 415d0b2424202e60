"""The released SWS data, as far as today's code meets it: its sentences can be stored, its suggestions submitted."""

from typing import Any

import pytest

from annotator.domain.answers import parse_answer, submit_problems
from annotator.domain.protocols import SWS
from annotator.domain.text import passage_text_problems, substitute_key
from tests.conformance.data import SWS as DATA


@pytest.fixture(scope="module")
def release() -> dict[str, Any]:
    found: dict[str, Any] = DATA.load("sws_eval.json")
    return found


def test_every_released_sentence_can_be_a_passage(release: dict[str, Any]) -> None:
    problems = {name: passage_text_problems(item["sentence"]) for name, item in release.items()}

    assert len(problems) > 100
    assert {name: found for name, found in problems.items() if found} == {}


def test_every_released_suggestion_can_be_submitted(release: dict[str, Any]) -> None:
    """On the first word of its sentence: where a target stands is the business of token alignment."""
    count = 0
    for item in release.values():
        text = item["sentence"]
        word = text.split()[0]
        start = text.index(word)
        for _span, suggestions, kind in item["substitutes"]:
            key = SWS.types[kind - 1 if isinstance(kind, int) else [t.key for t in SWS.types].index(kind)].key
            offers = [{"text": offer, "type": key} for offer in suggestions]
            mark = {"start": start, "end": start + len(word), "quote": word, "substitutes": offers}
            answer = parse_answer({"marks": [mark]}, text=text, protocol=SWS)
            assert [p.code for p in submit_problems(answer, SWS)] == []
            count += len({substitute_key(offer, folds=True) for offer in suggestions})
    assert count > 1000
