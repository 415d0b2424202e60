"""Distant supervision: the inserted synonym is the target, the original word its suggestion."""

import io
import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.errors import Invalid
from annotator.domain.formats.reading import Report
from annotator.domain.formats.sws_json import SwsSentence, read_sws_json
from exports.domain.distant import CHUNK, MAX_SENTENCE, Corpus, ExampleMaker
from exports.domain.english import tokens_of
from tests.exports.thesauri import ROWS, thesaurus

MAKER = ExampleMaker(thesaurus())
PLAIN = ExampleMaker(thesaurus(), with_tagger=False)


def test_synonyms_are_targets_and_originals_their_suggestions() -> None:
    """Wang et al. 2023, 3.2, with a synonym for each of them."""
    [made] = MAKER.made([(7, "At first  my uncle wasn't happy.")]).lines.splitlines()

    assert json.loads(made) == {
        "id": "ds-7",
        "sentence": "Initially  my relative wasn't glad.",
        "sentence_split": ["Initially", "my", "relative", "was", "n't", "glad", "."],
        "substitutes": [
            [[0, 1], {"At first": 1}, 0],
            [[2, 3], {"uncle": 1}, 0],
            [[5, 6], {"happy": 1}, 0],
        ],
    }


def test_a_phrase_that_is_put_in_has_its_tokens() -> None:
    example = MAKER.example(1, "They gave us two plots.")

    assert example.text == "They handed over us two pieces of land."
    assert [(target.span, target.suggestions) for target in example.targets] == [
        ((1, 3), (("gave", 1),)),
        ((5, 8), (("plots", 1),)),
    ]


def test_sentences_without_an_entry_are_left_out_or_kept() -> None:
    chunk = [(1, "Nothing there."), (2, "A big day.")]

    made = MAKER.made(chunk)
    all_kept = ExampleMaker(thesaurus(), keeps_all=True).made(chunk)

    assert (made.examples, made.targets, made.lines.count("\n")) == (1, 1, 1)
    assert (all_kept.examples, all_kept.targets, all_kept.lines.count("\n")) == (2, 1, 2)
    assert json.loads(all_kept.lines.splitlines()[0])["substitutes"] == []


def test_seeds_and_places_draw_differently_and_each_synonym_comes_up() -> None:
    lines = [(number, "a big day") for number in range(1, 301)]
    one, two = (ExampleMaker(thesaurus(), seed=seed, with_tagger=False).made(lines).lines for seed in (1, 2))

    assert one != two
    assert 100 < one.count("a large day") < 200
    assert one.count("a large day") + one.count("a huge day") == 300


def test_the_rate_is_how_likely_a_substitution_is() -> None:
    lines = [(number, "a big big big day") for number in range(1, 301)]

    rates = [ExampleMaker(thesaurus(), rate=rate, with_tagger=False).made(lines).targets for rate in (0.2, 0.5, 1.0)]

    assert rates[2] == 900
    assert abs(rates[0] - 180) < 50
    assert abs(rates[1] - 450) < 60


def test_a_maker_can_be_sent_to_another_process() -> None:
    assert pickle.loads(pickle.dumps(ExampleMaker(thesaurus(), with_tagger=False).made))(
        [(1, "a big day")]
    ) == PLAIN.made([(1, "a big day")])


KNOWN = sorted({word for phrase, _, _ in ROWS for word in phrase.split()})
SENTENCES = st.lists(
    st.sampled_from([*KNOWN, "houses", "looked", "Big", "the", "wasn't", '"so"', "(we)", "e.g.", "…"])
    | st.text("abc'`\"“”.-,!? \t\u00a0é", min_size=1, max_size=5),
    min_size=1,
    max_size=20,
).map(" ".join)


@pytest.mark.parametrize("maker", [MAKER, PLAIN], ids=["tagger", "no tagger"])
@given(text=SENTENCES, number=st.integers(1, 10**9))
def test_taking_every_substitution_back_gives_the_sentence(maker: ExampleMaker, text: str, number: int) -> None:
    tokens = tokens_of(text)[0]

    example = maker.example(number, text)

    assert example == maker.example(number, text)
    back = list(example.tokens)
    for target in reversed(example.targets):
        [(original, votes)] = target.suggestions
        assert (votes, target.type) == (1, 0)
        back[slice(*target.span)] = original.split(" ")
    assert back == tokens


@given(text=SENTENCES)
def test_an_example_is_an_entry_of_sws_json(text: str) -> None:
    made = ExampleMaker(thesaurus(), with_tagger=False, keeps_all=True).made([(3, text)])

    entry = json.loads(made.lines)
    [sentence] = read_sws_json(json.dumps({entry.pop("id"): entry}).encode())

    assert isinstance(sentence, SwsSentence)
    assert len(sentence.targets) == made.targets


def read(data: bytes) -> tuple[list[tuple[int, str]], list[tuple[int, str]], Corpus]:
    corpus = Corpus(io.BytesIO(data), Report())
    lines = [line for chunk in corpus.chunks() for line in chunk]
    return lines, [(warning.line, warning.reason) for warning in corpus.report.warnings], corpus


def test_bad_lines_are_named_counted_and_left_out() -> None:
    longest, longer = b"x" * MAX_SENTENCE, b"x" * (MAX_SENTENCE + 1)
    data = b"\xef\xbb\xbf One.\r\n\n \t\nf\xfcnf\ntw\x00o\nth\rree\n" + longest + b"\r\n" + longer + b"\n" + longer * 4

    lines, warnings, corpus = read(data)

    assert lines == [(1, "One."), (7, longest.decode())]
    assert warnings == [
        (4, "The line is not UTF-8."),
        (5, "The line holds the control character U+0000."),
        (6, "The line holds the control character U+000D."),
        (8, "The line has more than 10,000 bytes: put one sentence on each."),
        (9, "The line has more than 10,000 bytes: put one sentence on each."),
    ]
    assert (corpus.sentences, corpus.bad_lines) == (2, 5)


@pytest.mark.parametrize("data", [b"", b"\n\n", b" \n", "\u200b\n".encode()])
def test_a_corpus_may_have_no_sentences(data: bytes) -> None:
    assert read(data)[0] == []


def test_a_file_that_is_no_text_is_refused_whole() -> None:
    with pytest.raises(Invalid, match="UTF-16"):
        read("Eins.\nZwei.\n".encode("utf-16"))


def test_sentences_come_in_chunks() -> None:
    corpus = Corpus(io.BytesIO(b"One.\n" * (2 * CHUNK + 1)), Report())

    assert [len(chunk) for chunk in corpus.chunks()] == [CHUNK, CHUNK, 1]
