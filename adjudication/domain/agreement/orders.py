"""In which order people stand in the matrix."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

import numpy as np


class Order(StrEnum):
    NAME = "name"
    PA = "pa"  # who agrees most with the rest first
    LIKENESS = "likeness"  # like-minded people beside each other


def ordered(annotators: Sequence[Mapping[str, Any]], pairs: Sequence[Mapping[str, Any]], order: Order) -> list[str]:
    names = [row["name"] for row in annotators]
    if order == Order.PA:
        agree = {row["name"]: row["pa_det"] for row in annotators}
        return sorted(names, key=lambda name: (agree[name] is None, -(agree[name] or 0), name))
    return _by_likeness(names, pairs) if order == Order.LIKENESS and len(names) > 2 else names


def _by_likeness(names: list[str], pairs: Sequence[Mapping[str, Any]]) -> list[str]:
    """By the second eigenvector of the likeness between people (Atkins, Boman and Hendrickson 1998): it puts those near
    each other who agree. Who never met counts as average; the first name stands in the first half, so that the order is
    the same every time."""
    place = {name: number for number, name in enumerate(names)}
    known = [pair["pa_det"] for pair in pairs if pair["pa_det"] is not None]
    likeness = np.full((len(names), len(names)), sum(known) / len(known) if known else 0.0)
    for pair in pairs:
        if pair["pa_det"] is not None:
            one, two = place[pair["a"]], place[pair["b"]]
            likeness[one, two] = likeness[two, one] = pair["pa_det"]
    np.fill_diagonal(likeness, 0)
    _, vectors = np.linalg.eigh(np.diag(likeness.sum(axis=1)) - likeness)
    values = np.round(vectors[:, 1], 9)
    found = [names[number] for number in np.lexsort((np.arange(len(names)), values)).tolist()]
    return found if found.index(names[0]) < len(names) / 2 else found[::-1]
