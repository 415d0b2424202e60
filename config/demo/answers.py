"""Believable answers: a seeded draw, per person and passage, from hand-written targets and substitutes."""

import json
import random
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotator.domain.passages import NewPassage
from config.demo.people import Habit

HERE = Path(__file__).parent
SEED = "assay-demo"
A_WORD, A_SUBSTITUTE = 0.5, 8  # seconds
TYPES = ("refine-usage", "diversify-expression")


@dataclass(frozen=True)
class Material:
    passage: NewPassage
    targets: list[dict[str, Any]]


def guidelines() -> str:
    return (HERE / "guidelines.md").read_text(encoding="utf-8")


def material() -> dict[str, Material]:
    """By external id; the sentences before and after in the essay are the context."""
    essays = json.loads((HERE / "passages.json").read_text(encoding="utf-8"))["essays"]
    found = {}
    for essay in essays:
        texts = ["", *(item["text"] for item in essay["passages"]), ""]
        for index, item in enumerate(essay["passages"], start=1):
            external_id = f"{essay['id']}-{index:02d}"
            passage = NewPassage(
                external_id=external_id,
                text=item["text"],
                group=essay["id"],
                context_before=texts[index - 1],
                context_after=texts[index + 1],
            )
            found[external_id] = Material(passage, item["targets"])
    return found


def answer_of(name: str, habit: Habit, item: Material) -> dict[str, Any]:
    """What this person says about this passage: the same every time."""
    draw = random.Random(f"{SEED}:{name}:{item.passage.external_id}")  # noqa: S311 (a demo, not a secret)
    chosen = [target for target in item.targets if draw.random() < target["pull"] * habit.keen]
    if not chosen:
        if draw.random() < 0.3:
            return {"none": True}
        chosen = [max(item.targets, key=lambda target: target["pull"])]
    return {"marks": [_mark(target, item.passage.text, habit, draw) for target in chosen]}


def active_ms_of(name: str, habit: Habit, item: Material, answer: dict[str, Any]) -> int:
    """How long this person was at this answer: reading, then some seconds for each substitute. The same every time."""
    draw = random.Random(f"{SEED}:time:{name}:{item.passage.external_id}")  # noqa: S311 (a demo, not a secret)
    substitutes = sum(len(mark["substitutes"]) for mark in answer.get("marks", []))
    seconds = A_WORD * len(item.passage.text.split()) + A_SUBSTITUTE * substitutes
    return int(1000 * habit.slow * seconds * draw.lognormvariate(0, 0.3))


def _mark(target: dict[str, Any], text: str, habit: Habit, draw: random.Random) -> dict[str, Any]:
    start, end = span_of(target, text)
    offers = list(target["substitutes"])
    wanted = min(len(offers), max(1, round(draw.gauss(habit.broad, 0.7))))
    substitutes = []
    for _ in range(wanted):
        offer = draw.choices(offers, weights=[weight for _, _, weight in offers])[0]
        offers.remove(offer)
        kind = TYPES[1 - TYPES.index(offer[1])] if draw.random() < habit.contrary else offer[1]
        substitutes.append({"text": offer[0], "type": kind, "via": "typed"})
    unsure = draw.random() < 0.04
    return {"start": start, "end": end, "quote": text[start:end], "unsure": unsure, "substitutes": substitutes}


def span_of(target: dict[str, Any], text: str) -> tuple[int, int]:
    pattern = rf"(?<!\w){re.escape(target['quote'])}(?!\w)"
    occurrence: int = target.get("occurrence", 1)
    return list(re.finditer(pattern, text))[occurrence - 1].span()
