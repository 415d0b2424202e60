"""What of a settled passage is said otherwise by now."""

from dataclasses import replace

import pytest
from hypothesis import given

from adjudication.domain.evidence import PassageSnapshot, changed
from adjudication.domain.gold import Snapshot
from adjudication.domain.merge import MergedPassage, merge_passage
from annotator.domain.answers import Mark
from tests.adjudication.domain.answered import AnsweredPassage
from tests.adjudication.domain.crowds import SETTINGS, crowds, mark, passage

ONE, TWO = (0, 3), (4, 7)


def merged(**said: list[Mark]) -> MergedPassage:
    return merge_passage(passage(dict(said)).answers, SETTINGS)


def said(text: str, *voters: str) -> Snapshot:
    return Snapshot(voters, "refine-usage", ((text, voters),))


def test_what_came_what_went_and_what_is_other_by_now() -> None:
    three = (8, 13)
    then = PassageSnapshot.made(
        merged(A01=[mark(*ONE, "uno"), mark(*TWO, "dos")], A02=[mark(*three, "tres")]), discards=0
    )
    now = PassageSnapshot.made(
        merged(A01=[mark(*ONE, "uno")], A02=[mark(*ONE, "uno"), mark(*three, "tres")], A03=[mark(0, 7, "1 2")]),
        discards=1,
    )

    found = list(changed(then, now))

    assert [(row.span, row.then, row.now) for row in found] == [
        (ONE, said("uno", "A01"), said("uno", "A01", "A02")),
        ((0, 7), None, said("1 2", "A03")),
        (TWO, said("dos", "A01"), None),
    ]
    assert (then.of, now.of, then.discards, now.discards) == (2, 3, 0, 1)
    assert list(changed(then, then)) == []


@given(crowds())
def test_it_is_read_as_it_was_written(found: list[AnsweredPassage]) -> None:
    for item in found:
        made = PassageSnapshot.made(merge_passage(item.answers, SETTINGS), discards=len(item.discarded_by))
        assert PassageSnapshot.from_dict(made.as_dict()) == made


@pytest.mark.parametrize("data", [{}, {"targets": []}, {"targets": [[1]], "of": 1, "discards": 0}, {"targets": 7}])
def test_what_is_no_snapshot_is_none(data: dict) -> None:
    assert PassageSnapshot.from_dict(data) is None


@given(crowds())
def test_equal_snapshots_are_no_change_and_others_are(found: list[AnsweredPassage]) -> None:
    for item in found:
        one = merge_passage(item.answers, SETTINGS)
        then = PassageSnapshot.made(one, discards=0)
        for left_out in one.targets:
            rest = replace(one, targets=tuple(row for row in one.targets if row is not left_out))
            [row] = changed(then, PassageSnapshot.made(rest, discards=0))
            assert (row.span, row.now) == ((left_out.start, left_out.end), None)
