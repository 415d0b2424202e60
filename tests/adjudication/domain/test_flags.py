"""What asks for somebody: each flag by hand, and what is none."""

import pytest

from adjudication.domain.flags import are_variants, passage_flags, quote_key, target_flags
from adjudication.domain.merge import MergedPassage, merge_passage
from annotator.domain.answers import Answer, Mark
from tests.adjudication.domain.crowds import SETTINGS, mark

OTHER = "diversify-expression"


def merged(*answers: list[Mark], discards: int = 0) -> MergedPassage:
    said = {f"A{n:02d}": Answer(tuple(marks)) for n, marks in enumerate(answers, start=1)}
    return merge_passage(said, SETTINGS, discards=discards)


def flagged(found: MergedPassage, name: str) -> list[tuple[int, int]]:
    pairs = zip(found.targets, target_flags(found.targets), strict=True)
    return [(target.start, target.end) for target, flags in pairs if getattr(flags, name)]


def of_passage(found: MergedPassage, discards: int = 0) -> dict[str, object]:
    flags = passage_flags(found, target_flags(found.targets), discards=discards, keep_at=SETTINGS.keep_at)
    return vars(flags)


def test_an_overlap_is_of_two_targets_that_two_marked_each() -> None:
    """Voting index 2 on both; a single vote that overlaps is none."""
    both = [mark(0, 3, "x"), mark(0, 7, "y")]
    assert flagged(merged(both, both), "is_overlapping") == [(0, 3), (0, 7)]
    assert flagged(merged(both, [mark(0, 3, "x")]), "is_overlapping") == []
    assert (
        flagged(merged([mark(0, 3, "x"), mark(4, 7, "y")], [mark(0, 3, "x"), mark(4, 7, "y")]), "is_overlapping") == []
    )


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ("well known", "well-known", True),
        ("cafe", "café", True),
        ("dont", "don't", True),
        ("affect", "effect", True),
        ("challenge", "challenges", True),
        ("color", "colour", True),
        ("large", "larger", True),
        ("big", "bag", False),  # short words: one letter is another word
        ("cats", "cat", False),
        ("glad", "merry", False),
        ("abcdef", "abdcef", False),  # two letters changed places
    ],
)
def test_variants(one: str, two: str, expected: bool) -> None:
    found = merged([mark(0, 3, one, two)], [mark(0, 3, one)])

    assert bool(flagged(found, "has_variants")) is expected


def test_variants_of_a_dropped_target_ask_nobody() -> None:
    assert flagged(merged([mark(0, 3, "color", "colour")], []), "has_variants") == []


def test_are_variants_is_symmetric() -> None:
    for one, two in (("colour", "color"), ("affect", "effect"), ("abcdef", "abdcef")):
        assert are_variants(one, two) == are_variants(two, one)


def test_a_near_miss_is_a_single_vote_that_overlaps_a_kept_target_and_shares_a_substitute() -> None:
    kept = [mark(0, 3, "x")]
    assert flagged(merged(kept, kept, [mark(0, 7, "x")]), "is_near_miss") == [(0, 7)]
    assert flagged(merged(kept, kept, [mark(0, 7, "z")]), "is_near_miss") == []
    assert flagged(merged(kept, kept, [mark(4, 7, "x")]), "is_near_miss") == []


def test_a_passage_asks_for_somebody_by_flags_and_by_discards_without_a_majority() -> None:
    quiet = merged([mark(0, 3, "x")], [mark(0, 3, "x")])
    tied = merged([mark(0, 3, "x")], [mark(0, 3, "y", type=OTHER)])

    assert of_passage(quiet)["asks"] is False
    assert (of_passage(quiet)["near"], of_passage(quiet)["singles"]) == (1, 0)
    assert of_passage(quiet, discards=1)["asks"] is True
    assert (of_passage(tied)["type_ties"], of_passage(tied)["asks"]) == (1, True)


def test_a_passage_that_discards_outnumber_is_merged_and_asks_nobody() -> None:
    found = merged([mark(0, 3, "x")], [mark(0, 3, "x")], discards=3)

    assert (found.verdict, len(found.targets), found.kept) == ("discarded", 1, ())
    assert of_passage(found, discards=3)["asks"] is False


def test_one_more_who_marks_nothing_changes_no_evidence() -> None:
    before = merged([mark(0, 3, "x")], [mark(0, 3, "y")])
    after = merged([mark(0, 3, "x")], [mark(0, 3, "y")], [])
    otherwise = merged([mark(0, 3, "x")], [mark(0, 3, "y", type=OTHER)])

    assert [t.evidence for t in before.targets] == [t.evidence for t in after.targets]
    assert before.evidence([]) == after.evidence([])
    assert before.evidence([]) != before.evidence(["A09"])
    assert before.targets[0].evidence != otherwise.targets[0].evidence


def test_the_passages_own_agreement_in_thousandths() -> None:
    """Three people: 1/2, 0 and 0 in common; two who mark nothing agree."""
    found = merged([mark(0, 3, "x"), mark(4, 7, "x")], [mark(0, 3, "x")], [])

    assert found.pa_det == round(1000 * 0.5 / 3)
    assert merged([], []).pa_det == 1000


def test_the_same_word_elsewhere_is_found_by_its_key() -> None:
    assert quote_key("  Café ") == "café"
    assert len(quote_key("x" * 500)) == 100
