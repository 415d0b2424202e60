"""What controls and repeats tell of one person: whether they meet a known key, and how far they agree with themself.
Neither counts in merge, agreement between people, or export."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean

from annotator.domain.answers import Answer, united
from annotator.domain.protocols import Protocol
from annotator.domain.qualification import assess


def is_met(key: Answer, own: Answer, protocol: Protocol) -> bool:
    """By the rule of the qualification test, of this one passage."""
    return assess([(key, own)], protocol).is_passed


@dataclass(frozen=True)
class Twice:
    """Two answers of one person to one passage. Spans marked both times, and at least once; of each of the former the
    substitutes that are the same, and all."""

    spans_shared: int
    spans_either: int
    words: tuple[tuple[int, int], ...]


def compared(first: Answer, again: Answer, *, folds: bool) -> Twice:
    before, after = united(first, folds=folds), united(again, folds=folds)
    both = before.keys() & after.keys()
    words = ((len(before[s].keys() & after[s].keys()), len(before[s].keys() | after[s].keys())) for s in sorted(both))
    return Twice(len(both), len(before.keys() | after.keys()), tuple(words))


@dataclass(frozen=True)
class Checks:
    """Of one person. `spans`, `words`: PA_det and PA_sug with oneself, as between two people (method.md 6): the mean
    over repeats, and over all spans marked both times, of which there are `both`; None where there is none."""

    controls: int = 0
    met: int = 0
    repeats: int = 0
    spans: float | None = None
    words: float | None = None
    both: int = 0


def summed(controls: Sequence[bool], repeats: Sequence[Twice]) -> Checks:
    return Checks(
        controls=len(controls),
        met=sum(controls),
        repeats=len(repeats),
        spans=_mean((item.spans_shared, item.spans_either) for item in repeats),
        words=_mean(pair for item in repeats for pair in item.words),
        both=sum(len(item.words) for item in repeats),
    )


def together(people: Sequence[Checks]) -> Checks:
    """Of all of them: a repeat, and a span marked both times, weighs the same whoever it is of."""
    return Checks(
        controls=sum(one.controls for one in people),
        met=sum(one.met for one in people),
        repeats=sum(one.repeats for one in people),
        spans=_weighted((one.spans, one.repeats) for one in people),
        words=_weighted((one.words, one.both) for one in people),
        both=sum(one.both for one in people),
    )


def _weighted(means: Iterable[tuple[float | None, int]]) -> float | None:
    known = [(mean, weight) for mean, weight in means if mean is not None and weight]
    return sum(mean * weight for mean, weight in known) / sum(weight for _, weight in known) if known else None


def _mean(pairs: Iterable[tuple[int, int]]) -> float | None:
    """Of shares; nothing of nothing is full agreement."""
    shares = [float(Fraction(shared, either)) if either else 1.0 for shared, either in pairs]
    return fmean(shares) if shares else None
