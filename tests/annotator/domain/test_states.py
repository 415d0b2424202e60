"""States: every move of the design is possible, and no other is."""

from itertools import product

import pytest

from annotator.domain.errors import Conflict
from annotator.domain.states import (
    ASSIGNMENT_MOVES,
    EDITABLE,
    PROJECT_MOVES,
    AssignmentState,
    ProjectState,
    mermaid,
    move,
)

# Written out by hand from the design: (state, act) and where it leads.
ASSIGNMENT_TABLE = """
    assigned   save          started
    started    save          started
    assigned   submit        submitted
    started    submit        submitted
    submitted  reopen        started
    assigned   discard       discarded
    started    discard       discarded
    submitted  discard       discarded
    discarded  undo_discard  started
    assigned   withdraw      withdrawn
    started    withdraw      withdrawn
"""
PROJECT_TABLE = """
    draft     open       open
    open      pause      paused
    paused    open       open
    open      close      closed
    paused    close      closed
    closed    open       open
    draft     archive    archived
    open      archive    archived
    paused    archive    archived
    closed    archive    archived
    archived  unarchive  closed
    archived  return_to_draft  draft
"""


def rows(table):
    return [tuple(word.replace("_", " ") for word in line.split()) for line in table.split("\n") if line.strip()]


def others(table, states):
    """Every pair of a state and an act that the table does not have, and acts nobody has heard of."""
    possible = {(before, act) for before, act, _ in rows(table)}
    acts = sorted({act for _, act, _ in rows(table)} | {"", "Save", "delete"})
    return [(state.value, act) for state, act in product(states, acts) if (state.value, act) not in possible]


@pytest.mark.parametrize(("before", "act", "after"), rows(ASSIGNMENT_TABLE))
def test_assignment_makes_every_move_of_the_design(before, act, after):
    assert move(ASSIGNMENT_MOVES, AssignmentState(before), act, noun="passage") is AssignmentState(after)


@pytest.mark.parametrize(("before", "act", "after"), rows(PROJECT_TABLE))
def test_project_makes_every_move_of_the_design(before, act, after):
    assert move(PROJECT_MOVES, ProjectState(before), act, noun="project") is ProjectState(after)


@pytest.mark.parametrize(("before", "act"), others(ASSIGNMENT_TABLE, AssignmentState))
def test_assignment_makes_no_other_move(before, act):
    with pytest.raises(Conflict) as refusal:
        move(ASSIGNMENT_MOVES, AssignmentState(before), act, noun="passage")

    assert refusal.value.code == f"passage_{before}"
    assert before in refusal.value.message


@pytest.mark.parametrize(("before", "act"), others(PROJECT_TABLE, ProjectState))
def test_project_makes_no_other_move(before, act):
    with pytest.raises(Conflict) as refusal:
        move(PROJECT_MOVES, ProjectState(before), act, noun="project")

    assert refusal.value.code == f"project_{before}"


def test_only_assigned_and_started_passages_are_editable():
    assert {"assigned", "started"} == EDITABLE


def test_withdrawn_passage_has_no_way_back():
    assert not [act for state, act in ASSIGNMENT_MOVES if state is AssignmentState.WITHDRAWN]


@pytest.mark.parametrize(
    ("moves", "first"),
    [(ASSIGNMENT_MOVES, AssignmentState.ASSIGNED), (PROJECT_MOVES, ProjectState.DRAFT)],
    ids=["assignment", "project"],
)
def test_every_state_is_reached_from_the_first(moves, first):
    reached = {first}

    for _ in moves:
        reached |= {after for (before, _), after in moves.items() if before in reached}

    assert reached == set(type(first))


def test_diagram_starts_at_the_first_state_and_joins_acts_of_one_arrow():
    moves = {
        (ProjectState.DRAFT, "open"): ProjectState.OPEN,
        (ProjectState.OPEN, "close"): ProjectState.CLOSED,
        (ProjectState.DRAFT, "publish"): ProjectState.OPEN,
    }

    drawn = mermaid(moves)

    assert drawn.split("\n") == [
        "stateDiagram-v2",
        "    [*] --> draft",
        "    draft --> open: open, publish",
        "    open --> closed: close",
    ]


@pytest.mark.parametrize("moves", [ASSIGNMENT_MOVES, PROJECT_MOVES], ids=["assignment", "project"])
def test_diagram_shows_every_move_once(moves):
    drawn = []

    for line in mermaid(moves).split("\n")[2:]:
        arrow, acts = line.strip().split(": ")
        before, after = arrow.split(" --> ")
        drawn += [(before, act, after) for act in acts.split(", ")]

    assert sorted(drawn) == sorted((str(before), act, str(after)) for (before, act), after in moves.items())
