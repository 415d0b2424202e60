"""The rule-based system: every entry, the first synonyms, in the form that scorers read."""

import json

from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.formats.sws_json import SwsSentence
from exports.domain.baseline import SystemSentence, suggested, system_signature, write_predictions
from exports.domain.english import tokens_of
from exports.domain.entries import EntryFinder
from exports.domain.predictions import read_predictions
from tests.exports.thesauri import thesaurus

FINDER = EntryFinder(thesaurus())


def test_all_entries_are_replaced_greedily() -> None:
    """Wang et al. 2023, 5.1."""
    tokens = tokens_of("My uncle made a big party.")[0]

    found = suggested("s1", tokens, FINDER)

    assert found.spans == [
        ((1, 2), ["relative"]),
        ((2, 3), ["created", "built"]),
        ((4, 5), ["large", "huge"]),
        ((5, 6), ["feast", "big meal"]),
    ]


def test_no_more_than_so_many_suggestions() -> None:
    found = suggested("s1", ["A", "big", "house", "."], FINDER, top=1)

    assert found.spans == [((1, 2), ["large"]), ((2, 3), ["home"])]


def test_predictions_are_written_as_sws_json_is() -> None:
    sentences = [SystemSentence("é1", ["Big", "day"], [((0, 1), ["Large"])]), SystemSentence("2", ["Day"], ())]

    text = "".join(write_predictions(sentences))

    data = {
        "é1": {"input_words": ["Big", "day"], "substitute_topk": [[["Big", 0, 1], ["Large"]]]},
        "2": {"input_words": ["Day"], "substitute_topk": []},
    }
    assert text == json.dumps(data, indent=4)
    assert "".join(write_predictions([])) == json.dumps({}, indent=4)


WORDS = st.sampled_from(
    ["big", "Houses", "looked", "at", "first", "the", "children", "pieces", "of", "land", ",", "😀"]
)
IDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"))


@given(st.dictionaries(IDS, st.lists(WORDS, min_size=1, max_size=12), max_size=4))
def test_what_is_written_can_be_read(texts: dict[str, list[str]]) -> None:
    sentences = [suggested(name, tokens, FINDER) for name, tokens in texts.items()]
    gold = [SwsSentence(name, " ".join(tokens), tuple(tokens)) for name, tokens in texts.items()]

    found = read_predictions("".join(write_predictions(sentences)).encode(), gold)

    assert {name: sentence.spans for name, sentence in found.sentences.items()} == {
        sentence.id: list(sentence.spans) for sentence in sentences
    }


def test_the_signature_tells_all_settings() -> None:
    with_tagger = system_signature("baseline", FINDER, thesaurus="abc", task="sws", top=5)
    without = system_signature("distant", EntryFinder(thesaurus(), with_tagger=False), thesaurus="abc", seed=3)

    assert with_tagger.startswith("baseline|task:sws|top:5|tagger:HanTa-1.")
    assert f"|thesaurus:abc|entries:{len(thesaurus())}|method:" in with_tagger
    assert without.startswith("distant|seed:3|tagger:none|forms:lemminflect-")
