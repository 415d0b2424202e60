"""A system's predictions for SWS: `{id: {"input_words", "substitute_topk": [[[text, start, end], [suggestion, …]]]}}`.

Spans count tokens. A bad file gets every problem named by its sentence; nothing in it is bent to fit.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from adjudication.domain.scoring.sws import PredictedSentence
from annotator.domain.errors import Invalid, Problem
from annotator.domain.formats.sws_json import SwsSentence
from annotator.domain.strict_json import parse_json


@dataclass(frozen=True)
class Predictions:
    """`extra`: how many entries are about sentences that the gold does not have; they are ignored."""

    sentences: dict[str, PredictedSentence] = field(default_factory=dict)
    extra: int = 0


def read_predictions(data: bytes, gold: Sequence[SwsSentence]) -> Predictions:
    """The predictions for every sentence of the gold, or Invalid with all that is wrong."""
    entries = parse_json(data)
    if not isinstance(entries, dict):
        raise Invalid.of("shape", "Predictions are one object: an entry for each sentence id.")
    found, problems = {}, []
    for sentence in gold:
        try:
            if sentence.id not in entries:
                raise _wrong("it is missing from the predictions.")
            found[sentence.id] = _predicted(entries[sentence.id], len(sentence.tokens))
        except Invalid as error:
            problems += [Problem("prediction", f"{sentence.id}: {p.message}", sentence.id) for p in error.problems]
    if problems:
        raise Invalid(problems)
    return Predictions(found, extra=len(entries.keys() - found.keys()))


def _wrong(message: str) -> Invalid:
    return Invalid.of("prediction", message)


def _predicted(entry: Any, tokens: int) -> PredictedSentence:
    if not isinstance(entry, dict) or not {"input_words", "substitute_topk"} <= set(entry):
        raise _wrong("an entry has the keys input_words and substitute_topk.")
    words, spans = entry["input_words"], entry["substitute_topk"]
    if not isinstance(words, str) and not _is_texts(words):
        raise _wrong("input_words is a list of texts, or one text.")
    if not isinstance(spans, list):
        raise _wrong("substitute_topk is a list.")
    # A text is divided by its characters, as the authors' script does.
    return PredictedSentence(len(words), [_span(item, tokens) for item in spans])


def _span(item: Any, tokens: int) -> tuple[tuple[int, int], Sequence[str]]:
    try:
        (text, start, end), suggestions = item
    except (TypeError, ValueError):
        raise _wrong("a span is [[text, start, end], [suggestion, …]].") from None
    if not isinstance(text, str) or not _is_texts(suggestions):
        raise _wrong("a span is [[text, start, end], [suggestion, …]].")
    if not all(isinstance(n, int) and not isinstance(n, bool) for n in (start, end)) or not 0 <= start < end <= tokens:
        raise _wrong(f"[{start!r}, {end!r}] is no span of {tokens} tokens.")
    return (start, end), suggestions


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
