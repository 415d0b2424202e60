"""Dictionaries as the paper prints them (Wang et al. 2023, 3.2)."""

import pytest

from adjudication.domain.dictionary import Entry, as_json, occurrence_of
from adjudication.domain.merge import Suggestion


def entry(start: int, quote: str, *, occurrence: int = 0, is_kept: bool = True, **votes: int) -> Entry:
    suggestions = tuple(Suggestion(text, tuple(map(str, range(count)))) for text, count in votes.items())
    span = (start, start + len(quote))
    return Entry(span, quote, occurrence, max(votes.values()), 3, "refine-usage", is_kept, suggestions)


def test_the_papers_example() -> None:
    entries = [
        entry(0, "happy", is_kept=False, glad=1, merry=1),
        entry(9, "possible", likely=2, probable=1),
        entry(20, "help", is_kept=False, aid=1),
    ]

    found = as_json(entries)

    assert found["targets"] == {"possible": {"likely": 2, "probable": 1}}
    assert found["dropped"] == {"happy": {"glad": 1, "merry": 1}, "help": {"aid": 1}}


@pytest.mark.parametrize(
    ("text", "start", "quote", "expected"),
    [
        ("the cat saw the dog", 0, "the", 1),
        ("the cat saw the dog", 12, "the", 2),
        ("the cat saw other dogs", 0, "the", 0),  # once by itself; “other” is another word
        ("the theme", 4, "the", 0),  # a part of a word
        ("well-known, well", 12, "well", 0),
    ],
)
def test_a_word_that_stands_twice_has_its_number(text: str, start: int, quote: str, expected: int) -> None:
    assert occurrence_of(text, start, quote) == expected


def test_two_targets_of_one_name_are_two() -> None:
    found = as_json([entry(0, "the", a=2), entry(4, "the", b=2)])

    assert found["targets"] == {"the [0, 3)": {"a": 2}, "the [4, 7)": {"b": 2}}
