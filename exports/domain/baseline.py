"""The rule-based system of Wang et al. 2023 (5.1): synonyms for every entry of a thesaurus that a sentence holds."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import islice
from typing import Any

from adjudication.domain.signature import signature
from exports.domain.entries import EntryFinder

TOP = 5  # suggestions for one span, as many as the scorer looks at


@dataclass(frozen=True)
class SystemSentence:
    """What a system says about one sentence: (start, end) in tokens with its suggestions, the best first."""

    id: str
    tokens: Sequence[str]
    spans: Sequence[tuple[tuple[int, int], Sequence[str]]]


def suggested(id: str, tokens: Sequence[str], finder: EntryFinder, *, top: int = TOP) -> SystemSentence:
    """Greedy: all entries, each with up to `top` synonyms in the order of the thesaurus."""
    spans = []
    for entry in finder.entries(tokens):
        if offers := list(islice(finder.offers(entry, tokens), top)):
            spans.append(((entry.start, entry.end), offers))
    return SystemSentence(id, tokens, spans)


def write_predictions(sentences: Iterable[SystemSentence]) -> Iterator[str]:
    """As `read_predictions` reads them, and as SWS JSON is written: indent 4, ASCII, no final newline."""
    opening = "{\n    "
    for sentence in sentences:
        entry = {
            "input_words": list(sentence.tokens),
            "substitute_topk": [
                [[" ".join(sentence.tokens[start:end]), start, end], list(suggestions)]
                for (start, end), suggestions in sentence.spans
            ],
        }
        yield f"{opening}{json.dumps(sentence.id)}: " + json.dumps(entry, indent=4).replace("\n", "\n    ")
        opening = ",\n    "
    yield "{}" if opening.startswith("{") else "\n}"


def system_signature(what: str, finder: EntryFinder, *, thesaurus: str, **settings: Any) -> str:
    """`thesaurus`: the hash of its files. Other versions of the packages may tag and inflect otherwise."""
    tagger = f"HanTa-{version('HanTa')}" if finder.with_tagger else "none"
    forms = f"lemminflect-{version('lemminflect')}"
    entries = len(finder.thesaurus)
    return signature(what, {**settings, "tagger": tagger, "forms": forms, "thesaurus": thesaurus, "entries": entries})
