"""Guidelines and rules of a project by the API."""

from typing import Any

import pytest

from annotator.actions.projects import change_project_state
from annotator.domain.lengths import MAX_GUIDELINES_LENGTH
from annotator.domain.protocols import SWS
from annotator.models import Event, Project
from tests.conftest import Api, nothing_written
from tests.factories import Cast, answer_for, save_body

GUIDELINES = "/api/v1/projects/essays/guidelines"
PROTOCOL = "/api/v1/projects/essays/protocol"


@pytest.fixture
def lead(cast: Cast) -> Api:
    return Api(cast.lead)


def stored(cast: Cast) -> Project:
    return Project.objects.get(pk=cast.project.pk)


def test_guidelines_are_written_by_a_lead_and_read_by_everybody(cast: Cast, lead: Api) -> None:
    texts = {"guidelines": "# Mark little", "look_up_policy": "No machines."}

    written = lead.call("PUT", GUIDELINES, texts, if_match=1)
    same = lead.call("PUT", GUIDELINES, texts, if_match=2)
    read = Api(cast.ann).call("GET", GUIDELINES)
    earlier = Api(cast.ann).call("GET", f"{GUIDELINES}?version=1").json()

    assert (written.status_code, written["ETag"], same["ETag"], read["ETag"]) == (200, '"2"', '"2"', '"2"')
    assert read.json() == {"version": 2, **texts}
    assert earlier == {"version": 1, "guidelines": "", "look_up_policy": ""}
    assert Api(cast.ann).call("GET", f"{GUIDELINES}?version=3").status_code == 404
    assert Api(cast.ann).call("PUT", GUIDELINES, texts, if_match=2).status_code == 404


def test_what_another_lead_wrote_meanwhile_is_told_and_stays(cast: Cast, lead: Api) -> None:
    lead.call("PUT", GUIDELINES, {"guidelines": "One", "look_up_policy": "None"}, if_match=1)

    stale = lead.call("PUT", GUIDELINES, {"guidelines": "Two", "look_up_policy": ""}, if_match=1)

    assert (stale.status_code, stale.json()["stored"]) == (
        412,
        {"version": 2, "guidelines": "One", "look_up_policy": "None"},
    )
    assert stored(cast).guidelines == "One"
    assert lead.call("PUT", GUIDELINES, {"guidelines": "Two", "look_up_policy": ""}).status_code == 428


def test_guidelines_may_be_as_long_as_they_may_be(lead: Api) -> None:
    """Escaped by the client, too."""
    longest = {"guidelines": "😀" * MAX_GUIDELINES_LENGTH, "look_up_policy": ""}

    written = lead.call("PUT", GUIDELINES, longest, if_match=1)
    too_long = lead.call("PUT", GUIDELINES, {**longest, "guidelines": "x" * (MAX_GUIDELINES_LENGTH + 1)}, if_match=2)

    assert (written.status_code, too_long.status_code) == (200, 422)


@pytest.mark.parametrize(
    "given",
    [{"guidelines": "One"}, {"guidelines": "\x07", "look_up_policy": ""}, {"guidelines": 5, "look_up_policy": ""}],
)
def test_guidelines_that_cannot_be_are_refused(lead: Api, given: Any) -> None:
    with nothing_written():
        assert lead.call("PUT", GUIDELINES, given, if_match=1).status_code == 422


def test_rules_are_read_changed_and_given_back(cast: Cast, lead: Api) -> None:
    read = lead.call("GET", PROTOCOL)
    rules = read.json()["protocol"]

    same = lead.call("PUT", PROTOCOL, {"protocol": rules}, if_match=read["ETag"])
    changed = lead.call("PUT", PROTOCOL, {"protocol": {"keep_at": 3, "quota_per_passage": "2"}}, if_match=read["ETag"])

    assert rules["types"][0]["key"] == SWS.types[0].key
    assert (read.json()["has_work"], read.json()["fixed"]) == (False, ["preset", "kind"])
    assert same["ETag"] == read["ETag"] != changed["ETag"]
    assert changed.json()["protocol"] == {**rules, "keep_at": 3, "quota_per_passage": "2"}
    assert stored(cast).protocol.keep_at == 3
    [event] = Event.objects.filter(kind="protocol.changed")
    assert event.payload == {"switches": ["quota_per_passage", "keep_at"]}


def test_rules_of_an_older_version_are_refused_with_those_that_stand_there(cast: Cast, lead: Api) -> None:
    version = cast.project.version
    lead.call("PUT", PROTOCOL, {"protocol": {"keep_at": 3}}, if_match=version)

    stale = lead.call("PUT", PROTOCOL, {"protocol": {"keep_at": 4}}, if_match=version)

    assert stale.status_code == 412
    assert stale.json()["stored"]["version"] == version + 1
    assert stale.json()["stored"]["protocol"]["keep_at"] == 3


def test_what_the_work_has_fixed_is_said_before_and_after(cast: Cast, lead: Api) -> None:
    row = cast.assignment("ann")
    Api(cast.ann).save(row, save_body(answer_for(row)), 0)
    told = lead.call("GET", PROTOCOL).json()

    fixed = lead.call("PUT", PROTOCOL, {"protocol": {"min_substitutes": 2}}, if_match=told["version"])

    assert told["has_work"]
    assert {"min_substitutes", "separator", "preset"} <= set(told["fixed"])
    assert not {"keep_at", "types"} & set(told["fixed"])
    assert (fixed.status_code, fixed.json()["code"]) == (409, "fixed_by_work")


def test_rules_of_the_work_change_only_while_nobody_works(cast: Cast, lead: Api) -> None:
    asked = {"protocol": {"min_substitutes": 2}}
    working = lead.call("PUT", PROTOCOL, asked, if_match=cast.project.version)
    project = change_project_state(cast.project, by=cast.lead, act="pause")

    paused = lead.call("PUT", PROTOCOL, asked, if_match=project.version)

    assert (working.status_code, working.json()["code"]) == (409, "open")
    assert paused.json()["protocol"]["min_substitutes"] == 2


TYPE = {"key": "new", "label": "New", "code": 3}


@pytest.mark.parametrize(
    "rules",
    [
        {"keep_at": 0},
        {"keep_at": "3"},
        {"keep_at": None},
        {"keep_at": [3]},
        {"answers_per_passage": 1001},
        {"controls_per_hundred": 21},
        {"nonsense": 1},
        {"kind": ["marking"]},
        {"types": 5},
        {"types": "abc"},
        {"types": [5]},
        {"types": [{}]},
        {"types": [{**TYPE, "key": ["new"]}]},
        {"types": [{**TYPE, "label": "\u200b"}]},
        {"types": [{**TYPE, "label": "a\u0007"}]},
        {"types": [{**TYPE, "is_retired": "yes"}]},
        {"types": [{**TYPE, "aliases": 5}]},
        {"types": [{**TYPE, "aliases": [[]]}]},
        {"types": []},
        {"splits": [5]},
        {"splits": [["test"]]},
        {"splits": "test"},
        {"splits": {"test": 5}},
        {"flags": 5},
        {"flags": "abc"},
        {"labels_per_round": None},
        {"quota_per_passage": "NaN"},
        {"quota_per_passage": 1.5},
        {"spans_are_free": False},
        {"separator": ""},
    ],
)
def test_rules_that_make_no_sense_are_refused_whole(cast: Cast, lead: Api, rules: Any) -> None:
    with nothing_written():
        refused = lead.call(
            "PUT", PROTOCOL, {"protocol": {"warn_below_marks": 1, **rules}}, if_match=cast.project.version
        )

    assert refused.status_code == 422, refused.content


@pytest.mark.parametrize("body", [{"protocol": []}, {"protocol": None}, {}, {"protocol": {}, "version": 1}])
def test_a_body_of_another_shape_is_refused(cast: Cast, lead: Api, body: Any) -> None:
    assert lead.call("PUT", PROTOCOL, body, if_match=cast.project.version).status_code == 422
