"""Human performance (Wang et al. 2023, table 3): each annotator scored against the merge of all the others, never
against a gold that holds their own vote; with the filter that drops single votes, and without it (method.md 6)."""

from collections.abc import Iterable, Mapping
from typing import Any

from adjudication.domain.agreement.counting import SCORED, SCORED_TWICE
from adjudication.domain.agreement.marks import Ints
from adjudication.domain.agreement.pairs import mean
from adjudication.domain.scoring.sws import Counts, scores

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


def human_performance(annotators: tuple[str, ...], scored: Ints, scored_twice: Ints) -> dict[str, Any]:
    """Of those whose answers there was a gold of the others for."""
    filters = {"with_filter": 0, "without_filter": 1}
    each: dict[str, dict[str, Counts]] = {name: {} for name in filters}
    for number, annotator in enumerate(annotators):
        once = dict(zip(SCORED, scored[number].tolist(), strict=True))
        if not once["words"]:
            continue
        for name, which in filters.items():
            counted = dict(zip(SCORED_TWICE, scored_twice[number, which].tolist(), strict=True))
            each[name][annotator] = Counts(**once, **counted)
    return {name: _averaged(found) for name, found in each.items()}


def _averaged(counts: Mapping[str, Counts]) -> dict[str, Any]:
    each = {name: _figures(found) for name, found in sorted(counts.items())}
    return {**{figure: _mean_of(figure, each.values()) for figure in FIGURES}, "annotators": each}


def _figures(counts: Counts) -> dict[str, float | None]:
    found = scores(counts)
    return {name: found[key] for name, key in FIGURES.items()}


def _mean_of(figure: str, each: Iterable[Mapping[str, float | None]]) -> float | None:
    return mean(found[figure] for found in each)
