"""Everything an agreement report counts, as one would write it beside the paper: passage by passage, in plain Python.
The reference for what is counted from arrays."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise

import numpy as np

from adjudication.domain.agreement.counting import Counted, Discards, Tokens, count_shard
from adjudication.domain.agreement.marks import marks_of
from adjudication.domain.agreement.report import AgreementSettings, Pace, Totals, agreement_report
from adjudication.domain.agreement.resampling import Units
from adjudication.domain.agreement.spans import largest_matching
from adjudication.domain.agreement.table import PairTable
from adjudication.domain.digest import Digests, pack_answer
from adjudication.domain.merge import MergedPassage, MergeSettings, Target, Verdict, leader, merge_passage, verdict_of
from adjudication.domain.scoring.sws import Counts
from annotator.domain.answers import united
from annotator.domain.text import substitute_key
from tests.adjudication.domain.answered import AnsweredPassage


def count_arrays(
    passages: Sequence[AnsweredPassage], people: Sequence[str], settings: AgreementSettings, *, first: int = 0
) -> Counted:
    """The passages as the database would give them: digests, tokens, discards."""
    numbers = {name: number for number, name in enumerate(people)}
    said = [
        (place, numbers[name], answer)
        for place, passage in enumerate(passages)
        for name, answer in sorted(passage.answers.items())
    ]
    gone = [(place, numbers[name]) for place, item in enumerate(passages) for name in sorted(item.discarded_by)]
    marks = marks_of(
        Digests.of([pack_answer(answer, folds=settings.merge.folds_substitutes) for _, _, answer in said]),
        passages=len(passages),
        answer_passage=np.array([place for place, _, _ in said], dtype=np.int64),
        answer_annotator=np.array([who for _, who, _ in said], dtype=np.int64),
        types=settings.merge.types,
    )
    discards = Discards(*np.array(gone, dtype=np.int64).reshape(-1, 2).T)
    tokens = Tokens.of([packed_tokens(passage) for passage in passages])
    return count_shard(marks, tokens, discards, annotators=len(people), settings=settings, first=first)


def packed_tokens(passage: AnsweredPassage) -> bytes:
    words = set(passage.words)
    rows = [(*span, span in words) for span in passage.tokens]
    return np.array(rows, dtype="<i4").reshape(-1, 3).tobytes()


def report_of(
    passages: Sequence[AnsweredPassage], people: Sequence[str], settings: AgreementSettings, *, cuts: Sequence[int] = ()
) -> dict[str, object]:
    """The report, counted in shards that end at `cuts`."""
    names = tuple(sorted(people))
    bounds = [0, *cuts, len(passages)]
    shards = [
        Counted.from_bytes(count_arrays(passages[start:end], names, settings, first=start).as_bytes())
        for start, end in pairwise(bounds)
    ]
    units = Units.of([(passage.group, passage.id) for passage in passages])
    totals = Totals.of(shards)
    table = PairTable.of(names, len(passages), [shard.meetings for shard in shards])
    pace = Pace([None] * len(names), [0.0] * len(names))
    return agreement_report(table, totals, units, pace, settings)


@dataclass
class PlainCounts:
    matched: Counter[tuple[str, str]] = field(default_factory=Counter)
    shared: Counter[tuple[str, str]] = field(default_factory=Counter)
    types: Counter[tuple[str, str, str, str]] = field(default_factory=Counter)
    words: Counter[tuple[int, int]] = field(default_factory=Counter)
    volume: Counter[tuple[str, str]] = field(default_factory=Counter)
    discarded_by_both: Counter[tuple[str, str]] = field(default_factory=Counter)
    discarded_by_either: Counter[tuple[str, str]] = field(default_factory=Counter)
    gold: Counter[str] = field(default_factory=Counter)
    by_annotators: Counter[tuple[int, str]] = field(default_factory=Counter)
    human: dict[tuple[str, bool], Counts] = field(default_factory=dict)


def count_plainly(passages: Sequence[AnsweredPassage], settings: MergeSettings) -> PlainCounts:
    counts = PlainCounts()
    for passage in passages:
        _count_passage(counts, passage, settings)
    return counts


def _count_passage(counts: PlainCounts, passage: AnsweredPassage, settings: MergeSettings) -> None:
    spans = {name: united(answer, folds=settings.folds_substitutes) for name, answer in passage.answers.items()}
    for name, offered in spans.items():
        counts.volume[name, "passages"] += 1
        counts.volume[name, "marks"] += len(offered)
        counts.volume[name, "substitutes"] += sum(map(len, offered.values()))
    for one, two in combinations(sorted(spans), 2):
        counts.matched[one, two] += largest_matching(list(spans[one]), list(spans[two]))
        for span in spans[one].keys() & spans[two].keys():
            counts.shared[one, two] += bool(spans[one][span].keys() & spans[two][span].keys())
            first, second = (
                leader(Counter(item.type for item in own[span].values())) for own in (spans[one], spans[two])
            )
            if first is not None and second is not None:
                counts.types[one, two, first, second] += 1
    marking = [0] * len(passage.words)
    for answer in passage.answers.values():
        for number, (start, end) in enumerate(passage.words):
            marking[number] += any(mark.start < end and start < mark.end for mark in answer.marks)
    counts.words.update((len(passage.answers), count) for count in marking)
    for name in passage.discarded_by:
        counts.volume[name, "discards"] += 1
    for one, two in _pairs_with(passage.discarded_by, {*passage.answers, *passage.discarded_by}):
        counts.discarded_by_either[one, two] += 1
        counts.discarded_by_both[one, two] += {one, two} <= passage.discarded_by
    _count_gold(counts, passage, settings)


def _pairs_with(some: frozenset[str], names: set[str]) -> Iterator[tuple[str, str]]:
    return ((one, two) for one, two in combinations(sorted(names), 2) if one in some or two in some)


def _count_gold(counts: PlainCounts, passage: AnsweredPassage, settings: MergeSettings) -> None:
    merged = merge_passage(passage.answers, settings, discards=len(passage.discarded_by))
    for target in merged.kept:
        votes = [suggestion.votes for suggestion in target.suggestions]
        counts.gold["kept"] += 1
        counts.gold["kept without two votes"] += max(votes, default=0) < 2
        counts.gold["suggestions"] += len(votes)
        counts.gold["single votes"] += votes.count(1)
        counts.gold["type ties"] += target.type_tie
    if merged.verdict == Verdict.MERGED:
        for target in merged.targets:
            counts.by_annotators[target.annotators, "targets"] += 1
            counts.by_annotators[target.annotators, "suggestions"] += len(target.suggestions)
            counts.by_annotators[target.annotators, "votes"] += target.votes
    _count_human(counts, passage, merged, settings)


def _count_human(counts: PlainCounts, passage: AnsweredPassage, merged: MergedPassage, settings: MergeSettings) -> None:
    """`merged` is the merge of everybody: without one annotator's votes it is the merge of the rest."""
    folds, others = settings.folds_substitutes, len(passage.answers) - 1
    for annotator, answer in passage.answers.items():
        if verdict_of(others, len(passage.discarded_by), settings) != Verdict.MERGED:
            continue
        own = {span: next(iter(keys), "") for span, keys in united(answer, folds=folds).items()}
        replaced = sum(first < end and start < last for first, last in own for start, end in passage.tokens)
        for is_filtered in (True, False):
            count = counts.human.setdefault((annotator, is_filtered), Counts())
            count.spans += len(own)
            count.words += len(passage.tokens)
            count.words_replaced += replaced
            for target in merged.targets:
                left = target.annotators - (annotator in target.voters)
                if left >= (settings.keep_at if is_filtered else 1):
                    _count_target(count, target, annotator, own, folds)


def _count_target(counts: Counts, target: Target, annotator: str, own: dict[tuple[int, int], str], folds: bool) -> None:
    votes = {
        substitute_key(item.text, folds=folds): item.votes - (annotator in item.voters) for item in target.suggestions
    }
    counts.targets += 1
    counts.votes += sum(votes.values())
    first = own.get((target.start, target.end))
    if first is not None:
        counts.found += 1
        counts.votes_found += sum(votes.values())
        counts.first_right += votes.get(first, 0) > 0
