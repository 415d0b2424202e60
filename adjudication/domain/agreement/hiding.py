"""What a report tells of few passages is left out for whoever has passages still to annotate: it would tell of single
ones."""

from collections.abc import Mapping
from typing import Any

# What stays of such a pair or person: who they are, and how much they did, which is nothing they said.
OF_PAIR = ("a", "b", "n", "is_few")
OF_PERSON = ("name", "passages", "discards")
EMPTY: dict[str, Any] = {"windows": [], "look": [], "types": {}}  # what is no figure but holds some


def without_few(found: Mapping[str, Any], *, least: int) -> dict[str, Any]:
    """The report without the figures of pairs and people with fewer than `least` passages."""
    people = [row if row["passages"] >= least else _blank(row, OF_PERSON) for row in found["annotators"]]
    shown = {row["name"] for row in people if not row.get("is_hidden")}
    human = {
        name: {**row, "annotators": {who: own for who, own in row["annotators"].items() if who in shown}}
        for name, row in found["human_performance"].items()
    }
    pairs = [row if row["n"] >= least else _blank(row, OF_PAIR) for row in found["pairs"]]
    return {**found, "annotators": people, "pairs": pairs, "human_performance": human}


def _blank(row: Mapping[str, Any], stays: tuple[str, ...]) -> dict[str, Any]:
    return {**{name: value if name in stays else EMPTY.get(name) for name, value in row.items()}, "is_hidden": True}
