"""Two releases of one project: what came, what went, whose votes changed. Pure, on the rows of their files."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Row = Mapping[str, Any]  # of `<split>.jsonl`
Place = tuple[str, int, int]  # passage, start, end


@dataclass(frozen=True)
class Compared:
    """Passages by id; targets by passage and span, with their quote and what was said of them before and after."""

    passages_added: list[str]
    passages_gone: list[str]
    passages_moved: list[str]  # to another split: there are none, by the rule of splits
    added: list[tuple[Place, str]]
    gone: list[tuple[Place, str]]
    changed: list[tuple[Place, str, str, str]]  # quote, before, after


def compared(before: Iterable[Row], after: Iterable[Row]) -> Compared:
    old, new = {row["id"]: row for row in before}, {row["id"]: row for row in after}
    both = sorted(old.keys() & new.keys())
    targets = {name: _targets(rows[row] for row in both) for name, rows in (("old", old), ("new", new))}
    gone = targets["old"].keys() - targets["new"].keys()
    added = targets["new"].keys() - targets["old"].keys()
    stayed = sorted(targets["old"].keys() & targets["new"].keys())
    told = [(place, targets["old"][place], targets["new"][place]) for place in stayed]
    return Compared(
        passages_added=sorted(new.keys() - old.keys()),
        passages_gone=sorted(old.keys() - new.keys()),
        passages_moved=[name for name in both if old[name]["split"] != new[name]["split"]],
        added=[(place, targets["new"][place]["quote"]) for place in sorted(added)],
        gone=[(place, targets["old"][place]["quote"]) for place in sorted(gone)],
        changed=[(place, one["quote"], _said(one), _said(two)) for place, one, two in told if _said(one) != _said(two)],
    )


def _targets(rows: Iterable[Row]) -> dict[Place, Row]:
    return {(row["id"], target["start"], target["end"]): target for row in rows for target in row["targets"]}


def _said(target: Row) -> str:
    """The type, and the suggestions with their votes."""
    return f"{target['type']}: " + ", ".join(f"{item['text']} {item['votes']}" for item in target["suggestions"])
