"""Human performance (Wang et al. 2023, table 3): each annotator scored against the merge of all the others, never
against a gold that holds their own vote; with the filter that drops single votes, and without it (method.md 6)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from adjudication.domain.agreement.counting import SCORED, SCORED_TWICE
from adjudication.domain.agreement.marks import Ints
from adjudication.domain.agreement.pairs import mean
from adjudication.domain.scoring.sws import CUTS, GAIN, Counts, scores

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
    **{f"ndcg_{cut}": f"ndcg_{cut}" for cut in CUTS},
}
RECALL = "r_detection_by_annotators"  # {voting index in the gold of the others: recall}

ByIndex = Mapping[str, Mapping[tuple[int, ...], int]]  # "targets", "found": {(annotator, index): how many}


def human_performance(
    annotators: tuple[str, ...], scored: Ints, scored_twice: Ints, gained: Ints, by_index: ByIndex, *, keep_at: int
) -> dict[str, Any]:
    """Of those whose answers there was a gold of the others for."""
    filters = {"with_filter": keep_at, "without_filter": 1}
    each: dict[str, dict[str, Counts]] = {name: {} for name in filters}
    for number, annotator in enumerate(annotators):
        once = dict(zip(SCORED, scored[number].tolist(), strict=True))
        if not once["words"]:
            continue
        for which, (name, least) in enumerate(filters.items()):
            counted = dict(zip(SCORED_TWICE, scored_twice[number, which].tolist(), strict=True))
            gains = zip(CUTS, gained[number, which].tolist(), strict=True)
            each[name][annotator] = Counts(
                **once,
                **counted,
                gains_cut={cut: [gain / GAIN] for cut, gain in gains},
                targets_by_annotators=_of(number, by_index["targets"], least),
                found_by_annotators=_of(number, by_index["found"], least),
            )
    return {name: _averaged(found) for name, found in each.items()}


def _of(annotator: int, by_index: Mapping[tuple[int, ...], int], least: int) -> Counter[int]:
    return Counter({index: times for (who, index), times in by_index.items() if who == annotator and index >= least})


def _averaged(counts: Mapping[str, Counts]) -> dict[str, Any]:
    each = {name: _figures(found) for name, found in sorted(counts.items())}
    rows = each.values()
    recall = [row[RECALL] for row in rows]
    indexes = sorted({index for found in recall for index in found}, key=int)
    return {
        **{figure: _mean_of(figure, rows) for figure in FIGURES},
        RECALL: {index: mean(found.get(index) for found in recall) for index in indexes},
        "annotators": each,
    }


def _figures(counts: Counts) -> dict[str, Any]:
    found = scores(counts)
    return {**{name: found[key] for name, key in FIGURES.items()}, RECALL: found[RECALL] or {}}


def _mean_of(figure: str, each: Iterable[Mapping[str, Any]]) -> float | None:
    return mean(found[figure] for found in each)
