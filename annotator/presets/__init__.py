"""Ready-made words for the presets: what each is for, the paper it follows, and guidelines to begin with."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from annotator.domain.protocols import PRESETS, not_yet

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class PresetWords:
    title: str
    sentence: str
    paper: str


WORDS = {
    "sws": PresetWords(
        "Smart word suggestions",
        "Annotators find the words that a careful writer would have chosen otherwise, and offer better ones.",
        "Wang et al. 2023, Smart Word Suggestions",
    ),
    "lexsub": PresetWords(
        "Lexical substitution",
        "One word of each sentence is given; annotators offer up to three words that could stand in its place.",
        "McCarthy and Navigli 2007, SemEval-2007 task 10",
    ),
    "hoo": PresetWords(
        "Helping our own",
        "Annotators correct what is wrong in a text, each correction with a code for the kind of error.",
        "Dale and Kilgarriff 2011, HOO 2011",
    ),
    "swords": PresetWords(
        "Stanford word substitution",
        "Candidates for a given word are there already; annotators say of each whether it fits.",
        "Lee et al. 2021, SWORDS",
    ),
    "wets": PresetWords(
        "Translation suggestion",
        "Experts mark what is wrong in a translation and offer alternatives, which others then judge.",
        "Yang et al. 2022, WeTS",
    ),
}


def offered() -> dict[str, PresetWords]:
    """Those that the workbench can do already."""
    return {name: WORDS[name] for name, protocol in PRESETS.items() if not not_yet(protocol)}


@lru_cache
def guidelines_for(preset: str) -> str:
    """A text of our own to begin with; "" where there is none."""
    return _text(f"{preset}.md")


@lru_cache
def policy_for(preset: str) -> str:
    """On looking things up, and on machines that write."""
    return _text(f"{preset}-looking-up.md")


def _text(name: str) -> str:
    path = FOLDER / name
    return path.read_text(encoding="utf-8").strip() if path.exists() else ""
