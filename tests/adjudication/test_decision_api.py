"""The JSON doors of decisions, gold and comments: what they take, give and refuse."""

import json
import re
from datetime import datetime
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest

from adjudication.actions.deciding import decide_passage, decide_span
from adjudication.actions.merging import merge_project
from adjudication.models import Decision, DecisionStep
from annotator.actions.people import add_member
from annotator.actions.protocols import change_protocol
from annotator.domain.protocol_changes import with_changed_type
from annotator.models import Event, Project, User
from tests.adjudication.conftest import merge_all, submit
from tests.adjudication.test_deciding import PARTY, SUMMER, UNCLE, passage_of
from tests.conftest import CheckedClient
from tests.factories import TEXT, Cast, load_cast, make_user, mark
from tests.kept import once


@pytest.fixture
def merged(three: Cast) -> Cast:
    once(merge_all, three)
    return load_cast()


class Door:
    """Calls about one passage, as somebody."""

    def __init__(self, cast: Cast, user: User | None = None, passage: str = "essays-1") -> None:
        self.client = CheckedClient(raise_request_exception=False)
        self.client.force_login(user or cast.adjudicator)
        self.uuid = passage_of(cast, passage).uuid
        self.here = f"/api/v1/projects/essays/passages/{self.uuid}"

    def get(self, tail: str = "") -> Any:
        return self.client.get(self.here + tail)

    def put(self, where: str, content: Any, version: int = 0, **given: Any) -> Any:
        body = {"act": str(uuid4()), "content": content, **given}
        headers = {"If-Match": f'"{version}"'}
        return self.client.put(
            f"{self.here}/decisions/{where}", json.dumps(body), content_type="application/json", headers=headers
        )

    def post(self, tail: str, body: Any, **headers: str) -> Any:
        address = tail if tail.startswith("/api") else self.here + tail
        return self.client.post(address, json.dumps(body), content_type="application/json", headers=headers)


def at(span: tuple[int, int]) -> str:
    return f"{span[0]}-{span[1]}"


def test_a_passage_comes_with_everybody_s_marks_the_merge_and_the_decisions(merged: Cast) -> None:
    found = Door(merged).get().json()

    assert found["text"] == TEXT
    assert [lane["name"] for lane in found["lanes"]] == sorted(lane["name"] for lane in found["lanes"])
    assert sum(len(lane["marks"]) for lane in found["lanes"]) == 5
    [uncle, party, summer] = found["standing"]["targets"]
    assert [uncle["annotators"], party["annotators"], summer["annotators"]] == [3, 1, 1]
    assert [item["key"] for item in uncle["offered"]] == ["relative", "kinsman"]
    assert found["type_votes"][0]["types"] == {"refine-usage": 2, "diversify-expression": 1}  # people
    assert (found["history"], found["comments"], found["standing"]["decision"]) == ([], [], None)


def test_a_decision_answers_with_the_passage_as_it_stands(merged: Cast) -> None:
    door = Door(merged)

    answer = door.put(at(PARTY), {"verdict": "keep"}, reason="Because.", cause="taste")

    found = answer.json()
    assert (answer.status_code, answer["ETag"], found["version"]) == (200, '"1"', 1)
    party = found["passage"]["targets"][1]
    assert (party["is_kept"], party["fate"], party["decision"]["reason"]) == (True, "decided", "Because.")
    assert door.get().json()["history"][0]["act"] == found["act"]


def test_undo_takes_it_back(merged: Cast) -> None:
    door = Door(merged)
    act = door.put(at(PARTY), {"verdict": "keep"}).json()["act"]

    answer = door.post("/decisions/undo", {"act": str(uuid4()), "undoes": act})

    assert answer.status_code == 200
    assert answer.json()["passage"]["targets"][1]["is_kept"] is False
    assert door.post("/decisions/undo", {"act": str(uuid4()), "undoes": act}).status_code == 412


def test_what_another_decided_is_a_412_that_shows_both(merged: Cast) -> None:
    Door(merged, merged.lead).put(at(PARTY), {"verdict": "keep"}, reason="mine")

    answer = Door(merged).put(at(PARTY), {"verdict": "drop"})

    stored = answer.json()["stored"]
    assert (answer.status_code, stored["version"], stored["reason"]) == (412, 1, "mine")
    assert Door(merged).put(at(PARTY), {"verdict": "drop"}, version=1).status_code == 200


def joined(*keys: str) -> dict[str, Any]:
    return {"verdict": None, "suggestions": [{"text": "kin", "from": list(keys)}], "removed": []}


@pytest.mark.parametrize(
    ("where", "content", "given", "status", "code"),
    [
        ("0-999", {"verdict": "keep"}, {}, 422, "span"),
        (f"{len(TEXT)}-{len(TEXT) + 1}", {"verdict": "keep"}, {}, 422, "span"),  # where UTF-16 counts it to be
        (at(UNCLE), {"verdict": "moved", "span": [5, 999]}, {}, 422, "span"),
        (at(UNCLE), {"verdict": "moved", "span": [0.5, 3]}, {}, 422, "shape"),
        (at(UNCLE), {"verdict": "moved", "span": [True, 3]}, {}, 422, "shape"),
        (at(UNCLE), {"verdict": "moved", "span": ["5", "7"]}, {}, 422, "shape"),
        (at(UNCLE), {"verdict": "moved", "span": [5]}, {}, 422, "shape"),
        (at(UNCLE), {"verdict": "moved", "span": [7, 5]}, {}, 422, "span"),
        (at(UNCLE), {"verdict": "moved"}, {}, 422, "span"),
        (at(UNCLE), {"verdict": "keep", "span": list(PARTY)}, {}, 422, "span"),
        (at(UNCLE), {"verdict": None, "type": "colour"}, {}, 422, "type"),
        (at(UNCLE), {"verdict": "maybe"}, {}, 422, "verdict"),
        (at(UNCLE), {"verdict": "moved", "span": list(UNCLE)}, {}, 422, "move_onto_itself"),
        (at(UNCLE), {"verdict": None, "suggestions": [{"text": "", "from": []}]}, {}, 422, "blank"),
        (at(UNCLE), {"verdict": None, "suggestions": [{"text": "\u200b ", "from": []}]}, {}, 422, "blank"),
        (at(UNCLE), {"verdict": None, "suggestions": [{"text": "k" * 201, "from": []}]}, {}, 413, "too_large"),
        (at(UNCLE), {"verdict": None, "removed": ["kinsman", "kinsman"]}, {}, 422, "named_twice"),
        (at(UNCLE), joined("kinsman", "kinsman"), {}, 422, "named_twice"),
        (at(UNCLE), {**joined("kinsman", "relative"), "removed": ["relative"]}, {}, 422, "named_twice"),
        (at(UNCLE), joined("kinsman", "feast"), {}, 422, "join_across"),
        (at(UNCLE), joined("kinsman", "aunt"), {}, 412, "stale"),
        (at(UNCLE), {"verdict": None, "removed": ["aunt"]}, {}, 412, "stale"),
        (at(UNCLE), {"verdict": "keep"}, {"reason": "x" * 2001}, 422, "too_long"),
        (at(UNCLE), {"verdict": "keep"}, {"cause": "weather"}, 422, "cause"),
        (at(UNCLE), {"verdict": "keep"}, {"act": "7"}, 422, "uuid"),
        (at(UNCLE), {"verdict": "keep"}, {"colour": "red"}, 422, "unknown_key"),
        (at(UNCLE), [], {}, 422, "shape"),
        ("passage", {"verdict": "discard"}, {}, 422, "reason"),
        ("passage", {"verdict": "keep"}, {}, 422, "verdict"),
    ],
)
def test_bad_input_is_named_and_nothing_is_written(
    merged: Cast, where: str, content: Any, given: dict[str, Any], status: int, code: str
) -> None:
    answer = Door(merged).put(where, content, **given)

    found = answer.json()
    codes = {found["code"], *(problem["code"] for problem in found.get("problems", []))}
    assert (answer.status_code, code in codes) == (status, True), found
    assert not Decision.objects.exists()
    assert not Event.objects.filter(kind__startswith="decision.").exists()


def test_a_refused_decision_leaves_the_one_before_as_it_was(merged: Cast) -> None:
    door = Door(merged)
    assert door.put(at(UNCLE), joined("kinsman", "relative"), reason="x" * 2000).status_code == 200
    before = list(Decision.objects.values())

    wrong = {"verdict": "moved", "span": list(UNCLE)}
    assert door.put(at(UNCLE), wrong, version=1).status_code == 422
    gone = door.put(at(UNCLE), joined("kinsman", "aunt"), version=1)

    assert (gone.status_code, gone.json()["stored"]["content"]) == (412, before[0]["content"])
    assert gone.json()["stored"]["keys"] == ["kinsman", "relative"]
    assert list(Decision.objects.values()) == before
    assert DecisionStep.objects.count() == 1


def test_a_type_since_retired_is_a_409_and_nothing_is_written(merged: Cast) -> None:
    project = Project.objects.get(pk=merged.project.pk)
    changes = with_changed_type(project.protocol, "diversify-expression", is_retired=True)
    change_protocol(project, by=merged.lead, version=project.version, changes=changes)

    answer = Door(merged).put(at(UNCLE), {"verdict": None, "type": "diversify-expression"})

    assert (answer.status_code, answer.json()["code"]) == (409, "type_removed")
    assert not Decision.objects.exists()


def test_without_a_version_nothing_is_decided(merged: Cast) -> None:
    door = Door(merged)
    body = {"act": str(uuid4()), "content": {"verdict": "keep"}}

    answer = door.client.put(f"{door.here}/decisions/{at(UNCLE)}", json.dumps(body), content_type="application/json")

    assert answer.status_code == 428


def test_before_the_first_merge_it_says_so(three: Cast) -> None:
    answer = Door(three).get()

    assert (answer.status_code, answer.json()["code"]) == (409, "no_merge")


def test_what_one_has_still_to_annotate_is_out_of_reach(merged: Cast) -> None:
    both = make_user("both")
    add_member(merged.project, user=both, by=merged.lead, roles={"annotator", "adjudicator"})
    door = Door(merged, both)
    same = {"act": str(uuid4()), "content": {"verdict": "keep"}}
    target = {"passage": str(door.uuid), "start": UNCLE[0], "end": UNCLE[1], "version": 0}

    assert door.get().status_code == 404
    assert door.put(at(UNCLE), {"verdict": "keep"}).status_code == 404
    assert door.get("/same?start=5&end=10").status_code == 404
    assert door.post("/comments", {"text": "Hm."}).status_code == 404
    answer = door.post("/api/v1/projects/essays/decisions/same", {**same, "targets": [target]})
    assert answer.status_code == 422
    assert door.client.get("/api/v1/projects/essays/gold").json()["results"] == []
    submit(merged, both)
    assert door.get().status_code == 200


def test_the_same_word_elsewhere(merged: Cast) -> None:
    """“house” stands in two passages; both marked it in the second, too."""
    text = passage_of(merged, "essays-2").text
    for user in (merged.ann, merged.ben):
        row = merged.project.passages.get(external_id="essays-2").assignments.get(membership__user=user)
        type(row).objects.filter(pk=row.pk).update(state="started")
        submit(merged, user, mark(text, "house", "home"), passage="essays-2")
    merge_project(merged.project, by=merged.lead)
    start = TEXT.index("house")
    door = Door(merged)

    [other] = door.get(f"/same?start={start}&end={start + 5}").json()["results"]
    assert (other["id"], other["annotators"], other["suggestions"]) == ("essays-2", 2, ["home"])
    assert (other["is_kept"], other["is_decided"], other["version"]) == (True, False, 0)

    target = {name: other[name] for name in ("passage", "start", "end", "version")}
    body = {"act": str(uuid4()), "content": {"verdict": "drop"}, "targets": [target]}
    answer = door.post("/api/v1/projects/essays/decisions/same", body)

    assert (answer.status_code, answer.json()["targets"]) == (200, 1)
    [other] = door.get(f"/same?start={start}&end={start + 5}").json()["results"]
    assert (other["is_kept"], other["is_decided"], other["version"]) == (False, True, 1)


def test_the_same_word_elsewhere_says_what_was_moved_and_which_passage_is_discarded(merged: Cast) -> None:
    text = passage_of(merged, "essays-2").text
    for user in (merged.ann, merged.ben):
        row = merged.project.passages.get(external_id="essays-2").assignments.get(membership__user=user)
        type(row).objects.filter(pk=row.pk).update(state="started")
        submit(merged, user, mark(text, "house", "home"), passage="essays-2")
    merge_project(merged.project, by=merged.lead)
    start, door, here = TEXT.index("house"), Door(merged), passage_of(merged, "essays-2")
    given = {"by": merged.adjudicator, "version": 0}

    def told() -> tuple[bool, ...]:
        [other] = door.get(f"/same?start={start}&end={start + 5}").json()["results"]
        return tuple(other[name] for name in ("is_kept", "is_decided", "is_moved", "is_in_discarded"))

    assert told() == (True, False, False, False)
    house = (text.index("house"), text.index("house") + 5)
    moved = {"verdict": "moved", "span": [0, text.index(" ")]}
    decide_span(here, house, act=uuid4(), content=moved, **given)
    assert told() == (False, True, True, False)
    decide_passage(here, act=uuid4(), content={"verdict": "discard"}, reason="A copy.", **given)
    assert told() == (False, True, True, True)


SAME = "/api/v1/projects/essays/decisions/same"
UNDO = "/api/v1/projects/essays/decisions/undo"


def alike(cast: Cast, **given: Any) -> dict[str, Any]:
    """Drop “party”, by an act of its own."""
    target = {"passage": str(passage_of(cast).uuid), "start": PARTY[0], "end": PARTY[1], "version": 0}
    return {"act": str(uuid4()), "content": {"verdict": "drop"}, "targets": [target], **given}


def test_the_same_word_is_decided_once_however_often_it_is_sent(merged: Cast) -> None:
    door, body = Door(merged), alike(merged)

    first, again = door.post(SAME, body), door.post(SAME, body)

    assert first.json() == again.json() == {"targets": 1, "act": body["act"]}
    assert DecisionStep.objects.count() == 1
    others = [
        {**body, "content": {"verdict": "keep"}},
        {**body, "reason": "why"},
        {**body, "targets": [{**body["targets"][0], "start": UNCLE[0], "end": UNCLE[1]}]},
    ]
    for other in others:
        assert "another body" in door.post(SAME, other).json()["problems"][0]["message"]
    assert "another body" in Door(merged, merged.lead).post(SAME, body).json()["problems"][0]["message"]
    assert DecisionStep.objects.count() == 1


def test_the_same_word_is_not_decided_nor_taken_back_in_another_s_name(merged: Cast) -> None:
    theirs = merged.membership("adjudicator").pseudonym
    body = alike(merged, by=theirs)

    refused = Door(merged, merged.lead).post(SAME, body)
    assert (refused.status_code, refused.json()["code"]) == (409, "somebody_else")
    assert not Decision.objects.exists()
    assert Door(merged).post(SAME, body).status_code == 200
    undo = {"act": str(uuid4()), "undoes": body["act"], "by": theirs}
    refused = Door(merged, merged.lead).post(UNDO, undo)
    assert (refused.status_code, refused.json()["code"]) == (409, "somebody_else")
    assert Decision.objects.counting().count() == 1


def test_an_act_taken_back_everywhere_says_how_many_it_was(merged: Cast) -> None:
    door, body = Door(merged), alike(merged)
    body["targets"].append({**body["targets"][0], "start": SUMMER[0], "end": SUMMER[1]})
    door.post(SAME, body)
    door.put(at(SUMMER), {"verdict": "keep"}, version=1)
    undo = {"act": str(uuid4()), "undoes": body["act"]}

    first, again = door.post(UNDO, undo).json(), door.post(UNDO, undo).json()

    assert first == again == {"act": undo["act"], "of": 2, "taken_back": 1, "is_under_way": False}
    assert DecisionStep.objects.filter(act=undo["act"]).count() == 1
    nothing = door.post(UNDO, {**undo, "act": str(uuid4())}).json()
    assert (nothing["of"], nothing["taken_back"]) == (2, 0)
    used = door.post(UNDO, {"act": body["act"], "undoes": undo["act"]})
    assert (used.status_code, "another body" in used.json()["problems"][0]["message"]) == (422, True)
    assert Door(merged, merged.lead).post(UNDO, undo).json()["code"] == "nothing_to_undo"


def test_comments_are_written_read_and_resolved(merged: Cast) -> None:
    door = Door(merged)

    made = door.post("/comments", {"text": "Is this a name?", "span": list(UNCLE)})
    found = door.get("/comments").json()["results"]

    assert made.status_code == 201
    assert [(item["text"], item["start"], item["resolved_at"]) for item in found] == [
        ("Is this a name?", UNCLE[0], None)
    ]
    address = f"/api/v1/projects/essays/comments/{found[0]['uuid']}/resolve"
    assert (
        door.post(address, {}, **{"If-Match": '"1"'}).json()["resolved_by"]
        == merged.membership("adjudicator").pseudonym
    )
    assert door.post(address, {"is_resolved": False}, **{"If-Match": '"1"'}).status_code == 412
    assert door.post("/comments", {"text": "x", "span": [5, 999]}).status_code == 422
    assert door.post("/comments", {"text": " "}).status_code == 422


def test_the_gold_is_listed_as_the_paper_prints_it(merged: Cast) -> None:
    door = Door(merged)
    door.put(at(SUMMER), {"verdict": "keep"})

    found = door.client.get("/api/v1/projects/essays/gold?limit=1").json()
    following = door.client.get(found["next"]).json()
    one = door.client.get(f"/api/v1/projects/essays/gold/{door.uuid}").json()

    assert found["results"] == [one]
    assert one["targets"] == {"uncle": {"relative": 3, "kinsman": 1}, "summer": {"year": 1}}
    assert one["dropped"] == {"party": {"feast": 1}}
    assert [line["passage"] for line in following["results"]] == ["essays-2"]
    assert following["next"] is None


def test_every_target_of_the_gold_tells_its_votes_its_voters_and_its_decision(merged: Cast) -> None:
    door = Door(merged)
    door.put(at(SUMMER), {"verdict": "keep"}, reason="Not only <once>.", cause="taste")
    door.put("passage", {"verdict": "settled"})
    voter = {
        name: merged.project.memberships.get(user__email=f"{name}@example.org").pseudonym for name in ("ann", "cleo")
    }
    me = merged.membership("adjudicator").pseudonym

    line = door.client.get(f"/api/v1/projects/essays/gold/{door.uuid}").json()
    shown = door.client.get(f"/p/essays/gold/{door.uuid}").content.decode()

    [uncle, party, summer] = line["entries"]
    assert (uncle["annotators"], uncle["of"], uncle["votes"], uncle["decision"]) == (3, 3, 4, None)
    assert (party["is_kept"], party["voters"]) == (False, [voter["ann"]])
    assert summer["suggestions"] == [{"text": "year", "votes": 1, "voters": [voter["cleo"]], "origin": "merged"}]
    decision = Decision.objects.get(start=SUMMER[0])
    told = summer["decision"]
    assert datetime.fromisoformat(told.pop("at")) == decision.at
    assert told == {"verdict": "keep", "by": me, "reason": "Not only <once>.", "cause": "taste"}
    assert (line["is_gold"], line["decision"]["verdict"], line["decision"]["by"]) == (True, "settled", me)
    [row] = re.findall(r"<tr><td class=\"quote\" dir=\"auto\">summer</td>.*?</tr>", shown, re.S)
    when = decision.at.astimezone(ZoneInfo(merged.project.time_zone))
    assert f"{me}, {when.day} {when:%B %Y, %H:%M}" in row
    assert "taste" in row
    assert "Not only &lt;once&gt;." in row
    assert "&quot;origin&quot;: &quot;merged&quot;" in shown


def test_what_was_taken_back_is_no_decision_of_the_gold(merged: Cast) -> None:
    door = Door(merged)
    act = door.put(at(SUMMER), {"verdict": "keep"}, reason="Once more.").json()["act"]
    door.post("/decisions/undo", {"act": str(uuid4()), "undoes": act})

    assert all(
        row["decision"] is None
        for row in door.client.get(f"/api/v1/projects/essays/gold/{door.uuid}").json()["entries"]
    )
    assert "Once more." not in door.client.get(f"/p/essays/gold/{door.uuid}").content.decode()


def test_a_discarded_passage_leaves_the_list(merged: Cast) -> None:
    Door(merged).put("passage", {"verdict": "discard"}, reason="Wrong language.")

    found = Door(merged).client.get("/api/v1/projects/essays/gold").json()

    assert [line["passage"] for line in found["results"]] == ["essays-2"]
    assert DecisionStep.objects.get().reason == "Wrong language."


def test_an_act_of_somebody_else_is_not_carried_out_in_my_name(merged: Cast) -> None:
    """Two people share a browser: what the one decided offline waits for them."""
    theirs = merged.membership("adjudicator").pseudonym

    answer = Door(merged, merged.lead).put(at(PARTY), {"verdict": "keep"}, by=theirs)

    assert (answer.status_code, answer.json()["code"]) == (409, "somebody_else")
    assert not Decision.objects.exists()
    assert Door(merged).put(at(PARTY), {"verdict": "keep"}, by=theirs).status_code == 200


def test_a_suggestion_is_looked_at_as_an_annotator_s_would_be(merged: Cast) -> None:
    door = Door(merged)
    ask = {"start": UNCLE[0], "end": UNCLE[1]}

    same = door.post("/findings", {**ask, "text": "uncle"}).json()["findings"]
    assert [row["code"] for row in same] == ["same_as_quote"]
    assert door.post("/findings", {**ask, "text": "relative"}).json() == {"findings": []}
    assert "comma" in [
        row["code"] for row in door.post("/findings", {**ask, "text": "kin, relative"}).json()["findings"]
    ]
    assert door.post("/findings", {"start": 5, "end": 999, "text": "kin"}).status_code == 422
    assert door.post("/findings", {**ask, "text": "k" * 201}).status_code == 422
