"""Protocols: the switches of sws, and their way into the database and back."""

import json
from dataclasses import FrozenInstanceError, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.errors import Invalid
from annotator.domain.protocols import KINDS, PRESETS, SWS, Protocol, SubstituteType, page_rules, protocol_from_dict

REFINE, DIVERSIFY = SWS.types
PROTOCOLS = st.builds(
    Protocol,
    kind=st.sampled_from(KINDS),
    types=st.lists(st.builds(SubstituteType, aliases=st.lists(st.text()).map(tuple)), max_size=4).map(tuple),
    max_substitutes=st.none() | st.integers(0, 50),
)


@pytest.mark.parametrize(
    ("switch", "value"),
    [
        ("preset", "sws"),
        ("kind", "marking"),
        ("spans_are_free", True),
        ("spans_may_overlap", True),
        ("spans_may_be_empty", False),
        ("min_substitutes", 1),
        ("max_substitutes", None),
        ("substitutes_may_be_empty", False),
        ("separator", ";"),
        ("folds_substitutes", True),
        ("warn_below_marks", 3),
        ("quota_type", "refine-usage"),
        ("quota_per_passage", "1.5"),
        ("keep_at", 2),
        ("min_answers", 2),
    ],
)
def test_sws_has_the_switches_of_the_method(switch, value):
    assert SWS.as_dict()[switch] == value


def test_sws_has_two_types_in_the_order_that_breaks_ties():
    assert [(item.key, item.label, item.code) for item in SWS.types] == [
        ("refine-usage", "Refine usage", 1),
        ("diversify-expression", "Diversify expression", 2),
    ]


def test_preset_is_found_by_its_name():
    assert all(name == protocol.preset for name, protocol in PRESETS.items())
    assert PRESETS["sws"] is SWS


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("refine-usage", REFINE),
        ("improve-usage", REFINE),
        ("diversify-expression", DIVERSIFY),
        ("Refine-Usage", None),
        ("Refine usage", None),
        ("refine", None),
        ("", None),
    ],
    ids=["key", "alias", "second-key", "other-case", "label", "part-of-a-key", "empty"],
)
def test_type_is_named_by_key_or_alias_and_nothing_else(name, found):
    assert SWS.type_named(name) is found


def test_retired_type_is_still_named_but_no_longer_open():
    retired = replace(REFINE, is_retired=True)

    protocol = replace(SWS, types=(retired, DIVERSIFY))

    assert protocol.type_named("refine-usage") is retired
    assert protocol.open_types == (DIVERSIFY,)


def test_every_type_of_the_preset_is_open():
    assert SWS.open_types == SWS.types


@given(PROTOCOLS)
def test_any_protocol_comes_back_from_stored_json_as_it_was(protocol):
    stored = json.dumps(protocol.as_dict())

    assert protocol_from_dict(json.loads(stored)) == protocol


def numbers_in(value):
    if isinstance(value, dict | list | tuple):
        return [
            number for item in (value.values() if isinstance(value, dict) else value) for number in numbers_in(item)
        ]
    return [value] if isinstance(value, int | float) else []


@pytest.mark.parametrize("protocol", PRESETS.values(), ids=PRESETS.keys())
def test_stored_preset_holds_no_float(protocol):
    assert not [number for number in numbers_in(protocol.as_dict()) if isinstance(number, float)]


def test_missing_switch_has_its_default():
    protocol = protocol_from_dict({"preset": "own", "kind": "marking", "types": []})

    assert protocol == Protocol(preset="own", kind="marking", types=())
    assert (protocol.warn_below_marks, protocol.quota_type, protocol.quota_per_passage) == (0, "", "")


def test_missing_part_of_a_type_has_its_default():
    types = [{"key": "shorten", "label": "Shorten", "code": 7}]

    protocol = protocol_from_dict({"preset": "own", "kind": "marking", "types": types})

    assert protocol.types == (SubstituteType("shorten", "Shorten", 7, hint="", aliases=(), is_retired=False),)


@pytest.mark.parametrize(
    ("changes", "switch", "path"),
    [
        pytest.param({"colour": "red"}, "colour", "protocol", id="of-the-protocol"),
        pytest.param({"Separator": ";"}, "Separator", "protocol", id="in-other-case"),
        pytest.param(
            {"types": [REFINE.__dict__, {**DIVERSIFY.__dict__, "icon": "x"}]}, "icon", "types[1]", id="of-a-type"
        ),
    ],
)
def test_unknown_switch_is_refused(changes, switch, path):
    with pytest.raises(Invalid, match=switch) as refusal:
        protocol_from_dict({**SWS.as_dict(), **changes})

    assert [(problem.code, problem.path) for problem in refusal.value.problems] == [("unknown_key", path)]


def test_preset_cannot_be_changed_in_place():
    with pytest.raises(FrozenInstanceError):
        SWS.keep_at = 1


@pytest.mark.parametrize("data", [{}, {"types": None}, {"types": [{"key": "x"}]}, {"types": ["x"]}], ids=str)
def test_unreadable_protocol_is_refused_with_a_reason(data):
    with pytest.raises(Invalid, match="cannot be read"):
        protocol_from_dict({"preset": "own", "kind": "marking", **data})


def test_unknown_kind_of_work_is_refused():
    with pytest.raises(Invalid, match="marking, judging"):
        protocol_from_dict({**SWS.as_dict(), "kind": "dancing"})


def test_the_page_is_told_how_corrections_are_taken():
    rules = page_rules(PRESETS["hoo"], types=[{"key": "error"}], lengths={"note": 7})

    assert rules["spans"] == {
        "are_free": True,
        "may_overlap": False,
        "may_be_empty": True,
        "may_cross_sentences": False,
    }
    assert (rules["separator"], rules["folds"]) == ("", False)
    assert (rules["min_substitutes"], rules["max_substitutes"], rules["substitutes_may_be_empty"]) == (0, None, True)
    assert (rules["types"], rules["lengths"]) == ([{"key": "error"}], {"note": 7})


def test_the_page_is_told_how_many_substitutes_are_taken_and_what_may_be_said_instead():
    rules = page_rules(PRESETS["lexsub"], types=[], lengths={})

    assert (rules["max_substitutes"], rules["flags"], rules["spans"]["are_free"]) == (3, ["nil", "name"], False)
    assert json.loads(json.dumps(rules)) == rules
