"""Two answers over one text: nothing of the text is lost, and what both said is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudication.domain.lanes import LONG, Said, pieces, summary

TEXT = "One two three four, five six."
A = {(0, 3): {"uno": ("uno", "r")}, (4, 7): {"x": ("x", "r")}, (8, 18): {"y": ("y", "d")}}
B = {(0, 3): {"uno": ("Uno", "r"), "eins": ("eins", "r")}, (4, 7): {"z": ("z", "r")}, (8, 13): {"y": ("y", "d")}}


def test_what_both_chose_and_what_one_did() -> None:
    found = summary(TEXT, A, B)

    assert (found.both, found.other_words) == (("One",), ("two",))
    assert (found.only_above, found.only_below) == (("three four",), ("three",))


def test_a_word_that_stands_twice_has_its_number_as_in_the_dictionary() -> None:
    text = "the old man and the old dog"
    second = {(20, 23): {"aged": ("aged", "r")}}

    found = summary(text, {(4, 7): {"aged": ("aged", "r")}, **second, (8, 11): {"chap": ("chap", "r")}}, second)

    assert (found.both, found.only_above) == (("old (2)",), ("old (1)", "man"))


def test_equal_spans_are_one_piece_and_overlapping_ones_too() -> None:
    found = [piece for piece in pieces(TEXT, A, B) if not piece.is_plain]

    assert [(piece.text, piece.is_both) for piece in found] == [("One", True), ("two", True), ("three four", False)]
    assert [offer.is_common for offer in found[0].below[0].offers] == [True, False]
    assert (found[2].above[0].quote, found[2].below[0].quote) == ("", "three")


_spans = st.tuples(st.integers(0, 28), st.integers(0, 28)).map(sorted).map(tuple)
_answers = st.dictionaries(_spans, st.just({"k": ("k", "r")}), max_size=6)


@given(_answers, _answers)
def test_the_text_stays_whole_and_every_span_is_shown(above: Said, below: Said) -> None:
    found = pieces(TEXT, above, below)

    assert "".join(piece.text for piece in found) == TEXT
    assert sum(len(piece.above) for piece in found) == len(above)
    assert sum(len(piece.below) for piece in found) == len(below)


@pytest.mark.parametrize(("span", "is_joined"), [((0, 3), False), ((14, 18), True), ((25, 28), True)])
def test_what_follows_a_marked_stretch_without_a_space_is_joined_to_it(span: tuple[int, int], is_joined: bool) -> None:
    last = pieces(TEXT, {span: {"k": ("k", "r")}}, {})[-1]

    assert last.is_joined is is_joined


@pytest.mark.parametrize(("offer", "is_long"), [("short", False), ("x" * LONG, True)])
def test_a_long_lane_is_known(offer: str, is_long: bool) -> None:
    piece = pieces(TEXT, {(0, 3): {"k": (offer, "r")}}, {(0, 3): {"l": ("lad", "r")}})[0]

    assert piece.is_long_above is is_long
    assert not piece.is_long_below
