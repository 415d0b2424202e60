"""PA of the dealt-out release, and the worked example under all three rules for two empty answers."""

from typing import Any

import pytest

from adjudication.domain.agreement.pairs import BothEmpty, agreement
from annotator.domain.text import substitute_key
from tests.adjudication.domain.agreement.sets import counted
from tests.conformance.data import SWS

RULES = {"both_empty=1": "1", "both_empty=0": "0", "both_empty=skip_sentence": "skip"}


def test_ten_annotators_to_the_twelfth_decimal() -> None:
    expected = SWS.load("ten_annotators/agreement.json")
    passages = [line.split('"id": "')[1].split('"')[0] for line in SWS.lines("ten_annotators/passages.jsonl")]
    raw: dict[str, dict[str, dict[Any, frozenset[str]]]] = {}
    for row in SWS.table("ten_annotators/annotations.csv"):
        mine = raw.setdefault(row["annotator"], {name: {} for name in passages})[row["sentence_id"]]
        keys = {substitute_key(text, folds=True) for text in row["substitutes"].split(";")}
        span = (int(row["start"]), int(row["end"]))
        mine[span] = mine.get(span, frozenset()) | keys

    found = agreement(counted(raw))

    assert found.pa_det == pytest.approx(expected["pa_det"], abs=1e-12)
    assert found.pa_sug == pytest.approx(expected["pa_sug"], abs=1e-12)
    assert len(found.pairs) == 45
    for (one, two), pair in found.pairs.items():
        assert pair.n == expected["n"]
        assert pair.pa_det == pytest.approx(expected["det"][f"{one}|{two}"], abs=1e-12)
        assert pair.pa_sug == pytest.approx(expected["sug"][f"{one}|{two}"], abs=1e-12)


@pytest.mark.parametrize("rule", RULES)
def test_the_worked_example(rule: str) -> None:
    example = SWS.load("pa_synthetic.json")
    raw = {
        who: {name: {word: frozenset(texts) for word, texts in marks.items()} for name, marks in answers.items()}
        for who, answers in example["annotations"].items()
    }
    expected = example[rule] if rule in example else example["expected"][rule]

    found = agreement(counted(raw), both_empty=BothEmpty(RULES[rule]))

    assert found.pa_det == pytest.approx(expected["PA_det"], abs=1e-12)
    assert found.pa_sug == pytest.approx(expected["PA_sug_skip_undefined_pairs"], abs=1e-12)
