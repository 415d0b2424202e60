"""What a lead can do with a project as a whole, and what happens then, in words: it is read before it is done."""

from dataclasses import dataclass

from annotator.domain.states import PROJECT_MOVES, ProjectState


@dataclass(frozen=True)
class Act:
    name: str  # of PROJECT_MOVES
    label: str
    says: str


_OPEN = "Annotators are given their passages, and what they type is saved."
_ACTS = {
    "open": Act("open", "Open", _OPEN),
    "pause": Act(
        "pause",
        "Pause",
        "Nothing is saved until you open it again. Annotators are told, and what they have typed waits in their "
        "browsers. Merging and adjudication go on.",
    ),
    "close": Act(
        "close",
        "Close",
        "The work is over: nobody can save, submit or reopen. Everything stays and can be read, merged, settled and "
        "released; you can open it again.",
    ),
    "archive": Act(
        "archive",
        "Archive",
        "It is put away: nobody can save, and nothing can be added or changed. Nothing is deleted; it can be read, and "
        "taken out again.",
    ),
    "unarchive": Act("unarchive", "Take out of the archive", "It is closed then, as it was, and can be opened."),
    "return to draft": Act("unarchive", "Take out of the archive", "It is a draft again: it was never opened."),
}


def acts_of(state: ProjectState, *, was_opened: bool) -> list[Act]:
    """In the order of the table of moves. Out of the archive there is one way: to where it was before."""
    other = "return to draft" if was_opened else "unarchive"
    return [_ACTS[act] for before, act in PROJECT_MOVES if before == state and act != other]
