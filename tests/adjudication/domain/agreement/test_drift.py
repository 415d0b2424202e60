"""Drift: windows of fifty, and a band that holds what chance gives."""

import numpy as np
import pytest

from adjudication.domain.agreement.counting import AgreementSettings
from adjudication.domain.agreement.drift import WINDOW, agreement_by_passage, drift
from adjudication.domain.agreement.pairs import BothEmpty
from adjudication.domain.agreement.table import PairTable
from tests.adjudication.domain.agreement.plain import count_arrays
from tests.adjudication.domain.crowds import SETTINGS, mark, passage


def test_windows_hold_fifty_and_the_last_the_rest() -> None:
    values = np.linspace(0, 1, 130)

    found = drift(values, seed="s")

    assert [(window.first, window.last) for window in found] == [(1, 50), (51, 130)]
    assert found[0].value == pytest.approx(values[:50].mean(), abs=1e-4)
    assert drift(values[:99], seed="s") == []  # one window tells nothing


def test_windows_count_ones_own_submissions_also_what_nobody_else_submitted() -> None:
    """Of the first fifty every second has no other answer; the second fifty have none at all."""
    values = np.linspace(0, 1, 150)
    values[:50:2] = np.nan
    values[50:100] = np.nan

    found = drift(values, seed="s")

    assert [(window.first, window.last) for window in found] == [(1, 50), (101, 150)]
    assert found[0].value == pytest.approx(values[1:50:2].mean(), abs=1e-4)
    assert all(window.low <= window.high for window in found)
    assert drift(np.full(200, np.nan), seed="s") == []
    assert drift(np.array([]), seed="s") == []


def test_somebody_who_changes_leaves_the_band_and_somebody_steady_does_not() -> None:
    chance = np.random.default_rng(5)
    steady = chance.random(500)
    drifting = np.concatenate([chance.random(250), 0.4 * chance.random(250)])

    assert sum(window.is_outside for window in drift(steady, seed="s")) <= 1
    assert sum(window.is_outside for window in drift(drifting, seed="s")) >= 6


def test_the_band_is_near_what_the_hypergeometric_says() -> None:
    """Of 1,000 values half are 1: the mean of 50 drawn without replacement has a known spread."""
    values = np.array([0.0, 1.0] * 500)
    spread = 1.96 * np.sqrt(0.25 / WINDOW * (1000 - WINDOW) / 999)

    found = drift(values, seed="s")

    assert np.mean([window.high - window.low for window in found]) == pytest.approx(2 * spread, rel=0.1)
    assert drift(values, seed="s") == found


def test_the_value_of_a_passage_is_the_mean_over_those_who_submitted_it() -> None:
    passages = [
        passage({"A01": [mark(0, 3, "x")], "A02": [mark(0, 3, "x")], "A03": [mark(4, 7, "x")]}, id="p0"),
        passage({"A01": [], "A02": []}, id="p1"),
        passage({"A02": [], "A03": []}, id="p2"),
    ]
    people = ("A01", "A02", "A03")
    counted = count_arrays(passages, people, AgreementSettings(merge=SETTINGS))
    table = PairTable.of(people, 3, [counted.meetings])

    found = agreement_by_passage(table, 0, BothEmpty.ONE).tolist()

    assert found[:2] == [0.5, 1.0]
    assert np.isnan(found[2])
    assert np.isnan(agreement_by_passage(table, 0, BothEmpty.SKIP)[1])
