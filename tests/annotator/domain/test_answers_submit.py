"""The answer as a submission: what keeps a valid draft from being handed in."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.answers import Answer, Mark, Substitute, submit_problems
from annotator.domain.protocols import SWS
from tests.annotator.domain.strategies import texts_and_answers

# What hoo and wets will switch: nothing is split, trimmed or folded.
EXACT = replace(SWS, folds_substitutes=False)
APART = replace(SWS, spans_may_overlap=False)
TEXT = "A cold wind blew over the empty harbour."


def offering(*offers, start=2, end=6):
    return Mark(start, end, TEXT[start:end], tuple(Substitute(text, "refine-usage") for text in offers))


def spanning(*spans):
    return Answer(tuple(offering("gale", start=start, end=end) for start, end in spans))


def codes(answer, protocol=SWS):
    return [problem.code for problem in submit_problems(answer, protocol)]


@pytest.mark.parametrize("protocol", [SWS, EXACT, APART], ids=["sws", "exact", "apart"])
def test_none_is_the_only_empty_answer_that_can_be_submitted(protocol):
    assert codes(Answer(none=True), protocol) == []
    assert codes(Answer(), protocol) == ["empty"]


@pytest.mark.parametrize(
    "offers",
    [
        ["icy"],
        ["icy", "chilly", "bitter"],
        ["ice-cold"],
        ["bitterly cold"],
        ["cold, wet"],
        ["dog's"],
        ["cold"],
        ["❄️", "ледяной", "เย็น"],
    ],
    ids=["one", "several", "hyphen", "two-words", "comma", "apostrophe", "same-as-the-quote", "other-scripts"],
)
def test_clean_substitutes_can_be_submitted(offers):
    assert codes(Answer((offering(*offers),))) == []


@pytest.mark.parametrize(
    ("offers", "problems"),
    [
        pytest.param([], ["no_substitute"], id="nothing-offered"),
        pytest.param([""], ["blank"], id="empty"),
        pytest.param([" \t\n"], ["blank"], id="white-space"),
        pytest.param(["\u00a0\u3000"], ["blank"], id="white-space-beyond-ascii"),
        pytest.param(["icy; chilly"], ["separator"], id="two-in-one"),
        pytest.param(["icy;"], ["separator"], id="separator-at-the-end"),
        pytest.param([" icy"], ["spaces"], id="space-before"),
        pytest.param(["icy\n"], ["spaces"], id="line-feed-after"),
        pytest.param(["icy  cold"], ["spaces"], id="two-spaces"),
        pytest.param(["icy\tcold"], ["spaces"], id="tab"),
        pytest.param(["icy\u00a0cold"], ["spaces"], id="nbsp"),
        pytest.param(["icy", "icy"], ["duplicate"], id="twice"),
        pytest.param(["icy", "raw", "ICY"], ["duplicate"], id="twice-but-for-case"),
        pytest.param(["fris\u00e9", "frise\u0301"], ["duplicate"], id="twice-but-for-composition"),
        pytest.param(["winter's", "winter’s"], ["duplicate"], id="twice-but-for-quotes"),
        pytest.param(["icy", "icy", "icy"], ["duplicate", "duplicate"], id="thrice"),
    ],
)
def test_substitutes_of_sws_that_cannot_be_submitted(offers, problems):
    assert codes(Answer((offering(*offers),))) == problems


@pytest.mark.parametrize(
    "offers",
    [["both "], [". The"], [";"], ["  "], ["a  b"], ["Icy", "icy"], ["it's", "it’s"]],
    ids=["space-after", "full-stop", "separator", "blank", "two-spaces", "case-differs", "quotes-differ"],
)
def test_unfolded_substitutes_are_taken_as_they_are(offers):
    assert codes(Answer((offering(*offers),)), EXACT) == []


@pytest.mark.parametrize("offers", [["icy", "icy"], ["fris\u00e9", "frise\u0301"]], ids=["same", "same-in-nfc"])
def test_unfolded_duplicates_are_those_equal_in_nfc(offers):
    assert codes(Answer((offering(*offers),)), EXACT) == ["duplicate"]


def test_empty_substitute_needs_a_protocol_that_deletes():
    answer = Answer((offering(""),))

    assert codes(answer, EXACT) == ["blank"]
    assert codes(answer, replace(EXACT, substitutes_may_be_empty=True)) == []


def test_separator_is_the_one_of_the_protocol():
    protocol = replace(SWS, separator="|")

    assert codes(Answer((offering("icy; raw"),)), protocol) == []
    assert codes(Answer((offering("icy|raw"),)), protocol) == ["separator"]


def test_maximum_of_the_protocol_is_taken_and_one_more_is_not():
    protocol = replace(SWS, max_substitutes=3)

    assert codes(Answer((offering("icy", "raw", "bleak"),)), protocol) == []
    assert codes(Answer((offering("icy", "raw", "bleak", "bitter"),)), protocol) == ["too_many_substitutes"]


def test_sws_sets_no_maximum_of_its_own():
    assert codes(Answer((offering(*(f"word{n}" for n in range(50))),))) == []


def test_mark_without_substitute_is_fine_where_none_is_needed():
    assert codes(Answer((offering(),)), replace(SWS, min_substitutes=0)) == []


def test_same_substitute_may_serve_two_marks():
    answer = Answer((offering("icy"), offering("icy", start=26, end=31)))

    assert codes(answer) == []


def test_every_problem_is_named_at_once_in_order_and_by_path():
    answer = Answer((offering(), offering("icy"), offering("raw", " ", "Raw", "a;b", start=7, end=11)))

    problems = submit_problems(answer, SWS)

    assert [(problem.code, problem.path) for problem in problems] == [
        ("no_substitute", "marks[0]"),
        ("blank", "marks[2].substitutes[1]"),
        ("duplicate", "marks[2].substitutes[2]"),
        ("separator", "marks[2].substitutes[3]"),
    ]
    assert "“cold”" in problems[0].message


@pytest.mark.parametrize(
    ("answer", "path"), [(Answer(), "answer"), (spanning((2, 6), (2, 6)), "answer.marks")], ids=["empty", "overlap"]
)
def test_problem_of_the_whole_answer_is_named_by_the_path_of_the_whole(answer, path):
    (problem,) = submit_problems(answer, APART)

    assert problem.path == path


def test_note_and_unsure_do_not_stand_in_for_a_substitute():
    answer = Answer((replace(offering(), note="Hard to say.", unsure=True),))

    assert codes(answer) == ["no_substitute"]


OVERLAPS = [
    pytest.param([(2, 6)], 0, id="alone"),
    pytest.param([(2, 6), (7, 11)], 0, id="apart"),
    pytest.param([(2, 6), (6, 11)], 0, id="touching"),
    pytest.param([(2, 6), (2, 6)], 1, id="same"),
    pytest.param([(2, 7), (6, 11)], 1, id="crossing-by-one"),
    pytest.param([(0, 11), (2, 6)], 1, id="nested"),
    pytest.param([(2, 6), (2, 11)], 1, id="same-start"),
    pytest.param([(0, 20), (2, 6), (12, 16)], 2, id="two-inside-a-long-one"),
    pytest.param([(0, 20), (2, 6), (21, 24)], 1, id="one-inside-one-after"),
]


@pytest.mark.parametrize(("spans", "count"), OVERLAPS)
def test_overlap_is_refused_where_the_protocol_forbids_it(spans, count):
    assert codes(spanning(*spans), APART) == ["overlap"] * count
    assert codes(spanning(*reversed(spans)), APART) == ["overlap"] * count


@pytest.mark.parametrize(("spans", "count"), OVERLAPS)
def test_sws_lets_marks_overlap(spans, count):
    assert codes(spanning(*spans), SWS) == []


@pytest.mark.parametrize(
    ("spans", "count"),
    [
        pytest.param([(6, 6), (6, 6)], 1, id="two-at-one-place"),
        pytest.param([(4, 4), (2, 6)], 1, id="inside-a-mark"),
        pytest.param([(2, 6), (6, 6)], 0, id="right-after-a-mark"),
        pytest.param([(2, 2), (2, 6)], 0, id="right-before-a-mark"),
        pytest.param([(2, 2), (3, 3)], 0, id="two-places"),
    ],
)
def test_insertion_overlaps_what_it_stands_in_or_repeats(spans, count):
    assert codes(spanning(*spans), APART) == ["overlap"] * count


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 20)), min_size=1, max_size=6))
def test_overlap_is_found_exactly_where_two_marks_share_a_character(starts_and_lengths):
    spans = [(start, start + length) for start, length in starts_and_lengths]
    shares = any(max(a[0], b[0]) < min(a[1], b[1]) for a, b in combinations(spans, 2))

    found = codes(spanning(*spans), APART)

    assert bool(found) == shares


@given(texts_and_answers())
def test_problems_of_one_mark_do_not_depend_on_the_others(case):
    _, answer = case

    alone = [code for mark in answer.marks for code in codes(Answer((mark,)))]

    assert codes(answer) == (alone if answer.marks or answer.none else ["empty"])


def test_a_long_quote_is_not_repeated_whole_for_every_problem():
    """Fifty blank substitutes for a passage that is marked whole; then the same mark twice."""
    long = Mark(0, 20_000, "word " * 4_000, (Substitute("", "refine-usage"),) * 50)

    problems = submit_problems(Answer((long, long)), APART)

    assert {problem.code for problem in problems} == {"blank", "duplicate", "overlap"}
    assert max(len(problem.message) for problem in problems) < 250
