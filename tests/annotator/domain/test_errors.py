"""Refusals: each has a code for machines and a sentence for people."""

import pytest

from annotator.domain.errors import (
    BadRequest,
    Conflict,
    Invalid,
    NotAllowed,
    Problem,
    Refused,
    Stale,
    Throttled,
    TooLarge,
    VersionMissing,
)

SPAN = Problem("span", "The span is outside.", "marks[0]")
BLANK = Problem("blank", "A substitute is blank.", "marks[1].substitutes[0]")


@pytest.mark.parametrize(
    ("refusal", "code"),
    [
        (Refused("No."), "refused"),
        (BadRequest("No."), "bad_request"),
        (VersionMissing("No."), "no_if_match"),
        (NotAllowed("No."), "not_allowed"),
        (Conflict("No."), "conflict"),
        (Invalid([Problem("span", "No.")]), "invalid"),
        (TooLarge([Problem("too_many", "No.")]), "too_large"),
        (Stale("No.", stored={}), "stale"),
        (Throttled("No.", retry_after=1), "throttled"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Refused) else "",
)
def test_every_refusal_has_a_code_and_a_sentence(refusal, code):
    assert isinstance(refusal, Refused)
    assert (refusal.code, refusal.message, str(refusal)) == (code, "No.", "No.")


def test_code_can_be_narrower_than_that_of_the_kind():
    narrow = Conflict("The project is paused.", code="project_paused")

    assert narrow.code == "project_paused"
    assert Conflict("The project is paused.").code == "conflict"


def test_invalid_speaks_with_its_first_problem_and_keeps_all():
    refusal = Invalid([SPAN, BLANK])

    assert refusal.message == "The span is outside."
    assert refusal.problems == [SPAN, BLANK]


def test_too_large_is_caught_as_invalid_but_not_the_other_way_round():
    assert issubclass(TooLarge, Invalid)
    assert not issubclass(Invalid, TooLarge)


def test_stale_carries_what_stands_there_now():
    stored = {"version": 8, "answer": {"none": True}}

    assert Stale("Somebody was faster.", stored=stored).stored == stored


def test_throttled_says_when_to_come_back():
    assert Throttled("Too many attempts.", retry_after=90).retry_after == 90


def test_problem_is_told_as_code_message_and_path():
    assert SPAN.as_dict() == {"code": "span", "message": "The span is outside.", "path": "marks[0]"}


def test_problem_without_a_place_has_an_empty_path():
    assert Problem("empty", "Nothing is marked.").as_dict()["path"] == ""
