"""Predictions: every wrong one is named by its sentence, and the official oddities of counting are kept."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotator.domain.errors import Invalid
from annotator.domain.formats.sws_json import SwsSentence, SwsTarget, write_sws_json
from exports.domain.predictions import Besides, WrongPredictions, read_predictions
from exports.domain.scoring import score_sws

GOLD = [
    SwsSentence("s1", "It was a big day.", ("It", "was", "a", "big", "day", "."), (
        SwsTarget((3, 4), (("large", 3), ("great", 1)), 1),
        SwsTarget((4, 5), (("date", 2),), 2),
    )),
    SwsSentence("s2", "Done.", ("Done", "."), ()),
]  # fmt: skip


def entry(*spans: Any, words: Any = None) -> dict[str, Any]:
    return {"input_words": ["It", "was", "a", "big", "day", "."] if words is None else words, "substitute_topk": spans}


def scored(*spans: Any, words: Any = None, **more: Any) -> dict[str, Any]:
    data = {"s1": entry(*spans, words=words), "s2": entry(words=["Done", "."]), **more}
    return score_sws(GOLD, read_predictions(json.dumps(data).encode(), GOLD))


BIG = ["big", 3, 4]


def test_all_that_is_wrong_with_a_sentence_is_named() -> None:
    spans = [[["x", 0, 9], ["a"]], [BIG, ["a" * 1001]], [BIG, ["a"] * 101], [BIG], [["x", 1.5, 2], ["a"]], [BIG, ["a"]]]
    data = {"s1": entry(*spans), "s2": entry(*[[["x", 0, 1], []]] * 1001)}

    with pytest.raises(Invalid) as caught:
        read_predictions(json.dumps(data).encode(), GOLD)

    assert [(problem.path, problem.message.partition(": ")[2]) for problem in caught.value.problems] == [
        ("s1", "[0, 9] is no span of 6 tokens."),
        ("s1", "a suggestion for [3, 4] has 1,001 characters: 1,000 are the most."),
        ("s1", "[3, 4] has 101 suggestions: 100 are the most."),
        ("s1", "a span is [[text, start, end], [suggestion, …]]."),
        ("s1", "[1.5, 2] is no span of 6 tokens."),
        ("s2", "it has 1,001 spans: 1,000 are the most."),
    ]


def test_a_right_one_scores() -> None:
    found = scored([BIG, ["large", "vast"]])

    assert (found["p_detection"], found["r_detection"], found["acc_recommendation"]) == (1.0, 0.5, 1.0)
    assert (found["p_recommendation"], found["r_recommendation"], found["r_e2e_type"]) == (0.5, 0.5, [1.0, 0.0])
    assert found["substitute_rate"] == 1 / 8
    assert found["r_detection_by_votes"] == {"2": 0.0, "4": 1.0}
    assert found["weighted_acc_detection"] == 4 / 6
    # An SWS JSON does not tell how many persons marked a target.
    assert (found["weighted_acc_detection_annotators"], found["r_detection_by_annotators"]) == (None, None)


def test_a_repeated_suggestion_counts_once_above_and_each_time_below() -> None:
    found = scored([BIG, ["large", "large", "none", "none"]])

    assert found["p_recommendation"] == 1 / 4
    assert found["p_recommendation_dedup"] == 1 / 2
    assert found["ndcg_recommendation"] > 1  # it gains each time
    assert found["ndcg_recommendation_dedup"] < 1
    assert found["f_recommendation_dedup"] == 1 / 2
    assert (found["ndcg_2"] > 1, found["ndcg_2_dedup"] < 1) == (True, True)


def test_of_a_repeated_span_the_last_counts_but_each_in_the_rate() -> None:
    found = scored([BIG, ["large"]], [BIG, ["huge"]])

    assert (found["p_detection"], found["acc_recommendation"], found["substitute_rate"]) == (1.0, 0.0, 2 / 8)
    assert found["substitute_rate_dedup"] == 1 / 8


def test_an_empty_list_is_detection_only() -> None:
    found = scored([BIG, []])

    assert (found["r_detection"], found["acc_recommendation"], found["ndcg_recommendation"]) == (0.5, 0.0, 0.0)


def test_nothing_predicted_is_undefined_and_f_of_nothing_is_nothing() -> None:
    found = scored()

    assert (found["p_detection"], found["r_detection"], found["f_detection"]) == (None, 0.0, None)
    assert scored([["was", 1, 2], ["is"]])["f_detection"] == 0.0


def test_a_text_for_words_is_divided_by_its_characters() -> None:
    assert scored([BIG, ["large"]], words="It was a big day.")["substitute_rate"] == 1 / (17 + 2)


def test_extra_ids_are_ignored_and_counted() -> None:
    assert scored(s3=entry())["extra_ids"] == 1


@pytest.mark.parametrize("is_wrong", [False, True])
def test_unknown_ids_and_empty_offers_are_named_whether_something_is_wrong_or_not(is_wrong: bool) -> None:
    """The first twenty of them, in the order of the file."""
    unknown = {f"x{number}": 1 for number in range(25, 0, -1)}
    spans = [[BIG, []], [BIG, []], [BIG, ["large"]], *(["odd", 7, [[]], [BIG, [], []]] if is_wrong else [])]
    data = {**unknown, "s1": entry(*spans), "s2": entry(words=["Done", "."])}

    def besides() -> Besides:
        try:
            return read_predictions(json.dumps(data).encode(), GOLD).besides
        except WrongPredictions as wrong:
            assert is_wrong
            return wrong.besides

    assert besides() == Besides(25, tuple(list(unknown)[:20]), 2, 1, ("s1",))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ([], "one object"),
        ({"s2": entry()}, "s1: it is missing"),
        ({"s1": [], "s2": entry()}, "s1: an entry has the keys"),
        ({"s1": entry(words=[1]), "s2": entry()}, "s1: input_words is"),
        ({"s1": entry([BIG, "large"]), "s2": entry()}, "s1: a span is"),
        ({"s1": entry([["big", 3], ["large"]]), "s2": entry()}, "s1: a span is"),
        ({"s1": entry([["big", 3, 9], ["large"]]), "s2": entry()}, "s1: [3, 9] is no span of 6 tokens"),
        ({"s1": entry([["big", True, 2], ["large"]]), "s2": entry()}, "is no span"),
        ({"s1": {"input_words": [], "substitute_topk": {}}, "s2": entry()}, "s1: substitute_topk is a list"),
    ],
)
def test_what_is_wrong_is_named(data: Any, reason: str) -> None:
    with pytest.raises(Invalid) as refused:
        read_predictions(json.dumps(data).encode(), GOLD)

    assert reason in str([problem.message for problem in refused.value.problems])


def test_the_command_names_what_is_wrong_and_scores_nothing(tmp_path: Path) -> None:
    gold, pred = tmp_path / "gold.json", tmp_path / "pred.json"
    gold.write_text("".join(write_sws_json(GOLD)))
    pred.write_text(json.dumps({"s1": entry()}))

    with pytest.raises(CommandError, match=r"s2: it is missing from the predictions\. Nothing was scored"):
        call_command("score", "sws", gold=gold, pred=pred)
    with pytest.raises(CommandError, match="There is no scorer “bleu”"):
        call_command("score", "bleu", gold=gold, pred=pred)
    pred.write_text("{")
    with pytest.raises(CommandError, match="not JSON"):
        call_command("score", "sws", gold=gold, pred=pred)
