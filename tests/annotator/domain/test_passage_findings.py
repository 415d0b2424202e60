"""What is said of a passage before anybody is given it."""

import pytest

from annotator.domain.passage_findings import count_sentences, passage_findings, pieces, text_key


def said(text: str, lang: str = "en") -> list[tuple[str, str]]:
    return [(item.code, item.message) for item in passage_findings(text, lang)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("In my opinion the school should give more time.", []),
        ("Thank you very much.", [("short", "4 words, fewer than 5")]),
        ("Thanks!", [("short", "1 word, fewer than 5")]),
        ("one " * 101 + "more", [("long", "102 words, more than 100")]),
        ("She has a small garden. She grows beans there.", [("several", "Two sentences")]),
        ("Every weekend we drive\u200b to her house.", [("hidden", "A zero-width space after “drive”; it is kept")]),
        (
            "\u202eEvery weekend we\u200b drive to her house.",
            [("hidden", "A right-to-left override at the beginning, and 1 more; it is kept")],
        ),
        ("Bread &amp; cheese is all that we need.", [("entity", "Reads “&amp;”: meant “&”?")]),
        ("Bread &foo; cheese & all that we need; so.", []),
    ],
)
def test_each_finding_says_what_it_saw(text: str, expected: list[tuple[str, str]]) -> None:
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Mr. Smith met Dr. Jones at 5 p.m. in St. Petersburg.", 1),
        ("J. R. R. Tolkien wrote it, e.g. in 1937.", 1),
        ("“Is it you?” he asked.", 1),
        ("“Is it you?” He asked again.", 2),
        ("He came. Then he went! And then? 12 people cried.", 4),
        ("It cost 3.50 in all", 1),
        ("一句话。另一句话。", 2),
        ("Wait... what was that?", 1),
    ],
)
def test_sentences_are_counted_where_one_ends_and_another_begins(text: str, sentences: int) -> None:
    assert count_sentences(text) == sentences


def test_a_script_without_spaces_is_counted_in_letters() -> None:
    assert said("我们去学校。", "zh") == []
    assert said("我们去。", "zh") == [("short", "3 letters, fewer than 5")]


def test_joiners_that_a_script_or_an_emoji_needs_are_no_finding() -> None:
    assert said("می\u200cخواهم به خانه بروم امروز", "fa") == []
    assert said("The family 👩\u200d👧 went to the big house.") == []


def test_what_cannot_be_seen_is_shown_in_its_place() -> None:
    shown = [(piece.kind, piece.text, piece.name) for piece in pieces("We drive\u200b to &amp; fro.")]

    assert shown == [
        ("", "We drive", ""),
        ("hidden", "ZWSP", "zero-width space"),
        ("", " to ", ""),
        ("entity", "&amp;", "&"),
        ("", " fro.", ""),
    ]
    assert [piece.text for piece in pieces("plain")] == ["plain"]


def test_the_same_text_is_the_same_but_for_spaces_quotes_and_case() -> None:
    assert text_key("He  said “no”.") == text_key('he said "no". ')
    assert text_key("He said no.") != text_key("He said no!")
