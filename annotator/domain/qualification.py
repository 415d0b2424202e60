"""The qualification test: an annotator's answers to test passages against the key (method.md 2, sws).

Passed with a mean span F0.5 of at least `qualify_f05`, and at least the share `qualify_shared` of the hit marks having
a substitute in common with the key.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Any

from annotator.domain.answers import Answer, united
from annotator.domain.protocols import Protocol


class Qualification(StrEnum):
    """Where somebody stands with the test; NONE: they were not asked to take one."""

    NONE = ""
    PENDING = "pending"
    PASSED = "passed"
    FAILED = "failed"


_BETA_SQUARED = Fraction(1, 4)  # F0.5


@dataclass(frozen=True)
class Assessment:
    """`f05`: the mean over passages; `hit` of `wanted`: marks of the key that were found; `beyond`: marks that are not
    in it; `shared` of `hit`: hit marks with a substitute of the key."""

    f05: Fraction
    hit: int
    shared: int
    wanted: int
    beyond: int
    is_passed: bool

    def as_dict(self) -> dict[str, Any]:
        marks = {"hit": self.hit, "shared": self.shared, "wanted": self.wanted, "beyond": self.beyond}
        return {"f05": f"{float(self.f05):.4f}", **marks, "is_passed": self.is_passed}


def assess(pairs: Sequence[tuple[Answer, Answer]], protocol: Protocol) -> Assessment:
    """`pairs`: the key and the annotator's answer, of each test passage."""
    scores, hit, shared, in_key, beyond, folds = [], 0, 0, 0, 0, protocol.folds_substitutes
    for key, own in pairs:
        wanted, given = united(key, folds=folds), united(own, folds=folds)
        common = wanted.keys() & given.keys()
        scores.append(_f05(len(common), len(given), len(wanted)))
        hit += len(common)
        in_key += len(wanted)
        beyond += len(given) - len(common)
        shared += sum(bool(wanted[span].keys() & given[span].keys()) for span in common)
    mean = sum(scores, Fraction()) / len(scores) if scores else Fraction()
    has_spans = mean >= _share(protocol.qualify_f05)
    has_words = hit == 0 or Fraction(shared, hit) >= _share(protocol.qualify_shared)
    return Assessment(mean, hit, shared, in_key, beyond, bool(scores) and has_spans and has_words)


def _f05(common: int, given: int, wanted: int) -> Fraction:
    """1 where neither marks anything: there was nothing to find."""
    if not given and not wanted:
        return Fraction(1)
    if not common:
        return Fraction()
    precision, recall = Fraction(common, given), Fraction(common, wanted)
    return (1 + _BETA_SQUARED) * precision * recall / (_BETA_SQUARED * precision + recall)


def _share(text: str) -> Fraction:
    return Fraction(Decimal(text or "0"))
