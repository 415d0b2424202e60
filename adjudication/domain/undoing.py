"""What stands of a decision after each of its steps, and which act can be taken back or done again: the newest that
stands, or the newest that was undone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True)
class Made:
    """A step: its number, the act it belongs to, and the act it took back, if any. A proposal decides nothing until
    somebody else agrees."""

    number: int
    act: UUID
    undoes: UUID | None
    is_proposal: bool = False


@dataclass(frozen=True)
class Stands:
    """By the numbers of their steps: what is decided (0: nothing), and what is proposed."""

    decided: int = 0
    proposed: int | None = None


class _Replay:
    """All steps of a decision in order. `done` and `undone` are stacks of (act, number of the step it stands for)."""

    def __init__(self, steps: Sequence[Made]) -> None:
        self.done: list[tuple[UUID, int]] = []
        self.undone: list[tuple[UUID, int]] = []
        self.after: dict[int, Stands] = {0: Stands()}
        self.now = self.after[0]
        for step in steps:
            self.now = self.after[step.number] = self._taken(step)

    def _taken(self, step: Made) -> Stands:
        if step.undoes is not None and self.done and self.done[-1][0] == step.undoes:
            self.undone.append((step.act, self.done.pop()[1]))
            return self.after[self.done[-1][1] if self.done else 0]
        if step.undoes is not None and self.undone and self.undone[-1][0] == step.undoes:
            number = self.undone.pop()[1]
            self.done.append((step.act, number))
            return self.after[number]
        self.done.append((step.act, step.number))
        self.undone.clear()
        return Stands(self.now.decided, step.number) if step.is_proposal else Stands(step.number)


def standing_after(steps: Sequence[Made], undoes: UUID) -> Stands | None:
    """What stands once that act is taken back; None where others came after it. Taking back an undo does the act again,
    as long as nothing else was decided since."""
    replay = _Replay(steps)
    if replay.done and replay.done[-1][0] == undoes:
        return replay.after[replay.done[-2][1] if len(replay.done) > 1 else 0]
    if replay.undone and replay.undone[-1][0] == undoes:
        return replay.after[replay.undone[-1][1]]
    return None


def standing_now(steps: Sequence[Made]) -> Stands:
    """What stands after all of them."""
    return _Replay(steps).now


def times_turned(undoes: Mapping[UUID, UUID | None], act: UUID) -> int:
    """0 for an act that decides anew, 1 for one that took that back, 2 for one that did it again, and so on."""
    times = 0
    while (before := undoes.get(act)) is not None:
        act, times = before, times + 1
    return times
