"""What of a protocol may still be changed, and why not."""

from dataclasses import fields
from typing import Any

import pytest

from annotator.domain.errors import Conflict, Invalid
from annotator.domain.protocol_changes import (
    FREE_AT_ANY_TIME,
    changed_protocol,
    is_fixed_by_work,
    with_changed_type,
    with_type,
)
from annotator.domain.protocols import SWS, Protocol

CHANGES: dict[str, Any] = {
    "keep_at": 3,
    "min_answers": 3,
    "drops_discarded": False,
    "needs_consensus": True,
    "warn_below_marks": 0,
    "fixes_type_order": True,
    "quota_type": "",
    "quota_per_passage": "2",
    "qualify_f05": "0.6",
    "qualify_shared": "0",
    "splits": [["test", 9]],
    "test_passages": 5,
    "answers_per_passage": 3,
    "controls_per_hundred": 5,
    "repeats_per_hundred": 4,
}


def test_every_switch_that_is_free_is_tried_here() -> None:
    assert set(CHANGES) == FREE_AT_ANY_TIME
    assert {field.name for field in fields(Protocol)} >= FREE_AT_ANY_TIME


@pytest.mark.parametrize("name", CHANGES)
def test_switches_of_merge_quota_test_and_split_change_at_any_time(name: str) -> None:
    after = changed_protocol(SWS, {name: CHANGES[name]}, has_work=True)

    assert getattr(after, name) != getattr(SWS, name)
    assert not is_fixed_by_work(name)


@pytest.mark.parametrize(
    ("name", "value"),
    [("spans_may_overlap", False), ("max_substitutes", 3), ("separator", ","), ("min_substitutes", 0)],
)
def test_switches_of_the_work_are_fixed_by_the_first_save(name: str, value: Any) -> None:
    assert getattr(changed_protocol(SWS, {name: value}, has_work=False), name) == value
    with pytest.raises(Conflict, match=f"“{name}” is a rule of the work and is fixed by the first save"):
        changed_protocol(SWS, {name: value}, has_work=True)


def test_types_are_added_relabelled_and_retired_but_not_deleted() -> None:
    added = changed_protocol(SWS, with_type(SWS, "shorten", "Shorten"), has_work=True)
    relabelled = changed_protocol(added, with_changed_type(added, "shorten", label="Make shorter"), has_work=True)
    retiring = {**with_changed_type(relabelled, "refine-usage", is_retired=True), "quota_type": ""}
    retired = changed_protocol(relabelled, retiring, has_work=True)

    assert [(item.key, item.code) for item in added.types][-1] == ("shorten", 3)
    assert relabelled.type_named("shorten").label == "Make shorter"  # type: ignore[union-attr]
    assert [item.key for item in retired.open_types] == ["diversify-expression", "shorten"]
    with pytest.raises(Conflict, match="retire it instead"):
        changed_protocol(added, {"types": added.as_dict()["types"][:2]}, has_work=True)
    with pytest.raises(Conflict, match="keep their order"):
        changed_protocol(added, {"types": added.as_dict()["types"][::-1]}, has_work=True)
    with pytest.raises(Conflict, match="already"):
        with_type(added, "shorten", "Again")
    with pytest.raises(Invalid, match="cannot be a type's key"):
        with_type(added, "Bad Key", "Bad")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"keep_at": 0}, "at least 1"),
        ({"keep_at": "two"}, "makes no sense"),
        ({"keep_at": True}, "makes no sense"),
        ({"no_such": 1}, "no switch 'no_such'"),
        ({"qualify_f05": "1.5"}, "from 0 to 1"),
        ({"qualify_f05": "NaN"}, "from 0 to 1"),
        ({"quota_type": "nothing"}, "There is no open type “nothing”"),
        ({"splits": [["test", 1], ["test", 2]]}, "different names"),
        ({"folds_substitutes": False}, "cannot work by these rules yet"),
        ({"types": [], "quota_type": ""}, "At least one type"),
        ({"types": 5}, "cannot be read"),
        ({"min_substitutes": 5, "max_substitutes": 1}, "at least “min_substitutes”"),
        ({"separator": ""}, "parts substitutes"),
        (with_changed_type(SWS, "refine-usage", label=" "), "needs a label"),
        (with_changed_type(SWS, "refine-usage", is_retired=True), "no open type “refine-usage” for the quota"),
        ({"preset": "hoo"}, "stays as it is"),
    ],
)
def test_what_makes_no_sense_is_named(changes: dict[str, Any], message: str) -> None:
    with pytest.raises((Invalid, Conflict), match=message):
        changed_protocol(SWS, changes, has_work=False)
