"""Made-up work of any size: passages of made-up words, and what ten annotators say about them."""

import csv
import json
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from adjudication.domain.agreement.marks import Marks

WORDS = [f"{a}{b}{c}" for a in ("ba", "de", "ki", "lo", "mu") for b in ("n", "r", "st", "l") for c in "aeiou"]
ANNOTATORS = tuple(f"A{number:02d}" for number in range(1, 11))


def marks(passages: int) -> Marks:
    """Ten annotators, 3.5 marks a passage each, two substitutes a mark, near enough to each other to agree at times."""
    chance = np.random.default_rng(1)
    people, answers = len(ANNOTATORS), passages * len(ANNOTATORS)
    # Of twelve words so many in a row, from a word on that is drawn: no span twice.
    each = chance.integers(2, 6, answers)
    answer = np.repeat(np.arange(answers), each)
    place = np.arange(len(answer)) - (np.cumsum(each) - each)[answer]
    word = (np.repeat(chance.integers(0, 12, answers), each) + 2 * place) % 12
    start = 8 * word
    offers = np.repeat(np.arange(len(answer)), 2)
    keys = np.stack([chance.integers(0, 8, len(answer)), chance.integers(8, 16, len(answer))], axis=1).ravel()
    return Marks(
        passages,
        np.repeat(np.arange(passages), people),
        np.tile(np.arange(people), passages),
        answer,
        start,
        start + 5,
        offers,
        (keys + 1).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15),  # as spread out as hashes are
        chance.integers(0, 2, len(offers)),
    )


def texts(passages: int) -> Iterator[tuple[str, list[str]]]:
    chance = random.Random(1)
    for number in range(passages):
        yield f"p{number:06d}", [chance.choice(WORDS) for _ in range(18)]


def write_passages(path: Path, passages: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        for name, words in texts(passages):
            file.write(json.dumps({"id": name, "text": " ".join(words) + ".", "group": name[:-1]}) + "\n")


def write_annotations(path: Path, passages: int) -> int:
    """One row a mark; how many rows."""
    chance, rows = random.Random(2), 0
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["sentence_id", "annotator", "word to change", "substitutes", "type", "start", "end"])
        for name, words in texts(passages):
            for annotator in ANNOTATORS:
                for place in sorted(chance.sample(range(12), chance.randint(2, 5))):
                    start = sum(len(word) + 1 for word in words[:place])
                    offers = ";".join(chance.sample(WORDS[:8], 2))
                    type_ = chance.choice(["refine-usage", "diversify-expression"])
                    table.writerow([name, annotator, words[place], offers, type_, start, start + len(words[place])])
                    rows += 1
    return rows
