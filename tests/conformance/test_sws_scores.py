"""The official scores of both prediction files, and the paper's appendices (Wang et al. 2023, B and D)."""

from typing import Any

import pytest

from adjudication.domain.scoring.sws import Counts, GoldTarget, PredictedSentence, count_sentence, scores
from tests.conformance.data import SWS


def score(gold: dict[str, Any], predictions: dict[str, Any]) -> dict[str, Any]:
    counts = Counts()
    for name, item in gold.items():
        targets = [GoldTarget(tuple(span), votes, type_) for span, votes, type_ in item["substitutes"]]
        given = predictions[name]
        spans = [((start, end), offer) for (_, start, end), offer in given["substitute_topk"]]
        counts.add(count_sentence(targets, PredictedSentence(len(given["input_words"]), spans)))
    return scores(counts)


@pytest.mark.parametrize("name", ["A", "C"])
def test_official_scores_to_the_ninth_decimal(name: str) -> None:
    official = SWS.load(f"sws_eval_pred_{name}.official_scores.json")

    found = score(SWS.load("sws_eval.json"), SWS.load(f"sws_eval_pred_{name}.json"))

    assert list(found)[: len(official)] == list(official)
    for key, expected in official.items():
        assert found[key] == pytest.approx(expected, abs=1e-9), key


@pytest.mark.parametrize("name", ["A", "C"])
def test_figures_by_type_are_those_of_the_official_lists(name: str) -> None:
    official = SWS.load(f"sws_eval_pred_{name}.official_scores.json")

    found = score(SWS.load("sws_eval.json"), SWS.load(f"sws_eval_pred_{name}.json"))["by_type"]

    assert list(found) == ["1", "2"]
    for figure in ("r_detection", "acc_recommendation", "r_e2e"):
        assert [found[code][figure] for code in found] == pytest.approx(official[f"{figure}_type"], abs=1e-9)


@pytest.mark.parametrize(
    ("predictions", "expected"),
    [
        ("det", "det"),
        ("e2e_literal", "e2e_literal (exact string match)"),
        ("e2e_intended", "e2e_intended (answer->respond to)"),
    ],
)
def test_appendix_b(predictions: str, expected: str) -> None:
    found = score(SWS.load("appendixB_gold.json"), SWS.load(f"appendixB_pred_{predictions}.json"))

    for key, value in SWS.load("appendixB_expected.json")[expected].items():
        assert found[key] == pytest.approx(value, abs=1e-12), key
