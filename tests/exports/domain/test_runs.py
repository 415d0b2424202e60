"""What is said of systems, and what they got wrong."""

from typing import Any

import pytest

from adjudication.domain.scoring.sws import Counts, PredictedSentence, scores
from annotator.domain.errors import Invalid
from annotator.domain.formats.sws_json import SwsSentence, SwsTarget
from exports.domain.runs import EVERY_FIGURE, FIGURES, Mistake, System, checked_system, full_name, looked_at

TEXT = "We made a big party, and a big cake."
TOKENS = ("We", "made", "a", "big", "party", ",", "and", "a", "big", "cake", ".")
GOLD = SwsSentence(
    "s1",
    TEXT,
    TOKENS,
    (
        SwsTarget((1, 2), (("had", 3), ("threw", 2)), 1),
        SwsTarget((3, 4), (("large", 2), ("huge", 1)), 2),
        SwsTarget((8, 9), (("large", 1),), 2),
        SwsTarget((9, 10), (), 2),  # without a suggestion it is no target
    ),
)


def looked(*spans: Any) -> Any:
    return looked_at(GOLD, PredictedSentence(len(TOKENS), spans))


def test_every_figure_is_one_of_the_scorers() -> None:
    found = scores(Counts())

    assert {figure.key for figure in EVERY_FIGURE} <= set(found)
    plain = {key for key, value in found.items() if not isinstance(value, dict | list) and "_dedup" not in key}
    assert plain - {figure.key for figure in EVERY_FIGURE} == {"r_detection_by_annotators"}
    assert {key for key in found if "_dedup" in key} == {figure.once for figure in EVERY_FIGURE} & set(found)
    assert len({full_name(figure) for figure in EVERY_FIGURE}) == len(EVERY_FIGURE)
    assert len(FIGURES) == 9


def test_a_word_is_missed_spurious_or_said_otherwise() -> None:
    found = looked(((1, 2), ["did"]), ((3, 4), ["large"]), ((4, 5), ["feast"]))

    assert found.mistakes == {Mistake.MISSED: 1, Mistake.SPURIOUS: 1, Mistake.OTHER: 1}
    assert found.weights == {Mistake.MISSED: 1, Mistake.SPURIOUS: 1, Mistake.OTHER: 5}
    assert [TEXT[slice(*item["span"])] for item in found.content["gold"]] == ["made", "big", "big"]
    assert [TEXT[slice(*item["span"])] for item in found.content["system"]] == ["made", "big", "party"]


def test_the_second_of_two_equal_words_is_where_its_tokens_are() -> None:
    [item] = looked(((8, 9), ["large"])).content["system"]

    assert item["span"] == [TEXT.rindex("big"), TEXT.rindex("big") + 3]


def test_a_span_without_a_word_is_no_right_word() -> None:
    assert looked(((3, 4), [])).mistakes[Mistake.OTHER] == 1


def test_of_a_span_said_twice_the_last_counts() -> None:
    found = looked(((3, 4), ["wrong"]), ((3, 4), ["huge"]))

    assert found.mistakes == {Mistake.MISSED: 2, Mistake.SPURIOUS: 0, Mistake.OTHER: 0}


@pytest.mark.parametrize(
    ("system", "path", "says"),
    [
        (System(" "), "system", "Say what the system is called."),
        (System("x" * 81), "system", "80"),
        (System("a\x00b"), "system", "system's name"),
        (System("a", "v" * 41), "version", "40"),
        (System("a", url="javascript:alert(1)"), "url", "http"),
        (System("a", url="https://a b"), "url", "http"),
        (System("a", url="https://["), "url", "http"),
        (System("a", description="d" * 2001), "description", "2000"),
    ],
)
def test_what_is_said_of_a_system_is_looked_at(system: System, path: str, says: str) -> None:
    with pytest.raises(Invalid) as caught:
        checked_system(system)

    assert [problem.path for problem in caught.value.problems] == [path]
    assert says in caught.value.problems[0].message


def test_white_space_around_it_goes() -> None:
    assert checked_system(System(" a ", " 1 ", "two\r\nlines", " https://example.org/x ")) == System(
        "a", "1", "two\nlines", "https://example.org/x"
    )
