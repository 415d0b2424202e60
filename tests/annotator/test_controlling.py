"""Controls and repeats stand among the work, and nothing tells them from it."""

import pytest

from annotator.actions.controlling import choose_controls
from annotator.actions.people import add_member
from annotator.actions.projects import add_passages
from annotator.domain.errors import Conflict, Invalid
from annotator.domain.passages import NewPassage
from annotator.models import Membership, Project
from annotator.permissions import can_answer_anew
from annotator.queries.work import next_assignment, own_progress, place_of
from annotator.serializers.assignments import AssignmentSerializer
from tests.annotator.working import a_project, change, hand_in, keyed, names, newcomer, own, text_of
from tests.conftest import Api
from tests.factories import Cast

CONTROLS = tuple(f"c{number}" for number in range(8))


def choose(cast: Cast, project: Project, *wanted: str) -> int:
    rows = project.passages.filter(external_id__in=wanted)
    return choose_controls(project, by=cast.lead, passages=[row.uuid for row in rows])


def planted(cast: Cast, *, passages: int = 80) -> tuple[Project, Membership]:
    """One person with work, controls and repeats among it."""
    project, _ = a_project(cast, passages=passages, people=0, controls_per_hundred=10, repeats_per_hundred=10)
    keyed(cast, project, *CONTROLS, kind="control")
    return project, newcomer(cast, project, "zoe")


def test_a_lead_chooses_among_passages_with_a_key(cast: Cast) -> None:
    project, _ = a_project(cast, is_open=False)
    keyed(cast, project, "t1", "t2")
    [unkeyed] = add_passages(project, by=cast.lead, passages=[NewPassage("t3", text_of("t3"), kind="test")])

    assert choose(cast, project, "t1", "t2") == 2
    assert choose(cast, project, "t2") == 1
    assert choose(cast, project, "t2") == 0

    kinds = dict(project.passages.filter(external_id__startswith="t").values_list("external_id", "kind"))
    assert kinds == {"t1": "test", "t2": "control", "t3": "test"}
    for row in (unkeyed, project.passages.get(external_id="w001")):
        with pytest.raises(Invalid, match="no passages with a key"):
            choose_controls(project, by=cast.lead, passages=[row.uuid])


def test_what_somebody_has_been_given_stays_what_it_is(cast: Cast) -> None:
    project, member = planted(cast)
    given = [name for name in names(member) if name in CONTROLS]
    assert given

    with pytest.raises(Conflict, match="has been given to somebody as a control passage"):
        choose(cast, project, *set(CONTROLS) - {given[0]})
    assert project.passages.filter(kind="control").count() == len(CONTROLS)


def test_they_stand_among_the_work_and_repeats_come_late(cast: Cast) -> None:
    _, member = planted(cast)
    rows = own(member)
    first = {row.passage_id: row.number for row in rows if not row.is_repeat}
    repeats = [row for row in rows if row.is_repeat]
    controls = [row for row in rows if row.passage.kind == "control"]

    assert len(controls) == 8
    assert repeats
    assert all(row.number - first[row.passage_id] >= 50 for row in repeats)
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))
    assert not [row for row in repeats if row.passage.kind == "control"]


def test_controls_come_once_to_a_person_and_go_to_each(cast: Cast) -> None:
    project, member = planted(cast, passages=20)
    other = newcomer(cast, project, "yan")
    add_passages(project, by=cast.lead, passages=[NewPassage(f"x{n}", text_of(f"x{n}")) for n in range(120)])

    for person in (member, other):
        found = [name for name in names(person) if name in CONTROLS]
        assert sorted(found) == sorted(CONTROLS)
    assert [row.number for row in own(member) if row.passage.kind == "control"] != [
        row.number for row in own(other) if row.passage.kind == "control"
    ]


def test_without_rates_nothing_is_planted(cast: Cast) -> None:
    project, members = a_project(cast, passages=70, people=1)
    keyed(cast, project, *CONTROLS, kind="control")
    newcomer(cast, project, "zoe")

    assert not [row for row in own(members[0]) if row.is_repeat or row.passage.kind != "work"]
    change(project, cast.lead, controls_per_hundred=20)
    assert len(own(members[0])) == 70  # what was given is left as it is


def test_the_api_tells_work_control_and_repeat_alike(cast: Cast) -> None:
    """Beside what it says of the text, an answer about any of them has the same keys and the same values."""
    _, member = planted(cast)
    assert member.user is not None
    rows = own(member)
    kinds = {"work": rows[0], "repeat": next(row for row in rows if row.is_repeat)}
    kinds["control"] = next(row for row in rows if row.passage.kind == "control")
    api, told = Api(member.user), {}
    for kind, row in kinds.items():
        found = api.call("GET", f"/api/v1/assignments/{row.uuid}").json()
        for name in ("uuid", "number", "following", "place"):
            found.pop(name)
        found["passage"].pop("text")
        told[kind] = found

    assert told["work"] == told["control"] == told["repeat"]
    assert [place_of(row)["place"] for row in kinds.values()] == [
        f"{row.number} of {len(rows)}" for row in kinds.values()
    ]


def test_progress_and_what_comes_next_take_them_for_work(cast: Cast) -> None:
    project, member = planted(cast)
    assert member.user is not None
    rows = own(member)
    for row in rows[:3]:
        hand_in(row)

    found = own_progress(member.user, project)

    assert (found.total, found.submitted) == (len(rows), 3)
    following = next_assignment(member)
    assert following is not None
    assert following.number == 4
    assert {AssignmentSerializer(row, context={"place": {}}).data["kind"] for row in rows} == {"work"}


def test_who_can_see_all_answers_neither_work_nor_controls_anew(cast: Cast) -> None:
    """A control that alone could be reopened would be told by that."""
    project, member = planted(cast)
    both = add_member(project, user=cast.adjudicator, by=cast.lead, roles={"adjudicator", "annotator"})
    [control, *_] = own(both, passage__kind="control")
    repeat = next(row for row in own(both) if row.is_repeat)
    others = [row for row in own(both, passage__kind="work") if row.passage_id != repeat.passage_id]
    work = next(row for row in others if not row.is_repeat)
    for row in (control, work, repeat):
        hand_in(row)
        row.refresh_from_db()
        hand_in(own(member, passage=row.passage, is_repeat=False)[0])

    assert [can_answer_anew(row) for row in (control, work, repeat)] == [False, False, False]
