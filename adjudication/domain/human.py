"""Human performance (Wang et al. 2023, table 3): each annotator scored against the merge of all the others, never
against a gold that holds their own vote; with the filter that drops single votes, and without it (method.md 6)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from adjudication.domain.agreement.pairs import mean
from adjudication.domain.answered import AnsweredPassage
from adjudication.domain.merge import MergedPassage, MergeSettings, Target, Verdict, verdict_of
from adjudication.domain.scoring.sws import Counts, scores
from annotator.domain.answers import united
from annotator.domain.text import substitute_key

# Our names → the scorer's.
FIGURES = {
    "p_detection": "p_detection",
    "r_detection": "r_detection",
    "f_detection_05": "f_detection_05",
    "weighted_acc_detection": "weighted_acc_detection",
    "acc_recommendation": "acc_recommendation",
    "p_e2e": "p_e2e",
    "r_e2e": "r_e2e",
    "f_e2e_05": "f_e2e_05",
    "improvable_ratio": "substitute_rate",
}


@dataclass
class HumanCounts:
    """Of one annotator, against the others' gold: with the filter, and without."""

    filtered: Counts = field(default_factory=Counts)
    unfiltered: Counts = field(default_factory=Counts)

    def add(self, other: "HumanCounts") -> None:
        self.filtered.add(other.filtered)
        self.unfiltered.add(other.unfiltered)


def count_human(
    passage: AnsweredPassage, merged: MergedPassage, settings: MergeSettings, totals: dict[str, HumanCounts]
) -> None:
    """Into `totals`. `merged` is the merge of everybody: without one annotator's votes it is the merge of the rest."""
    folds, others = settings.folds_substitutes, len(passage.answers) - 1
    for annotator, answer in passage.answers.items():
        discards = len(passage.discarded_by - {annotator})
        if verdict_of(others, discards, settings) != Verdict.MERGED:
            continue
        own = {span: next(iter(keys), "") for span, keys in united(answer, folds=folds).items()}
        replaced = sum(first < end and start < last for first, last in own for start, end in passage.tokens)
        counts = totals.setdefault(annotator, HumanCounts())
        for count in (counts.filtered, counts.unfiltered):
            count.spans += len(own)
            count.words += len(passage.tokens)
            count.words_replaced += replaced
        for target in merged.targets:
            left = target.annotators - (annotator in target.voters)
            if left:
                _count_target(counts.unfiltered, target, annotator, own, folds)
            if left >= settings.keep_at:
                _count_target(counts.filtered, target, annotator, own, folds)


def _count_target(
    counts: Counts, target: Target, annotator: str, own: Mapping[tuple[int, int], str], folds: bool
) -> None:
    votes = {
        substitute_key(item.text, folds=folds): item.votes - (annotator in item.voters) for item in target.suggestions
    }
    total = sum(votes.values())
    counts.targets += 1
    counts.votes += total
    first = own.get((target.start, target.end))
    if first is not None:
        counts.found += 1
        counts.votes_found += total
        counts.first_right += votes.get(first, 0) > 0


def human_performance(counts: Mapping[str, HumanCounts]) -> dict[str, Any]:
    return {
        "with_filter": _averaged({name: found.filtered for name, found in counts.items()}),
        "without_filter": _averaged({name: found.unfiltered for name, found in counts.items()}),
    }


def _averaged(counts: Mapping[str, Counts]) -> dict[str, Any]:
    each = {name: _figures(found) for name, found in sorted(counts.items())}
    return {**{figure: _mean_of(figure, each.values()) for figure in FIGURES}, "annotators": each}


def _figures(counts: Counts) -> dict[str, float | None]:
    found = scores(counts)
    return {name: found[key] for name, key in FIGURES.items()}


def _mean_of(figure: str, each: Iterable[Mapping[str, float | None]]) -> float | None:
    return mean(found[figure] for found in each)
