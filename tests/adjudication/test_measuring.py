"""Measuring agreement: kept once per input, the same in any number of shards, and open to those who may see it."""

import json
from dataclasses import fields, replace
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from adjudication.actions.measuring import agreement_settings, measure_agreement
from adjudication.domain.agreement.pairs import BothEmpty
from adjudication.models import AgreementReport, ShardData
from annotator.domain.errors import Conflict, Invalid, NotAllowed
from annotator.models import Event, Passage
from tests.annotator.test_commands import run
from tests.factories import Cast


def measured(cast: Cast, shards: int | None = None, **given: Any) -> AgreementReport:
    settings = agreement_settings(cast.project, **{"resamples": 100, **given})
    report, _ = measure_agreement(cast.project, by=cast.lead, settings=settings, shards=shards)
    return report


def test_the_figures_of_three_people(three: Cast) -> None:
    found = measured(three).result

    assert (found["passages"], len(found["pairs"])) == (2, 3)
    by_size = sorted((row["n"], row["m"]) for row in found["pairs"])
    assert by_size == [(1, 1), (1, 1), (2, 1)]
    ann, ben = three.membership("ann").pseudonym, three.membership("ben").pseudonym
    [pair] = [row for row in found["pairs"] if {row["a"], row["b"]} == {ann, ben}]
    assert pair["pa_det"] == pytest.approx((1 / 2 + 1) / 2)
    assert pair["pa_sug"] == pytest.approx(1 / 2)


def test_the_same_input_is_measured_once_and_other_settings_are_another_input(three: Cast) -> None:
    first = measured(three)
    events = Event.objects.exclude(subject="job").count()

    assert measured(three).pk == first.pk
    assert Event.objects.exclude(subject="job").count() == events
    other = measured(three, both_empty=BothEmpty.SKIP)
    assert other.pk != first.pk
    assert other.result["pa_det"] != first.result["pa_det"]


OTHERWISE: dict[str, Any] = {
    "both_empty": BothEmpty.SKIP,
    "min_shared": 3,
    "resamples": 160,
    "seed": "other",
    "groups": ("g",),
}
MERGED_OTHERWISE = {
    "keep_at": 3,
    "min_answers": 3,
    "folds_substitutes": False,
    "drops_discarded": False,
    "types": ("diversify-expression", "refine-usage"),
}


def test_each_setting_changed_alone_is_another_report(three: Cast) -> None:
    """All of them: a new setting without an entry here fails."""
    OTHERWISE["people"] = tuple(three.membership(name).pseudonym for name in ("ann", "ben"))
    Passage.objects.filter(external_id="essays-1").update(group="g")
    first = agreement_settings(three.project, resamples=100)
    of_merge = {field.name for field in fields(first.merge)}
    assert {field.name for field in fields(first)} == {*OTHERWISE, "merge"}
    assert of_merge == set(MERGED_OTHERWISE)
    others = [replace(first, **{name: value}) for name, value in OTHERWISE.items()]
    others += [replace(first, merge=replace(first.merge, **{name: value})) for name, value in MERGED_OTHERWISE.items()]

    reports = [measure_agreement(three.project, by=None, settings=settings)[0] for settings in [first, *others]]

    assert len({report.input_hash for report in reports}) == len(reports) == 12
    assert len({report.signature for report in reports}) == len(reports)


@pytest.mark.parametrize("shards", [1, 2, 7])
def test_shards_change_no_figure(three: Cast, shards: int) -> None:
    whole = measured(three).result
    AgreementReport.objects.all().delete()

    again = measured(three, shards=shards)

    assert json.dumps(again.result) == json.dumps(whole)
    assert not ShardData.objects.exists()


def test_what_cannot_be_measured_is_said(three: Cast, cast: Cast) -> None:
    settings = agreement_settings(cast.other_project)
    with pytest.raises(Conflict, match="two annotators"):
        measure_agreement(cast.other_project, by=None, settings=settings)
    with pytest.raises(Invalid, match="shards"):
        measured(three, shards=0)
    for user in (three.ann, three.adjudicator, three.other_lead):
        with pytest.raises(NotAllowed):
            measure_agreement(three.project, by=user, settings=agreement_settings(three.project))


def test_reports_are_for_leads_and_adjudicators(three: Cast) -> None:
    report = measured(three)

    for user in (three.lead, three.adjudicator):
        assert AgreementReport.objects.visible_to(user).get() == report
    for user in (three.ann, three.former, three.stranger, three.other_lead):
        assert not AgreementReport.objects.visible_to(user).exists()


def test_the_command_prints_the_matrix_and_json(three: Cast, capsys: Any) -> None:
    result = run("agreement", "essays", "--resamples=100")
    assert {"pa_det", "pa_sug", "pairs", "signature", "human_performance", "alpha"} <= set(result)
    assert {"a", "b", "pa_det", "n", "pa_sug", "m"} <= set(result["pairs"][0])

    call_command("agreement", "essays", resamples=100)

    said = capsys.readouterr().out
    assert "3 pairs over 2 passages" in said
    assert result["signature"] in said


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--both-empty=2",), "--both-empty is one of 1, 0, skip"),
        (("--resamples=-1",), "Resamples are 0, which leaves the intervals out, or between 100 and 10,000"),
        (("--resamples=1",), "between 100 and 10,000"),
        (("--resamples=99",), "between 100 and 10,000"),
        (("--resamples=10001",), "between 100 and 10,000"),
        (("--people", "A01", "nobody"), "no annotator “nobody” in this project"),
        (("--people", "A01"), "name two or more"),
        (("--groups", "nowhere"), "no group “nowhere” in this project"),
        (("--shards=0",), "shards is between"),
    ],
)
def test_bad_words_are_one_clear_line(three: Cast, words: tuple[str, ...], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        call_command("agreement", "essays", *words)
