"""Made-up work of any size: sentences of the length people write, and what ten annotators say about them."""

import csv
import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from adjudication.domain.agreement.marks import Marks

ANNOTATORS = tuple(f"A{number:02d}" for number in range(1, 11))
OFFERS = ("ample", "brief", "clear", "dense", "eager", "faint", "gentle", "humble")
# Sentences are made of these, clause by clause; 33 tokens each in the mean.
_WHO = """my grandmother/the old teacher/our neighbour/a young driver/the baker's son/her best friend/every student
the tired doctor/his uncle/the new manager/some visitors/the whole family"""
_DOES = """explained/remembered/didn't notice/wouldn't believe/described/couldn't forget/often mentioned/won't sell
has never understood/was looking for/finally accepted/doesn't like/kept talking about"""
_WHAT = """the broken window/a long-term plan/their first journey/the village market/many good ideas/a very big party
the price of bread/an important letter/some difficult questions/its own garden/the last 25 pages/a well-known song
the river behind the church/everybody's old shoes"""
_WHERE = """in the evening/after the heavy rain/at the end of the week/near the railway station/without any help
during the winter holidays/before breakfast/on the way home/in a small town/as if nothing happened"""
_CLAUSE = [re.split("[/\n]", parts) for parts in (_WHO, _DOES, _WHAT, _WHERE)]
_JOINED = [", and", ", but", " because", ", although", " while", ", so", " before", "; then"]
_SAID = ["I can't wait any longer", "you're always late", "that isn't what we meant", "let's go home", "nobody cares"]


@dataclass(frozen=True)
class Sentence:
    """`words`: where each word that may be marked begins and ends."""

    id: str
    text: str
    words: tuple[tuple[int, int], ...]


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


def texts(passages: int) -> Iterator[Sentence]:
    chance = random.Random(1)
    for number in range(passages):
        text = _text(chance)
        words = tuple(found.span() for found in re.finditer(r"(?<![\w'-])[a-z]+(?:-[a-z]+)*(?=[ ,;.])", text))
        yield Sentence(f"p{number:06d}", text, words)


def _text(chance: random.Random) -> str:
    """Two clauses or three, at times with something said."""
    text = _clause(chance)
    for _ in range(chance.choice((1, 1, 2))):
        text += f"{chance.choice(_JOINED)} {_clause(chance)}"
    if chance.random() < 0.2:
        text += f', saying "{chance.choice(_SAID)}"'
    return f"{text[0].upper()}{text[1:]}."


def _clause(chance: random.Random) -> str:
    return " ".join(chance.choice(parts) for parts in _CLAUSE)


def write_passages(path: Path, passages: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        for item in texts(passages):
            file.write(json.dumps({"id": item.id, "text": item.text, "group": item.id[:-1]}) + "\n")


def write_annotations(path: Path, passages: int) -> int:
    """One row a mark; how many rows. One mark in fifteen is of two words, and so may overlap others."""
    chance, rows = random.Random(2), 0
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["sentence_id", "annotator", "word to change", "substitutes", "type", "start", "end"])
        for item in texts(passages):
            for annotator in ANNOTATORS:
                for place in sorted(chance.sample(range(12), chance.randint(2, 5))):
                    start, end = item.words[place]
                    if chance.random() < 1 / 15:
                        end = item.words[place + 1][1]
                    offers = ";".join(chance.sample(OFFERS, 2))
                    type_ = chance.choice(["refine-usage", "diversify-expression"])
                    table.writerow([item.id, annotator, item.text[start:end], offers, type_, start, end])
                    rows += 1
    return rows
