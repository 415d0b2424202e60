"""A passage of the gold as it leaves the house, and what is counted of it: pure, one passage at a time."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotator.domain.canonical import canonical_text
from annotator.domain.formats.cells import neutral
from annotator.domain.formats.sws_json import SwsSentence, SwsTarget
from annotator.domain.tokens import Span


@dataclass(frozen=True)
class GoldSuggestion:
    """`votes` as counted: 0 for what an adjudicator added, which files that know no 0 write as 1. Gold from elsewhere
    tells votes without voters."""

    text: str
    votes: int
    voters: tuple[str, ...]
    origin: str = "merged"  # or edited, joined, added, foreign

    @property
    def written_votes(self) -> int:
        return max(self.votes, 1)


@dataclass(frozen=True)
class GoldTarget:
    """`tokens`: its span in tokens; None where it is none, and SWS JSON cannot tell it."""

    start: int
    end: int
    quote: str
    tokens: Span | None
    type: str
    code: int
    annotators: int  # -1: not told
    of: int  # likewise
    fate: str  # merged, decided, added, foreign
    suggestions: tuple[GoldSuggestion, ...]

    @property
    def votes(self) -> int:
        return sum(item.votes for item in self.suggestions)

    @property
    def provenance(self) -> str:
        return "voted" if self.fate == "merged" else self.fate


@dataclass(frozen=True)
class GoldRow:
    id: str
    group: str
    lang: str
    text: str
    tokens: tuple[str, ...]
    context_before: str
    context_after: str
    targets: tuple[GoldTarget, ...]

    @property
    def words(self) -> int:
        """Tokens that hold a letter or a digit."""
        return sum(any(map(str.isalnum, token)) for token in self.tokens)

    @property
    def votes(self) -> int:
        return sum(target.votes for target in self.targets)


def sws_sentence(row: GoldRow) -> SwsSentence:
    """Without the targets that are no span of tokens."""
    targets = [
        SwsTarget(
            target.tokens,
            tuple((item.text, item.written_votes) for item in target.suggestions),
            target.code,
            target.annotators,
        )
        for target in row.targets
        if target.tokens is not None
    ]
    return SwsSentence(row.id, row.text, row.tokens, tuple(targets))


# The types of a row of `<split>.jsonl`, in the words of dataset libraries; a list is of what stands in it.
FLAT_TYPES: Mapping[str, Any] = {
    **dict.fromkeys(("id", "split", "group", "lang", "text", "context_before", "context_after"), "string"),
    "tokens": ["string"],
    "targets": [
        {
            **dict.fromkeys(("start", "end"), "int64"),
            "quote": "string",
            **dict.fromkeys(("token_start", "token_end"), "int64"),
            "type": "string",
            **dict.fromkeys(("annotators", "of", "votes"), "int64"),
            "provenance": "string",
            "suggestions": [{"text": "string", "votes": "int64", "provenance": "string"}],
        }
    ],
}


def flat_line(row: GoldRow, split: str) -> str:
    """One row of `<split>.jsonl`: every field of one type in every row, for pandas and the like."""
    return canonical_text(
        {
            "id": row.id,
            "split": split,
            "group": row.group,
            "lang": row.lang,
            "text": row.text,
            "context_before": row.context_before,
            "context_after": row.context_after,
            "tokens": list(row.tokens),
            "targets": [_flat_target(target) for target in row.targets],
        }
    )


def _flat_target(target: GoldTarget) -> dict[str, Any]:
    first, last = target.tokens or (-1, -1)
    return {
        "start": target.start,
        "end": target.end,
        "quote": target.quote,
        "token_start": first,
        "token_end": last,
        "type": target.type,
        "annotators": target.annotators,
        "of": target.of,
        "votes": target.votes,
        "provenance": target.provenance,
        "suggestions": [
            {"text": item.text, "votes": item.votes, "provenance": _provenance(item)} for item in target.suggestions
        ],
    }


def _provenance(item: GoldSuggestion) -> str:
    return "voted" if item.origin == "merged" else item.origin


VOTES_HEAD = (
    *("id", "split", "start", "end", "quote", "index", "of", "type"),
    *("suggestion", "votes", "voters", "provenance"),
)


def vote_rows(row: GoldRow, split: str) -> Iterator[tuple[str | int, ...]]:
    """A row of `votes.csv` for each suggestion, without formulas."""
    id_ = neutral(row.id)
    for target in row.targets:
        quote, type_ = neutral(target.quote), neutral(target.type)
        about = (id_, split, target.start, target.end, quote, target.annotators, target.of, type_)
        for item in target.suggestions:
            yield (*about, neutral(item.text), item.votes, neutral(" ".join(item.voters)), _provenance(item))


def _name(row: GoldRow, target: GoldTarget) -> str:
    return f"{row.id} [{target.start}, {target.end}) “{target.quote}”"


@dataclass
class SplitCounts:
    """What table 1 of the paper counts (Wang et al. 2023, 3.3), of one split."""

    sentences: int = 0
    words: int = 0
    targets: int = 0
    suggestions: int = 0
    labels: int = 0  # votes for suggestions
    phrases: int = 0  # targets of more than one word
    suggested_phrases: int = 0
    by_type: Counter[str] = field(default_factory=Counter)
    by_pos: Counter[tuple[str, str]] = field(default_factory=Counter)  # (part of speech, type)
    off_tokens: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)

    def count(self, row: GoldRow, parts_of_speech: Sequence[str] = ()) -> None:
        """`parts_of_speech` of the targets, in order; none where nobody asked, or the tagger cannot tell."""
        self.sentences += 1
        self.words += row.words
        for target in row.targets:
            self.targets += 1
            self.suggestions += len(target.suggestions)
            self.labels += target.votes
            self.phrases += len(target.quote.split()) > 1
            self.suggested_phrases += sum(len(item.text.split()) > 1 for item in target.suggestions)
            self.by_type[target.type] += 1
            if target.tokens is None:
                self.off_tokens.append(_name(row, target))
            self.added += [f"{_name(row, target)}: {item.text}" for item in target.suggestions if not item.votes]
        for target, part in zip(row.targets, parts_of_speech, strict=False):
            self.by_pos[(part, target.type)] += 1

    def as_dict(self) -> dict[str, Any]:
        numbers = ("sentences", "words", "targets", "suggestions", "labels", "phrases", "suggested_phrases")
        return {
            **{name: getattr(self, name) for name in numbers},
            "by_type": dict(sorted(self.by_type.items())),
            "by_pos": [[part, type_, times] for (part, type_), times in sorted(self.by_pos.items())],
            "off_tokens": len(self.off_tokens),
            "added": len(self.added),
        }


def added_up(counts: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Over all splits, of `as_dict`s."""
    sums: Counter[str] = Counter()
    types: Counter[str] = Counter()
    parts: Counter[tuple[str, str]] = Counter()
    for found in counts:
        sums.update({name: value for name, value in found.items() if isinstance(value, int)})
        types.update(found["by_type"])
        parts.update({(part, type_): times for part, type_, times in found["by_pos"]})
    by_pos = [[part, type_, times] for (part, type_), times in sorted(parts.items())]
    return {**sums, "by_type": dict(sorted(types.items())), "by_pos": by_pos}
