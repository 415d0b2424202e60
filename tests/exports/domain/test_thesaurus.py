"""Thesauri: tables and WordNet's files, whose bad lines are all named."""

import pytest

from annotator.domain.formats.reading import Report
from exports.domain.thesaurus import Row, Thesaurus, read_table, read_wordnet
from tests.exports.thesauri import wordnet_files


def table(text: str) -> tuple[list[Row], list[tuple[int, str]]]:
    report = Report()
    rows = list(read_table(text.encode(), report))
    return rows, [(problem.line, problem.reason) for problem in report.problems]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("big\ta\tlarge\n", [("big", "a", "large")]),
        ("word\tpos\tsynonym\nbig\ta\tlarge\n", [("big", "a", "large")]),
        ("Word\tPOS\tSynonym\r\nbig\ta\tlarge\r\n", [("big", "a", "large")]),
        ("big\tadj\tlarge\nrun\tVerb\trace\n\ndog\tnoun\thound\nfast\tadverb\tquickly", [
            ("big", "a", "large"), ("run", "v", "race"), ("dog", "n", "hound"), ("fast", "r", "quickly"),
        ]),
        ("look  at\tv\t see  to \n", [("look at", "v", "see to")]),
        ("\ufeffbig\ta\tlarge", [("big", "a", "large")]),
    ],
)  # fmt: skip
def test_a_table_has_a_synonym_in_each_row(text: str, rows: list[Row]) -> None:
    assert table(text) == (rows, [])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("big large", "The row has 1 of the three cells word, pos and synonym, with tabs between them."),
        ("big\ta\tlarge\thuge", "The row has 4 of the three cells"),
        ("big\tx\tlarge", "“x” is no part of speech: n, v, a or r"),
        ("big\t\tlarge", "“” is no part of speech"),
        ("big\tnv\tlarge", "“nv” is no part of speech"),
        ("\ta\tlarge", "The word is missing."),
        ("big\ta\t ", "The synonym is missing."),
        ("Big\ta\tbig", "“Big” is given as a synonym of itself."),
        (f"big\ta\t{'x' * 201}", "has more than 200 characters."),
        ("big\ta\tlar\x07ge", "The row holds the control character U+0007."),
    ],
)
def test_a_bad_row_is_named(line: str, reason: str) -> None:
    rows, problems = table(f"happy\ta\tglad\n{line}\nfast\tr\tquickly\n")

    assert len(rows) == 2
    assert [number for number, _ in problems] == [2]
    assert reason in problems[0][1]


def test_all_bad_rows_are_named_at_once() -> None:
    _, problems = table("big\nbig\tx\tlarge\n")

    assert [number for number, _ in problems] == [1, 2]


def test_synonyms_keep_their_order_and_come_once() -> None:
    found = Thesaurus.of([("Big", "a", "large"), ("big", "a", "huge"), ("big", "a", "large"), ("big", "n", "boss")])

    assert found.synonyms["a"] == {"big": ("large", "huge")}
    assert found.synonyms["n"] == {"big": ("boss",)}
    assert len(found) == 2


def test_phrases_are_known_by_their_first_two_words() -> None:
    found = Thesaurus.of([("look at", "v", "see"), ("look at once", "r", "now"), ("look", "n", "glance")])

    assert found.phrases == {"look": {"at": 3}}


def wordnet(part: str, index: bytes, data: bytes) -> tuple[list[Row], list[str], list[str]]:
    reports = (Report(), Report())
    rows = list(read_wordnet(part, index=index, data=data, reports=reports))
    told = [[f"{problem.line}: {problem.reason}" for problem in report.problems] for report in reports]
    return rows, told[0], told[1]


def test_members_of_a_synset_are_synonyms_in_the_order_of_senses() -> None:
    index, data = wordnet_files("a", [("big(p)", "large"), ("lonely",), ("grown_up", "big", "Large")])

    rows, *problems = wordnet("a", index, data)

    assert problems == [[], []]
    assert [synonym for word, _, synonym in rows if word == "big"] == ["large", "grown up", "Large"]
    assert [synonym for word, _, synonym in rows if word == "grown up"] == ["big", "Large"]
    assert [synonym for word, _, synonym in rows if word == "large"] == ["big", "grown up", "big"]
    assert "lonely" not in {word for word, _, _ in rows}


def test_the_number_of_words_is_hexadecimal() -> None:
    words = [f"word{number}" for number in range(17)]
    index, data = wordnet_files("n", [words])

    rows, *problems = wordnet("n", index, data)

    assert problems == [[], []]
    assert [synonym for word, _, synonym in rows if word == "word0"] == words[1:]


def test_lines_that_are_not_wordnets_are_named() -> None:
    index, data = wordnet_files("n", [("dog", "hound")])
    odd_index = index + b"cat n 1\ncow n 2 0 2 0 00000023\npig n 1 0 1 0 00009999\nhen n x 0 1 0 00000023\n"

    rows, of_index, of_data = wordnet("n", odd_index, data + b"nothing\n00000099 00 n 02 alone 0 000 | x\n")

    assert [word for word, _, _ in rows] == ["dog", "hound"]
    assert of_index == [
        "4: This is no line of an index of WordNet: “cat n 1”.",
        "5: This is no line of an index of WordNet: “cow n 2 0 2 0 00000023”.",
        "6: It names the synset 00009999, which the data do not have.",
        "7: This is no line of an index of WordNet: “hen n x 0 1 0 00000023”.",
    ]
    assert [line.partition(":")[0] for line in of_data] == ["3", "4"]
