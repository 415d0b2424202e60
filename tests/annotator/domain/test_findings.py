"""Findings: each rule by example, with its fix; nothing found where nothing is amiss."""

from typing import Any

import pytest
from hypothesis import given

from annotator.domain.answers import Answer, Mark, Substitute, parse_answer
from annotator.domain.findings import RULES, Finding, Severity, find
from annotator.domain.protocols import SWS
from tests.annotator.domain.strategies import texts_and_answers

ESSAY = (
    "Last year my friend Anna made a big party in Berlin, and I think she deserve it again. "
    "It was a good chance; the houses were deeper and, in a nutshell, we liked it."
)


def mark(quote: str, *substitutes: str, text: str = ESSAY) -> Mark:
    start = text.index(quote)
    return Mark(start, start + len(quote), quote, tuple(Substitute(item, "refine-usage") for item in substitutes))


def found(*marks: Mark, text: str = ESSAY, lang: str = "en") -> list[Finding]:
    return [item for item in find(Answer(marks), text=text, lang=lang, protocol=SWS) if item.code != "few_marks"]


@pytest.mark.parametrize(
    ("quote", "substitute", "expected"),
    [
        ("big", "large, huge", "comma"),
        ("big", "Big", "same_as_quote"),
        ("Berlin,", "Rome", "punctuation"),
        ("in a nutshell", "briefly", "long_mark"),
        ("Anna", "she", "named_entity"),
        ("deserve it again", "deserve another chance", "smaller_span"),
        ("a big", "a large", "smaller_span"),
        ("a good", "an excellent", "article"),
        ("chance", "an opportunity", None),  # no article right before it
        ("good chance", "a good opportunity", "article"),
        ("houses", "building", "other_form"),
        ("made", "throw", "other_form"),
        ("deeper", "intense", "other_form"),
        ("good", "well", None),  # adjective or adverb: who knows
        ("was", "seemed", "function_word"),
        ("Last", "previous", None),  # the sentence asks for the capital, and gets it
        ("Anna", "she", "first_letter"),
        ("big", "large", None),
        ("made", "threw", None),
        ("liked", "enjoyed", None),
        ("chance", "opportunity", None),
    ],
)
def test_each_rule(quote: str, substitute: str, expected: str | None) -> None:
    codes = [item.code for item in found(mark(quote, substitute))]

    assert (expected in codes) if expected else codes == [], codes


@pytest.mark.parametrize(
    ("quote", "given", "code", "span", "wanted"),
    [
        ("big", ["large, huge"], "comma", "big", ["large", "huge"]),
        ("big", ["large", "large, huge"], "comma", "big", ["large", "huge"]),
        ("Berlin,", ["Rome"], "punctuation", "Berlin", ["Rome"]),
        ("deserve it again", ["deserve another chance"], "smaller_span", "it again", ["another chance"]),
        ("a good chance", ["a fine chance", "a great chance"], "smaller_span", "good", ["fine", "great"]),
        ("a good", ["an excellent", "a great"], "article", "good", ["excellent", "great"]),
        ("good chance", ["a good opportunity"], "article", "good chance", ["good opportunity"]),
        ("houses", ["building"], "other_form", "houses", ["buildings"]),
        ("made", ["throw", "held"], "other_form", "made", ["threw", "held"]),
        ("good", ["Fine"], "first_letter", "good", ["fine"]),
    ],
)
def test_a_fix_is_the_whole_mark_as_it_would_be(
    quote: str, given: list[str], code: str, span: str, wanted: list[str]
) -> None:
    [finding] = [item for item in found(mark(quote, *given)) if item.code == code and item.fix][:1]

    assert finding.fix is not None
    fixed = finding.fix.mark
    assert (fixed.quote, [item.text for item in fixed.substitutes]) == (span, wanted)
    assert ESSAY[fixed.start : fixed.end] == fixed.quote


def test_no_smaller_span_is_offered_where_one_substitute_does_not_share_the_word() -> None:
    findings = found(mark("deserve it again", "deserve another chance", "want more"))

    assert [(item.code, item.path, item.fix) for item in findings if item.code == "smaller_span"] == [
        ("smaller_span", "marks[0].substitutes[0]", None)
    ]


def test_a_fixed_phrase_is_only_a_hint() -> None:
    """Wang et al. 2023, A.3: “in a nutshell” → “in essence” is right as it is."""
    [finding] = [item for item in found(mark("in a nutshell", "in essence")) if item.code == "smaller_span"]

    assert finding.severity == Severity.INFO
    assert "“a nutshell” → “essence” would do, unless it is a fixed phrase" in finding.message


@pytest.mark.parametrize("quote", ["long-term", "don't", "parents'", "e.g.", "U.S.", "naïve", "50%"])
def test_hyphens_apostrophes_and_abbreviations_are_no_punctuation(quote: str) -> None:
    assert "punctuation" not in [item.code for item in found(mark(quote, "x", text=quote), text=quote)]


@pytest.mark.parametrize(
    ("substitute", "is_found"), [("1,000", False), ("big, bad", True), ("大、小", True), ("a،b", True)]
)
def test_the_comma_of_a_number_is_no_separator(substitute: str, is_found: bool) -> None:
    assert ("comma" in [item.code for item in found(mark("big", substitute))]) == is_found


@pytest.mark.parametrize("text", ["Anna came.", "He left. Anna came.", "“Anna came.”", "He said: Anna came."])
def test_a_capital_at_the_start_of_a_sentence_is_no_name(text: str) -> None:
    assert found(mark("Anna", "Eve", text=text), text=text) == []


def test_other_languages_get_what_needs_no_language() -> None:
    text = "Das Haus in Rom war an alten Straßen gebaut, und der Hund schlief."
    marks = [mark("Haus", "Bau, Heim", text=text), mark("Straßen", "an Weg", text=text), mark("der", "ein", text=text)]

    codes = {item.code for item in found(*marks, text=text, lang="de")}

    assert codes == {"comma", "first_letter"}
    assert {rule.code for rule in RULES if rule.needs_english} == {
        "named_entity",
        "article",
        "other_form",
        "function_word",
    }


def test_few_marks_and_the_same_span_twice() -> None:
    answer = Answer((mark("big", "large"), mark("big", "huge")))

    findings = find(answer, text=ESSAY, lang="en", protocol=SWS)

    assert [(item.code, item.path) for item in findings] == [
        ("same_span", "marks[0]"),
        ("same_span", "marks[1]"),
        ("few_marks", "answer"),
    ]
    assert find(Answer(none=True), text=ESSAY, lang="en", protocol=SWS) == []


def test_a_form_is_not_proposed_that_stands_there_already() -> None:
    text = "He got a letter and gave it back."

    for marked in (mark("got", "get", text=text), mark("gave", "hand", "handed", text=text)):
        fixes = [item.fix for item in found(marked, text=text) if item.code == "other_form"]
        assert fixes == [None], marked


def test_every_finding_names_its_guideline_and_is_plain_json() -> None:
    findings = found(mark("deserve it again", "deserve another chance"), mark("Berlin,", "Rome"))

    for item in findings:
        assert item.guideline.endswith(("A)", "A.1)", "A.2)", "A.3)"))
        assert set(item.as_dict()) == {"code", "severity", "guideline", "message", "path", "fix"}
    fix: Any = findings[0].as_dict()["fix"] or findings[1].as_dict()["fix"]
    assert parse_answer({"marks": [fix["mark"]]}, text=ESSAY, protocol=SWS).marks[0].as_dict() == fix["mark"]


@given(texts_and_answers())
def test_whatever_is_written_findings_only_look(drawn: tuple[str, Answer]) -> None:
    """Any text, any span, any substitutes: no crash, and every fix is a mark of this text inside the one it mends."""
    text, answer = drawn
    for lang in ("en", "ar"):
        for item in find(answer, text=text, lang=lang, protocol=SWS):
            if item.fix:
                fixed, mended = item.fix.mark, answer.marks[int(item.path.split("[")[1].split("]")[0])]
                assert mended.start <= fixed.start < fixed.end <= mended.end
                assert text[fixed.start : fixed.end] == fixed.quote
