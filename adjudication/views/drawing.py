"""Figures as they are drawn: positions and shades, made here so that a template only writes them down."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adjudication.domain.agreement.look import low_below
from adjudication.domain.agreement.resampling import is_hint

Row = Mapping[str, Any]
LEVELS = 10  # shades of a cell
A_BAR, A_DIGIT = 24.0, 6.0  # room for its name below it, and for its value above it
WIDEST = 56.0  # of a bar


@dataclass(frozen=True)
class Cell:
    """A place in the matrix; `other` names the column. None: nothing to say there."""

    other: str
    a: str
    b: str
    kind: str
    value: float | None
    title: str
    level: int
    is_few: bool
    is_low: bool  # and one of the two stands out

    @property
    def percent(self) -> str:
        return "–" if self.value is None else f"{100 * self.value:.0f}"


def percent(value: float | None, digits: int = 1) -> str:
    return "–" if value is None else f"{100 * value:.{digits}f}"


def matrix(
    names: Sequence[str], pairs: Sequence[Row], units_are: str, *, outliers: Collection[str] = ()
) -> list[tuple[str, list[Cell | None]]]:
    """PA_det below the diagonal, PA_sug above it; each shaded between the least and the most of its kind. Of outliers
    the low cells are outlined."""
    by_pair = {(row["a"], row["b"]): row for row in pairs}
    scales = {kind: _scale([row[kind] for row in pairs]) for kind in ("pa_det", "pa_sug")}
    lows = {kind: low_below([row[kind] for row in pairs]) for kind in scales}
    lines = []
    for place, name in enumerate(names):
        cells: list[Cell | None] = []
        for column, other in enumerate(names):
            row = by_pair.get((name, other)) or by_pair.get((other, name))
            kind = "pa_det" if column < place else "pa_sug"
            if row is None or column == place:
                cells.append(None)
                continue
            low = lows[kind] if name in outliers or other in outliers else 0.0
            cells.append(_cell(row, other, kind, scales[kind], low, units_are))
        lines.append((name, cells))
    return lines


def _scale(values: Sequence[float | None]) -> tuple[float, float]:
    known = [value for value in values if value is not None]
    return (min(known), max(known)) if known else (0.0, 0.0)


def _cell(row: Row, other: str, kind: str, scale: tuple[float, float], lowest: float, units_are: str) -> Cell:
    value = row[kind]
    low, high = scale
    level = 0 if value is None else round((LEVELS - 1) * (value - low) / (high - low)) if high > low else LEVELS // 2
    is_low = value is not None and value < lowest
    return Cell(other, row["a"], row["b"], kind, value, cell_title(row, kind, units_are), level, row["is_few"], is_low)


def cell_title(row: Row, kind: str, units_are: str) -> str:
    if row.get("is_hidden"):
        return f"{row['a']} and {row['b']}: not shown, as long as you have passages here still to submit yourself"
    name, count = (
        ("PA_det", f"N = {row['n']:,} passages") if kind == "pa_det" else ("PA_sug", f"M = {row['m']:,} spans")
    )
    around = row[f"{kind}_interval"]
    units = row["units" if kind == "pa_det" else "units_sug"]
    told = "no interval"
    if around is not None:
        told = f"95 % {100 * around[0]:.1f} – {100 * around[1]:.1f} over {units:,} {units_are}"
    told += ", a hint" if is_hint(around, units) else ""
    few = ", few passages in common" if row["is_few"] else ""
    return f"{row['a']} and {row['b']}: {name} {percent(row[kind])} %, {count}, {told}{few}"


@dataclass(frozen=True)
class Bar:
    label: str
    said: str  # its value, as it is written
    x: float
    y: float
    width: float
    height: float
    is_kept: bool
    title: str
    is_told: bool = True  # its value stands above it
    is_named: bool = True
    is_first_kept: bool = False
    edge: float = 0.0  # where its place begins: the threshold is drawn there

    @property
    def middle(self) -> float:
        return self.x + self.width / 2

    @property
    def above(self) -> float:
        return self.y - 4


@dataclass(frozen=True)
class Chart:
    """Bars of one kind, in units of their own: a drawing as wide as `width`."""

    name: str
    width: float
    bars: list[Bar]


HALF, HIGH = 280.0, 96.0


@dataclass(frozen=True)
class Threshold:
    """What would be kept from this voting index on."""

    at: int
    targets: int
    suggestions: int
    votes: int
    is_now: bool

    @property
    def mean_votes(self) -> float:
        return self.votes / self.targets if self.targets else 0.0


def thresholds(by_annotators: Mapping[str, Sequence[int]], keep_at: int) -> list[Threshold]:
    indexes = sorted(map(int, by_annotators))
    rows = []
    for at in range(1, max([*indexes, keep_at], default=0) + 1):
        targets, suggestions, votes = (
            sum(by_annotators[str(n)][column] for n in indexes if n >= at) for column in range(3)
        )
        rows.append(Threshold(at, targets, suggestions, votes, at == keep_at))
    return rows


def charts(rows: Sequence[Threshold], keep_at: int) -> list[Chart]:
    """What would be kept from 1, 2, 3, … on: targets, suggestions, labels, mean votes; two beside each other."""
    kinds: list[tuple[str, list[float]]] = [
        ("targets", [row.targets for row in rows]),
        ("suggestions", [row.suggestions for row in rows]),
        ("labels", [row.votes for row in rows]),
        ("mean votes", [row.mean_votes for row in rows]),
    ]
    titles = [
        f"from {row.at} on: {row.targets:,} targets, {row.suggestions:,} suggestions, {row.votes:,} labels, "
        f"{row.mean_votes:.2f} votes a target"
        for row in rows
    ]
    return [Chart(name, HALF, _bars(values, titles, keep_at, width=HALF, height=HIGH)) for name, values in kinds]


def histogram(by_annotators: Mapping[str, Sequence[int]], keep_at: int, *, width: float, height: float) -> list[Bar]:
    """Targets by voting index; what the threshold drops is not kept."""
    rows = by_index(by_annotators)
    titles = [f"voting index {row[0]}: {row[1]:,} targets, {row[2]:,} suggestions, {row[3]:,} labels" for row in rows]
    return _bars([row[1] for row in rows], titles, keep_at, width=width, height=height)


def by_index(by_annotators: Mapping[str, Sequence[int]]) -> list[tuple[int, ...]]:
    """(voting index, targets, suggestions, labels) from 1 on, also where nothing has that index."""
    most = max(map(int, by_annotators), default=0)
    return [(index, *by_annotators.get(str(index), (0, 0, 0))) for index in range(1, most + 1)]


def _bars(values: Sequence[float], titles: Sequence[str], keep_at: int, *, width: float, height: float) -> list[Bar]:
    """One for each number from 1 on."""
    if not values:
        return []
    tallest = max(values) or 1
    step = width / len(values)
    wide = min(step * 0.8, WIDEST)
    every = math.ceil(A_BAR / step)
    said = [str(value) if isinstance(value, int) else f"{value:.1f}" for value in values]
    is_told = every == 1 and A_DIGIT * max(map(len, said)) <= step
    bars = []
    for number, (value, title) in enumerate(zip(values, titles, strict=True)):
        size = height * value / tallest
        bars.append(
            Bar(str(number + 1), said[number], (number + 0.5) * step - wide / 2, height - size, wide, size,
                number + 1 >= keep_at, title, is_told=is_told, is_named=(number + 1) % every == 0,
                is_first_kept=number + 1 == keep_at and number > 0, edge=number * step)
        )  # fmt: skip
    return bars


@dataclass(frozen=True)
class Spark:
    """Somebody's agreement over time: the line, the band behind it, and the points outside the band."""

    line: str
    band: str
    outside: list[tuple[float, float]]
    title: str


def spark(windows: Sequence[Row], *, width: float = 84, height: float = 18) -> Spark | None:
    if not windows:
        return None
    values = [value for row in windows for value in (row["value"], row["low"], row["high"])]
    low, high = min(values), max(values)
    step = width / max(len(windows) - 1, 1)

    def place(number: int, value: float) -> tuple[float, float]:
        share = (value - low) / (high - low) if high > low else 0.5
        return round(number * step, 1), round(height - 1 - share * (height - 2), 1)

    points = [place(number, row["value"]) for number, row in enumerate(windows)]
    above = [place(number, row["high"]) for number, row in enumerate(windows)]
    below = [place(number, row["low"]) for number, row in enumerate(windows)]
    outside = [
        point for point, row in zip(points, windows, strict=True) if not row["low"] <= row["value"] <= row["high"]
    ]
    first, last = windows[0], windows[-1]
    title = (
        f"{len(windows)} windows of 50 submissions: from {percent(first['value'])} to {percent(last['value'])} %, "
        f"{len(outside)} outside the band"
    )
    return Spark(_points(points), _points([*above, *reversed(below)]), outside, title)


def _points(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in places)
