"""Charts: what thresholds keep and what has which voting index, and what is written where there is room."""

import pytest

from adjudication.views.drawing import HALF, by_index, charts, histogram, matrix, thresholds

BY_INDEX = {"1": [50, 97, 120], "2": [48, 107, 169], "4": [10, 30, 75]}


def test_what_each_threshold_keeps_has_four_charts() -> None:
    """From 1, 2, 3, … on: added up from the voting index upwards."""
    found = charts(thresholds(BY_INDEX, 2), 2)

    assert [chart.name for chart in found] == ["targets", "suggestions", "labels", "mean votes"]
    assert [[bar.said for bar in chart.bars] for chart in found] == [
        ["108", "58", "10", "10"],
        ["234", "137", "30", "30"],
        ["364", "244", "75", "75"],
        ["3.4", "4.2", "7.5", "7.5"],
    ]
    assert [bar.is_kept for bar in found[2].bars] == [False, True, True, True]
    assert [bar.is_first_kept for bar in found[0].bars] == [False, True, False, False]
    assert max(bar.height for bar in found[1].bars) == found[1].bars[0].height
    assert found[0].bars[1].title == "from 2 on: 58 targets, 137 suggestions, 244 labels, 4.21 votes a target"


def test_what_has_which_voting_index() -> None:
    bars = histogram(BY_INDEX, 2, width=HALF, height=96)

    assert [bar.said for bar in bars] == ["50", "48", "0", "10"]
    assert by_index(BY_INDEX) == [(1, 50, 97, 120), (2, 48, 107, 169), (3, 0, 0, 0), (4, 10, 30, 75)]


@pytest.mark.parametrize(("value", "is_told"), [(999, True), (999_999, False)])
def test_values_are_written_where_they_do_not_meet(value: int, is_told: bool) -> None:
    bars = histogram({str(index): [value] * 3 for index in range(1, 10)}, 2, width=HALF, height=96)

    assert {bar.is_told for bar in bars} == {is_told}


def test_without_votes_there_are_no_bars() -> None:
    assert [chart.bars for chart in charts(thresholds({}, 0), 2)] == [[], [], [], []]
    assert histogram({}, 2, width=HALF, height=96) == []


def pair(a: str, b: str, pa_det: float, **given: object) -> dict[str, object]:
    row = {"a": a, "b": b, "pa_det": pa_det, "n": 40, "pa_sug": 0.5, "m": 12, "is_few": False}
    around = {"pa_det_interval": [0.1, 0.2], "pa_sug_interval": [0.3, 0.6], "units": 40, "units_sug": 12}
    return {**row, **around, **given}


def titles(row: dict[str, object]) -> list[str]:
    cells = [cell for _, line in matrix(["A01", "A02"], [row], "groups") for cell in line if cell is not None]
    return [cell.title for cell in cells]


def test_a_cell_says_what_its_interval_is_drawn_over_and_when_that_is_too_little() -> None:
    sug, det = titles(pair("A01", "A02", 0.4))

    assert det == "A01 and A02: PA_det 40.0 %, N = 40 passages, 95 % 10.0 – 20.0 over 40 groups"
    assert sug == "A01 and A02: PA_sug 50.0 %, M = 12 spans, 95 % 30.0 – 60.0 over 12 groups, a hint"
    assert titles(pair("A01", "A02", 0.4, pa_det_interval=None, units=1))[1].endswith("N = 40 passages, no interval")


def test_low_cells_of_somebody_who_stands_out_are_outlined() -> None:
    names = ["A01", "A02", "A03"]
    pairs = [pair("A01", "A02", 0.5), pair("A01", "A03", 0.1), pair("A02", "A03", 0.45)]

    found = matrix(names, pairs, "groups", outliers={"A03"})

    low = {(cell.a, cell.b, cell.kind) for _, line in found for cell in line if cell is not None and cell.is_low}
    assert low == {("A01", "A03", "pa_det")}
    assert not any(cell.is_low for _, line in matrix(names, pairs, "groups") for cell in line if cell is not None)
