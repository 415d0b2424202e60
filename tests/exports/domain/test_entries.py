"""Entries of a thesaurus in a sentence: found by part of speech and lemma, the longest first, synonyms in its form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.tokenize.destructive import NLTKWordTokenizer

from annotator.domain.errors import Invalid
from annotator.domain.tokens import align_tokens
from exports.domain.english import inflect, tagged, tokens_of
from exports.domain.entries import EntryFinder, inflected_phrase
from exports.domain.thesaurus import Thesaurus
from tests.exports.thesauri import ROWS, thesaurus

FINDERS = {is_on: EntryFinder(thesaurus(), with_tagger=is_on) for is_on in (True, False)}


def found(sentence: str, *, with_tagger: bool = True) -> dict[str, list[str]]:
    finder, tokens = FINDERS[with_tagger], tokens_of(sentence)[0]
    return {
        " ".join(tokens[entry.start : entry.end]): list(finder.offers(entry, tokens))
        for entry in finder.entries(tokens)
    }


@pytest.mark.parametrize(
    ("sentence", "offers"),
    [
        ("My uncle has a big house.", {"uncle": ["relative"], "big": ["large", "huge"], "house": ["home", "dwelling"]}),
        ("Their houses are bigger.", {"houses": ["homes", "dwellings"], "bigger": ["larger", "huger"]}),
        ("The children made plans.", {"children": ["youngsters"], "made": ["created", "built"]}),
        ("She makes bread.", {"makes": ["creates", "builds"]}),
        ("We are making bread.", {"making": ["creating", "building"]}),
        # “found” is a form of “find” here, and there a lemma of its own.
        ("They found the key yesterday.", {"found": ["discovered"]}),
        ("They want to found a club.", {"found": ["establish"]}),
        ("Yesterday he put it there.", {"put": ["placed"]}),
        ("He looked at the plan.", {"looked at": ["examined", "considered"]}),
        ("She gave it away.", {"gave": ["handed over"]}),
        ("They bought two pieces of land.", {"pieces of land": ["plots"]}),
        ("They bought two plots.", {"plots": ["pieces of land"]}),
        ("There were parties.", {"parties": ["feasts", "big meals"]}),
        ("At first we lost.", {"At first": ["Initially"]}),
        ("Big dogs bark.", {"Big": ["Large", "Huge"]}),
        ("We saw a lot of snow.", {"a lot of": ["plenty of"]}),
        ("The best day.", {"best": ["pleasantest"]}),
        ("Nothing is here.", {}),
        ("", {}),
    ],
)
def test_entries_are_found_and_synonyms_take_their_form(sentence: str, offers: dict[str, list[str]]) -> None:
    assert found(sentence) == offers


@pytest.mark.parametrize(
    ("sentence", "offers"),
    [
        ("The houses looked bigger.", {"houses": ["homes", "dwellings"], "bigger": ["larger", "huger"]}),
        ("They found it.", {"found": ["discovered"]}),
        ("He carried out a plan.", {"carried out": ["performed"]}),
        # A capital inside a sentence is a name's, at its beginning it says nothing.
        ("We met Mr House there.", {}),
        ("House prices rise! Big ones do.", {"House": ["Home", "Dwelling"], "Big": ["Large", "Huge"]}),
    ],
)
def test_without_the_tagger_a_word_goes_by_itself(sentence: str, offers: dict[str, list[str]]) -> None:
    assert found(sentence, with_tagger=False) == offers


def test_the_tagger_decides_the_part_of_speech() -> None:
    rows = [("change", "n", "shift"), ("change", "v", "alter")]
    tokens = tokens_of("The change came when we had to change the plan.")[0]
    finder = EntryFinder(Thesaurus.of(rows))

    assert [(entry.start, entry.part) for entry in finder.entries(tokens)] == [(1, "n"), (7, "v")]


def test_without_the_tagger_nouns_go_before_verbs_adjectives_and_adverbs() -> None:
    rows = [("well", "r", "nicely"), ("change", "v", "alter"), ("change", "n", "shift"), ("well", "a", "healthy")]
    finder = EntryFinder(Thesaurus.of(rows), with_tagger=False)

    assert [entry.part for entry in finder.entries(["change", "well"])] == ["n", "a"]


def test_function_words_and_single_letters_are_never_entries() -> None:
    words = ["a", "the", "is", "have", "did", "of", "not", "they", "n't", "x", "and", "would", "something", "7"]
    rows = [(word, part, "other") for word in words for part in "nvar"]
    finder = EntryFinder(Thesaurus.of(rows), with_tagger=False)

    assert finder.entries(words) == []


def test_only_the_tagger_tells_like_from_like() -> None:
    rows = [("like", part, "enjoy") for part in "nvar"]
    tokens = tokens_of("I like rain like this.")[0]

    assert [entry.start for entry in EntryFinder(Thesaurus.of(rows)).entries(tokens)] == [1]
    assert EntryFinder(Thesaurus.of(rows), with_tagger=False).entries(tokens) == []


def test_the_longest_entry_wins_and_nothing_overlaps() -> None:
    rows = [("big house", "n", "villa"), ("big", "a", "large"), ("big house party", "n", "ball"), ("party", "n", "do")]
    finder = EntryFinder(Thesaurus.of(rows), with_tagger=False)
    tokens = tokens_of("a big house party in a big house, big party")[0]

    assert [(entry.start, entry.end) for entry in finder.entries(tokens)] == [(1, 4), (6, 8), (9, 10), (10, 11)]


def test_an_entry_in_an_inflected_form_has_its_synonyms_as_they_stand() -> None:
    finder = EntryFinder(Thesaurus.of([("went", "v", "walked"), ("blorbs", "n", "florbs")]))
    tokens = tokens_of("We went there with blorbs.")[0]

    assert [list(finder.offers(entry, tokens)) for entry in finder.entries(tokens)] == [["walked"], ["florbs"]]


def test_what_stands_there_is_not_offered_and_nothing_twice() -> None:
    rows = [("put", "v", "set"), ("put", "v", "Put"), ("put", "v", "lay"), ("put", "v", "LAY")]
    finder = EntryFinder(Thesaurus.of(rows))
    tokens = tokens_of("We will put it down.")[0]
    [entry] = finder.entries(tokens)

    assert list(finder.offers(entry, tokens)) == ["set", "lay"]
    assert list(finder.offers(entry, tokens, first=2)) == ["lay", "set"]


@pytest.mark.parametrize(
    ("synonym", "part", "form", "text"),
    [
        ("hand over", "v", "VBD", "handed over"),
        ("point of view", "n", "NNS", "points of view"),
        ("summer house", "n", "NNS", "summer houses"),
        ("of note", "a", "JJR", "of note"),
        ("Canis familiaris", "n", "NNS", "Canis familiaris"),
        ("ground", "v", "VBD", "grounded"),
        ("beautiful", "a", "JJR", "beautiful"),
    ],
)
def test_a_phrase_takes_its_form_in_its_head(synonym: str, part: str, form: str, text: str) -> None:
    assert inflected_phrase(synonym, part, form) == text


def test_a_form_that_does_not_exist_leaves_the_lemma() -> None:
    assert [inflect("blorb", "NNS"), inflect("go", ""), inflect("go", "VBD")] == ["blorb", "go", "went"]


KNOWN = sorted({word for phrase, _, _ in ROWS for word in phrase.split()})
TOKENS = st.lists(
    st.sampled_from([*KNOWN, "houses", "looked", "pieces", "Big", "the", ",", ".", "n't", "``"]) | st.text(min_size=1),
    max_size=30,
)


@pytest.mark.parametrize("with_tagger", [True, False])
@given(tokens=TOKENS)
def test_spans_are_inside_and_do_not_overlap(with_tagger: bool, tokens: list[str]) -> None:
    finder = FINDERS[with_tagger]

    entries = finder.entries(tokens)

    places = [place for entry in entries for place in (entry.start, entry.end)]
    assert places == sorted(places)
    assert all(0 <= entry.start < entry.end <= len(tokens) for entry in entries)
    assert all(entry.key in finder.thesaurus.synonyms[entry.part] for entry in entries)
    for entry in entries:
        original = " ".join(tokens[entry.start : entry.end]).lower()
        offers = [offer.lower() for offer in finder.offers(entry, tokens)]
        assert original not in offers
        assert len(set(offers)) == len(offers)


@given(tokens=TOKENS)
def test_every_token_has_a_tag(tokens: list[str]) -> None:
    assert len(tagged(tokens)) == len(tokens)


def test_a_passage_of_any_length_is_tagged() -> None:
    tokens = ["blorb", "of"] * 10_000

    assert len(tagged(tokens)) == 20_000


WORDS = st.sampled_from(
    [
        "cannot",
        "gonna",
        "don't",
        "can't",
        "I'm",
        "Ann's",
        "well-known",
        "über",
        "25",
        "1,000",
        "it",
        "Mr.",
        "a.m.",
        "日本",
    ]
) | st.text("abnst'-.,;: 5Éé_", min_size=1, max_size=6)


@given(st.lists(WORDS, min_size=1, max_size=8), st.sampled_from(["", ".", "!", "?", "...", '"']))
def test_tokens_are_those_of_the_treebank_where_the_text_has_them(words: list[str], end: str) -> None:
    sentence = " ".join(words) + end
    expected = NLTKWordTokenizer().tokenize(sentence)

    tokens, spans = tokens_of(sentence)

    try:
        assert (tokens, spans) == (expected, align_tokens(sentence, expected))
    except Invalid:  # words and signs instead
        assert "".join(tokens) == "".join(sentence.split())
