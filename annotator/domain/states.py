"""The states of an assignment and of a project: one table each, from which the diagrams are made."""

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from annotator.domain.errors import Conflict


class AssignmentState(StrEnum):
    ASSIGNED = "assigned"
    STARTED = "started"
    SUBMITTED = "submitted"
    DISCARDED = "discarded"
    WITHDRAWN = "withdrawn"


class ProjectState(StrEnum):
    DRAFT = "draft"
    OPEN = "open"
    PAUSED = "paused"
    CLOSED = "closed"
    ARCHIVED = "archived"


_A, _P = AssignmentState, ProjectState
ASSIGNMENT_MOVES: Mapping[tuple[AssignmentState, str], AssignmentState] = {
    (_A.ASSIGNED, "save"): _A.STARTED,
    (_A.STARTED, "save"): _A.STARTED,
    (_A.ASSIGNED, "submit"): _A.SUBMITTED,
    (_A.STARTED, "submit"): _A.SUBMITTED,
    (_A.SUBMITTED, "reopen"): _A.STARTED,
    (_A.ASSIGNED, "discard"): _A.DISCARDED,
    (_A.STARTED, "discard"): _A.DISCARDED,
    (_A.SUBMITTED, "discard"): _A.DISCARDED,
    (_A.DISCARDED, "undo discard"): _A.STARTED,
    (_A.ASSIGNED, "withdraw"): _A.WITHDRAWN,
    (_A.STARTED, "withdraw"): _A.WITHDRAWN,
}
PROJECT_MOVES: Mapping[tuple[ProjectState, str], ProjectState] = {
    (_P.DRAFT, "open"): _P.OPEN,
    (_P.OPEN, "pause"): _P.PAUSED,
    (_P.PAUSED, "open"): _P.OPEN,
    (_P.OPEN, "close"): _P.CLOSED,
    (_P.PAUSED, "close"): _P.CLOSED,
    (_P.CLOSED, "open"): _P.OPEN,
    (_P.DRAFT, "archive"): _P.ARCHIVED,
    (_P.OPEN, "archive"): _P.ARCHIVED,
    (_P.PAUSED, "archive"): _P.ARCHIVED,
    (_P.CLOSED, "archive"): _P.ARCHIVED,
    (_P.ARCHIVED, "unarchive"): _P.CLOSED,
    (_P.ARCHIVED, "return to draft"): _P.DRAFT,  # of one that was never opened
}

# Why a passage is set aside, as an annotator reads it.
DISCARD_REASONS = {
    "unintelligible": "Unintelligible",
    "grammar": "Grammar or typo",
    "language": "Wrong language",
    "duplicate": "Duplicate",
    "personal": "Personal or offensive",
    "context": "Too little context",
    "other": "Other",
}

# Only these two states hold a draft that may be written to.
EDITABLE = frozenset(state for state, act in ASSIGNMENT_MOVES if act == "save")

State = TypeVar("State", bound=StrEnum)


def move(moves: Mapping[tuple[State, str], State], state: State, act: str, *, noun: str) -> State:
    """The state after `act`, or Conflict: This passage is submitted: “save” is not possible now."""
    if (state, act) not in moves:
        raise Conflict(f"This {noun} is {state}: “{act}” is not possible now.", code=f"{noun}_{state}")
    return moves[(state, act)]


def mermaid(moves: Mapping[tuple[State, str], State]) -> str:
    """The table as a Mermaid state diagram, for ARCHITECTURE.md."""
    first = next(iter(moves))[0]
    arrows: dict[tuple[State, State], list[str]] = {}
    for (before, act), after in moves.items():
        arrows.setdefault((before, after), []).append(act)
    lines = [f"    {before} --> {after}: {', '.join(acts)}" for (before, after), acts in arrows.items()]
    return "\n".join(["stateDiagram-v2", f"    [*] --> {first}", *lines])
