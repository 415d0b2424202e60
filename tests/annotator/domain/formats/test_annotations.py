"""Annotation tables: what a row means, and what a row is told that does not say which word it means."""

import io
import tracemalloc
import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.answers import parse_answer, submit_problems
from annotator.domain.errors import Invalid
from annotator.domain.formats.annotations import likely_same, read_annotations, read_answers, table_format
from annotator.domain.formats.cells import neutral
from annotator.domain.protocols import HOO, SWS, Protocol
from tests.annotator.domain.formats.books import book

TEXTS = {"s1": "A big dog saw a big dogma, and don't ask.", "s2": "Nothing here."}
HEAD = "sentence_id,annotator,word to change,substitutes,type"


def read(*rows: str, head: str = HEAD, protocol: Protocol = SWS):
    data = io.BytesIO("\n".join([head, *rows]).encode())
    return read_annotations(data, format="csv", texts=TEXTS, protocol=protocol)


def reason(*rows: str, head: str = HEAD) -> str:
    found, report = read(*rows, head=head)
    assert found.answers == {}
    [problem] = report.problems
    assert problem.line == 2
    return problem.reason


ODD = ("-ish", "@home", "=", "+1")


@pytest.mark.parametrize("word", ODD)
@pytest.mark.parametrize("extent", ["", "0", "1"], ids=["by the word", "by its place", "by its occurrence"])
def test_what_was_made_neutral_for_spreadsheets_is_taken_back_in_every_column(word: str, extent: str) -> None:
    """As `votes.csv` writes ids, words and suggestions."""
    text = f"Some {word} here."
    place = {"": ",,", "0": f"5,{5 + len(word)},", "1": ",,1"}[extent]
    cells = [neutral(cell) for cell in (f"{word}s2", f"{word}A", word, f"{word} or so")]
    row = ",".join([*cells, "refine-usage", place])
    data = io.BytesIO(f"{HEAD},start,end,occurrence\n{row}".encode())

    found, report = read_annotations(data, format="csv", texts={f"{word}s2": text}, protocol=SWS)

    assert not report
    [mark] = found.answers[f"{word}A"][f"{word}s2"].marks
    assert (mark.start, mark.quote, mark.substitutes[0].text) == (5, word, f"{word} or so")


def test_a_quote_that_stands_in_the_text_is_taken_literally_first() -> None:
    texts = {"'=s2": "The '-ish of '90s and -ish.", "=s2": "None."}
    data = io.BytesIO(f"{HEAD}\n'=s2,ann,'-ish,like,refine-usage".encode())

    found, report = read_annotations(data, format="csv", texts=texts, protocol=SWS)

    assert not report
    assert found.answers["ann"]["'=s2"].marks[0].quote == "'-ish"


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
        ("s1,ann,dog,hound,better,,,", "There is no type “better”: the project has refine-usage (Refine usage), "),
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


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        (
            "She is happy.",
            "Happy",
            "“Happy” does not occur in the sentence: the sentence has “happy”, with a small letter.",
        ),
        ("Happy she is.", "happy", "the sentence has “Happy”, with a capital letter."),
        ("She likes NASA.", "Nasa", "the sentence has “NASA”, with other small and capital letters."),
        ("An unhappy man.", "Happy", "“Happy” does not occur in the sentence."),
        ("The café is open.", "cafe\u0301", "is written with combining characters, and in the sentence without"),
        ("The cafe\u0301 is open.", "café", "is written in the sentence with combining characters, and here without"),
        ("I don’t know.", "don't", "the sentence has “don’t”, with other apostrophes or quotation marks."),
        ("I do know.", "know ", "the sentence has “know”, with fewer spaces."),
        ("İt is big.", "BIG", "“BIG” does not occur in the sentence."),  # whose small letters are longer
    ],
)
def test_what_nearly_occurs_is_told_how_the_sentence_has_it(text: str, word: str, expected: str) -> None:
    data = io.BytesIO(f"{HEAD}\ns,ann,{word},x,refine-usage\n".encode())

    _, report = read_annotations(data, format="csv", texts={"s": text}, protocol=SWS)

    [problem] = report.problems
    assert expected in problem.reason


def test_a_table_of_semicolons_takes_quoted_substitutes_and_names_the_others() -> None:
    head = HEAD.replace(",", ";")
    found, report = read('s1;ann;dog;"hound; cur";refine-usage', "s1;ben;dog;hound;refine-usage", head=head)
    assert not report
    assert [item.text for item in found.answers["ann"]["s1"].marks[0].substitutes] == ["hound", "cur"]

    assert "a cell that holds “;” goes into quotation marks" in reason("s1;ann;dog;hound; cur;refine-usage", head=head)


def test_a_workbook_says_what_a_csv_says() -> None:
    rows = [
        ["s1", "ann", "big", "large; huge", "refine-usage", 2, 5, None],
        ["s1", 7, "big", "large", "refine-usage", None, None, 2.0],
    ]
    cells = [["" if cell is None else str(cell).removesuffix(".0") for cell in row] for row in rows]
    head = f"{HEAD},start,end,occurrence"

    source = book(head.split(","), *rows)

    found, report = read_answers(source, name="a.xlsx", texts=TEXTS, protocol=SWS, sheet="Rows")
    assert not report
    assert found.answers == read(*(",".join(row) for row in cells), head=head)[0].answers
    assert list(found.answers) == ["ann", "7"]


def test_a_bad_row_of_a_workbook_is_named_by_its_row() -> None:
    source = book(HEAD.split(","), [], ["s1", "ann", "cat", "x", "refine-usage"], ["s1", "#REF!", "dog", "x", "y"])

    _, report = read_answers(source, name="a.xlsx", texts=TEXTS, protocol=SWS)

    assert [(item.line, item.reason) for item in report.problems] == [
        (3, "“cat” does not occur in the sentence."),
        (4, "B4 holds the error #REF!."),
    ]


@pytest.mark.parametrize(
    ("name", "expected"), [("a.ods", "ends in none of .csv, .tsv, .xlsx"), ("a.xls", "old .xls book")]
)
def test_an_ending_that_is_no_table_is_refused(name: str, expected: str) -> None:
    with pytest.raises(Invalid, match=expected):
        table_format(name)


def test_what_the_workbench_would_point_out_is_a_warning_and_stops_nothing() -> None:
    found, report = read(
        's1,ann,dog,"hound, cur",refine-usage',
        "s1,ann,ask,inquire,refine-usage",
        's1,ann,dog,"pup;Dog",diversify-expression',
    )

    assert not report
    assert len(found.answers["ann"]["s1"].marks) == 2
    assert [(item.line, item.reason) for item in report.warnings] == [
        (2, "“hound, cur” has a comma: substitutes are parted by “;”."),
        (4, "“Dog” is what stands there already."),
    ]


def test_what_is_wrong_with_an_answer_is_told_at_the_row_of_the_mark() -> None:
    strict = replace(SWS, spans_may_overlap=False, max_substitutes=2)
    rows = [
        "s1,ann,ask,inquire,refine-usage,,",
        "s1,ann,dog saw,x,refine-usage,6,13",
        "s1,ann,big dog,x,refine-usage,2,9",
        "s1,ann,don't,x;y;z,refine-usage,,",
    ]

    _, report = read(*rows, head=f"{HEAD},start,end", protocol=strict)

    assert [(item.line, item.reason) for item in report.problems] == [
        (3, "ann, s1: “big dog” and “dog saw” overlap."),
        (5, "ann, s1: “don't” has 3 substitutes: 2 are the most."),
    ]


def test_limits_of_an_answer_are_told_at_the_row_that_goes_beyond() -> None:
    text = " ".join(f"w{n}" for n in range(300))
    long = [f"s,ann,w{n},{';'.join(f'{n}{m}' * 30 for m in range(9))},refine-usage" for n in range(100)]
    many = [f"s,ann,w{n},x,refine-usage" for n in range(205)]
    wide = [f"s,ann,w1,{';'.join(f'{m}-{n}' for n in range(30))},refine-usage" for m in range(2)]

    def told(rows: list[str]) -> list[tuple[int, str]]:
        data = io.BytesIO("\n".join([HEAD, *rows]).encode())
        _, report = read_annotations(data, format="csv", texts={"s": text}, protocol=SWS)
        return [(item.line, item.reason) for item in report.problems]

    assert told(many) == [(202, "ann, s: 205 marks: 200 are the most.")]
    assert told(wide) == [(2, "ann, s: 60 substitutes: 50 are the most.")]
    [(line, reason)] = told(long)
    assert (line, reason.endswith("bytes: 60,000 are the most.")) == (101, True)


def test_a_type_that_was_removed_is_no_type() -> None:
    types = tuple(replace(item, is_retired=item.key == "refine-usage") for item in SWS.types)

    _, report = read("s1,ann,dog,x,refine-usage", protocol=replace(SWS, types=types))

    assert "has been removed from this project" in report.problems[0].reason


def test_a_protocol_without_a_separator_takes_the_cell_as_it_is() -> None:
    found, report = read(f"s1,ann,dog,a;b,{HOO.types[0].key}", protocol=HOO)

    assert not report
    assert [item.text for item in found.answers["ann"]["s1"].marks[0].substitutes] == ["a;b"]


def test_problems_are_in_the_files_order() -> None:
    strict = replace(SWS, max_substitutes=1)

    _, report = read("s1,ann,dog,x;y,refine-usage", "s1,ann,cat,x,refine-usage", protocol=strict)

    assert [item.line for item in report.problems] == [2, 3]


def test_names_that_are_likely_one_person() -> None:
    names = [
        "Ann Lee",
        "ben",
        "ann  lee ",
        "Zoë",
        unicodedata.normalize("NFD", "zoë"),
        "Ben2",
        "Ａnn\u00a0Lee",
        "Strauß",
    ]

    assert likely_same(names) == [
        ["Ann Lee", "ann  lee ", "Ａnn\u00a0Lee"],
        ["Zoë", unicodedata.normalize("NFD", "zoë")],
    ]
    assert likely_same([*names, "STRAUSS"])[-1] == ["Strauß", "STRAUSS"]
    assert likely_same(["ann", "ann"]) == []


CELLS = st.text(st.sampled_from("ab ;,\u037e\u200bÀ’\u0301"), max_size=12)
WORDS = st.sampled_from(["A", "big", "dog", "saw", "big dog", "don't", "ask", "Nothing"])


@given(st.lists(st.tuples(st.sampled_from(["s1", "s2"]), st.sampled_from("ij"), WORDS, CELLS), min_size=1, max_size=8))
def test_whatever_is_taken_may_be_submitted(rows: list[tuple[str, str, str, str]]) -> None:
    """The reader leaves parse_answer out for speed: it must not let anything through that parse_answer refuses."""
    cells = (f'{passage},{who},{word},"{given}",refine-usage,1' for passage, who, word, given in rows)
    found, report = read(*cells, head=f"{HEAD},occurrence")

    assert bool(found.answers) != bool(report)
    for answers in found.answers.values():
        for passage, answer in answers.items():
            assert parse_answer(answer.as_dict(), text=TEXTS[passage], protocol=SWS) == answer
            assert submit_problems(answer, SWS) == []


@pytest.mark.slow
def test_answers_are_made_when_they_are_asked_for() -> None:
    """20,000 rows stay far below what objects of them would take."""
    texts = {f"s{n}": f"one two three {n}" for n in range(1_000)}
    rows = (
        f"{name},v{v},{word},x{v};y{name},refine-usage" for v in range(10) for name in texts for word in ("one", "two")
    )
    data = io.BytesIO("\n".join([HEAD, *rows]).encode())
    tracemalloc.start()

    found, report = read_annotations(data, format="csv", texts=texts, protocol=SWS)

    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert not report
    assert sum(map(len, found.answers.values())) == 10_000
    assert size < 6_000_000
    assert [mark.quote for mark in found.answers["v3"]["s77"].marks] == ["one", "two"]
