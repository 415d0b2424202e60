"""A system's predictions against gold, scored and signed."""

from collections.abc import Mapping, Sequence
from typing import Any

from adjudication.domain.scoring.sws import Counts, GoldTarget, PredictedSentence, count_sentence, scores
from adjudication.domain.signature import signature
from annotator.domain.formats.sws_json import SwsSentence
from exports.domain.predictions import Predictions


def names_by_code(codes: Mapping[str, int]) -> dict[int, str]:
    """The types by the number that stands in the file, which some may share."""
    found: dict[int, str] = {}
    for key, code in codes.items():
        found[code] = f"{found[code]}, {key}" if code in found else key
    return found


def counts_of(sentence: SwsSentence, predicted: PredictedSentence) -> Counts:
    targets = [
        GoldTarget(target.span, dict(target.suggestions), target.type, target.annotators) for target in sentence.targets
    ]
    return count_sentence(targets, predicted)


def score_sws(
    gold: Sequence[SwsSentence], predictions: Predictions, *, type_names: Mapping[int, str] | None = None
) -> dict[str, Any]:
    """The official keys first, then ours, then what was counted."""
    counts = Counts()
    for sentence in gold:
        counts.add(counts_of(sentence, predictions.sentences[sentence.id]))
    return {**scores(counts, type_names), **signed(counts, len(gold), predictions)}


def signed(counts: Counts, sentences: int, predictions: Predictions) -> dict[str, Any]:
    """What was counted, and how."""
    return {
        "sentences": sentences,
        "spans": counts.spans,
        "targets": counts.targets,
        "found": counts.found,
        "extra_ids": predictions.besides.extra,
        "signature": signature("score", {"scorer": "sws", "spans": "tokens", "strings": "exact", "pooled": True}),
    }
