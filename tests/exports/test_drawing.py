"""Scores as they are drawn."""

from itertools import pairwise

import pytest

from exports.views.drawing import ndcg_chart, recall_bars, shown


def figures(*values: float | None) -> dict[str, float | None]:
    return {f"ndcg_{cut}": value for cut, value in enumerate(values, start=1)}


@pytest.mark.parametrize(
    ("value", "text"), [(None, "–"), (0.5, ".500"), (1.0, "1.000"), (0.0, ".000"), (1.25, "1.250")]
)
def test_scores_have_three_decimals(value: float | None, text: str) -> None:
    assert shown(value) == text


def test_bars_stand_on_one_line_as_high_as_their_recall() -> None:
    found = recall_bars({"10": 1.0, "2": 0.25, "3": None}, {"2": 8, "10": 1}, width=60, height=20, gap=2)

    assert found is not None
    assert [bar.index for bar in found.bars] == ["2", "3", "10"]  # by number
    assert [(bar.x, bar.width) for bar in found.bars] == [(0, 18), (20, 18), (40, 18)]
    assert [bar.height for bar in found.bars] == [5, 1, 20]
    assert all(bar.y + bar.height == 20 for bar in found.bars)
    assert [bar.title for bar in found.bars] == [
        *("voting index 2: 25 % of 8 targets", "voting index 3: – %", "voting index 10: 100 % of 1 target"),
    ]
    assert found.says == "Recall by voting index 2 to 10: 25, –, 100 per cent"
    assert recall_bars({}, {}, width=60, height=20, gap=2) is None


def test_curves_go_down_the_page_as_values_fall_and_lie_within_it() -> None:
    chart = ndcg_chart([("one", figures(0.9, 0.8, 0.7, 0.6)), ("two", figures(0.5, 0.5, 0.5, 0.5))])

    assert chart is not None
    one, two = chart.curves
    assert [y for _, y in one.points] == sorted(y for _, y in one.points)
    assert len({y for _, y in two.points}) == 1
    assert [x for x, _ in one.points] == [x for x, _ in chart.places] == [x for x, _ in two.points]
    assert all(14 <= y <= 166 and 26 <= x <= 300 for curve in chart.curves for x, y in curve.points)
    assert one.line.startswith("26,")
    assert [label for _, label in chart.grid] == [".5", ".6", ".7", ".8", ".9", "1.0"]


def test_of_systems_four_are_drawn_and_a_person_above_them() -> None:
    systems = [(f"system {number}", figures(0.4, 0.4, 0.4, 0.4)) for number in range(5)]

    chart = ndcg_chart(systems, ("A person", figures(0.6, 0.5, 0.5, 0.5)))

    assert chart is not None
    assert [(curve.kind, curve.name) for curve in chart.curves] == [
        *(("person", "A person"), ("a", "system 0"), ("b", "system 1"), ("c", "system 2"), ("d", "system 3")),
    ]
    places = sorted(curve.label_y for curve in chart.curves)
    assert all(after - before >= 14 for before, after in pairwise(places))


def test_who_has_no_ndcg_has_no_curve_and_where_nobody_has_there_is_no_chart() -> None:
    chart = ndcg_chart([("one", figures(0.9, 0.8, None, None)), ("two", {})])

    assert chart is not None
    assert [len(curve.points) for curve in chart.curves] == [2, 0]
    assert ndcg_chart([("two", {})]) is None
    assert ndcg_chart([], ("A person", figures(0.6, 0.5, 0.5, 0.5))) is None
