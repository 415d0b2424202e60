"""Every released target is found by aligning tokens, none by search (method.md 3)."""

import json
from itertools import pairwise
from typing import Any

import pytest

from annotator.domain.tokens import TokenBorders, align_tokens
from tests.conformance.data import SWS


@pytest.fixture(scope="module")
def release() -> dict[str, Any]:
    return SWS.load("sws_eval.json")


def test_every_released_sentence_aligns(release: dict[str, Any]) -> None:
    for name, item in release.items():
        spans = align_tokens(item["sentence"], item["sentence_split"])
        assert len(spans) == len(item["sentence_split"]), name
        assert all(before[1] <= after[0] for before, after in pairwise(spans)), name


def test_every_released_target_has_a_span_of_the_text_and_back(release: dict[str, Any]) -> None:
    targets = 0
    for item in release.values():
        spans = align_tokens(item["sentence"], item["sentence_split"])
        borders = TokenBorders.of(spans)
        for (first, last), _, _ in item["substitutes"]:
            assert borders.span(spans[first][0], spans[last - 1][1]) == (first, last)
            targets += 1
    assert targets == 1440


def test_offsets_of_the_dealt_out_annotations_are_those_of_the_tokens() -> None:
    passages = {row["id"]: row for row in map(json.loads, SWS.lines("ten_annotators/passages.jsonl"))}
    borders = {name: TokenBorders.of(align_tokens(row["text"], row["tokens"])) for name, row in passages.items()}
    for row in SWS.table("ten_annotators/annotations.csv"):
        start, end = int(row["start"]), int(row["end"])
        assert passages[row["sentence_id"]]["text"][start:end] == row["word to change"]
        assert borders[row["sentence_id"]].span(start, end) is not None
