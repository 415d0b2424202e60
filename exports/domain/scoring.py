"""A system's predictions against gold, scored and signed."""

from collections.abc import Mapping, Sequence
from typing import Any

from adjudication.domain.scoring.sws import Counts, GoldTarget, count_sentence, scores
from adjudication.domain.signature import signature
from annotator.domain.formats.sws_json import SwsSentence
from exports.domain.predictions import Predictions


def score_sws(
    gold: Sequence[SwsSentence], predictions: Predictions, *, type_names: Mapping[int, str] | None = None
) -> dict[str, Any]:
    """The official keys first, then ours, then what was counted."""
    counts = Counts()
    for sentence in gold:
        targets = [
            GoldTarget(target.span, dict(target.suggestions), target.type, target.annotators)
            for target in sentence.targets
        ]
        counts.add(count_sentence(targets, predictions.sentences[sentence.id]))
    return {
        **scores(counts, type_names),
        "sentences": len(gold),
        "spans": counts.spans,
        "targets": counts.targets,
        "found": counts.found,
        "extra_ids": predictions.extra,
        "signature": signature("score", {"scorer": "sws", "spans": "tokens", "strings": "exact", "pooled": True}),
    }
