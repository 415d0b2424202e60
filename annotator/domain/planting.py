"""Where among somebody's passages controls and repeats stand: so many in a hundred, at places that only the project's
seed knows, the same however much is given at once."""

import hashlib
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

REPEATED_AFTER = 50  # a repeat comes at least so many passages after its original


@dataclass(frozen=True)
class Place:
    """One of somebody's passages, in their order."""

    passage: str
    is_repeat: bool = False


@dataclass
class Sequel:
    """What somebody has been given so far, as far as it matters for what comes next."""

    work: list[tuple[int, str]] = field(default_factory=list)  # own number and passage of each work passage, in order
    not_again: set[str] = field(default_factory=set)  # what is not to be repeated, as it was repeated or withdrawn
    controls: set[str] = field(default_factory=set)
    next_number: int = 1


@dataclass(frozen=True)
class Planting:
    """What is to stand among the work of one person."""

    seed: str
    name: str
    controls_per_hundred: int = 0
    repeats_per_hundred: int = 0

    def planted(self, work: Sequence[str], controls: Iterable[str], so_far: Sequel) -> list[Place]:
        """New work passages with controls and repeats among them. A control comes once to a person; what is repeated
        stood at least REPEATED_AFTER before, and is repeated once."""
        start = len(so_far.work)
        unused = sorted(set(controls) - so_far.controls, key=lambda passage: self._lot("controls", passage))
        controls_due = self._due("control", self.controls_per_hundred, start, start + len(work))
        repeats_due = self._due("repeat", self.repeats_per_hundred, start, start + len(work))
        young = deque((number, item) for number, item in so_far.work if item not in so_far.not_again)
        old: list[str] = []  # what may be repeated by now
        found: list[Place] = []
        for index, passage in enumerate(work, start=start):
            found.append(Place(passage))
            young.append((so_far.next_number + len(found) - 1, passage))
            if index in controls_due and unused:
                found.append(Place(unused.pop(0)))
            if index in repeats_due:
                while young and young[0][0] <= so_far.next_number + len(found) - REPEATED_AFTER:
                    old.append(young.popleft()[1])
                if old:
                    again = old.pop(self._lot("again", str(index)) % len(old))
                    found.append(Place(again, is_repeat=True))
        return found

    def _due(self, what: str, per_hundred: int, start: int, end: int) -> set[int]:
        """After which work passages one comes: one in every stretch of them, counted from somebody's very first. Of a
        hundred passages in all so many are controls, so many repeats, and the rest is work."""
        if not per_hundred:
            return set()
        rest = 100 - self.controls_per_hundred - self.repeats_per_hundred
        stretch, found = start * per_hundred // rest, set()
        while (first := -(-stretch * rest // per_hundred)) < end:
            length = -(-(stretch + 1) * rest // per_hundred) - first
            at = first + self._lot(what, str(stretch)) % length
            if start <= at < end:
                found.add(at)
            stretch += 1
        return found

    def _lot(self, *words: str) -> int:
        given = "\x1f".join((self.seed, "planted", self.name, *words))
        return int.from_bytes(hashlib.sha256(given.encode()).digest()[:8], "big")
