"""Scoring a system against SWS gold (Wang et al. 2023, 4.3 and 6.2; method.md 7).

Counts per sentence, added up, then divided: three small steps. The official keys count exactly as the authors' script
does, oddities included, for its two types; our own keys (`*_dedup`, `ndcg_1` … `ndcg_4`, recall per voting index,
`by_type`) stand beside them.
Undefined (a division by nothing) is None, and F is 0 where precision and recall are.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import accumulate
from typing import Any

Span = tuple[int, int]
CUTS = (1, 2, 3, 4)  # m of NDCG_m
GAIN = 2**30  # a gain of 1 in sums of whole numbers, which are the same in any order and on any machine
OFFICIAL_TYPES = (1, 2)


@dataclass(frozen=True)
class GoldTarget:
    """Suggestions with their votes; `type` is the number in the file."""

    span: Span
    suggestions: Mapping[str, int]
    type: int
    annotators: int | None = None  # the voting index; an SWS JSON from elsewhere does not tell it

    @property
    def votes(self) -> int:
        return sum(self.suggestions.values())


@dataclass(frozen=True)
class PredictedSentence:
    """`spans` in file order, each with its suggestions, best first; `words`: what the substitute rate divides by."""

    words: int
    spans: Sequence[tuple[Span, Sequence[str]]]


@dataclass
class Counts:
    """Sums over sentences. Everything is a whole number but the gains, which are summed exactly at the end."""

    spans: int = 0
    targets: int = 0
    found: int = 0
    first_right: int = 0
    targets_by_type: Counter[int] = field(default_factory=Counter)
    found_by_type: Counter[int] = field(default_factory=Counter)
    first_right_by_type: Counter[int] = field(default_factory=Counter)
    votes: int = 0
    votes_found: int = 0
    targets_by_votes: Counter[int] = field(default_factory=Counter)
    found_by_votes: Counter[int] = field(default_factory=Counter)
    targets_by_annotators: Counter[int] = field(default_factory=Counter)  # 0: not told
    found_by_annotators: Counter[int] = field(default_factory=Counter)
    offered: int = 0
    offered_once: int = 0  # without repetitions
    wanted: int = 0
    right: int = 0
    gains: list[float] = field(default_factory=list)
    gains_once: list[float] = field(default_factory=list)
    gains_cut: dict[int, list[float]] = field(default_factory=lambda: {cut: [] for cut in CUTS})
    gains_cut_once: dict[int, list[float]] = field(default_factory=lambda: {cut: [] for cut in CUTS})
    words_replaced: int = 0
    words_replaced_once: int = 0  # without repeated spans
    words: int = 0

    def add(self, other: "Counts") -> None:
        mine, theirs = vars(self), vars(other)
        for name in _WHOLE_NUMBERS:
            mine[name] += theirs[name]
        for name in _COUNTERS:
            counter = mine[name]
            for index, times in theirs[name].items():  # a few: quicker than Counter.update, which asks what it is given
                counter[index] = counter.get(index, 0) + times
        for name in _LISTS:
            mine[name].extend(theirs[name])
        for name in _BY_CUT:
            for cut in CUTS:
                mine[name][cut].extend(theirs[name][cut])


def _of_kind(kind: type) -> tuple[str, ...]:
    return tuple(name for name, value in vars(Counts()).items() if type(value) is kind)


_WHOLE_NUMBERS, _COUNTERS, _LISTS, _BY_CUT = (_of_kind(kind) for kind in (int, Counter, list, dict))


def count_sentence(gold: Iterable[GoldTarget], predicted: PredictedSentence) -> Counts:
    """Of a repeated span the last counts, in the prediction and in the gold; a target without a suggestion is none."""
    counts = Counts(words=predicted.words)
    counts.words_replaced = sum(end - start for (start, end), _ in predicted.spans)
    offers = dict(predicted.spans)
    counts.words_replaced_once = sum(end - start for start, end in offers)
    counts.spans = len(offers)
    real = [target for target in gold if target.suggestions]
    for (span, type_), target in {(target.span, target.type): target for target in real}.items():
        counts.targets_by_type[type_] += 1
        counts.found_by_type[type_] += span in offers
        counts.first_right_by_type[type_] += _is_first_right(offers.get(span, ()), target)
    for span, target in {target.span: target for target in real}.items():
        votes = target.votes
        counts.targets += 1
        counts.votes += votes
        counts.targets_by_votes[votes] += 1
        counts.targets_by_annotators[target.annotators or 0] += 1
        if span in offers:
            counts.found += 1
            counts.votes_found += votes
            counts.found_by_votes[votes] += 1
            counts.found_by_annotators[target.annotators or 0] += 1
            _count_offer(counts, list(offers[span]), target)
    return counts


def _is_first_right(offer: Sequence[str], target: GoldTarget) -> bool:
    return bool(offer) and offer[0] in target.suggestions


def _count_offer(counts: Counts, offer: list[str], target: GoldTarget) -> None:
    once = list(dict.fromkeys(offer))
    counts.offered += len(offer)
    counts.offered_once += len(once)
    counts.wanted += len(target.suggestions)
    counts.right += len(set(offer) & set(target.suggestions))
    counts.first_right += _is_first_right(offer, target)
    ideal = discounted(sorted(target.suggestions.values(), reverse=True))
    _count_gains(counts.gains, counts.gains_cut, offer, target, ideal)
    _count_gains(counts.gains_once, counts.gains_cut_once, once, target, ideal)


def _count_gains(
    gains: list[float],
    gains_cut: Mapping[int, list[float]],
    offer: Sequence[str],
    target: GoldTarget,
    ideal: Sequence[float],
) -> None:
    """Of the whole list, against the best list as long; and cut at m, against the best list of m."""
    found = discounted([target.suggestions.get(text, 0) for text in offer])
    gains.append(ndcg(found[-1], ideal, len(offer)))
    for cut in CUTS:
        gains_cut[cut].append(ndcg(found[min(cut, len(offer))], ideal, cut))


def ndcg(gain: float, ideal: Sequence[float], cut: int) -> float:
    """`ideal`: the discounted gains of the best list, by its length. An empty offer gains nothing."""
    best = ideal[min(cut, len(ideal) - 1)]
    return gain / best if best else 0.0


def discounted(gains: Sequence[int]) -> list[float]:
    """Gain over log2(rank + 1), summed over the first n, for n from 0 on."""
    return list(accumulate((gain / discount(rank) for rank, gain in enumerate(gains, start=1)), initial=0.0))


@cache
def discount(rank: int) -> float:
    return math.log(rank + 1, 2)


def scores(counts: Counts, type_names: Mapping[int, str] | None = None) -> dict[str, Any]:
    """The official keys first, then ours. Where no names are given, those of the types are their numbers."""
    targets, found, first_right = counts.targets, counts.found, counts.first_right
    p_detection, r_detection = _ratio(found, counts.spans), _ratio(found, targets)
    p_recommendation, r_recommendation = _ratio(counts.right, counts.offered), _ratio(counts.right, counts.wanted)
    p_once = _ratio(counts.right, counts.offered_once)
    p_e2e, r_e2e = _ratio(first_right, counts.spans), _ratio(first_right, targets)
    return {
        "p_detection": p_detection,
        "r_detection": r_detection,
        "r_detection_type": [
            _ratio(counts.found_by_type[kind], counts.targets_by_type[kind]) for kind in OFFICIAL_TYPES
        ],
        "f_detection": f_score(p_detection, r_detection),
        "f_detection_05": f_score(p_detection, r_detection, beta=0.5),
        "weighted_acc_detection": _ratio(counts.votes_found, counts.votes),
        "p_recommendation": p_recommendation,
        "r_recommendation": r_recommendation,
        "f_recommendation": f_score(p_recommendation, r_recommendation),
        "f_recommendation_05": f_score(p_recommendation, r_recommendation, beta=0.5),
        "ndcg_recommendation": _mean(counts.gains, found),
        "acc_recommendation": _ratio(first_right, found),
        "acc_recommendation_type": [
            _ratio(counts.first_right_by_type[kind], counts.found_by_type[kind]) for kind in OFFICIAL_TYPES
        ],
        "p_e2e": p_e2e,
        "r_e2e": r_e2e,
        "r_e2e_type": [
            _ratio(counts.first_right_by_type[kind], counts.targets_by_type[kind]) for kind in OFFICIAL_TYPES
        ],
        "f_e2e": f_score(p_e2e, r_e2e),
        "f_e2e_05": f_score(p_e2e, r_e2e, beta=0.5),
        "substitute_rate": _ratio(counts.words_replaced, counts.words),
        "p_recommendation_dedup": p_once,
        "f_recommendation_dedup": f_score(p_once, r_recommendation),
        "f_recommendation_05_dedup": f_score(p_once, r_recommendation, beta=0.5),
        "ndcg_recommendation_dedup": _mean(counts.gains_once, found),
        "substitute_rate_dedup": _ratio(counts.words_replaced_once, counts.words),
        **{f"ndcg_{cut}": _mean(counts.gains_cut[cut], found) for cut in CUTS},
        **{f"ndcg_{cut}_dedup": _mean(counts.gains_cut_once[cut], found) for cut in CUTS},
        "r_detection_by_votes": _recall_by(counts.found_by_votes, counts.targets_by_votes),
        **_by_annotators(counts),
        "by_type": _by_type(counts, type_names),
    }


def _by_type(counts: Counts, names: Mapping[int, str] | None) -> dict[str, dict[str, Any]]:
    """Of every type that is named or met, in the order of their numbers."""
    named = (
        {code: str(code) for code in sorted(counts.targets_by_type)} if names is None else dict(sorted(names.items()))
    )
    return {
        name: {
            "targets": counts.targets_by_type[code],
            "r_detection": _ratio(counts.found_by_type[code], counts.targets_by_type[code]),
            "acc_recommendation": _ratio(counts.first_right_by_type[code], counts.found_by_type[code]),
            "r_e2e": _ratio(counts.first_right_by_type[code], counts.targets_by_type[code]),
        }
        for code, name in named.items()
    }


def _recall_by(found: Counter[int], targets: Counter[int]) -> dict[str, float | None]:
    return {str(index): _ratio(found[index], targets[index]) for index in sorted(targets)}


def _by_annotators(counts: Counts) -> dict[str, Any]:
    """The same by the voting index in persons, where the gold was made here and tells it; the code counts by votes."""
    found, targets = counts.found_by_annotators, counts.targets_by_annotators
    is_told = bool(targets) and not targets[0]
    weighed = [sum(index * times for index, times in counter.items()) for counter in (found, targets)]
    return {
        "weighted_acc_detection_annotators": _ratio(*weighed) if is_told else None,
        "r_detection_by_annotators": _recall_by(found, targets) if is_told else None,
    }


def _ratio(above: int, below: int) -> float | None:
    return float(Fraction(above, below)) if below else None


def _mean(values: Sequence[float], count: int) -> float | None:
    return math.fsum(sorted(values)) / count if count else None


def f_score(precision: float | None, recall: float | None, *, beta: float = 1.0) -> float | None:
    if precision is None or recall is None:
        return None
    weighted = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / weighted if weighted else 0.0
