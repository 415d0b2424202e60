"""Text: what may be stored, what is a passage, and when two substitutes are the same."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.text import (
    MAX_PASSAGE_LENGTH,
    collapse_spaces,
    forbidden_character,
    passage_text_problems,
    substitute_key,
    with_line_feeds,
)
from tests.annotator.domain.strategies import texts

SPACES = st.text(" \t\n\u00a0\u2009\u3000", max_size=3)


def codes(text):
    return [problem.code for problem in passage_text_problems(text)]


def test_exactly_controls_and_surrogates_are_forbidden_but_not_tab_and_line_feed():
    controls = [code for code in range(0x110000) if unicodedata.category(chr(code)) in ("Cc", "Cs")]

    forbidden = [code for code in range(0x110000) if forbidden_character(chr(code))]

    assert forbidden == [code for code in controls if chr(code) not in "\t\n"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", ""),
        ("plain words", ""),
        ("tab\tand\nline feed", ""),
        ("zero\u200bwidth \u2066bidi\u2069 \ufeff", ""),
        ("a\x00b", "U+0000"),
        ("a\x1bb\x00", "U+001B"),
        ("bell\x07", "U+0007"),
        ("\x9f", "U+009F"),
        ("half \udc00", "U+DC00"),
    ],
    ids=ascii,
)
def test_first_forbidden_character_is_named(text, found):
    assert forbidden_character(text) == found


@pytest.mark.parametrize(
    ("text", "stored"),
    [("one\r\ntwo\r\n", "one\ntwo\n"), ("\r\n\r\n", "\n\n"), ("one\ntwo", "one\ntwo"), ("one\rtwo", "one\rtwo")],
    ids=["crlf", "empty-lines", "line-feed", "lone-carriage-return"],
)
def test_crlf_becomes_a_line_feed_and_nothing_else_changes(text, stored):
    assert with_line_feeds(text) == stored


@given(texts())
def test_text_without_carriage_return_is_never_altered(text):
    assert with_line_feeds(text) == text


@given(texts(min_pieces=1))
def test_crlf_and_line_feed_files_give_the_same_passage(text):
    assert with_line_feeds(text.replace("\n", "\r\n")) == text


@pytest.mark.parametrize(
    "text",
    ["Rain again.", "😀", " a ", "line\nline\ttab", "\u200fשלום\u200b", "x" * 20_000, "😀" * 20_000],
    ids=["plain", "emoji", "spaces-around", "line-feed-and-tab", "bidi-and-zero-width", "20000", "20000-emoji"],
)
def test_good_passage_has_no_problem(text):
    assert codes(text) == []


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        pytest.param("", ["empty_text"], id="nothing"),
        pytest.param(" \n\t\u00a0\u3000", ["empty_text"], id="white-space"),
        pytest.param("x" * 20_001, ["text_too_long"], id="20001"),
        pytest.param("😀" * 20_001, ["text_too_long"], id="20001-emoji"),
        pytest.param("a\x00b", ["forbidden_character"], id="nul"),
        pytest.param("one\rtwo", ["forbidden_character"], id="lone-carriage-return"),
        pytest.param("half \ud83d", ["forbidden_character"], id="lone-surrogate"),
        pytest.param("x" * 20_000 + "\x07", ["text_too_long", "forbidden_character"], id="two-at-once"),
        pytest.param("\n" * 20_001, ["empty_text", "text_too_long"], id="long-and-blank"),
    ],
)
def test_bad_passage_is_told_everything_at_once(text, problems):
    assert codes(text) == problems
    assert {problem.path for problem in passage_text_problems(text)} == {"text"}


def test_refusal_of_a_long_passage_says_how_long_it_may_be():
    problem = passage_text_problems("x" * (MAX_PASSAGE_LENGTH + 1))[0]

    assert problem.message == "The passage has 20,001 characters; 20,000 are the most."


@pytest.mark.parametrize(
    ("text", "collapsed"),
    [
        ("", ""),
        ("icy", "icy"),
        ("  icy  cold ", "icy cold"),
        ("icy\t\ncold", "icy cold"),
        ("icy\u00a0cold\u3000", "icy cold"),
        ("icy\u200bcold", "icy\u200bcold"),
    ],
    ids=["empty", "clean", "spaces", "tab-and-line-feed", "nbsp-and-ideographic", "zero-width-stays"],
)
def test_white_space_collapses(text, collapsed):
    assert collapse_spaces(text) == collapsed


@given(texts())
def test_collapsing_twice_changes_nothing_and_keeps_every_word(text):
    once = collapse_spaces(text)

    assert collapse_spaces(once) == once
    assert once.split() == text.split()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("icy", " ICY\t"),
        ("icy cold", "Icy \u00a0 cold"),
        ("caf\u00e9", "CAFE\u0301"),
        ("it's", "it’s"),
        ("it's", "it‘s"),
        ("‚so‛", "'so'"),
        ('"so"', "“so”"),
        ('"so"', "„so‟"),
        ("straße", "STRASSE"),
        ("ΣΟΦΟΣ", "σοφος"),
        ("σοφος", "σοφοσ"),
        ("ΐ", "\u03b9\u0308\u0301"),
        ("a\u0323\u0308", "a\u0308\u0323"),
    ],
    ids=ascii,
)
def test_folded_keys_are_the_same(one, other):
    assert substitute_key(one, folds=True) == substitute_key(other, folds=True)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cafe", "café"),
        ("well-known", "well known"),
        ("its", "it's"),
        ("icy", "icy."),
        ("boats", "boat"),
        ("ﬁ", "fl"),
        ("x²", "x2"),
        ("'so'", '"so"'),
        ("icy\u200bcold", "icycold"),
    ],
    ids=ascii,
)
def test_folded_keys_differ(one, other):
    assert substitute_key(one, folds=True) != substitute_key(other, folds=True)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("caf\u00e9", "cafe\u0301", True),
        ("both", "both ", False),
        ("a  b", "a b", False),
        ("Icy", "icy", False),
        ("it's", "it’s", False),
    ],
    ids=["composition", "space-after", "two-spaces", "case", "quotes"],
)
def test_exact_keys_fold_nothing_but_composition(one, other, same):
    assert (substitute_key(one, folds=False) == substitute_key(other, folds=False)) is same


def test_key_is_composed_straight_lower_and_trimmed():
    assert substitute_key("  L’E\u0301te\u0301 \n Dit ", folds=True) == "l'\u00e9t\u00e9 dit"


@given(texts(), st.booleans())
def test_key_of_a_key_is_itself(text, folds):
    key = substitute_key(text, folds=folds)

    assert substitute_key(key, folds=folds) == key


@given(texts(), st.booleans(), st.sampled_from(["NFC", "NFD"]))
def test_canonically_equal_texts_have_one_key(text, folds, form):
    assert substitute_key(unicodedata.normalize(form, text), folds=folds) == substitute_key(text, folds=folds)


@given(texts(), SPACES, SPACES)
def test_white_space_around_never_makes_another_key(text, before, after):
    assert substitute_key(before + text + after, folds=True) == substitute_key(text, folds=True)
