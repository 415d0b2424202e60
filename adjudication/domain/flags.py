"""What asks for somebody's eye in merged targets: overlaps, variants of a suggestion, near misses (method.md 5).

*Near* (a voting index at the threshold or one below) and *single* are filters, not reasons: they hold of nearly every
passage.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from adjudication.domain.merge import MergedPassage, Target, Verdict
from annotator.domain.text import substitute_key

MAX_QUOTE_KEY = 100
LEAST_LETTERS = 5  # from here on one letter more, less or other makes a variant
_LOOSE = str.maketrans("", "", " -‐‑'’")


@dataclass(frozen=True)
class TargetFlags:
    is_overlapping: bool  # with another target; both were marked by two at least
    has_variants: bool  # two suggestions of a kept target that are nearly the same
    is_near_miss: bool  # a single vote that overlaps a kept target and shares a substitute with it


@dataclass(frozen=True)
class PassageFlags:
    """How many of its targets have each; `asks`: one of the first four, or discards without a majority."""

    type_ties: int
    overlaps: int
    variants: int
    near_misses: int
    near: int
    singles: int
    asks: bool


def quote_key(quote: str) -> str:
    """By which the same word is found in other passages."""
    return substitute_key(quote, folds=True)[:MAX_QUOTE_KEY]


def target_flags(targets: Sequence[Target]) -> list[TargetFlags]:
    """`targets` of one passage, in order."""
    overlapping: set[int] = set()
    near_misses: set[int] = set()
    for one, two in _overlapping(targets):
        first, second = targets[one], targets[two]
        if first.annotators >= 2 and second.annotators >= 2:
            overlapping |= {one, two}
        for single, other in ((one, two), (two, one)):
            if targets[single].annotators == 1 and targets[other].is_kept and _shares(first, second):
                near_misses.add(single)
    return [
        TargetFlags(number in overlapping, target.is_kept and has_variants(target), number in near_misses)
        for number, target in enumerate(targets)
    ]


def passage_flags(merged: MergedPassage, flags: Sequence[TargetFlags], *, discards: int, keep_at: int) -> PassageFlags:
    near = (max(keep_at - 1, 1), keep_at)
    counts = {
        "type_ties": sum(target.is_kept and target.type_tie for target in merged.targets),
        "overlaps": sum(flag.is_overlapping for flag in flags),
        "variants": sum(flag.has_variants for flag in flags),
        "near_misses": sum(flag.is_near_miss for flag in flags),
    }
    is_merged = merged.verdict == Verdict.MERGED
    return PassageFlags(
        **counts,
        near=sum(target.annotators in near for target in merged.targets),
        singles=sum(target.annotators == 1 for target in merged.targets),
        asks=is_merged and (any(counts.values()) or discards > 0),
    )


def _overlapping(targets: Sequence[Target]) -> list[tuple[int, int]]:
    found = []
    for number, target in enumerate(targets):
        for later in range(number + 1, len(targets)):
            if targets[later].start >= target.end:
                break
            if target.start < targets[later].end:
                found.append((number, later))
    return found


def _shares(one: Target, two: Target) -> bool:
    return not {item.key for item in one.suggestions}.isdisjoint(item.key for item in two.suggestions)


def has_variants(target: Target) -> bool:
    """Two suggestions that are equal without hyphens, spaces, apostrophes and diacritics, or one letter apart."""
    near: dict[tuple[bool, str], list[str]] = {}
    for item in target.suggestions:
        loose = _loose(item.key)
        # Words that differ in one place begin or end alike: only those are compared.
        for side in ((True, loose[:2]), (False, loose[-2:])):
            if side not in near:
                near[side] = [loose]
            elif any(are_variants(loose, other) for other in near[side]):
                return True
            else:
                near[side].append(loose)
    return False


def variants_among(keys: Sequence[str]) -> list[list[str]]:
    """The groups of keys that are variants of each other, each in the order given."""
    groups: list[list[str]] = []
    for key in keys:
        near = [group for group in groups if any(are_variants(_loose(key), _loose(other)) for other in group)]
        groups = [group for group in groups if group not in near] + [[*(item for group in near for item in group), key]]
    return [group for group in groups if len(group) > 1]


def are_variants(one: str, two: str) -> bool:
    """Of two loose keys."""
    if one == two:
        return True
    if abs(len(one) - len(two)) > 1 or min(len(one), len(two)) < LEAST_LETTERS:
        return False
    start = next((n for n, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    rest, other = one[start:], two[start:]
    return rest[1:] == other[1:] or rest[1:] == other or rest == other[1:]


@lru_cache(maxsize=20_000)
def _loose(key: str) -> str:
    plain = unicodedata.normalize("NFKD", key).translate(_LOOSE)
    return "".join(char for char in plain if not unicodedata.combining(char))
