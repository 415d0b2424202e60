"""A system's predictions for SWS: `{id: {"input_words", "substitute_topk": [[[text, start, end], [suggestion, …]]]}}`.

Spans count tokens. A bad file gets every problem named by its sentence; nothing in it is bent to fit.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from adjudication.domain.scoring.sws import PredictedSentence
from annotator.domain.errors import Invalid, Problem
from annotator.domain.formats.reading import clip
from annotator.domain.formats.sws_json import SwsSentence
from annotator.domain.strict_json import parse_json

MOST_SPANS = 1_000  # of a sentence
MOST_SUGGESTIONS = 100  # of a span
MAX_SUGGESTION = 1_000  # characters
MOST_NAMED = 20  # sentences of another data set, and those with a span without a suggestion


@dataclass(frozen=True)
class Besides:
    """What is not wrong, but may be meant otherwise; of both the first that are named. `extra`: entries about sentences
    that the gold does not have; they are ignored. `empty`: spans without a suggestion."""

    extra: int = 0
    extra_ids: tuple[str, ...] = ()
    empty: int = 0
    empty_sentences: int = 0
    empty_in: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        return {
            "extra_ids": self.extra,
            "extra_named": list(self.extra_ids),
            "empty_offers": self.empty,
            "empty_sentences": self.empty_sentences,
            "empty_named": list(self.empty_in),
        }


class WrongPredictions(Invalid):
    """With what else is to be said of the file."""

    def __init__(self, problems: list[Problem], besides: Besides) -> None:
        super().__init__(problems)
        self.besides = besides


@dataclass(frozen=True)
class Predictions:
    """What scorers do not look at, but who sent it should know: in how many sentences `input_words` are other tokens,
    and how many spans bear another text than their tokens."""

    sentences: dict[str, PredictedSentence] = field(default_factory=dict)
    besides: Besides = Besides()
    other_words: int = 0
    other_texts: int = 0


def read_predictions(data: bytes, gold: Sequence[SwsSentence]) -> Predictions:
    """The predictions for every sentence of the gold, or Invalid with all that is wrong."""
    entries = parse_json(data)
    if not isinstance(entries, dict):
        raise Invalid.of("shape", "Predictions are one object: an entry for each sentence id.")
    problems = [
        Problem("prediction", f"{sentence.id}: {wrong}", sentence.id)
        for sentence in gold
        for wrong in _problems(entries.get(sentence.id, _MISSING), len(sentence.tokens))
    ]
    besides = _besides(entries, {sentence.id for sentence in gold})
    if problems:
        raise WrongPredictions(problems, besides)
    found = {sentence.id: _predicted(entries[sentence.id]) for sentence in gold}
    return Predictions(
        found,
        besides,
        other_words=sum(_has_other_words(entries[sentence.id], sentence) for sentence in gold),
        other_texts=sum(_other_texts(entries[sentence.id], sentence) for sentence in gold),
    )


def _besides(entries: Mapping[str, Any], known: Collection[str]) -> Besides:
    """Also of a file with something wrong in it. In the order of the file."""
    extra = [name for name in entries if name not in known]
    empty = {name: times for name in entries if name in known and (times := _empty_in(entries[name]))}
    named = [tuple(clip(name) for name in islice(names, MOST_NAMED)) for names in (extra, empty)]
    return Besides(len(extra), named[0], sum(empty.values()), len(empty), named[1])


def _empty_in(entry: Any) -> int:
    spans = entry.get("substitute_topk") if isinstance(entry, dict) else None
    return sum(isinstance(item, list) and item[1:] == [[]] for item in spans) if isinstance(spans, list) else 0


_MISSING = object()


def _problems(entry: Any, tokens: int) -> list[str]:
    if entry is _MISSING:
        return ["it is missing from the predictions."]
    if not isinstance(entry, dict) or not {"input_words", "substitute_topk"} <= set(entry):
        return ["an entry has the keys input_words and substitute_topk."]
    words, spans = entry["input_words"], entry["substitute_topk"]
    found = []
    if not isinstance(words, str) and not _is_texts(words):
        found.append("input_words is a list of texts, or one text.")
    if not isinstance(spans, list):
        found.append("substitute_topk is a list.")
    elif len(spans) > MOST_SPANS:
        found.append(f"it has {len(spans):,} spans: {MOST_SPANS:,} are the most.")
    else:
        found += filter(None, (_problem_of(item, tokens) for item in spans))
    return found


def _problem_of(item: Any, tokens: int) -> str:
    """What is wrong with one span; nothing where all is well."""
    try:
        (text, start, end), suggestions = item
    except (TypeError, ValueError):
        return "a span is [[text, start, end], [suggestion, …]]."
    if not isinstance(text, str) or not _is_texts(suggestions):
        return "a span is [[text, start, end], [suggestion, …]]."
    if not all(isinstance(n, int) and not isinstance(n, bool) for n in (start, end)) or not 0 <= start < end <= tokens:
        return f"[{start!r}, {end!r}] is no span of {tokens} tokens."
    if len(suggestions) > MOST_SUGGESTIONS:
        return f"[{start}, {end}] has {len(suggestions):,} suggestions: {MOST_SUGGESTIONS} are the most."
    longest = max(map(len, suggestions), default=0)
    if longest > MAX_SUGGESTION:
        return f"a suggestion for [{start}, {end}] has {longest:,} characters: {MAX_SUGGESTION:,} are the most."
    return ""


def _predicted(entry: Any) -> PredictedSentence:
    """A text is divided by its characters, as the authors' script does."""
    spans = [((start, end), suggestions) for (_, start, end), suggestions in entry["substitute_topk"]]
    return PredictedSentence(len(entry["input_words"]), spans)


def _has_other_words(entry: Any, sentence: SwsSentence) -> bool:
    words = entry["input_words"]
    return isinstance(words, list) and words != list(sentence.tokens)


def _other_texts(entry: Any, sentence: SwsSentence) -> int:
    """A text may stand as its tokens or as the sentence has it."""
    return sum(
        text != " ".join(sentence.tokens[start:end]) and text != sentence.text_of((start, end))
        for (text, start, end), _ in entry["substitute_topk"]
    )


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
