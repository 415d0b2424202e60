"""Figures as they are drawn: positions and shades, made here so that a template only writes them down."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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

    @property
    def percent(self) -> str:
        return "–" if self.value is None else f"{100 * self.value:.0f}"


def percent(value: float | None, digits: int = 1) -> str:
    return "–" if value is None else f"{100 * value:.{digits}f}"


def matrix(names: Sequence[str], pairs: Sequence[Row]) -> list[tuple[str, list[Cell | None]]]:
    """PA_det below the diagonal, PA_sug above it; each shaded between the least and the most of its kind."""
    by_pair = {(row["a"], row["b"]): row for row in pairs}
    scales = {kind: _scale([row[kind] for row in pairs]) for kind in ("pa_det", "pa_sug")}
    lines = []
    for place, name in enumerate(names):
        cells: list[Cell | None] = []
        for column, other in enumerate(names):
            row = by_pair.get((name, other)) or by_pair.get((other, name))
            kind = "pa_det" if column < place else "pa_sug"
            cells.append(None if row is None or column == place else _cell(row, other, kind, scales[kind]))
        lines.append((name, cells))
    return lines


def _scale(values: Sequence[float | None]) -> tuple[float, float]:
    known = [value for value in values if value is not None]
    return (min(known), max(known)) if known else (0.0, 0.0)


def _cell(row: Row, other: str, kind: str, scale: tuple[float, float]) -> Cell:
    value = row[kind]
    low, high = scale
    level = 0 if value is None else round((LEVELS - 1) * (value - low) / (high - low)) if high > low else LEVELS // 2
    return Cell(other, row["a"], row["b"], kind, value, cell_title(row, kind), level, row["is_few"])


def cell_title(row: Row, kind: str) -> str:
    name, count = (
        ("PA_det", f"N = {row['n']:,} passages") if kind == "pa_det" else ("PA_sug", f"M = {row['m']:,} spans")
    )
    around = row[f"{kind}_interval"]
    told = "no interval" if around is None else f"95 % {100 * around[0]:.1f} – {100 * around[1]:.1f}"
    few = ", few passages in common" if row["is_few"] else ""
    return f"{row['a']} and {row['b']}: {name} {percent(row[kind])} %, {count}, {told}{few}"


@dataclass(frozen=True)
class Bar:
    label: str
    value: int
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


COUNTED = ("targets", "suggestions", "labels")  # as `by_annotators` has them
WIDE, HALF, THIRD, HIGH = 580.0, 280.0, 180.0, 96.0
FEW_BARS = 5  # up to so many the three charts stand side by side; else the first is above the others


def charts(by_annotators: Mapping[str, Sequence[int]], keep_at: int) -> list[Chart]:
    """Targets, suggestions and labels by voting index."""
    is_few = max(map(int, by_annotators), default=0) <= FEW_BARS
    widths = (THIRD, THIRD, THIRD) if is_few else (WIDE, HALF, HALF)
    return [
        Chart(name, width, histogram(by_annotators, keep_at, width=width, height=HIGH, column=column))
        for column, (name, width) in enumerate(zip(COUNTED, widths, strict=True))
    ]


def histogram(
    by_annotators: Mapping[str, Sequence[int]], keep_at: int, *, width: float, height: float, column: int = 0
) -> list[Bar]:
    """One of COUNTED by voting index; what the threshold drops is not kept."""
    if not by_annotators:
        return []
    most = max(int(index) for index in by_annotators)
    counts = [by_annotators.get(str(index), [0, 0, 0]) for index in range(1, most + 1)]
    tallest = max(row[column] for row in counts) or 1
    step = width / most
    wide = min(step * 0.8, WIDEST)
    every = math.ceil(A_BAR / step)
    is_told = every == 1 and A_DIGIT * len(str(tallest)) <= step
    bars = []
    for number, row in enumerate(counts):
        size = height * row[column] / tallest
        title = f"voting index {number + 1}: {row[0]:,} targets, {row[1]:,} suggestions, {row[2]:,} labels"
        bars.append(
            Bar(str(number + 1), row[column], (number + 0.5) * step - wide / 2, height - size, wide, size,
                number + 1 >= keep_at, title, is_told=is_told, is_named=(number + 1) % every == 0,
                is_first_kept=number + 1 == keep_at and number > 0, edge=number * step)
        )  # fmt: skip
    return bars


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
