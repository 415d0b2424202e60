"""Human performance: taking one's own votes out of the merge is merging the others."""

import math
from typing import Any

import pytest
from hypothesis import given, settings

from adjudication.domain.agreement.counting import AgreementSettings
from adjudication.domain.human import FIGURES, RECALL, human_performance
from adjudication.domain.merge import MergeSettings, Verdict, merge_passage
from adjudication.domain.scoring.sws import Counts, GoldTarget, PredictedSentence, count_sentence, scores
from annotator.domain.answers import united
from annotator.domain.text import substitute_key
from tests.adjudication.domain.agreement.plain import count_arrays
from tests.adjudication.domain.answered import AnsweredPassage
from tests.adjudication.domain.crowds import PEOPLE, SETTINGS, crowds, mark, passage


def performance(passages: list[AnsweredPassage]) -> dict[str, Any]:
    found = count_arrays(passages, PEOPLE, AgreementSettings(merge=SETTINGS))
    by_index = {
        what: {tuple(map(int, key.split())): times for key, times in found.tallies[f"{what}_by_index"].items()}
        for what in ("targets", "found")
    }
    given = (found.scored, found.scored_twice, found.gained, by_index)
    return human_performance(PEOPLE, *given, keep_at=SETTINGS.keep_at)


def by_merging_again(passages: list[AnsweredPassage], annotator: str, settings: MergeSettings) -> dict[str, Any]:
    """Score one against a real merge of the others, spans in code points, strings by key."""
    counts = Counts()
    for item in passages:
        if annotator not in item.answers:
            continue
        others = {name: answer for name, answer in item.answers.items() if name != annotator}
        merged = merge_passage(others, settings, discards=len(item.discarded_by))
        if merged.verdict != Verdict.MERGED:
            continue
        gold = [
            GoldTarget(
                (target.start, target.end),
                {substitute_key(s.text, folds=True): s.votes for s in target.suggestions},
                1,
                target.annotators,
            )
            for target in merged.kept
        ]
        own = [(span, list(keys)) for span, keys in united(item.answers[annotator], folds=True).items()]
        counts.add(count_sentence(gold, PredictedSentence(1, own)))
    return scores(counts)


@pytest.mark.slow
@given(crowds())
@settings(max_examples=80)
def test_it_is_what_merging_the_others_gives(passages: list[AnsweredPassage]) -> None:
    found = performance(passages)

    for kind, keep_at in (("with_filter", 2), ("without_filter", 1)):
        for name, figures in found[kind]["annotators"].items():
            expected = by_merging_again(passages, name, MergeSettings(types=SETTINGS.types, keep_at=keep_at))
            for figure, key in FIGURES.items():
                if figure != "improvable_ratio":
                    assert figures[figure] == (expected[key] and pytest.approx(expected[key])), figure
            recall = {index: pytest.approx(value) for index, value in (expected[RECALL] or {}).items()}
            assert figures[RECALL] == recall


def test_the_improvable_ratio_counts_words() -> None:
    """A01 marks three tokens of eight (“four,” is two), A02 one."""
    item = passage({"A01": [mark(0, 7, "x"), mark(14, 18, "y")], "A02": [mark(0, 3, "x")], "A03": []})

    found = performance([item])["without_filter"]["annotators"]

    assert found["A01"]["improvable_ratio"] == 3 / 8
    assert found["A02"]["improvable_ratio"] == 1 / 8


def test_two_annotators_have_no_merge_of_the_others() -> None:
    item = passage({"A01": [mark(0, 3, "x")], "A02": [mark(0, 3, "x")]})

    assert performance([item])["with_filter"]["annotators"] == {}


def test_figures_of_a_row_are_means_over_people() -> None:
    """A01 finds what two others marked and what one did not mark twice; the best word of the others is A01's second."""
    others = {
        "A02": [mark(0, 3, "x", "y"), mark(4, 6, "q")],
        "A03": [mark(0, 3, "x"), mark(4, 6, "q")],
        "A04": [mark(0, 3, "x")],
    }
    item = passage({"A01": [mark(0, 3, "y", "x")], **others})

    found = performance([item])["with_filter"]
    own = found["annotators"]["A01"]

    assert own[RECALL] == {"2": 0.0, "3": 1.0}
    assert own["ndcg_1"] == pytest.approx(1 / 3)
    ideal = 3 + 1 / math.log2(3)
    assert own["ndcg_2"] == own["ndcg_4"] == pytest.approx((1 + 3 / math.log2(3)) / ideal)
    each = [row["ndcg_2"] for row in found["annotators"].values()]
    assert found["ndcg_2"] == pytest.approx(sum(each) / len(each))
    rows = [row[RECALL].get("2") for row in found["annotators"].values()]
    known = [value for value in rows if value is not None]
    assert found[RECALL]["2"] == pytest.approx(sum(known) / len(known))
