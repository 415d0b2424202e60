"""Which act on a decision can be taken back, or done again: the newest that stands, or the newest that was undone."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True)
class Made:
    """A step: its number, the act it belongs to, and the act it took back, if any."""

    number: int
    act: UUID
    undoes: UUID | None


def standing_after(steps: Sequence[Made], undoes: UUID) -> int | None:
    """The number of the step whose content stands once that act is taken back (0: nothing did); None where others came
    after it. Taking back an undo does the act again, as long as nothing else was decided since."""
    done: list[tuple[UUID, int]] = []
    undone: list[tuple[UUID, int]] = []
    for step in steps:
        if step.undoes is not None and done and done[-1][0] == step.undoes:
            undone.append((step.act, done.pop()[1]))
        elif step.undoes is not None and undone and undone[-1][0] == step.undoes:
            done.append((step.act, undone.pop()[1]))
        else:
            done.append((step.act, step.number))
            undone.clear()
    if done and done[-1][0] == undoes:
        return done[-2][1] if len(done) > 1 else 0
    return undone[-1][1] if undone and undone[-1][0] == undoes else None
