"""Merge: the paper's example first, then each rule of method.md 5 by hand, then the laws."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudication.domain.merge import MergeSettings, Target, Verdict, merge_passage, shown_form
from annotator.domain.answers import Answer, Mark, Substitute

SETTINGS = MergeSettings(types=("refine-usage", "diversify-expression"))
REFINE, DIVERSIFY = SETTINGS.types
SPANS = {"happy": (0, 5), "possible": (6, 14), "help": (15, 19), "Big": (20, 23)}


def mark(word: str, *substitutes: str | tuple[str, str]) -> Mark:
    """A plain string is a refine-usage substitute."""
    given = [item if isinstance(item, tuple) else (item, REFINE) for item in substitutes]
    return Mark(*SPANS[word], word, tuple(Substitute(text, type_) for text, type_ in given))


def answer(*marks: Mark) -> Answer:
    return Answer(tuple(marks)) if marks else Answer(none=True)


def merged(*answers: Answer, **settings: int) -> tuple[Target, ...]:
    named = {f"A{n:02d}": item for n, item in enumerate(answers, start=1)}
    return merge_passage(named, MergeSettings(types=SETTINGS.types, **settings)).targets  # type: ignore[arg-type]


def votes(target: Target) -> dict[str, int]:
    return {suggestion.text: suggestion.votes for suggestion in target.suggestions}


def test_the_papers_example() -> None:
    """Wang et al. 2023, 3.2: two annotators, three words, one kept."""
    one = answer(mark("happy", "glad", "merry"), mark("possible", "likely"))
    two = answer(mark("help", "aid"), mark("possible", "likely", "probable"))

    targets = merged(one, two)

    assert {target.quote: votes(target) for target in targets} == {
        "happy": {"glad": 1, "merry": 1},
        "possible": {"likely": 2, "probable": 1},
        "help": {"aid": 1},
    }
    assert [target.quote for target in targets if target.is_kept] == ["possible"]
    assert [(t.annotators, t.of, t.votes) for t in targets] == [(1, 2, 2), (2, 2, 3), (1, 2, 1)]


def test_one_annotator_counts_once_however_often_they_typed_it() -> None:
    twice = answer(mark("happy", "glad", "Glad ", "glad"), mark("happy", "merry", "GLAD"))

    [target] = merged(twice, answer(mark("happy", "glad")))

    assert (target.annotators, votes(target)) == (2, {"glad": 2, "merry": 1})


def test_overlapping_spans_stand_side_by_side() -> None:
    wide = Mark(0, 14, "happy possible", (Substitute("x", REFINE),))

    targets = merged(answer(mark("happy", "glad"), wide), answer(mark("happy", "glad"), wide))

    assert [(target.start, target.end) for target in targets] == [(0, 5), (0, 14)]


@pytest.mark.parametrize(
    ("forms", "quote", "expected"),
    [
        (["Large", "large"], "big", "large"),
        (["Large", "large", "Large"], "big", "large"),  # the quote's case goes before the number
        (["Large", "large", "large"], "Big", "Large"),
        (["don’t know", "don't know", "don’t know"], "big", "don’t know"),  # the one most typed
        (["don’t know", "don't know"], "big", "don't know"),  # code-point order
        (["iPhone"], "Big", "iPhone"),
        (["Large", "large", "large"], "“Big", "Large"),  # the first letter, not the first sign
        (["Merry", "Merry", "merry"], "3D", "Merry"),
        (["It", "It", "it"], "42", "It"),  # no letter, no case
        (["‘Large’", "‘large’", "‘large’"], "Big", "‘Large’"),
    ],
)
def test_the_form_that_is_shown(forms: list[str], quote: str, expected: str) -> None:
    assert shown_form(forms, quote) == expected


def test_case_quotes_and_spaces_do_not_part_suggestions() -> None:
    [target] = merged(
        answer(mark("Big", "very  large")), answer(mark("Big", "Very large")), answer(mark("Big", "VERY LARGE"))
    )

    assert votes(target) == {"VERY LARGE": 3}


def test_no_lemma_unites_forms() -> None:
    [target] = merged(answer(mark("happy", "glad")), answer(mark("happy", "gladder")))

    assert votes(target) == {"glad": 1, "gladder": 1}


def test_an_empty_answer_counts_in_of_and_a_missing_one_does_not() -> None:
    [target] = merged(answer(mark("happy", "glad")), answer(mark("happy", "merry")), answer())

    assert (target.annotators, target.of) == (2, 3)


def test_suggestions_go_by_votes_then_by_text() -> None:
    [target] = merged(answer(mark("happy", "b", "a", "z")), answer(mark("happy", "z")))

    assert [suggestion.text for suggestion in target.suggestions] == ["z", "a", "b"]
    assert target.suggestions[0].voters == ("A01", "A02")


@pytest.mark.parametrize(
    ("people", "expected"),
    [
        # the majority over annotators
        ([[REFINE], [REFINE], [DIVERSIFY]], (REFINE, False)),
        # each has one voice, however many substitutes
        ([[DIVERSIFY] * 5, [REFINE], [REFINE]], (REFINE, False)),
        # whose own substitutes tie has none
        ([[REFINE, DIVERSIFY], [DIVERSIFY]], (DIVERSIFY, False)),
        # a tie of annotators is broken by all labels
        ([[DIVERSIFY, DIVERSIFY], [REFINE]], (DIVERSIFY, True)),
        # a tie again gives the project's first type
        ([[DIVERSIFY], [REFINE]], (REFINE, True)),
        ([[REFINE, DIVERSIFY], [DIVERSIFY, REFINE]], (REFINE, True)),
    ],
)
def test_the_type_of_a_target(people: list[list[str]], expected: tuple[str, bool]) -> None:
    answers = [
        answer(mark("happy", *((f"w{n}{m}", type_) for m, type_ in enumerate(types)))) for n, types in enumerate(people)
    ]

    [target] = merged(*answers)

    assert (target.type, target.type_tie) == expected


def test_of_equal_keys_the_first_counts_with_its_type() -> None:
    both = answer(mark("happy", ("glad", DIVERSIFY)), mark("happy", ("Glad", REFINE)))

    [target] = merged(both, answer(mark("happy", ("merry", DIVERSIFY))))

    assert (target.type, target.type_tie, votes(target)["glad"]) == (DIVERSIFY, False, 1)


def test_keep_at_is_a_setting() -> None:
    answers = [answer(mark("happy", "glad"))] * 2 + [answer()] * 3

    assert [t.is_kept for t in merged(*answers)] == [True]
    assert [t.is_kept for t in merged(*answers, keep_at=3)] == [False]


def test_passages_leave_the_gold_by_discards_and_by_too_few_answers() -> None:
    one, two = {"A01": answer()}, {"A01": answer(), "A02": answer()}

    assert merge_passage(one, SETTINGS).verdict == Verdict.TOO_FEW
    assert merge_passage(two, SETTINGS, discards=2).verdict == Verdict.MERGED
    assert merge_passage(two, SETTINGS, discards=3).verdict == Verdict.DISCARDED
    never = MergeSettings(types=SETTINGS.types, drops_discarded=False)
    assert merge_passage(two, never, discards=3).verdict == Verdict.MERGED


# --- laws -------------------------------------------------------------------------------------------------------------

words = st.sampled_from(list(SPANS))
texts = st.sampled_from(["glad", "Glad", "merry", "don't", "don’t", "très  gai", "TRÈS GAI", "ﬁne", "fine"])
substitutes = st.tuples(texts, st.sampled_from(SETTINGS.types))
marks = st.builds(lambda word, given: mark(word, *given), words, st.lists(substitutes, min_size=1, max_size=4))
answers_ = st.builds(lambda given: answer(*given), st.lists(marks, max_size=5))
crowds = st.dictionaries(st.sampled_from([f"A{n:02d}" for n in range(1, 8)]), answers_, min_size=2)


@given(crowds, st.randoms(use_true_random=False))
def test_the_order_of_annotators_does_not_matter(crowd: dict[str, Answer], chance: random.Random) -> None:
    names = list(crowd)
    chance.shuffle(names)

    assert merge_passage({name: crowd[name] for name in names}, SETTINGS) == merge_passage(crowd, SETTINGS)


@given(crowds)
def test_votes_never_exceed_annotators_nor_annotators_the_answers(crowd: dict[str, Answer]) -> None:
    for target in merge_passage(crowd, SETTINGS).targets:
        assert all(1 <= suggestion.votes <= target.annotators for suggestion in target.suggestions)
        assert 1 <= target.annotators <= target.of == len(crowd)
        assert target.is_kept == (target.annotators >= 2)


def _said(target: Target) -> tuple[Any, ...]:
    return target.start, target.end, target.voters, [(item.text, item.voters) for item in target.suggestions]


@given(crowds)
def test_what_was_merged_once_merges_to_itself(crowd: dict[str, Answer]) -> None:
    """Each voter saying just what the gold says of them gives the same gold again."""
    before = merge_passage(crowd, SETTINGS)
    again = {
        name: answer(
            *(
                Mark(
                    t.start,
                    t.end,
                    t.quote,
                    tuple(Substitute(s.text, t.type) for s in t.suggestions if name in s.voters),
                )
                for t in before.targets
                if name in t.voters
            )
        )
        for name in crowd
    }

    after = merge_passage(again, SETTINGS)

    assert [_said(target) for target in after.targets] == [_said(target) for target in before.targets]
