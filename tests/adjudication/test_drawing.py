"""Charts by voting index: what they count, and what is written where there is room."""

import pytest

from adjudication.views.drawing import HALF, THIRD, WIDE, charts, histogram

BY_INDEX = {"1": [50, 97, 120], "2": [48, 107, 169], "4": [10, 30, 75]}


def test_targets_suggestions_and_labels_have_a_chart_each() -> None:
    found = charts(BY_INDEX, 2)

    assert [chart.name for chart in found] == ["targets", "suggestions", "labels"]
    assert [[bar.value for bar in chart.bars] for chart in found] == [
        [50, 48, 0, 10],
        [97, 107, 0, 30],
        [120, 169, 0, 75],
    ]
    assert [bar.is_kept for bar in found[2].bars] == [False, True, True, True]
    assert max(bar.height for bar in found[1].bars) == found[1].bars[1].height


@pytest.mark.parametrize(
    ("most", "widths"), [(3, [THIRD] * 3), (5, [THIRD] * 3), (6, [WIDE, HALF, HALF]), (20, [WIDE, HALF, HALF])]
)
def test_many_bars_of_targets_have_a_wide_chart(most: int, widths: list[float]) -> None:
    found = charts({str(most): [1, 1, 1]}, 2)

    assert [chart.width for chart in found] == widths


@pytest.mark.parametrize(("value", "is_told"), [(999, True), (999_999, False)])
def test_values_are_written_where_they_do_not_meet(value: int, is_told: bool) -> None:
    bars = histogram({str(index): [value] * 3 for index in range(1, 10)}, 2, width=HALF, height=96)

    assert {bar.is_told for bar in bars} == {is_told}


def test_without_votes_there_are_no_bars() -> None:
    assert [chart.bars for chart in charts({}, 2)] == [[], [], []]
