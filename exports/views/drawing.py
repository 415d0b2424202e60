"""Scores as they are drawn: positions made here, so that a template only writes them down."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adjudication.domain.scoring.sws import CUTS


def shown(value: float | None) -> str:
    """Three decimals, as tables of scores are printed."""
    return "–" if value is None else f"{value:.3f}".replace("0.", ".", 1)


@dataclass(frozen=True)
class Bar:
    index: str
    share: float | None
    of: int | None  # targets; None: not told
    x: float
    y: float
    width: float
    height: float

    @property
    def percent(self) -> str:
        return "–" if self.share is None else f"{100 * self.share:.0f}"

    @property
    def title(self) -> str:
        of = "" if self.of is None else f" of {self.of:,} target{'' if self.of == 1 else 's'}"
        return f"voting index {self.index}: {self.percent} %{of}"

    @property
    def middle(self) -> float:
        return self.x + self.width / 2


@dataclass(frozen=True)
class Bars:
    """Recall by voting index, each bar a share of the whole height."""

    width: float
    height: float
    bars: list[Bar]

    @property
    def last(self) -> Bar:
        return self.bars[-1]

    @property
    def says(self) -> str:
        first, last = self.bars[0].index, self.last.index
        values = ", ".join(bar.percent for bar in self.bars)
        return f"Recall by voting index {first} to {last}: {values} per cent"


def recall_bars(
    found: Mapping[str, float | None], targets: Mapping[str, int], *, width: float, height: float, gap: float
) -> Bars | None:
    """Of indexes that occur; those without a target are left out."""
    indexes = sorted(found, key=int)
    if not indexes:
        return None
    step = width / len(indexes)
    bars = []
    for place, index in enumerate(indexes):
        share = found[index]
        size = max(1.0, height * (share or 0.0))
        bars.append(Bar(index, share, targets.get(index), place * step, height - size, max(1, step - gap), size))
    return Bars(width, height, bars)


@dataclass(frozen=True)
class Curve:
    """NDCG@1 to 4 of one system; `kind` names its line, which differs from the others' not by colour alone."""

    name: str
    kind: str
    values: list[float | None]
    points: list[tuple[float, float]]
    label_y: float

    @property
    def line(self) -> str:
        return " ".join(f"{x:g},{y:g}" for x, y in self.points)


@dataclass(frozen=True)
class Chart:
    curves: list[Curve]
    grid: list[tuple[float, str]]
    places: list[tuple[float, int]]


LEFT, RIGHT, TOP, BOTTOM, APART = 26.0, 300.0, 14.0, 166.0, 14.0  # of a drawing of 392 × 196
KINDS = ("a", "b", "c", "d")
PERSON = "person"


def ndcg_chart(
    systems: Sequence[tuple[str, Mapping[str, Any]]], person: tuple[str, Mapping[str, Any]] | None = None
) -> Chart | None:
    """Of up to four, and of a person above them; who has no NDCG is in the table only."""
    named = [(PERSON, *person)] if person and systems else []
    named += [(kind, *system) for kind, system in zip(KINDS, systems, strict=False)]
    values = [(kind, name, [figures.get(f"ndcg_{cut}") for cut in CUTS]) for kind, name, figures in named]
    known = [value for *_, row in values for value in row if value is not None]
    if not known:
        return None
    low, high = (int(10 * min(known)) / 10, min(1.0, int(10 * max(known)) / 10 + 0.1))
    high = max(high, low + 0.1, max(known))

    def place(number: int, value: float) -> tuple[float, float]:
        x = LEFT + number * (RIGHT - LEFT) / (len(CUTS) - 1)
        return round(x, 1), round(BOTTOM - (value - low) / (high - low) * (BOTTOM - TOP), 1)

    curves = []
    for kind, name, row in values:
        points = [place(number, value) for number, value in enumerate(row) if value is not None]
        curves.append(Curve(name, kind, row, points, points[-1][1] if points else BOTTOM))
    steps = range(round(10 * low), round(10 * high) + 1)
    grid = [(place(0, step / 10)[1], shown(step / 10)[:-2] or "0") for step in steps]
    places = [(place(number, low)[0], cut) for number, cut in enumerate(CUTS)]
    return Chart(_apart(curves), grid, places)


def _apart(curves: list[Curve]) -> list[Curve]:
    """Names at the ends of lines, moved so far that none covers another."""
    found: dict[str, float] = {}
    last = TOP - APART
    for curve in sorted(curves, key=lambda curve: curve.label_y):
        last = max(curve.label_y, last + APART)
        found[curve.kind] = last
    return [Curve(item.name, item.kind, item.values, item.points, found[item.kind]) for item in curves]
