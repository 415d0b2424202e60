"""Charts of the board: positions made here, so that a template only writes them down."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from annotator.queries.board import Day

WIDE, HIGH, ROOM = 792.0, 178.0, 22.0  # of the bars of days; room above the highest for its number
A_CHART, A_HIGH = 352.0, 120.0  # of the bars of coverage
WIDEST = 40.0
MOST_NAMED = 16  # bars that have a number above and below them


@dataclass(frozen=True)
class Bar:
    x: float
    y: float
    width: float
    height: float
    value: int
    label: str
    kind: str  # full, soft or ghost: a class of the style sheet
    is_named: bool = True
    is_strong: bool = False
    month: str = ""

    @property
    def middle(self) -> float:
        return self.x + self.width / 2

    @property
    def above(self) -> float:
        return self.y - 5


def _bar(place: int, value: int, *, most: int, step: float, width: float, high: float, top: float) -> dict[str, float]:
    height = round((high - top) * value / most, 1) if most else 0.0
    return {
        "x": round(place * step + (step - width) / 2, 1),
        "y": round(high - height, 1),
        "width": round(width, 1),
        "height": height,
        "value": value,
    }


def day_bars(days: Sequence[Day], today: date) -> list[Bar]:
    """Submitted on each day; weekends pale, today only outlined: it is not over."""
    most, step = max((day.submitted for day in days), default=0), WIDE / max(1, len(days))
    bars = []
    for place, item in enumerate(days):
        kind = "ghost" if item.day == today else "soft" if item.is_weekend else "full"
        begins = place == 0 or item.day.day == 1
        month = f"{item.day:%B}" if begins and len(days) - place > 2 and not _ends_soon(days, place) else ""
        drawn = _bar(place, item.submitted, most=most, step=step, width=step * 0.72, high=HIGH, top=ROOM)
        is_monday = item.day.weekday() == 0
        bars.append(Bar(**drawn, label=str(item.day.day), kind=kind, is_strong=is_monday, month=month))  # type: ignore[arg-type]
    return bars


def _ends_soon(days: Sequence[Day], place: int) -> bool:
    """A month whose name would run into that of the next."""
    return place == 0 and any(item.day.day == 1 for item in days[1:4])


def coverage_bars(coverage: Mapping[int, int], full: int) -> list[Bar]:
    """Passages by the number of answers they have; `full`: the number they are to have."""
    shown = {answers: coverage.get(answers, 0) for answers in range(max([*coverage, full], default=0) + 1)}
    most, step = max(shown.values(), default=0), A_CHART / max(1, len(shown))
    is_named = len(shown) <= MOST_NAMED
    bars = []
    for answers, number in shown.items():
        drawn = _bar(answers, number, most=most, step=step, width=min(WIDEST, step * 0.8), high=A_HIGH, top=ROOM)
        is_full = bool(full) and answers >= full
        kind = "full" if is_full else "soft"
        bars.append(
            Bar(**drawn, label=str(answers), kind=kind, is_named=is_named or is_full, is_strong=is_full)  # type: ignore[arg-type]
        )
    return bars
