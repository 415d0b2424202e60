"""Annotation tables: what a row means, and what a row is told that does not say which word it means."""

import io

import pytest

from annotator.domain.answers import submit_problems
from annotator.domain.formats.annotations import read_annotations
from annotator.domain.protocols import SWS

TEXTS = {"s1": "A big dog saw a big dogma, and don't ask.", "s2": "Nothing here."}
HEAD = "sentence_id,annotator,word to change,substitutes,type"


def read(*rows: str, head: str = HEAD):
    return read_annotations(io.BytesIO("\n".join([head, *rows]).encode()), format="csv", texts=TEXTS, protocol=SWS)


def reason(*rows: str, head: str = HEAD) -> str:
    found, report = read(*rows, head=head)
    assert found.answers == {}
    [problem] = report.problems
    assert problem.line == 2
    return problem.reason


def test_rows_of_one_span_unite_in_their_order() -> None:
    found, report = read(
        "s1,ann,dog,hound; cur ;,refine-usage",
        "s1,ann,dog,Hound;pup,diversify-expression",
        "s1,ben,ask,inquire,improve-usage",
    )

    assert not report
    [mark] = found.answers["ann"]["s1"].marks
    assert (mark.start, mark.end, mark.quote) == (6, 9, "dog")
    assert [(s.text, s.type) for s in mark.substitutes] == [
        ("hound", "refine-usage"),
        ("cur", "refine-usage"),
        ("pup", "diversify-expression"),
    ]
    assert found.answers["ben"]["s1"].marks[0].substitutes[0].type == "refine-usage"
    assert submit_problems(found.answers["ann"]["s1"], SWS) == []


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("It was very very very good.", "very very", "occurs 2 times"),
        ("The cafe\u0301 is open.", "cafe", "inside a longer word"),
        ("A 👨\u200d👩\u200d👧 came.", "👨", "inside a longer word"),
        ("यह हिन्दी है।", "हिन", "inside a longer word"),
        ("I can't go.", "can", "inside a longer word"),
        ("A long-term plan.", "long", "inside a longer word"),
        ("ฉันกินข้าว", "กิน", ""),  # no spaces between words: anything may be one
        ("我喜欢猫。", "喜欢", ""),
        ("Rock 'n' roll.", "n", ""),
        ("- a -", "a", ""),
    ],
)
def test_nothing_inside_a_word_is_taken_for_one(text: str, word: str, expected: str) -> None:
    data = io.BytesIO(f"{HEAD}\ns,ann,{word},x,refine-usage\n".encode())

    _, report = read_annotations(data, format="csv", texts={"s": text}, protocol=SWS)

    assert [expected in problem.reason for problem in report.problems] == ([True] if expected else [])


def test_occurrence_and_offsets_must_agree() -> None:
    head = f"{HEAD},start,end,occurrence"
    assert not read("s1,ann,big,x,refine-usage,2,5,1", head=head)[1]

    assert "Occurrence 2 of “big” is not at [2, 5)" in reason("s1,ann,big,x,refine-usage,2,5,2", head=head)


def test_repeated_substitutes_are_counted() -> None:
    found, _ = read("s1,ann,dog,hound; Hound ;cur,refine-usage", "s1,ann,dog,CUR,diversify-expression")

    assert found.repeated == 2


def test_a_word_is_found_where_it_stands_by_itself() -> None:
    """“dog” is also in “dogma”, and “don't” is one word."""
    found, report = read("s1,ann,dog,hound,refine-usage", "s1,ann,don't,do not,refine-usage")

    assert not report
    assert [mark.quote for mark in found.answers["ann"]["s1"].marks] == ["dog", "don't"]


def test_offsets_and_occurrences_say_which() -> None:
    head = f"{HEAD},start,end,occurrence"
    found, report = read("s1,ann,big,large,refine-usage,,,2", "s1,ben,big,large,refine-usage,2,5,", head=head)

    assert not report
    assert found.answers["ann"]["s1"].marks[0].start == 16
    assert found.answers["ben"]["s1"].marks[0].start == 2


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("s9,ann,big,large,refine-usage,,,", "There is no passage “s9”."),
        ("s1,,big,large,refine-usage,,,1", "no annotator's name"),
        ("s1,ann,large,big,refine-usage,,,", "“large” does not occur in the sentence."),
        ("s1,ann,ogm,x,refine-usage,,,", "inside a longer word"),
        ("s1,ann,big,large,refine-usage,,,", "“big” occurs 2 times in the sentence: say which"),
        ("s1,ann,big,large,refine-usage,,,3", "there is no occurrence 3"),
        ("s1,ann,big,large,refine-usage,,,0", "there is no occurrence 0"),
        ("s1,ann,big,large,refine-usage,,,x", "“x” is no occurrence."),
        ("s1,ann,big,large,refine-usage,2,,", "start and end come together"),
        ("s1,ann,big,large,refine-usage,3,6,", "At [3, 6) the sentence has “ig ”, not “big”."),
        ("s1,ann,big,large,refine-usage,2,500,", "not “big”"),
        ("s1,ann,dog,hound,better,,,", "There is no type “better”: the project has refine-usage"),
        ("s1,ann,dog, ; ;,refine-usage,,,", "“dog” has no substitute."),
        ("s1,ann,,x,refine-usage,,,", "The word to change is missing."),
    ],
)
def test_every_bad_row_is_named(row: str, expected: str) -> None:
    assert expected in reason(row, head=f"{HEAD},start,end,occurrence")


def test_one_bad_row_keeps_all_out() -> None:
    found, report = read("s1,ann,dog,hound,refine-usage", "s1,ann,cat,hound,refine-usage", "s2,ann,x,y,refine-usage")

    assert found.answers == {}
    assert [problem.line for problem in report.problems] == [3, 4]
