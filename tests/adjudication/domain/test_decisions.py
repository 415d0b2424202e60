"""The document of a decision: whatever is wrong with it is named."""

from dataclasses import replace
from typing import Any

import pytest

from adjudication.domain.decisions import (
    Content,
    PassageVerdict,
    SpanVerdict,
    Written,
    check_against,
    parse_content,
    parse_passage_content,
)
from annotator.domain.errors import Conflict, Invalid, TooLarge
from annotator.domain.protocols import SWS

TEXT = "One two three."
SPAN = (0, 3)
RETIRED = replace(SWS, types=(SWS.types[0], replace(SWS.types[1], is_retired=True)))


def parsed(**given: Any) -> Content:
    return parse_content({"verdict": None, **given}, span=SPAN, text=TEXT, protocol=SWS)


def test_a_decision_survives_its_document() -> None:
    found = parsed(
        verdict="keep",
        type="diversify-expression",
        suggestions=[{"text": "uno", "from": ["un", "uno"]}, {"text": "ein", "from": []}],
        removed=["una"],
    )

    assert found.suggestions == (Written("uno", ("un", "uno")), Written("ein"))
    assert Content.from_dict(found.as_dict()) == found
    assert Content.from_dict(parsed(verdict="moved", span=[4, 7]).as_dict()).span == (4, 7)
    assert Content.from_dict(Content().as_dict()).is_empty


def test_an_older_name_of_a_type_becomes_its_key() -> None:
    assert parsed(type="improve-usage").type == "refine-usage"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"verdict": "maybe"}, "verdict"),
        ({"verdict": 1}, "verdict"),
        ({"verdict": []}, "verdict"),
        ({"nonsense": 1}, "unknown_key"),
        ({"verdict": "moved"}, "span"),
        ({"verdict": "keep", "span": [4, 7]}, "span"),
        ({"verdict": "moved", "span": [0, 3]}, "move_onto_itself"),
        ({"verdict": "moved", "span": [4, 99]}, "span"),
        ({"verdict": "moved", "span": [7, 4]}, "span"),
        ({"verdict": "moved", "span": [4, 4]}, "span"),
        ({"verdict": "moved", "span": [-1, 4]}, "span"),
        ({"verdict": "moved", "span": [4.5, 7]}, "shape"),
        ({"verdict": "moved", "span": [4]}, "shape"),
        ({"verdict": "moved", "span": [4, 7, 9]}, "too_many"),
        ({"verdict": "moved", "span": "4-7"}, "shape"),
        ({"verdict": "moved", "span": [4, 7], "removed": ["uno"]}, "moved_with_more"),
        ({"type": "nonsense"}, "type"),
        ({"type": 3}, "shape"),
        ({"suggestions": [{"text": " ", "from": []}]}, "blank"),
        ({"suggestions": [{"text": "", "from": ["uno"]}]}, "blank"),
        ({"suggestions": [{"text": "a; b", "from": []}]}, "separator"),
        ({"suggestions": [{"text": "a  b", "from": []}]}, "spaces"),
        ({"suggestions": [{"text": "a\u0000", "from": []}]}, "forbidden_character"),
        ({"suggestions": [{"text": "a"}]}, "missing_key"),
        ({"suggestions": [{"text": "a", "from": ["x", "x"]}]}, "named_twice"),
        ({"suggestions": [{"text": "a", "from": ["x"]}, {"text": "b", "from": ["x"]}]}, "named_twice"),
        ({"suggestions": [{"text": "a", "from": ["x"]}], "removed": ["x"]}, "named_twice"),
        ({"suggestions": [{"text": "a", "from": []}, {"text": "A", "from": []}]}, "duplicate"),
        ({"removed": [3]}, "shape"),
    ],
)
def test_what_is_wrong_is_named(given: dict[str, Any], code: str) -> None:
    with pytest.raises(Invalid) as refusal:
        parsed(**given)

    assert refusal.value.problems[0].code == code
    assert refusal.value.problems[0].message


def test_too_much_is_too_large() -> None:
    with pytest.raises(TooLarge):
        parsed(suggestions=[{"text": "x" * 201, "from": []}])
    with pytest.raises(TooLarge):
        parsed(suggestions=[{"text": f"x{n}", "from": []} for n in range(51)])


def test_a_retired_type_is_refused() -> None:
    with pytest.raises(Conflict, match="Diversify expression"):
        parse_content({"verdict": None, "type": "diversify-expression"}, span=SPAN, text=TEXT, protocol=RETIRED)


def test_a_passage_has_verdicts_of_its_own() -> None:
    assert parse_passage_content({"verdict": "discard"}) == PassageVerdict.DISCARD
    assert parse_passage_content({"verdict": None}) is None
    for wrong in ({"verdict": "drop"}, {}, {"verdict": "settled", "type": "refine-usage"}, []):
        with pytest.raises(Invalid):
            parse_passage_content(wrong)


def fits(content: Content, *, there: tuple[str, ...] = ("uno", "una"), before: Content | None = None) -> set[str]:
    return check_against(content, there=there, elsewhere=("dos",), before=before or Content(), quote="One", folds=True)


def test_what_is_gone_is_told_unless_it_was_decided_before() -> None:
    named = Content(suggestions=(Written("einer", ("ein",)),))

    assert fits(Content(suggestions=(Written("eins", ("una",)),))) == set()
    assert fits(named) == {"ein"}
    assert fits(named, before=named) == set()


@pytest.mark.parametrize(
    ("content", "there", "code"),
    [
        (Content(suggestions=(Written("x", ("uno", "dos")),)), ("uno",), "join_across"),
        (Content(suggestions=(Written("UNA", ("uno",)),)), ("uno", "una"), "duplicate"),
        (Content(suggestions=(Written("una"),)), ("uno", "una"), "duplicate"),
        (Content(SpanVerdict.KEEP), (), "nothing_to_keep"),
        (Content(type="refine-usage"), (), "nothing_to_keep"),
        (Content(SpanVerdict.MOVED, (4, 7)), (), "nothing_to_move"),
    ],
)
def test_what_does_not_fit_is_named(content: Content, there: tuple[str, ...], code: str) -> None:
    with pytest.raises(Invalid) as refusal:
        fits(content, there=there)

    assert [problem.code for problem in refusal.value.problems] == [code]
