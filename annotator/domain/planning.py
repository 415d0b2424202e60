"""Who is given which passages: so many different people for each, an equal share for each person, nobody over their
most; what was given stays given.

Everything follows from the project's seed and from who was given what, never from what anybody did with it: whoever
looks at their own work must not be able to tell how others get on.
"""

import hashlib
import heapq
import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotator.domain.people import work_order

Way = tuple[str, str, str]  # passage, from, to
MOST_PASSAGES = 1_000_000  # that a lead may name as somebody's most


@dataclass(frozen=True)
class Candidate:
    """Somebody who is given work. `load`: how many passages they have; `most`: in all, where a lead has said so."""

    name: str
    load: int = 0
    most: int | None = None


def plan(
    passages: Iterable[str],
    people: Sequence[Candidate],
    given: Mapping[str, Collection[str]],
    k: int,
    seed: str,
    *,
    barred: Mapping[str, Collection[str]] | None = None,
) -> dict[str, list[str]]:
    """What each person is given beside what they have, in their own order: every passage that fewer than `k` people
    have (0: everyone) goes to those with the least. `given`: who has a passage; `barred`: from whom it was withdrawn,
    and who is not given it again."""
    shares = _Shares(people, given, barred or {}, seed)
    for passage in sorted(passages, key=lambda passage: _lot(seed, passage)):
        shares.give(passage, k)
    if k:
        shares.level()
    return {name: work_order(seed, name, own) for name, own in shares.new.items()}


class _Shares:
    """Who has how much while it is dealt."""

    def __init__(
        self,
        people: Sequence[Candidate],
        given: Mapping[str, Collection[str]],
        barred: Mapping[str, Collection[str]],
        seed: str,
    ) -> None:
        self.most = {person.name: person.most for person in people}
        self.load = {person.name: person.load for person in people}
        self.names = sorted(self.load)
        self.given, self.barred = given, barred
        self.new: dict[str, list[str]] = {name: [] for name in self.names}
        self.holders: dict[str, set[str]] = {}
        self.random = random.Random(f"{seed}:plan")  # noqa: S311 (drawing lots, not a secret)
        self.stuck: set[str] = set()  # who has nothing to hand on, until somebody hands something on

    def give(self, passage: str, k: int) -> None:
        """To those who have the least of those who may have it, ties by lot."""
        had = set[str]().union(*(held.get(passage, ()) for held in (self.given, self.barred, self.holders)))
        free = [name for name in self.names if name not in had and self._has_room(name)]
        lacking = len(free) if not k else max(0, k - len(self.given.get(passage, ())))
        if lacking < len(free):
            self.random.shuffle(free)
            free = heapq.nsmallest(lacking, free, key=self.load.__getitem__)
        for name in free:
            self._take(name, passage)
        for _ in range(lacking - len(free)):
            if not self._make_room(passage):
                break

    def _has_room(self, name: str) -> bool:
        most = self.most[name]
        return most is None or self.load[name] < most

    def _has_had(self, name: str, passage: str) -> bool:
        return any(name in held.get(passage, ()) for held in (self.given, self.barred, self.holders))

    def _take(self, name: str, passage: str) -> None:
        self.new[name].append(passage)
        self.load[name] += 1
        self.holders.setdefault(passage, set()).add(name)

    def _hand_on(self, passage: str, giver: str, taker: str) -> None:
        self.new[giver].remove(passage)
        self.load[giver] -= 1
        self.holders[passage].discard(giver)
        self._take(taker, passage)
        self.stuck.clear()

    def _make_room(self, passage: str) -> bool:
        """Somebody who could take it, and has their most, hands something new on to somebody with room."""
        for name in self.names:
            if name in self.stuck or self._has_room(name) or self._has_had(name, passage):
                continue
            if way := self._way_on(name, [other for other in self.names if self._has_room(other)]):
                self._hand_on(*way)
                self._take(name, passage)
                return True
            self.stuck.add(name)
        return False

    def _way_on(self, giver: str, takers: Iterable[str]) -> Way | None:
        """Something new of the giver's that one of the takers may have."""
        ways = ((passage, giver, taker) for taker in takers for passage in self.new[giver])
        return next((way for way in ways if not self._has_had(way[2], way[0])), None)

    def level(self) -> None:
        """While somebody has two more than another who may have one of their new passages, it goes there."""
        while way := self._uneven():
            self._hand_on(*way)

    def _uneven(self) -> Way | None:
        by_load = sorted(self.names, key=lambda name: (self.load[name], name))
        for giver in reversed(by_load):
            takers = [name for name in by_load if self.load[name] < self.load[giver] - 1 and self._has_room(name)]
            if way := self._way_on(giver, takers):
                return way
        return None


def moves(
    untouched: Mapping[str, Sequence[str]],
    people: Sequence[Candidate],
    to_do: Mapping[str, int],
    had: Mapping[str, Collection[str]],
) -> list[Way]:
    """What nobody has looked into yet goes from those with most to do to those with least, the last of somebody's list
    first, until no move makes it more even. `had`: everybody who has a passage or from whom it was withdrawn."""
    load = {person.name: to_do.get(person.name, 0) for person in people}
    room = {person.name: 10**9 if person.most is None else person.most - person.load for person in people}
    left = {name: list(untouched.get(name, ())) for name in load}
    held = {passage: set(names) for passage, names in had.items()}
    found: list[Way] = []
    closed = set[tuple[str, str]]()  # who has nothing left that the other may have: they never will again
    while way := _next_move(load, room, left, held, closed):
        passage, giver, taker = way
        left[giver].remove(passage)
        held[passage].add(taker)  # and the giver, who has had it
        load[giver], load[taker] = load[giver] - 1, load[taker] + 1
        room[giver], room[taker] = room[giver] + 1, room[taker] - 1
        found.append(way)
    return found


def _next_move(
    load: Mapping[str, int],
    room: Mapping[str, int],
    left: Mapping[str, Sequence[str]],
    held: Mapping[str, Collection[str]],
    closed: set[tuple[str, str]],
) -> Way | None:
    by_load = sorted(load, key=lambda name: (load[name], name))
    for giver in reversed(by_load):
        for taker in by_load:
            if load[taker] >= load[giver] - 1:
                break
            if room[taker] > 0 and (giver, taker) not in closed:
                for passage in reversed(left[giver]):
                    if taker not in held[passage]:
                        return passage, giver, taker
                closed.add((giver, taker))
    return None


def _lot(seed: str, passage: str) -> bytes:
    return hashlib.sha256("\x1f".join((seed, "plan", passage)).encode()).digest()
