"""A measured figure and its goal."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    what: str
    value: float
    unit: str
    goal: float
    is_least: bool = False  # the goal is a least value, not a most

    @property
    def is_met(self) -> bool:
        return self.value >= self.goal if self.is_least else self.value <= self.goal


def table(figures: list[Figure]) -> str:
    lines = ["| figure | measured | goal | met |", "|---|---:|---:|---|"]
    for item in figures:
        goal = f"{'≥' if item.is_least else '≤'} {item.goal:g} {item.unit}"
        lines.append(f"| {item.what} | {item.value:.3g} {item.unit} | {goal} | {'yes' if item.is_met else '**no**'} |")
    return "\n".join(lines)


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
