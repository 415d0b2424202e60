"""Everything that is counted for an agreement report, passage by passage; counts of shards add up."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from itertools import combinations
from typing import Any

from adjudication.domain.agreement.marks import CHUNK, marks_of
from adjudication.domain.agreement.pairs import BothEmpty, Pair, PairCounts, add_up, compare, count_compared
from adjudication.domain.agreement.resampling import Resamples, chunk_weights, unit_of
from adjudication.domain.agreement.spans import largest_matching
from adjudication.domain.agreement.types import TypeCounts, count_types
from adjudication.domain.agreement.words import WordCounts, count_words
from adjudication.domain.answered import AnsweredPassage
from adjudication.domain.human import HumanCounts, count_human
from adjudication.domain.merge import MergeSettings, merge_passage
from annotator.domain.answers import united


@dataclass(frozen=True)
class AgreementSettings:
    """`min_shared`: a pair with fewer common passages is pointed out, and stays in the mean."""

    merge: MergeSettings
    both_empty: BothEmpty = BothEmpty.ONE
    min_shared: int = 10
    resamples: int = 1000
    seed: str = "assay"

    def as_dict(self) -> dict[str, Any]:
        """All that makes a report another one: its key and its signature are made of this."""
        own = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "merge"}
        return {**own, "rounds": "first", "merge": self.merge.as_dict()}


@dataclass
class AgreementCounts:
    """`volume`: {(annotator, what): how many}; `gold`: what the shares of the merged gold divide."""

    annotators: tuple[str, ...]
    resamples: Resamples
    pairs: dict[Pair, PairCounts] = field(default_factory=dict)
    matched: Counter[Pair] = field(default_factory=Counter)
    types: dict[Pair, TypeCounts] = field(default_factory=dict)
    words: WordCounts = field(default_factory=Counter)
    volume: Counter[tuple[str, str]] = field(default_factory=Counter)
    answers_per_passage: Counter[int] = field(default_factory=Counter)
    discards_per_passage: Counter[int] = field(default_factory=Counter)
    discarded_by_both: Counter[Pair] = field(default_factory=Counter)
    discarded_by_either: Counter[Pair] = field(default_factory=Counter)
    gold: Counter[str] = field(default_factory=Counter)
    human: dict[str, HumanCounts] = field(default_factory=dict)

    @classmethod
    def empty(cls, annotators: Sequence[str], settings: AgreementSettings) -> "AgreementCounts":
        names = tuple(sorted(annotators))
        pairs = tuple(combinations(names, 2))
        return cls(
            annotators=names,
            resamples=Resamples.empty(pairs, settings.resamples),
            pairs={pair: PairCounts() for pair in pairs},
            types={pair: Counter() for pair in pairs},
        )

    def add(self, other: "AgreementCounts") -> None:
        self.resamples.add(other.resamples)
        self.pairs = add_up([self.pairs, other.pairs])
        for pair, counts in other.types.items():
            self.types[pair].update(counts)
        for mine, theirs in zip(self._counters(), other._counters(), strict=True):
            mine.update(theirs)
        for name, human in other.human.items():
            self.human.setdefault(name, HumanCounts()).add(human)

    def _counters(self) -> list[Counter[object]]:
        return [found for found in vars(self).values() if isinstance(found, Counter)]


def count_passages(
    passages: Sequence[AnsweredPassage], annotators: Sequence[str], settings: AgreementSettings
) -> AgreementCounts:
    counts = AgreementCounts.empty(annotators, settings)
    for first in range(0, len(passages), CHUNK):
        _count_pairs(counts, passages[first : first + CHUNK], settings)
    for passage in passages:
        _count_passage(counts, passage, settings.merge)
    return counts


def _count_pairs(counts: AgreementCounts, passages: Sequence[AnsweredPassage], settings: AgreementSettings) -> None:
    marks = marks_of(passages, counts.annotators, folds=settings.merge.folds_substitutes)
    compared = list(compare(marks))
    for found in compared:
        count_compared(found, counts.pairs[found.pair])
    if settings.resamples:
        units = [unit_of(passage.group, passage.id) for passage in passages]
        weights = chunk_weights(units, seed=settings.seed, resamples=settings.resamples)
        counts.resamples.add_chunk(compared, weights, settings.both_empty)


def _count_passage(counts: AgreementCounts, passage: AnsweredPassage, settings: MergeSettings) -> None:
    spans = {name: united(answer, folds=settings.folds_substitutes) for name, answer in passage.answers.items()}
    for name, offered in spans.items():
        counts.volume[name, "passages"] += 1
        counts.volume[name, "marks"] += len(offered)
        counts.volume[name, "substitutes"] += sum(map(len, offered.values()))
    for one, two in combinations(sorted(spans), 2):
        if spans[one] and spans[two]:
            counts.matched[one, two] += largest_matching(list(spans[one]), list(spans[two]))
            counts.types[one, two] += count_types(spans[one], spans[two])
    counts.words += count_words(passage)
    counts.answers_per_passage[len(passage.answers)] += 1
    _count_discards(counts, passage)
    _count_gold(counts, passage, settings)


def _count_discards(counts: AgreementCounts, passage: AnsweredPassage) -> None:
    gone = passage.discarded_by
    counts.discards_per_passage[len(gone)] += 1
    for name in gone:
        counts.volume[name, "discards"] += 1
    for one, two in _pairs_with(gone, {*passage.answers, *gone}):
        counts.discarded_by_either[one, two] += 1
        counts.discarded_by_both[one, two] += one in gone and two in gone


def _pairs_with(some: frozenset[str], names: set[str]) -> Iterator[Pair]:
    """Pairs among `names` of which one at least is in `some`."""
    if some:
        yield from (pair for pair in combinations(sorted(names), 2) if some & set(pair))


def _count_gold(counts: AgreementCounts, passage: AnsweredPassage, settings: MergeSettings) -> None:
    merged = merge_passage(passage.answers, settings, discards=len(passage.discarded_by))
    for target in merged.kept:
        votes = [suggestion.votes for suggestion in target.suggestions]
        counts.gold["kept"] += 1
        counts.gold["kept without two votes"] += max(votes, default=0) < 2
        counts.gold["suggestions"] += len(votes)
        counts.gold["single votes"] += votes.count(1)
        counts.gold["type ties"] += target.type_tie
    count_human(passage, merged, settings, counts.human)
