"""Parts of speech for table 2 of the card."""

from dataclasses import replace

import pytest

from exports.domain.rows import GoldRow, GoldTarget
from exports.domain.tagging import parts_of_speech

TOKENS = ("My", "uncle", "quickly", "made", "a", "big", "party", "and", "we", "can", "go", "out", ".")


def target(first: int, last: int, *, is_span: bool = True) -> GoldTarget:
    quote = " ".join(TOKENS[first:last])
    return GoldTarget(0, len(quote), quote, (first, last) if is_span else None, "refine-usage", 1, 2, 3, "merged", ())


def row(*targets: GoldTarget) -> GoldRow:
    return GoldRow("s1", "", "en", " ".join(TOKENS), TOKENS, "", "", targets)


@pytest.mark.slow
def test_a_word_has_the_part_that_the_tagger_says_and_more_words_are_a_phrase() -> None:
    wanted = {
        (1, 2): "noun",
        (2, 3): "adv.",
        (3, 4): "verb",
        (5, 6): "adj.",
        (6, 7): "noun",
        (9, 10): "verb",  # a modal one
        (4, 5): "other",
        (7, 8): "other",
        (10, 12): "phrase",
    }

    found = parts_of_speech(row(*(target(*span) for span in wanted)))

    assert dict(zip(wanted, found, strict=True)) == wanted


@pytest.mark.slow
def test_what_is_no_span_of_tokens_is_a_phrase_or_nothing_known() -> None:
    found = parts_of_speech(row(target(10, 12, is_span=False), target(1, 2, is_span=False)))

    assert found == ["phrase", "other"]


@pytest.mark.parametrize("lang", ["de", "enm", "fr-CA"])
def test_what_is_not_english_is_not_tagged(lang: str) -> None:
    assert parts_of_speech(replace(row(target(1, 2)), lang=lang)) == ()


def test_without_targets_nothing_is_tagged() -> None:
    assert parts_of_speech(row()) == ()
