"""What a release may be, what is asked for it, and what has to be known before it is frozen."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from annotator.domain.errors import Invalid
from annotator.domain.lengths import MAX_NOTE_LENGTH
from annotator.domain.states import move
from annotator.domain.text import line_problems

MAX_RELEASE_NAME = 200
MAX_SPLITS = 10
MAX_SPLIT_NAME = 20
MAX_SIZE = 999_999_999  # of a split
MOST_SEED = 2**31 - 1
POS_UP_TO = 5_000  # passages: beyond it parts of speech are left out unless somebody asks for them
RESERVED = ("all", "votes", "answers", "manifest", "readme", "croissant")  # names of files


class ReleaseKind(StrEnum):
    OWN = "own"
    FOREIGN = "foreign"  # read from a file: it has no voters


class ReleaseState(StrEnum):
    DRAFT = "draft"
    FROZEN = "frozen"
    WITHDRAWN = "withdrawn"


_S = ReleaseState
RELEASE_MOVES: Mapping[tuple[ReleaseState, str], ReleaseState] = {
    (_S.DRAFT, "build"): _S.DRAFT,
    (_S.DRAFT, "freeze"): _S.FROZEN,
    (_S.FROZEN, "withdraw"): _S.WITHDRAWN,
}


def moved(state: str, act: str) -> ReleaseState:
    return move(RELEASE_MOVES, ReleaseState(state), act, noun="release")


@dataclass(frozen=True)
class ReleaseSettings:
    """`sizes` are counts or shares; `with_pos`: parts of speech for table 2 of the card."""

    sizes: tuple[tuple[str, int], ...]
    seed: int = 1
    with_pos: bool = True

    def as_dict(self) -> dict[str, Any]:
        return {"sizes": [list(item) for item in self.sizes], "seed": self.seed, "with_pos": self.with_pos}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "ReleaseSettings":
        return cls(tuple((name, size) for name, size in data["sizes"]), data["seed"], data["with_pos"])


def parse_sizes(text: str) -> tuple[tuple[str, int], ...]:
    """`validation=200,test=800`. Whether a name may be new is asked by whoever knows which are placed already."""
    found = []
    for part in filter(None, (item.strip() for item in text.split(","))):
        name, equals, size = part.partition("=")
        if not equals or not size.strip().isdecimal() or int(size) > MAX_SIZE:
            raise Invalid.of("sizes", f"“{part[:40]}” is no size: write validation=200,test=800.", "sizes")
        found.append((name.strip(), int(size)))
    return checked_sizes(found, placed=[name for name, _ in found])


def checked_sizes(sizes: Sequence[tuple[str, int]], *, placed: Collection[str] = ()) -> tuple[tuple[str, int], ...]:
    """`placed`: splits that passages are in since an earlier release, whose names stay what they are."""
    names = [name for name, _ in sizes]
    if not 1 <= len(sizes) <= MAX_SPLITS:
        raise Invalid.of("sizes", f"A release has between 1 and {MAX_SPLITS} splits.", "sizes")
    for name in names:
        is_plain = name.isascii() and name.replace("-", "").replace("_", "").isalnum() and name == name.lower()
        if name in RESERVED:
            raise Invalid.of("sizes", f"“{name}” is no name for a split: another file of a release has it.", "sizes")
        if not is_plain or len(name) > MAX_SPLIT_NAME:
            raise Invalid.of("sizes", f"“{name[:40]}” is no name for a split: small letters, digits and _.", "sizes")
        if "-" in name and name not in placed:
            message = (
                f"“{name}” is no name for a split: readers of data sets take no “-” in it. "
                f"Write “{name.replace('-', '_')}”."
            )
            raise Invalid.of("sizes", message, "sizes")
    if len(set(names)) != len(names):
        raise Invalid.of("sizes", "Two splits have the same name.", "sizes")
    if not sum(size for _, size in sizes) or any(size < 0 for _, size in sizes):
        raise Invalid.of("sizes", "The sizes of the splits are whole numbers, not all of them 0.", "sizes")
    return tuple(sizes)


def check_words(name: str, notes: str) -> None:
    problems = line_problems(name, what="The name", path="name", most=MAX_RELEASE_NAME)
    problems += line_problems(notes, what="The notes", path="notes", most=MAX_NOTE_LENGTH)
    if problems:
        raise Invalid(problems)


@dataclass(frozen=True)
class CardField:
    key: str
    label: str
    hint: str


# What people say for the card; "not stated" stands there where they do not.
CARD_FIELDS = (
    CardField("description", "What it is", "one or two sentences: what the passages are and where they come from"),
    CardField("licence", "Licence", "an SPDX name such as cc-by-4.0"),
    CardField("recruitment", "Recruitment", "who annotated and adjudicated, and how they were found"),
    CardField("background", "Background", "first languages, training, experience"),
    CardField("pay", "Pay", "how much, by the hour or by the passage"),
    CardField("consent", "Consent", "of writers and of annotators"),
    CardField("ethics", "Ethics", "which board looked at it, and what it said"),
    CardField("ai_policy", "AI tools", "whether annotators might use them"),
    CardField("limits", "Limits", "what it should not be used for, what it does not cover"),
    CardField("contact", "Contact", "whom to write to"),
    CardField("citation", "Citation", "how to cite it"),
)
MAX_CARD_FIELD = 2_000


def unstated(values: Mapping[str, str], *, has_policy: bool) -> tuple[int, int]:
    """How much of the card is not stated, and of how much; the rule on looking things up stands with the guidelines."""
    return sum(field.key not in values for field in CARD_FIELDS) + (not has_policy), len(CARD_FIELDS) + 1


def checked_card(values: Mapping[str, Any]) -> dict[str, str]:
    """Only what is on the list, trimmed; an empty field is not stated."""
    if unknown := sorted(set(values) - {field.key for field in CARD_FIELDS}):
        raise Invalid.of("card", f"The card has no field “{unknown[0]}”.", "card")
    found, problems = {}, []
    for field in CARD_FIELDS:
        text = str(values.get(field.key, "")).replace("\r\n", "\n").strip()
        problems += line_problems(text, what=field.label, path=field.key, most=MAX_CARD_FIELD)
        if text:
            found[field.key] = text
    if problems:
        raise Invalid(problems)
    return found
