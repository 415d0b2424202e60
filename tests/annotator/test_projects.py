"""Projects and their passages: states, whole-or-nothing imports, everyone's work, the event chain."""

import pytest

from annotator.actions.assigning import _assign_everyone
from annotator.actions.people import add_member, change_roles
from annotator.actions.projects import add_passages, change_project_state, create_project
from annotator.domain.errors import Conflict, Invalid, NotAllowed
from annotator.domain.events import event_hash
from annotator.domain.passages import NewPassage
from annotator.models import Assignment, Event, Project
from tests.conftest import Api
from tests.factories import TEXT, Cast, answer_for, make_user, save_body


def test_only_a_lead_may_change_the_state(cast: Cast) -> None:
    for name in ("ann", "adjudicator", "stranger", "former", "other_lead"):
        with pytest.raises(NotAllowed):
            change_project_state(cast.project, by=cast.person(name), act="pause")


@pytest.mark.parametrize(("act", "state"), [("pause", "paused"), ("close", "closed"), ("archive", "archived")])
def test_a_project_moves_as_the_table_says(cast: Cast, act: str, state: str) -> None:
    changed = change_project_state(cast.project, by=cast.lead, act=act)

    assert changed.state == state
    with pytest.raises(Conflict, match="not possible now"):
        change_project_state(changed, by=cast.lead, act="unpause")


def test_a_new_annotator_gets_every_passage_in_an_order_of_their_own(cast: Cast) -> None:
    member = add_member(cast.project, user=make_user("zoe"), by=cast.lead, roles={"annotator"})

    rows = member.assignments.order_by("number")

    assert [row.number for row in rows] == [1, 2, 3, 4]
    assert {row.passage_id for row in rows} == set(cast.project.passages.values_list("pk", flat=True))


def test_later_passages_are_appended_and_the_rest_stays(cast: Cast) -> None:
    before = list(cast.membership("ann").assignments.order_by("number").values_list("number", "passage_id"))

    add_passages(
        cast.project, by=cast.lead, passages=[NewPassage("late-1", "A late one."), NewPassage("late-2", "Two.")]
    )

    after = list(cast.membership("ann").assignments.order_by("number").values_list("number", "passage_id"))
    assert after[:4] == before
    assert [number for number, _ in after] == [1, 2, 3, 4, 5, 6]


def test_assigning_again_gives_nothing_and_writes_no_event(cast: Cast) -> None:
    events = Event.objects.count()

    assert _assign_everyone(cast.project, by=cast.lead) == 0
    assert Event.objects.count() == events


def test_a_lead_who_becomes_an_annotator_gets_work(cast: Cast) -> None:
    change_roles(cast.membership("lead"), by=cast.lead, roles={"lead", "annotator"})

    assert cast.membership("lead").assignments.count() == 4


def test_t27_the_same_id_with_another_text_is_a_conflict_and_nothing_is_imported(cast: Cast) -> None:
    """T27: never overwrite; whole or nothing."""
    passages = [NewPassage("brand-new", "A new sentence."), NewPassage("essays-1", "Another text.")]

    with pytest.raises(Invalid, match="another text"):
        add_passages(cast.project, by=cast.lead, passages=passages)

    assert not cast.project.passages.filter(external_id="brand-new").exists()


def test_importing_the_same_again_is_a_no_op(cast: Cast) -> None:
    version = cast.project.version
    same = [NewPassage("essays-1", TEXT)]

    made = add_passages(cast.project, by=cast.lead, passages=same)

    cast.project.refresh_from_db()
    assert (made, cast.project.version) == ([], version)


@pytest.mark.parametrize(
    ("text", "problem"), [("", "no text"), ("a\x00b", "U\\+0000"), ("x" * 20_001, "20,001"), ("\x1b", "U\\+001B")]
)
def test_t26_a_text_that_cannot_be_stored_is_named(cast: Cast, text: str, problem: str) -> None:
    """T26: NUL and other controls are a row error."""
    with pytest.raises(Invalid, match=problem):
        add_passages(cast.project, by=cast.lead, passages=[NewPassage("bad", text)])


def test_crlf_becomes_lf_before_offsets_exist(cast: Cast) -> None:
    [made] = add_passages(cast.project, by=cast.lead, passages=[NewPassage("lines", "One.\r\nTwo.\r\n")])

    assert made.text == "One.\nTwo.\n"


def test_pseudonyms_are_never_used_again(cast: Cast) -> None:
    names = set(cast.project.memberships.values_list("pseudonym", flat=True))

    member = add_member(cast.project, user=make_user("zoe"), by=cast.lead, roles={"annotator"})

    assert member.pseudonym not in names
    assert cast.membership("former").pseudonym in names


def test_every_chain_can_be_recomputed_from_its_events(cast: Cast) -> None:
    row = cast.assignment("ann")
    Api(cast.ann).save(row, save_body(answer_for(row, "one")), 0)
    Api(cast.ann).act(row, "submit", save_body(answer_for(row, "two")), 1)
    previous: dict[tuple[str, int], str] = {}

    for event in Event.objects.order_by("subject", "subject_id", "seq"):
        key = (event.subject, event.subject_id)
        sealed = event_hash(
            previous=previous.get(key, ""), subject=event.subject, subject_id=event.subject_id, seq=event.seq,
            kind=event.kind, by_id=event.by_id, at=event.at.isoformat(), payload=event.payload,
        )  # fmt: skip
        assert (sealed, event.previous_hash) == (event.hash, previous.get(key, ""))
        previous[key] = sealed
    assert previous[("assignment", row.pk)] == Assignment.objects.get(pk=row.pk).chain_head


def test_events_hold_no_names_addresses_or_words(cast: Cast) -> None:
    row = cast.assignment("ann")
    Api(cast.ann).act(
        row, "discard", {"save_id": save_body({})["save_id"], "reason": "other", "remark": "my secret"}, 0
    )

    payloads = str(list(Event.objects.values_list("payload", flat=True)))

    assert not [word for word in ("@", "Ann", "secret", TEXT[:8]) if word in payloads]


def test_a_draft_without_passages_is_opened_by_no_door(cast: Cast) -> None:
    empty = create_project(by=None, slug="empty", preset="sws", lead=cast.lead, name="Empty")

    with pytest.raises(Conflict, match="no passages to work on"):
        change_project_state(empty, by=cast.lead, act="open")

    assert Project.objects.get(pk=empty.pk).state == "draft"
