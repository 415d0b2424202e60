"""Tokens that are made, and the forms of words."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.language import direction, divided, inflected, is_english, made_tokens, sentences, tags_of
from annotator.domain.tokens import spans_of, texts_of
from tests.annotator.domain.strategies import texts


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("I don't know.", "en", ["I", "do", "n't", "know", "."]),
        ('He said "no". Then he left.', "en-GB", ["He", "said", "``", "no", "''", ".", "Then", "he", "left", "."]),
        ("Das dauert's lang-sam.", "de", ["Das", "dauert's", "lang-sam", "."]),
        ("我喜欢猫。", "zh", ["我", "喜", "欢", "猫", "。"]),
        ("مرحبا، عالم", "ar", ["مرحبا", "،", "عالم"]),
        ("كَتَبَ الوَلَدُ", "ar", ["كَتَبَ", "الوَلَدُ"]),
        ("हिन्दी भाषा।", "hi", ["हिन्दी", "भाषा", "।"]),
        ("กินข้าว", "th", ["กิ", "น", "ข้", "า", "ว"]),
        ("cafe\u0301 au lait", "fr", ["cafe\u0301", "au", "lait"]),
        ("a 👨\u200d👩\u200d👧 b", "fr", ["a", "👨\u200d👩\u200d👧", "b"]),
    ],
)
def test_tokens_of_a_text_that_came_without(text: str, lang: str, expected: list[str]) -> None:
    made = made_tokens(text, lang)

    assert texts_of(text, made) == expected


@given(texts())
def test_tokens_stand_in_any_text_in_order(text: str) -> None:
    for lang in ("en", "th"):
        position = 0
        for start, end in spans_of(made_tokens(text, lang)):
            assert position <= start < end <= len(text)
            position = end


# Words that syntok has thoughts of its own about, and every sign it divides at or not.
_WORDS = ["no", "No", "Dr", "etc", "The", "In", "can't", "n't", "I", "II", "Jan", "3", "100", "i", "U.S", "漢字", "..."]
_SIGNS = ["", "", ".", "!", "?", ";", ",", ":", '"', "'", "”", ")", "-"]
_GAPS = [" ", " ", "", "\n\n", "\u200b"]
_PIECES = st.tuples(st.sampled_from(_WORDS), st.sampled_from(_SIGNS), st.sampled_from(_GAPS))


@given(st.lists(_PIECES, max_size=8).map(lambda pieces: "".join(map("".join, pieces))) | texts())
def test_one_sentence_is_known_without_looking_closer(text: str) -> None:
    assert list(sentences(text)) == list(divided(text))
    assert list(sentences(text.strip())) == list(divided(text.strip()))


@pytest.mark.parametrize(
    ("lang", "expected"), [("en", True), ("en-US", True), ("EN", True), ("eng", False), ("", False)]
)
def test_what_is_english(lang: str, expected: bool) -> None:
    assert is_english(lang) == expected


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("he", "iPhone הוא טלפון", "rtl"),
        ("ar-EG", "123", "rtl"),
        ("ur", "", "rtl"),
        ("az-Arab", "abc", "rtl"),
        ("he-Latn", "shalom", "ltr"),
        ("en", "He said שלום and left.", "ltr"),
        ("en", "ذهب الولد إلى البيت", "rtl"),  # imported without its language
        ("ja", "猫が好きです", "ltr"),
        ("en", "", "ltr"),
    ],
)
def test_which_way_a_text_runs(lang: str, text: str, expected: str) -> None:
    assert direction(lang, text) == expected


def test_forms_of_words() -> None:
    assert {"VBD", "VBN"} <= tags_of("made")
    assert tags_of("Houses") >= {"NNS", "VBZ"}
    assert tags_of("qwxyz") == frozenset() or "VBD" not in tags_of("qwxyz")
    assert (inflected("build", "VBG"), inflected("mouse", "NNS"), inflected("big", "VBD")) == ("building", "mice", "")


def test_nothing_large_is_loaded_at_import() -> None:
    """The libraries of language take 110 MB: they come with the first finding, not with the first page."""
    code = (
        "import sys, annotator.domain.findings, annotator.domain.language, adjudication.domain.agreement.report;"
        "print([m for m in ('nltk', 'syntok', 'lemminflect') if m in sys.modules])"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
