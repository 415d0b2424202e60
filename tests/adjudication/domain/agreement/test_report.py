"""The report: every figure beside what it was divided by; shards and orders change nothing."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudication.domain.agreement.counting import AgreementSettings
from adjudication.domain.agreement.pairs import BothEmpty
from tests.adjudication.domain.agreement.plain import report_of
from tests.adjudication.domain.answered import AnsweredPassage
from tests.adjudication.domain.crowds import PEOPLE, SETTINGS, crowds, mark, passage

QUICK = AgreementSettings(merge=SETTINGS, resamples=40)


def report(passages: list[AnsweredPassage], people: Any = PEOPLE, **given: Any) -> dict[str, Any]:
    chosen = AgreementSettings(merge=SETTINGS, **{"resamples": 40, **given})
    return report_of(passages, people, chosen)


TWO = [
    passage({"A01": [mark(0, 3, "uno", "ein"), mark(4, 7, "dos")], "A02": [mark(0, 3, "uno")], "A03": []}, id="p1"),
    passage({"A01": [mark(8, 13, "tres")], "A02": [mark(8, 13, "drei")]}, id="p2", discarded_by=frozenset({"A03"})),
]


def test_by_hand() -> None:
    found = report(TWO, ["A01", "A02", "A03"])

    [first, second, third] = found["pairs"]
    assert (first["a"], first["b"], first["n"], first["m"]) == ("A01", "A02", 2, 2)
    assert first["pa_det"] == pytest.approx((1 / 2 + 1) / 2)
    assert first["pa_sug"] == pytest.approx((1 / 2 + 0) / 2)
    assert first["pa_sug_ceiling"] == pytest.approx((1 / 2 + 1) / 2)
    assert first["f1_exact"] == pytest.approx(2 * 2 / (3 + 2))
    assert (second["pa_det"], second["n"], second["pa_sug"], third["pa_det"]) == (0, 1, None, 0)
    assert found["pa_det"] == pytest.approx(0.75 / 3)
    assert found["pa_det_w"] == pytest.approx(1.5 / 4)
    assert (found["left_out_det"], found["left_out_sug"], found["few_shared"]) == (0, 2, 3)
    assert found["answers_per_passage"] == {"2": 1, "3": 1}
    assert found["shared_with_common"] == {"share": 0.5, "count": 1, "of": 2}
    assert found["kept_without_two_votes"] == {"share": 0.5, "count": 1, "of": 2}
    assert found["single_vote_suggestions"] == {"share": 0.75, "count": 3, "of": 4}
    assert found["discards"] == {"discards": 1, "passages": 1, "agreement": {"share": 0.0, "count": 0, "of": 2}}
    assert found["leave_one_out"]["pa_det"] == [0.0, 0.75]
    assert found["leave_one_out"]["pa_sug"] == [0.25, 0.25]  # without A01 or A02 there is none
    [one, *_] = found["annotators"]
    assert (one["name"], one["passages"], one["marks"], one["substitutes"]) == ("A01", 2, 3, 4)
    assert one["pa_det"] == pytest.approx(0.375)
    assert (one["pa_det_without"], one["pa_sug_without"]) == (0, None)
    assert found["annotators"][2]["discards"] == 1


def test_the_signature_says_how_it_was_made() -> None:
    plain, other = report(TWO), report(TWO, both_empty=BothEmpty.SKIP, resamples=0)

    assert plain["signature"].startswith("agreement|both_empty:1|min_shared:10|resamples:40|seed:assay|people:all|")
    assert "|units:2 passages|" in plain["signature"]
    assert "both_empty:skip" in other["signature"]
    assert other["intervals"] == dict.fromkeys(("pa_det", "pa_sug", "pa_det_w", "pa_sug_w"))


def test_types_in_a_matrix_that_reads_both_ways() -> None:
    said = {"A01": [mark(0, 3, "x", type="refine-usage")], "A02": [mark(0, 3, "y", type="diversify-expression")]}

    found = report([passage(said)], ["A01", "A02"])["types"]

    assert found["matrix"] == [[0, 1], [1, 0]]
    assert (found["agreement"], found["shared"], found["types"]) == (0.0, 1, list(SETTINGS.types))


@pytest.mark.slow
@given(crowds(), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_neither_order_nor_shards_matter(passages: list[AnsweredPassage], chance: random.Random) -> None:
    whole = report_of(passages, PEOPLE, QUICK)
    shuffled = [
        AnsweredPassage(
            p.id, p.text, dict(chance.sample(list(p.answers.items()), len(p.answers))), p.discarded_by, p.group
        )
        for p in chance.sample(passages, len(passages))
    ]
    cuts = sorted(chance.randint(0, len(shuffled)) for _ in range(chance.randint(0, 3)))

    assert report_of(shuffled, chance.sample(PEOPLE, len(PEOPLE)), QUICK, cuts=cuts) == whole


@given(crowds())
@settings(max_examples=60)
def test_every_share_is_one(passages: list[AnsweredPassage]) -> None:
    found = report(passages)

    for row in found["pairs"]:
        for name in ("pa_det", "pa_sug", "pa_sug_ceiling", "f1_exact", "f1_overlapping", "type_agreement"):
            assert row[name] is None or 0 <= row[name] <= 1
        if row["pa_sug"] is not None:
            assert row["pa_sug"] <= row["pa_sug_ceiling"] + 1e-12
        if row["f1_exact"] is not None:
            assert row["f1_exact"] <= row["f1_overlapping"] + 1e-12
