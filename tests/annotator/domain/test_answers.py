"""The answer as a draft: shape, offsets, quote, types and limits."""

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from annotator.domain.answers import (
    EMPTY_ANSWER,
    Answer,
    Counts,
    Mark,
    Substitute,
    count_answer,
    count_stored,
    parse_answer,
    united,
)
from annotator.domain.canonical import canonical_json
from annotator.domain.errors import Conflict, Invalid, TooLarge
from annotator.domain.protocols import SWS
from annotator.domain.strict_json import parse_json
from tests.annotator.domain.strategies import spans, texts, texts_and_answers

TEXT = "The small boat drifted past the pier."
SMALL = {"start": 4, "end": 9, "quote": "small", "substitutes": []}
TINY = {"text": "tiny", "type": "refine-usage"}
INSERTIONS = replace(SWS, spans_may_be_empty=True)
NO_REFINING = replace(SWS, types=(replace(SWS.types[0], is_retired=True), SWS.types[1]))


def marked(**changes):
    return {"marks": [{**SMALL, **changes}]}


def offered(**changes):
    return marked(substitutes=[{**TINY, **changes}])


def without(item, key):
    return {name: value for name, value in item.items() if name != key}


@given(texts_and_answers())
def test_any_valid_answer_is_read_back_as_it_was_written(case):
    text, answer = case

    assert parse_answer(answer.as_dict(), text=text, protocol=SWS) == answer


@given(texts_and_answers())
def test_any_valid_answer_survives_the_wire(case):
    text, answer = case

    body = canonical_json(answer.as_dict())

    assert parse_answer(parse_json(body), text=text, protocol=SWS) == answer


@given(st.data(), texts(min_pieces=1), texts())
def test_quote_that_differs_from_the_text_is_refused(data, text, other):
    start, end = data.draw(spans(text))
    assume(other != text[start:end])

    with pytest.raises(Invalid) as refusal:
        parse_answer(marked(start=start, end=end, quote=other), text=text, protocol=SWS)

    assert [(p.code, p.path) for p in refusal.value.problems] == [("quote", "marks[0].quote")]


@pytest.mark.parametrize(
    ("text", "word", "start", "utf16_start"),
    [
        pytest.param("x😀é y", "y", 4, 5, id="emoji"),
        pytest.param("👩‍👩‍👧 wave", "wave", 6, 9, id="zwj-family"),
        pytest.param("🇩🇪🇫🇷 play", "play", 5, 9, id="flags"),
        pytest.param("𝒳𝟙 holds", "holds", 3, 5, id="math-letters"),
        pytest.param("\U00020bb7 eats", "eats", 2, 3, id="cjk-outside-the-bmp"),
    ],
)
def test_offsets_are_code_points_and_not_utf16_units(text, word, start, utf16_start):
    def parse(first):
        mark = {"start": first, "end": first + len(word), "quote": word, "substitutes": []}
        return parse_answer({"marks": [mark]}, text=text, protocol=SWS)

    assert parse(start).marks[0].start == start
    with pytest.raises(Invalid):
        parse(utf16_start)


@pytest.mark.parametrize(
    ("text", "quote", "start", "end"),
    [
        pytest.param("cafe\u0301 noir", "noir", 6, 10, id="combining-mark-is-one-of-its-own"),
        pytest.param("cafe\u0301 noir", "\u0301", 4, 5, id="half-of-what-the-eye-sees"),
        pytest.param("un\u00a0bel oiseau", "bel", 3, 6, id="after-nbsp"),
        pytest.param("\u200fשלום עולם", "עולם", 6, 10, id="rtl-with-its-mark"),
        pytest.param("ภาษาไทยง่าย", "ไทย", 4, 7, id="thai"),
        pytest.param("我喜欢汉字", "汉字", 3, 5, id="cjk"),
        pytest.param("tea\nand\tmilk", "\nand\t", 3, 8, id="line-feed-and-tab"),
    ],
)
def test_mark_may_sit_on_any_code_point_span(text, quote, start, end):
    answer = parse_answer(marked(start=start, end=end, quote=quote), text=text, protocol=SWS)

    assert answer == Answer((Mark(start, end, quote),))


@pytest.mark.parametrize("quote", ["e\u0301", "E", "é ", ""], ids=["nfd", "capital", "longer", "empty"])
def test_quote_is_compared_code_point_by_code_point(quote):
    with pytest.raises(Invalid):
        parse_answer(marked(start=0, end=1, quote=quote), text="é", protocol=SWS)


@pytest.mark.parametrize(("start", "end"), [(0, 1), (0, 37), (36, 37)], ids=["first", "whole", "last"])
def test_span_may_reach_both_ends_of_the_text(start, end):
    answer = parse_answer(marked(start=start, end=end, quote=TEXT[start:end]), text=TEXT, protocol=SWS)

    assert answer.marks[0].quote == TEXT[start:end]


@pytest.mark.parametrize(
    ("start", "end"),
    [(-1, 3), (-5, -1), (0, 38), (37, 38), (9, 4), (4, 4), (37, 37), (0, 10**17)],
    ids=["before", "from-the-back", "one-past", "outside", "backwards", "empty", "empty-at-end", "far-past"],
)
def test_span_outside_the_text_or_empty_is_refused(start, end):
    with pytest.raises(Invalid) as refusal:
        parse_answer(marked(start=start, end=end, quote=TEXT[start:end]), text=TEXT, protocol=SWS)

    assert [(p.code, p.path) for p in refusal.value.problems] == [("span", "marks[0]")]


@pytest.mark.parametrize("place", [0, 4, 37], ids=["start", "middle", "end"])
def test_empty_span_is_taken_where_the_protocol_says_so(place):
    answer = parse_answer(marked(start=place, end=place, quote=""), text=TEXT, protocol=INSERTIONS)

    assert answer == Answer((Mark(place, place, ""),))


def test_empty_span_past_the_end_is_refused_under_every_protocol():
    with pytest.raises(Invalid, match="not a span of the passage"):
        parse_answer(marked(start=38, end=38, quote=""), text=TEXT, protocol=INSERTIONS)


@pytest.mark.parametrize(
    ("value", "code", "path"),
    [
        pytest.param(None, "shape", "answer", id="null"),
        pytest.param([], "shape", "answer", id="a-list"),
        pytest.param("marks", "shape", "answer", id="a-string"),
        pytest.param({}, "shape", "answer", id="neither-marks-nor-none"),
        pytest.param({"marks": [], "none": True}, "shape", "answer", id="both-marks-and-none"),
        pytest.param({"none": False}, "shape", "answer.none", id="none-false"),
        pytest.param({"none": 1}, "shape", "answer.none", id="none-one"),
        pytest.param({"none": None}, "shape", "answer.none", id="none-null"),
        pytest.param({"marks": None}, "shape", "answer.marks", id="marks-null"),
        pytest.param({"marks": {}}, "shape", "answer.marks", id="marks-an-object"),
        pytest.param({"marks": [], "votes": 3}, "unknown_key", "answer", id="unknown-key"),
        pytest.param({"marks": [7]}, "shape", "marks[0]", id="mark-a-number"),
        pytest.param({"marks": [SMALL, []]}, "shape", "marks[1]", id="second-mark-a-list"),
        pytest.param(marked(flag="nil"), "unknown_key", "marks[0]", id="unknown-key-of-a-mark"),
        pytest.param({"marks": [without(SMALL, "start")]}, "missing_key", "marks[0]", id="no-start"),
        pytest.param({"marks": [without(SMALL, "end")]}, "missing_key", "marks[0]", id="no-end"),
        pytest.param({"marks": [without(SMALL, "quote")]}, "missing_key", "marks[0]", id="no-quote"),
        pytest.param({"marks": [without(SMALL, "substitutes")]}, "missing_key", "marks[0]", id="no-substitutes"),
        pytest.param(marked(start=4.0), "shape", "marks[0].start", id="start-a-float"),
        pytest.param(marked(start="4"), "shape", "marks[0].start", id="start-a-string"),
        pytest.param(marked(start=True), "shape", "marks[0].start", id="start-true"),
        pytest.param(marked(end=None), "shape", "marks[0].end", id="end-null"),
        pytest.param(marked(start=0, end=True, quote="T"), "shape", "marks[0].end", id="end-true"),
        pytest.param(marked(quote=None), "shape", "marks[0].quote", id="quote-null"),
        pytest.param(marked(quote=["small"]), "shape", "marks[0].quote", id="quote-a-list"),
        pytest.param(marked(unsure=1), "shape", "marks[0].unsure", id="unsure-one"),
        pytest.param(marked(unsure=None), "shape", "marks[0].unsure", id="unsure-null"),
        pytest.param(marked(note=None), "shape", "marks[0].note", id="note-null"),
        pytest.param(marked(substitutes={}), "shape", "marks[0].substitutes", id="substitutes-an-object"),
        pytest.param(marked(substitutes=["tiny"]), "shape", "marks[0].substitutes[0]", id="substitute-a-string"),
        pytest.param(offered(votes=2), "unknown_key", "marks[0].substitutes[0]", id="unknown-key-of-a-substitute"),
        pytest.param(
            marked(substitutes=[without(TINY, "text")]), "missing_key", "marks[0].substitutes[0]", id="no-text"
        ),
        pytest.param(
            marked(substitutes=[without(TINY, "type")]), "missing_key", "marks[0].substitutes[0]", id="no-type"
        ),
        pytest.param(offered(text=5), "shape", "marks[0].substitutes[0].text", id="text-a-number"),
        pytest.param(offered(type=None), "shape", "marks[0].substitutes[0].type", id="type-null"),
        pytest.param(offered(type="synonym"), "type", "marks[0].substitutes[0].type", id="type-unknown"),
        pytest.param(offered(type="Refine usage"), "type", "marks[0].substitutes[0].type", id="type-by-its-label"),
        pytest.param(offered(type=""), "type", "marks[0].substitutes[0].type", id="type-empty"),
        pytest.param(offered(via="dictated"), "via", "marks[0].substitutes[0].via", id="via-unknown"),
        pytest.param(offered(via=None), "via", "marks[0].substitutes[0].via", id="via-null"),
        pytest.param(offered(via=["typed"]), "via", "marks[0].substitutes[0].via", id="via-a-list"),
    ],
)
def test_bad_shape_is_refused_and_named_by_its_path(value, code, path):
    with pytest.raises(Invalid) as refusal:
        parse_answer(value, text=TEXT, protocol=SWS)

    assert refusal.value.code == "invalid"
    assert [(p.code, p.path) for p in refusal.value.problems] == [(code, path)]


@pytest.mark.parametrize(
    ("at_the_limit", "over_it", "code"),
    [
        pytest.param({"marks": [SMALL] * 200}, {"marks": [SMALL] * 201}, "too_many", id="200-marks"),
        pytest.param(marked(substitutes=[TINY] * 50), marked(substitutes=[TINY] * 51), "too_many", id="50-substitutes"),
        pytest.param(offered(text="x" * 200), offered(text="x" * 201), "too_long", id="substitute-of-200"),
        pytest.param(offered(text="😀" * 200), offered(text="😀" * 201), "too_long", id="substitute-of-200-emoji"),
        pytest.param(offered(text="e\u0301" * 100), offered(text="e\u0301" * 100 + "e"), "too_long", id="100-accents"),
        pytest.param(marked(note="x" * 2000), marked(note="x" * 2001), "too_long", id="note-of-2000"),
        pytest.param(marked(note="😀" * 2000), marked(note="😀" * 2001), "too_long", id="note-of-2000-emoji"),
    ],
)
def test_limit_is_taken_and_one_more_is_too_large(at_the_limit, over_it, code):
    assert parse_answer(at_the_limit, text=TEXT, protocol=SWS).marks

    with pytest.raises(TooLarge) as refusal:
        parse_answer(over_it, text=TEXT, protocol=SWS)

    assert refusal.value.code == "too_large"
    assert [p.code for p in refusal.value.problems] == [code]


@pytest.mark.parametrize("character", ["\x00", "\x0b", "\r", "\x1b", "\x7f", "\x85", "\ud800"], ids=ascii)
@pytest.mark.parametrize(
    "place", [lambda text: offered(text=text), lambda text: marked(note=text)], ids=["text", "note"]
)
def test_control_character_in_typed_text_is_refused(place, character):
    with pytest.raises(Invalid) as refusal:
        parse_answer(place(f"a{character}b"), text=TEXT, protocol=SWS)

    assert refusal.value.problems[0].code == "forbidden_character"
    assert f"U+{ord(character):04X}" in refusal.value.message


@pytest.mark.parametrize(
    "offers",
    [[], [""], ["  "], ["tiny; wee"], [" tiny"], ["tiny", "tiny"], ["two\nlines", "a\ttab"]],
    ids=["nothing", "empty", "blank", "separator", "spaces", "twice", "line-feed-and-tab"],
)
def test_draft_is_not_asked_for_what_only_a_submission_needs(offers):
    value = marked(substitutes=[{**TINY, "text": text} for text in offers])

    answer = parse_answer(value, text=TEXT, protocol=SWS)

    assert [item.text for item in answer.marks[0].substitutes] == offers


def test_empty_draft_is_legal_and_is_not_the_same_as_none():
    empty = parse_answer({"marks": []}, text=TEXT, protocol=SWS)
    none = parse_answer({"none": True}, text=TEXT, protocol=SWS)

    assert empty.as_dict() == EMPTY_ANSWER == {"marks": []}
    assert none.as_dict() == {"none": True}


def test_what_is_left_out_gets_its_default():
    answer = parse_answer(offered(), text=TEXT, protocol=SWS)

    tiny = {"text": "tiny", "type": "refine-usage", "via": "typed"}
    assert answer.as_dict() == {"marks": [{**SMALL, "note": "", "unsure": False, "substitutes": [tiny]}]}


def test_order_of_entry_is_kept():
    pier = {"start": 32, "end": 36, "quote": "pier", "substitutes": []}
    offers = [{**TINY, "text": "wee", "type": "diversify-expression"}, TINY, {**TINY, "text": "little"}]

    answer = parse_answer({"marks": [pier, {**SMALL, "substitutes": offers}]}, text=TEXT, protocol=SWS)

    assert [mark.quote for mark in answer.marks] == ["pier", "small"]
    assert [item.text for item in answer.marks[1].substitutes] == ["wee", "tiny", "little"]


def test_alias_of_a_type_is_stored_under_its_key():
    answer = parse_answer(offered(type="improve-usage"), text=TEXT, protocol=SWS)

    assert answer.marks[0].substitutes == (Substitute("tiny", "refine-usage"),)


@pytest.mark.parametrize("via", ["typed", "pasted", "copied"])
def test_way_a_substitute_came_is_kept(via):
    answer = parse_answer(offered(via=via), text=TEXT, protocol=SWS)

    assert answer.marks[0].substitutes[0].via == via


@pytest.mark.parametrize("name", ["refine-usage", "improve-usage"], ids=["by-key", "by-alias"])
def test_type_since_removed_is_a_conflict(name):
    with pytest.raises(Conflict, match="Refine usage") as refusal:
        parse_answer(offered(type=name), text=TEXT, protocol=NO_REFINING)

    assert refusal.value.code == "type_removed"


@given(texts_and_answers())
def test_counters_add_up(case):
    _, answer = case

    counts = count_answer(answer)
    assert count_stored(answer.as_dict()) == counts

    assert counts.marks == len(answer.marks)
    assert counts.substitutes == sum(len(mark.substitutes) for mark in answer.marks)
    assert counts.substitutes == sum(counts.substitutes_by_type.values())


def test_counters_name_each_type_in_use_over_all_marks():
    refined, varied = Substitute("tiny", "refine-usage"), Substitute("wee", "diversify-expression")
    answer = Answer((Mark(4, 9, "small", (refined, varied)), Mark(32, 36, "pier", (refined,))))

    assert count_answer(answer) == Counts(2, 3, {"diversify-expression": 1, "refine-usage": 2})
    assert count_answer(Answer(none=True)) == Counts(0, 0, {})


def test_marks_of_one_span_are_united_and_of_equal_keys_the_first_counts():
    first, second, third = (Substitute("tiny", "a"), Substitute("Little", "a"), Substitute("wee", "a"))
    answer = Answer(
        (
            Mark(4, 9, "small", (first, second)),
            Mark(10, 14, "boat"),
            Mark(4, 9, "small", (Substitute("little", "b"), third, Substitute("Tiny ", "b"))),
        )
    )

    assert united(answer, folds=True) == {
        (4, 9): {"tiny": first, "little": second, "wee": third},
        (10, 14): {},
    }
    assert list(united(answer, folds=False)[4, 9]) == ["tiny", "Little", "little", "wee", "Tiny "]


@given(texts_and_answers(), st.booleans())
def test_what_is_united_stays_as_it_is(case, folds):
    _, answer = case

    found = united(answer, folds=folds)

    again = Answer(tuple(Mark(*span, "", tuple(own.values())) for span, own in found.items()))
    assert united(again, folds=folds) == found
    assert list(found) == list(dict.fromkeys((mark.start, mark.end) for mark in answer.marks))


@pytest.mark.parametrize(
    "answer",
    [marked(quote="x" * 20_000), marked(**{"x" * 20_000: 1}), offered(type="x" * 20_000)],
    ids=["quote", "key", "type"],
)
def test_what_is_refused_is_not_repeated_whole(answer):
    with pytest.raises(Invalid) as refusal:
        parse_answer(answer, text=TEXT, protocol=SWS)

    assert max(len(problem.message) for problem in refusal.value.problems) < 250
