"""Every two annotators in every passage that both have submitted, at once: what they share, in whole numbers.

Sets are bit masks: within a passage each target has a bit, within a target each suggestion has one.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudication.domain.agreement.marks import Ints, Marks, Suggestions, Targets, order_of, pairs_within, spread
from adjudication.domain.agreement.spans import largest_matching, overlap
from annotator.domain.tokens import Span

Masks = NDArray[np.uint64]
Columns = dict[str, NDArray[Any]]
# As they are handed over: small whole numbers.
COLUMNS = {
    **{"first": "<u2", "second": "<u2", "passage": "<u4"},
    **dict.fromkeys(("common", "either", "shared", "retyped", "matched"), "<u2"),
    **dict.fromkeys(("span_common", "span_either", "span_shorter"), "<u2"),
    "span_types": "<i2",
}
_WORD = 64  # bits in a mask


@dataclass(frozen=True)
class Meetings:
    """A row for every two annotators and passage: `common` spans that both marked, `either` that one of them did,
    `shared` of the common ones that have a substitute in common, `retyped` of them that the two gave different types,
    `matched` spans of the one that can be paired with overlapping ones of the other.

    Then, for each common span of each row in order: how many substitutes both, either, and the one with fewer offered.
    """

    first: Ints
    second: Ints
    passage: Ints
    common: Ints
    either: Ints
    shared: Ints
    retyped: Ints
    matched: Ints
    span_common: Ints
    span_either: Ints
    span_shorter: Ints
    span_types: Ints  # [span, 2]: the two people's types, −1 where one has none or a tie

    def columns(self, first: int = 0) -> Columns:
        """`first`: the number of the first passage in the whole."""
        found = {name: getattr(self, name).astype(kind) for name, kind in COLUMNS.items()}
        return {**found, "passage": (self.passage + first).astype(COLUMNS["passage"])}


def meetings_of(marks: Marks, targets: Targets, suggestions: Suggestions, types: Ints) -> Meetings:
    """`types`: each mark's own type, −1 for none."""
    one, two, begins = pairs_within(marks.answers_of)
    sets = _masks(marks.mark_answer, targets.place[targets.of_mark], len(marks.answer_passage))
    sizes = np.bincount(marks.mark_answer, minlength=len(marks.answer_passage))
    common = _count_bits(sets[one] & sets[two])
    rows, mark_one, mark_two = _common_spans(marks, targets, begins)
    offers = _masks(marks.substitute_mark, suggestions.place[suggestions.of_substitute], len(marks.mark_answer))
    span_common = _count_bits(offers[mark_one] & offers[mark_two])
    of_one, of_two = marks.offers_of[mark_one], marks.offers_of[mark_two]
    span_types = np.stack([types[mark_one], types[mark_two]], axis=1)
    is_retyped = (span_types >= 0).all(axis=1) & (span_types[:, 0] != span_types[:, 1])
    return Meetings(
        first=marks.answer_annotator[one],
        second=marks.answer_annotator[two],
        passage=marks.answer_passage[one],
        common=common,
        either=sizes[one] + sizes[two] - common,
        shared=np.bincount(rows[span_common > 0], minlength=len(one)),
        retyped=np.bincount(rows[is_retyped], minlength=len(one)),
        matched=common + _beyond_equal(marks, targets, sets, begins, one, two, common),
        span_common=span_common,
        span_either=of_one + of_two - span_common,
        span_shorter=np.minimum(of_one, of_two),
        span_types=span_types,
    )


def _masks(owner: Ints, place: Ints, owners: int) -> Masks:
    """[owner, word]: a bit for each place that an owner has."""
    words = int(place.max(initial=0)) // _WORD + 1
    masks = np.zeros(owners * words, dtype=np.uint64)
    bits = np.left_shift(np.uint64(1), (place % _WORD).astype(np.uint64))
    np.bitwise_or.at(masks, owner * words + place // _WORD, bits)
    return masks.reshape(owners, words)


def _count_bits(masks: Masks) -> Ints:
    counted = np.bitwise_count(masks)
    is_single = masks.shape[-1] == 1
    return counted[..., 0].astype(np.int64) if is_single else counted.sum(axis=-1, dtype=np.int64)


def _row_of(marks: Marks, begins: Ints, one: Ints, two: Ints) -> Ints:
    """The row of two answers to one passage, the first of them before the second."""
    passage = marks.answer_passage[one]
    first, second = one - marks.first_answer_of[passage], two - marks.first_answer_of[passage]
    size = marks.answers_of[passage]
    row: Ints = begins[passage] + first * (2 * size - first - 1) // 2 + second - first - 1
    return row


def _common_spans(marks: Marks, targets: Targets, begins: Ints) -> tuple[Ints, Ints, Ints]:
    """For every target and every two who marked it: their row and their marks, in order of rows."""
    one, two, _ = pairs_within(targets.annotators)
    mark_one, mark_two = targets.marks[one], targets.marks[two]
    rows = _row_of(marks, begins, marks.mark_answer[mark_one], marks.mark_answer[mark_two])
    order = order_of(rows)
    return rows[order], mark_one[order], mark_two[order]


def _beyond_equal(
    marks: Marks, targets: Targets, sets: Masks, begins: Ints, one: Ints, two: Ints, common: Ints
) -> Ints:
    """By how much the largest matching of overlapping spans exceeds the equal ones: by as many as there are ways, none
    crossing another, from a span that only the first has to one that only the second has, over overlaps and spans of
    both. Most rows need no search for them: there is no such span, only one and a direct way, or each in one alone."""
    more = np.zeros(len(common), dtype=np.int64)
    found = _overlaps_between_people(marks, targets, sets, begins)
    times, direct = (np.bincount(rows, minlength=len(more)) for rows in (found.row, found.row[found.is_direct]))
    firsts, seconds = (np.bincount(rows, minlength=len(more)) for rows in found.lonely)
    fewest = np.minimum(firsts, seconds)
    is_apart = (direct == times) & (direct == firsts) & (direct == seconds)
    more[is_apart] = direct[is_apart]
    is_one = (fewest == 1) & (direct > 0)
    more[is_one] = 1
    left = np.flatnonzero((fewest > 0) & ~is_apart & ~is_one)
    spans_of = _spans_of(marks, np.union1d(one[left], two[left]))
    for row, mine, theirs, equal in zip(
        *(column.tolist() for column in (left, one[left], two[left], common[left])), strict=True
    ):
        more[row] = largest_matching(spans_of[mine], spans_of[theirs]) - equal
    return more


def _spans_of(marks: Marks, answers: Ints) -> dict[int, list[Span]]:
    """The spans of each of these answers."""
    ends = np.searchsorted(marks.mark_answer, np.stack([answers, answers + 1])).tolist()
    starts, stops = marks.mark_start.tolist(), marks.mark_end.tolist()
    return {
        answer: list(zip(starts[first:last], stops[first:last], strict=True))
        for answer, first, last in zip(answers.tolist(), *ends, strict=True)
    }


@dataclass(frozen=True)
class _Overlaps:
    """Every two different overlapping targets and every two people of whom the one marked the one and the other the
    other: their row, and whether neither has marked the other's too (`is_direct`). `lonely`: for each span in them that
    its owner's partner has not, its row; first the spans of those who come first in their row, then of the others."""

    row: Ints
    is_direct: NDArray[np.bool_]
    lonely: tuple[Ints, Ints]


def _overlaps_between_people(marks: Marks, targets: Targets, sets: Masks, begins: Ints) -> _Overlaps:
    left, right = _overlapping(targets)
    voters, first_voter = targets.annotators, np.cumsum(targets.annotators) - targets.annotators
    owner, place = spread(np.zeros_like(left), voters[left] * voters[right])
    in_left, in_right = left[owner], right[owner]
    mine = targets.marks[first_voter[in_left] + place // voters[in_right]]
    theirs = targets.marks[first_voter[in_right] + place % voters[in_right]]
    one, two = marks.mark_answer[mine], marks.mark_answer[theirs]
    is_two = one != two
    one, two, mine, theirs = one[is_two], two[is_two], mine[is_two], theirs[is_two]
    is_mine = ~_has(sets, two, targets.place[in_left[is_two]])
    is_theirs = ~_has(sets, one, targets.place[in_right[is_two]])
    row = _row_of(marks, begins, np.minimum(one, two), np.maximum(one, two))
    is_first = one < two
    lonely = [
        _rows_of_ends(
            np.concatenate([row[of_mine], row[of_theirs]]), np.concatenate([mine[of_mine], theirs[of_theirs]])
        )
        for of_mine, of_theirs in (
            (is_mine & is_first, is_theirs & ~is_first),
            (is_mine & ~is_first, is_theirs & is_first),
        )
    ]
    return _Overlaps(row, is_mine & is_theirs, (lonely[0], lonely[1]))


def _rows_of_ends(row: Ints, mark: Ints) -> Ints:
    """The rows, each as often as there are different marks in it."""
    width = int(mark.max(initial=0)) + 1
    rows: Ints = np.unique(row * width + mark) // width
    return rows


def _has(sets: Masks, answers: Ints, places: Ints) -> NDArray[np.bool_]:
    words = sets[answers, places // _WORD]
    found: NDArray[np.bool_] = (words >> (places % _WORD).astype(np.uint64)) & np.uint64(1) == 1
    return found


def _overlapping(targets: Targets) -> tuple[Ints, Ints]:
    """All pairs of different targets of a passage that overlap, found by looking back one place, two places, …"""
    left, right = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    looking = np.arange(targets.count)
    for back in range(1, int(targets.place.max(initial=0)) + 1):
        looking = looking[targets.place[looking] >= back]
        earlier = looking - back
        found = overlap(targets.start[earlier], targets.end[earlier], targets.start[looking], targets.end[looking])
        left.append(earlier[found])
        right.append(looking[found])
    return np.concatenate(left), np.concatenate(right)
