"""What is counted from arrays is what plain Python counts passage by passage."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudication.domain.agreement.counting import SCORED, SCORED_TWICE, VOLUME, AgreementSettings, Counted
from adjudication.domain.agreement.table import PairTable
from adjudication.domain.merge import MergeSettings
from tests.adjudication.domain.agreement.plain import count_arrays, count_plainly
from tests.adjudication.domain.answered import AnsweredPassage
from tests.adjudication.domain.crowds import PEOPLE, SETTINGS, crowds

merges = st.builds(
    MergeSettings,
    types=st.just(SETTINGS.types),
    keep_at=st.integers(1, 3),
    min_answers=st.integers(1, 3),
    folds_substitutes=st.booleans(),
    drops_discarded=st.booleans(),
)


def tally(found: Counted, name: str) -> Counter[tuple[str, ...]]:
    return Counter({tuple(key.split(" ")): times for key, times in found.tallies[name].items()})


@pytest.mark.slow
@given(crowds(), merges)
@settings(max_examples=200)
def test_arrays_count_what_plain_python_counts(passages: list[AnsweredPassage], merge: MergeSettings) -> None:
    found = count_arrays(passages, PEOPLE, AgreementSettings(merge=merge))
    plain = count_plainly(passages, merge)

    for who, name in enumerate(PEOPLE):
        assert found.volume[who].tolist() == [plain.volume[name, what] for what in VOLUME]
        for which, is_filtered in enumerate((True, False)):
            human = plain.human.get((name, is_filtered))
            expected = [getattr(human, what) if human else 0 for what in (*SCORED, *SCORED_TWICE)]
            assert [*found.scored[who].tolist(), *found.scored_twice[who, which].tolist()] == expected
    assert tally(found, "words") == {(str(r), str(m)): n for (r, m), n in plain.words.items()}
    assert +found.tallies["gold"] == +plain.gold
    assert tally(found, "by_annotators") == {(str(n), what): k for (n, what), k in plain.by_annotators.items() if k}
    numbers = {name: str(number) for number, name in enumerate(PEOPLE)}
    for what in ("discarded_by_both", "discarded_by_either"):
        expected_pairs = {(numbers[one], numbers[two]): n for (one, two), n in getattr(plain, what).items() if n}
        assert tally(found, what) == expected_pairs
    for rows in PairTable.of(PEOPLE, len(passages), [found.meetings]):
        counts = rows.counts()
        assert counts.matched == plain.matched[rows.pair]
        assert int(rows.columns["shared"].sum()) == plain.shared[rows.pair]
        types = {(merge.types[one], merge.types[two]): n for (one, two), n in counts.types.items()}
        assert types == {(t, u): n for (one, two, t, u), n in plain.types.items() if (one, two) == rows.pair}


@given(crowds())
@settings(max_examples=50)
def test_what_a_shard_hands_over_comes_back_from_its_bytes(passages: list[AnsweredPassage]) -> None:
    found = count_arrays(passages, PEOPLE, AgreementSettings(merge=SETTINGS), first=7)

    again = Counted.from_bytes(found.as_bytes())

    assert again.tallies == found.tallies
    for name in ("volume", "types", "scored", "scored_twice", "gained"):
        assert getattr(again, name).tolist() == getattr(found, name).tolist()
    for name, column in found.meetings.items():
        assert again.meetings[name].tolist() == column.tolist()
