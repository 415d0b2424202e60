"""Everything that is counted for an agreement report, from arrays; what shards have counted adds up."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import combinations
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from adjudication.domain.agreement.comparing import Columns, meetings_of
from adjudication.domain.agreement.marks import Ints, Marks, Suggestions, Targets, before, order_of, spread
from adjudication.domain.agreement.pairs import BothEmpty
from adjudication.domain.merge import MergeSettings, Verdict, verdict_of
from adjudication.domain.packing import pack_arrays, unpack_arrays
from adjudication.domain.scoring.sws import CUTS, GAIN, discount
from annotator.domain.lengths import MAX_PASSAGE_LENGTH

# What is counted of each annotator.
VOLUME = ("passages", "marks", "substitutes", "discards")
_NOTHING = 1e-9  # of a best list: what is left of sums of fractions where no vote is left
# Human performance: what is counted once, and what with the filter and without it.
SCORED = ("spans", "words", "words_replaced")
SCORED_TWICE = ("targets", "found", "votes", "votes_found", "first_right")


@dataclass(frozen=True)
class AgreementSettings:
    """`min_shared`: a pair with fewer common passages is pointed out, and stays in the mean. `people` and `groups`:
    only these pseudonyms, only passages of these groups; none named means all."""

    merge: MergeSettings
    both_empty: BothEmpty = BothEmpty.ONE
    min_shared: int = 10
    resamples: int = 1000
    seed: str = "assay"
    people: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """All that makes a report another one: its key and its signature are made of this."""
        own = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "merge"}
        own |= {"people": list(self.people), "groups": list(self.groups)}
        return {**own, "rounds": "first", "merge": self.merge.as_dict()}

    @property
    def is_whole(self) -> bool:
        """Of everybody and of all passages."""
        return not self.people and not self.groups

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        own = {name: data[name] for name in ("min_shared", "resamples", "seed")}
        merge = MergeSettings.from_dict(data["merge"])
        people, groups = tuple(data["people"]), tuple(data["groups"])
        return cls(merge=merge, both_empty=BothEmpty(data["both_empty"]), people=people, groups=groups, **own)


@dataclass(frozen=True)
class Tokens:
    """Of all passages in order; `is_word`: holds a letter or a digit."""

    passage: Ints
    start: Ints
    end: Ints
    is_word: NDArray[np.bool_]

    @classmethod
    def of(cls, packed: Sequence[bytes]) -> Self:
        """Of each passage its tokens as (start, end, is word), 32 bits each."""
        rows = np.frombuffer(b"".join(packed), dtype="<i4").reshape(-1, 3)
        passage = np.repeat(np.arange(len(packed)), [len(item) // 12 for item in packed])
        return cls(passage, rows[:, 0].astype(np.int64), rows[:, 1].astype(np.int64), rows[:, 2] == 1)

    def words(self) -> "Tokens":
        found = self.is_word
        return Tokens(self.passage[found], self.start[found], self.end[found], self.is_word[found])

    def touched(self, marks: Marks) -> tuple[Ints, Ints]:
        """For each mark the tokens [first, last) that it overlaps; tokens follow each other."""
        width = MAX_PASSAGE_LENGTH + 1
        starts, ends = self.passage * width + self.start, self.passage * width + self.end
        base = marks.mark_passage * width
        first = np.searchsorted(ends, base + marks.mark_start, side="right")
        last = np.searchsorted(starts, base + marks.mark_end, side="left")
        return first, np.maximum(first, last)


@dataclass(frozen=True)
class Discards:
    """Who set which passage aside, in order of passages."""

    passage: Ints
    annotator: Ints


@dataclass
class Counted:
    """What shards hand over, in whole numbers. `meetings`: the columns of Meetings, passages numbered through."""

    meetings: Columns
    volume: Ints  # [annotator, VOLUME]
    types: Ints  # [annotator, type]
    scored: Ints  # [annotator, SCORED]
    scored_twice: Ints  # [annotator, with the filter and without it, SCORED_TWICE]
    gained: Ints  # [annotator, likewise, CUTS], in parts of GAIN
    tallies: dict[str, Counter[str]] = field(default_factory=dict)

    def as_bytes(self) -> bytes:
        return pack_arrays(self.tallies, {name: getattr(self, name) for name in _SUMS} | self.meetings)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        tallies, arrays = unpack_arrays(data)
        own = {name: arrays.pop(name) for name in _SUMS}
        return cls(arrays, tallies={name: Counter(item) for name, item in tallies.items()}, **own)


_SUMS = ("volume", "types", "scored", "scored_twice", "gained")
TALLIES = (
    *("words", "answers_per_passage", "discards_per_passage", "gold", "by_annotators"),
    *("discarded_by_both", "discarded_by_either", "targets_by_index", "found_by_index"),
)


def count_shard(
    marks: Marks, tokens: Tokens, discards: Discards, *, annotators: int, settings: AgreementSettings, first: int = 0
) -> Counted:
    """All of it for some passages, the first of which has the number `first` in the whole."""
    shard = _Shard(marks, tokens, discards, annotators, settings.merge)
    return Counted(
        meetings=meetings_of(marks, shard.targets, shard.suggestions, shard.own_types).columns(first),
        volume=shard.volume(),
        types=shard.types(),
        scored=shard.scored(),
        scored_twice=shard.scored_twice(),
        gained=shard.gained(),
        tallies={
            "words": shard.words(),
            "answers_per_passage": _tally(marks.answers_of),
            "discards_per_passage": _tally(shard.discards_of),
            "gold": shard.gold(),
            "by_annotators": shard.by_annotators(),
            **shard.discarded(),
            **shard.by_others_index(),
        },
    )


@dataclass(frozen=True)
class _Shard:
    marks: Marks
    tokens: Tokens
    discards: Discards
    annotators: int
    settings: MergeSettings

    @cached_property
    def targets(self) -> Targets:
        return Targets.of(self.marks)

    @cached_property
    def suggestions(self) -> Suggestions:
        return Suggestions.of(self.marks, self.targets)

    @cached_property
    def discards_of(self) -> Ints:
        return np.bincount(self.discards.passage, minlength=self.marks.passages)

    @cached_property
    def labels(self) -> Ints:
        """[mark, type]: how many of its substitutes are of each."""
        return _times(self.marks.substitute_mark, self.marks.substitute_type, len(self.marks.mark_answer), self._types)

    @property
    def _types(self) -> int:
        return len(self.settings.types)

    @cached_property
    def own_types(self) -> Ints:
        """Each mark's type: the majority of its substitutes, −1 at a tie."""
        return _leaders(self.labels)

    @cached_property
    def is_merged(self) -> NDArray[np.bool_]:
        """Of each passage, whether it is in the gold."""
        return _merged(self.marks.answers_of, self.discards_of, self.settings)

    @cached_property
    def is_scored(self) -> NDArray[np.bool_]:
        """Of each answer, whether the others' answers make a gold to score it against."""
        passage = self.marks.answer_passage
        return _merged(self.marks.answers_of[passage] - 1, self.discards_of[passage], self.settings)

    @cached_property
    def votes(self) -> Ints:
        """Of each target the sum of its suggestions' votes."""
        return np.bincount(self.targets.of_mark, weights=self.marks.offers_of, minlength=self.targets.count).astype(int)

    def volume(self) -> Ints:
        marks, people = self.marks, self.annotators
        rows = [
            np.bincount(marks.answer_annotator, minlength=people),
            np.bincount(marks.mark_annotator, minlength=people),
            np.bincount(marks.mark_annotator[marks.substitute_mark], minlength=people),
            np.bincount(self.discards.annotator, minlength=people),
        ]
        return np.stack(rows, axis=1)

    def types(self) -> Ints:
        who = self.marks.mark_annotator[self.marks.substitute_mark]
        return _times(who, self.marks.substitute_type, self.annotators, self._types)

    def words(self) -> Counter[str]:
        """{"raters marking": words}: a word is marked by whoever has any mark that overlaps it."""
        words = self.tokens.words()
        first, last = words.touched(self.marks)
        base = self.marks.mark_answer * (len(words.passage) + 1)
        reached = np.zeros_like(base)  # where the earlier marks of the same answer end
        reached[1:] = np.maximum.accumulate(base + last)[:-1]
        _, word = spread(np.maximum(first, reached - base), last)
        marking = np.bincount(word, minlength=len(words.passage))
        return _tally(self.marks.answers_of[words.passage], marking)

    def by_annotators(self) -> Counter[str]:
        """{"index targets", "index suggestions", "index votes"} over all targets of the merged passages."""
        found: Counter[str] = Counter()
        merged = self.is_merged[self.targets.passage]
        index = np.where(merged, self.targets.annotators, 0)
        sizes = np.bincount(self.suggestions.target, minlength=self.targets.count)
        for name, values in (("targets", None), ("suggestions", sizes), ("votes", self.votes)):
            times = np.bincount(index, weights=values)
            found.update({f"{n} {name}": int(times[n]) for n in np.flatnonzero(times).tolist() if n})
        return found

    def gold(self) -> Counter[str]:
        kept = self.is_merged[self.targets.passage] & (self.targets.annotators >= self.settings.keep_at)
        votes = self.suggestions.votes
        best = np.zeros(self.targets.count, dtype=np.int64)
        np.maximum.at(best, self.suggestions.target, votes)
        of_kept = votes[kept[self.suggestions.target]]
        return Counter(
            {
                "kept": int(kept.sum()),
                "kept without two votes": int((best[kept] < 2).sum()),
                "suggestions": len(of_kept),
                "single votes": int((of_kept == 1).sum()),
                "type ties": int((kept & self._is_tied()).sum()),
            }
        )

    def _is_tied(self) -> NDArray[np.bool_]:
        """Of each target whether its people's types have no majority, though types were given."""
        people = _times(self.targets.of_mark, self.own_types, self.targets.count, self._types)
        has_labels = np.bincount(self.targets.of_mark, weights=self.labels.sum(axis=1), minlength=self.targets.count)
        tied: NDArray[np.bool_] = (_leaders(people) < 0) & (has_labels > 0)
        return tied

    def scored(self) -> Ints:
        marks, own = self.marks, self.is_scored
        first, last = self.tokens.touched(marks)
        tokens = np.bincount(self.tokens.passage, minlength=marks.passages)
        of_mark, of_answer = own[marks.mark_answer], own
        rows = [
            np.bincount(marks.mark_annotator[of_mark], minlength=self.annotators),
            _sums(marks.answer_annotator[of_answer], tokens[marks.answer_passage[of_answer]], self.annotators),
            _sums(marks.mark_annotator[of_mark], (last - first)[of_mark], self.annotators),
        ]
        return np.stack(rows, axis=1)

    def scored_twice(self) -> Ints:
        with_filter = self._against_the_others(self.settings.keep_at)
        return np.stack([with_filter, self._against_the_others(1)], axis=1)

    def _against_the_others(self, keep_at: int) -> Ints:
        """[annotator, SCORED_TWICE] against the merge of the others. Without one's own votes a target keeps the index
        less one, the suggestions their votes less one: so what counts is all of the passage less what is one's own."""
        marks, targets = self.marks, self.targets
        index, votes = targets.annotators, self.votes
        is_target = index >= keep_at
        in_passage = np.bincount(targets.passage[is_target], minlength=marks.passages)
        votes_in = _sums(targets.passage[is_target], votes[is_target], marks.passages)
        target = targets.of_mark
        stays = index[target] - 1 >= keep_at  # of the marked ones, those the others alone make a target
        goes = is_target[target] & ~stays
        left = votes[target] - marks.offers_of
        is_right = stays & (self._others_of_first() > 0)
        answers = len(marks.answer_passage)
        lost_votes = np.where(stays, marks.offers_of, np.where(goes, votes[target], 0))
        of_answer = np.stack(
            [
                in_passage[marks.answer_passage] - _sums(marks.mark_answer, goes, answers),
                _sums(marks.mark_answer, stays, answers),
                votes_in[marks.answer_passage] - _sums(marks.mark_answer, lost_votes, answers),
                _sums(marks.mark_answer, np.where(stays, left, 0), answers),
                _sums(marks.mark_answer, is_right, answers),
            ],
            axis=1,
        )
        total = np.zeros((self.annotators, len(SCORED_TWICE)), dtype=np.int64)
        np.add.at(total, marks.answer_annotator[self.is_scored], of_answer[self.is_scored])
        return total

    def gained(self) -> Ints:
        """What each annotator's substitutes for the others' targets gain of the best lists, as NDCG_m counts it."""
        marks = self.marks
        left = self.targets.annotators[self.targets.of_mark] - 1
        total = np.zeros((self.annotators, 2, len(CUTS)), dtype=np.int64)
        for which, keep_at in enumerate((self.settings.keep_at, 1)):
            counts = (left >= keep_at) & self.is_scored[marks.mark_answer]
            np.add.at(total[:, which], marks.mark_annotator[counts], self._gains[counts])
        return total

    @cached_property
    def _gains(self) -> Ints:
        """[mark, CUTS]: of a mark's substitutes in order, against the others' votes for that target. Without one's own
        votes the best list stays in order: of equally many votes those one less go last."""
        marks, suggestions = self.marks, self.suggestions
        own, votes = marks.substitute_mark, suggestions.votes[suggestions.of_substitute]
        rank = np.arange(len(own)) - before(marks.offers_of)[own]
        found = _worth(own, rank, votes - 1, len(marks.mark_answer))
        less = _worth(own, self._places_of_less(own, votes), np.ones_like(votes), len(marks.mark_answer))
        ideal = self._best_worth[self.targets.of_mark] - less
        gains = np.zeros_like(found)
        np.divide(GAIN * found, ideal, out=gains, where=ideal > _NOTHING)
        return np.rint(gains).astype(np.int64)

    @cached_property
    def _ranked(self) -> tuple[Ints, Ints, Ints]:
        """Suggestions target by target, those with most votes first: their codes, in that order; the code of each; and
        the order."""
        suggestions = self.suggestions
        width = int(suggestions.votes.max(initial=0)) + 1
        code = suggestions.target * width + width - 1 - suggestions.votes
        order = order_of(code)
        return code[order], code, order

    @cached_property
    def _best_worth(self) -> NDArray[np.float64]:
        """[target, CUTS]: all votes of its suggestions, most first, each worth what its place is."""
        order = self._ranked[2]
        target, votes = self.suggestions.target[order], self.suggestions.votes[order]
        place = np.arange(len(order)) - self._first_of_target[target]
        return _worth(target, place, votes, self.targets.count)

    @cached_property
    def _first_of_target(self) -> Ints:
        """Where each target's suggestions begin."""
        return before(np.bincount(self.suggestions.target, minlength=self.targets.count))

    def _places_of_less(self, own: Ints, votes: Ints) -> Ints:
        """Of each substitute where in its target's best list a vote is gone once its annotator's are: the last places
        of those with as many votes, one for each of them that the mark has."""
        ranked, code, _ = self._ranked
        of = self.suggestions.of_substitute
        # How many suggestions of the target have as many votes as this one or more: there its equals end.
        end = np.searchsorted(ranked, code, side="right") - self._first_of_target[self.suggestions.target]
        alike = own * (int(votes.max(initial=0)) + 1) + votes
        order = order_of(alike)
        is_new = np.append(True, np.diff(alike[order]) != 0)[: len(order)]
        place = np.arange(len(order))
        which = np.empty(len(own), dtype=np.int64)
        which[order] = place - np.maximum.accumulate(np.where(is_new, place, 0))
        return end[of] - 1 - which

    def by_others_index(self) -> dict[str, Counter[str]]:
        """{"annotator index"}: by how many of the others marked them, how many targets there were to be found, and how
        many of them each has found."""
        marks, targets = self.marks, self.targets
        width = int(targets.annotators.max(initial=0)) + 1
        of_passage = _times(targets.passage, targets.annotators, marks.passages, width)
        there = np.zeros((self.annotators, width), dtype=np.int64)
        np.add.at(there, marks.answer_annotator[self.is_scored], of_passage[marks.answer_passage[self.is_scored]])
        counts = self.is_scored[marks.mark_answer]
        who, index = marks.mark_annotator[counts], targets.annotators[targets.of_mark[counts]]
        np.subtract.at(there, (who, index), 1)
        found = _times(who, index - 1, self.annotators, width)
        there += found
        return {"targets_by_index": _numbered(there), "found_by_index": _numbered(found)}

    def _others_of_first(self) -> Ints:
        """Of each mark, how many others have offered its first substitute."""
        found = np.zeros(len(self.marks.mark_answer), dtype=np.int64)
        has_any = self.marks.offers_of > 0
        first = before(self.marks.offers_of)[has_any]
        found[has_any] = self.suggestions.votes[self.suggestions.of_substitute[first]] - 1
        return found

    def discarded(self) -> dict[str, Counter[str]]:
        """{"first second": passages} that both of two discarded, that either did, of those both were given."""
        both: Counter[str] = Counter()
        either: Counter[str] = Counter()
        marks = self.marks
        for passage in np.unique(self.discards.passage).tolist():
            gone = set(self.discards.annotator[self.discards.passage == passage].tolist())
            start = marks.first_answer_of[passage]
            said = set(marks.answer_annotator[start : start + marks.answers_of[passage]].tolist())
            for one, two in combinations(sorted(gone | said), 2):
                either[f"{one} {two}"] += one in gone or two in gone
                both[f"{one} {two}"] += one in gone and two in gone
        return {"discarded_by_both": +both, "discarded_by_either": +either}


def _merged(answers: Ints, discards: Ints, settings: MergeSettings) -> NDArray[np.bool_]:
    """By the one rule for what is in the gold, asked once for each two numbers that occur."""
    width = int(discards.max(initial=0)) + 1
    codes, places = np.unique(answers * width + discards, return_inverse=True)
    verdicts = [verdict_of(code // width, code % width, settings) == Verdict.MERGED for code in codes.tolist()]
    return np.array(verdicts, dtype=bool)[places]


def _times(owner: Ints, type_: Ints, owners: int, types: int) -> Ints:
    """[owner, type]: how often; −1 is no type."""
    known = type_ >= 0
    return np.bincount(owner[known] * types + type_[known], minlength=owners * types).reshape(owners, types)


def _worth(owner: Ints, place: Ints, votes: Ints, owners: int) -> NDArray[np.float64]:
    """[owner, CUTS]: votes at their places, from 0 on, each worth what its place is, up to every cut."""
    width = max(CUTS)
    worth = np.array([1 / discount(rank) for rank in range(1, width + 1)])
    is_in = place < width
    place = place[is_in]
    cells = np.bincount(owner[is_in] * width + place, weights=votes[is_in] * worth[place], minlength=owners * width)
    summed: NDArray[np.float64] = np.cumsum(cells.astype(np.float64).reshape(owners, width), axis=1)
    return summed[:, np.array(CUTS) - 1]


def _numbered(times: Ints) -> Counter[str]:
    """{"row column": how often}, without column 0."""
    rows, columns = np.nonzero(times[:, 1:])
    cells = zip(rows.tolist(), columns.tolist(), strict=True)
    return Counter({f"{row} {column + 1}": int(times[row, column + 1]) for row, column in cells})


def _leaders(times: Ints) -> Ints:
    """Of each row the column with most, −1 where there is none or a tie."""
    if not times.shape[1]:
        return np.full(len(times), -1, dtype=np.int64)
    most = times.max(axis=1)
    is_clear = (most > 0) & ((times == most[:, None]).sum(axis=1) == 1)
    return np.where(is_clear, times.argmax(axis=1), -1)


def _sums(owner: Ints, values: NDArray[Any], owners: int) -> Ints:
    """Whole numbers far below 2⁵³: exact, though they go through floats."""
    return np.bincount(owner, weights=values, minlength=owners).astype(np.int64)


def _tally(*columns: Ints) -> Counter[str]:
    """{"a b": how often these values stand together}."""
    if not len(columns[0]):
        return Counter()
    width = int(columns[-1].max()) + 1
    codes, times = np.unique(columns[0] * width + columns[1] if len(columns) == 2 else columns[0], return_counts=True)
    names = [" ".join(map(str, divmod(code, width) if len(columns) == 2 else (code,))) for code in codes.tolist()]
    return Counter(dict(zip(names, times.tolist(), strict=True)))
