"""Which passage goes into which split (method.md 8), in this order of priority: groups are never divided, earlier
placements stay, sizes are met as nearly as can be, lengths and votes are spread alike. Seeded, and the same everywhere.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

THIRDS = 3  # strata of length, and of votes
MOST_SWAPS = 10_000  # pairs of groups, one in a split and one not yet placed, that are weighed for an exchange
WEIGHED = 2_000  # units of more than one passage that are weighed against each other to meet a size exactly


@dataclass(frozen=True)
class Item:
    """A passage: `words` and `votes` are spread alike over the splits; `split` is where an earlier release put it."""

    id: str
    group: str = ""
    words: int = 0
    votes: int = 0
    split: str = ""


@dataclass(frozen=True)
class Share:
    """Of one split: how many were asked for, and how many it got."""

    name: str
    asked: int
    got: int
    groups: int
    new: int
    words: Fraction | None  # each, on average
    votes: Fraction | None

    @property
    def deviation(self) -> int:
        return self.got - self.asked


@dataclass(frozen=True)
class Stratum:
    """Passages of some length, or with so many votes: how many there are in all, and in each split. `high` None: and
    more."""

    what: str  # words, votes
    low: int
    high: int | None
    times: int
    by_split: Mapping[str, int]


@dataclass(frozen=True)
class Drawn:
    places: Mapping[str, str]  # by id
    shares: Sequence[Share]
    strata: Sequence[Stratum]


def draw_splits(items: Sequence[Item], sizes: Sequence[tuple[str, int]], *, seed: int) -> Drawn:
    """`sizes` as counts or shares: they are scaled to the number of passages."""
    asked = scaled(sizes, len(items))
    cuts = {"words": _thirds([item.words for item in items]), "votes": _thirds([item.votes for item in items])}
    drawing = _Drawing(items, asked, cuts, seed)
    places = drawing.places()
    return Drawn(places, [_share(name, asked[name], items, places) for name in asked], _strata(items, places, cuts))


def scaled(sizes: Sequence[tuple[str, int]], total: int) -> dict[str, int]:
    """Whole numbers that add up to the total, by largest remainders; of equal ones the first."""
    whole = sum(size for _, size in sizes)
    exact = {name: Fraction(size * total, whole) for name, size in sizes}
    found = {name: int(share) for name, share in exact.items()}
    left = total - sum(found.values())
    for name in sorted(exact, key=lambda name: (found[name] - exact[name], list(exact).index(name)))[:left]:
        found[name] += 1
    return found


def _thirds(values: Sequence[int]) -> tuple[int, ...]:
    """Where the second and the third third begin; fewer where values come too often."""
    ranked = sorted(values)
    borders = {ranked[len(ranked) * third // THIRDS] for third in range(1, THIRDS)} if ranked else set()
    return tuple(sorted(border for border in borders if border > ranked[0]))


def _third(value: int, cuts: Sequence[int]) -> int:
    return sum(value >= cut for cut in cuts)


@dataclass(frozen=True)
class _Unit:
    """A group, or a passage that has none: placed whole."""

    name: str
    items: tuple[Item, ...]

    @property
    def size(self) -> int:
        return len(self.items)


Cell = tuple[int, int]


class _Drawing:
    def __init__(
        self, items: Sequence[Item], asked: Mapping[str, int], cuts: Mapping[str, Sequence[int]], seed: int
    ) -> None:
        self.asked, self.cuts, self.seed = asked, cuts, seed
        self.units = self._units(items)
        self.cells = Counter(self._cell(item) for item in items)
        self.total = len(items)
        self._cells: dict[str, Counter[Cell]] = {}

    def places(self) -> dict[str, str]:
        placed, free = self._placed()
        *earlier, last = self.asked
        for name in earlier:
            chosen = self._chosen(name, free, placed[name])
            placed[name] += chosen
            taken = {unit.name for unit in chosen}
            free = [unit for unit in free if unit.name not in taken]
        placed[last] += free
        return {item.id: name for name, units in placed.items() for unit in units for item in unit.items}

    def _units(self, items: Iterable[Item]) -> list[_Unit]:
        """In an order that only the seed and the names say."""
        groups: dict[tuple[bool, str], list[Item]] = defaultdict(list)
        for item in items:
            groups[(True, item.group) if item.group else (False, item.id)].append(item)
        units = [
            _Unit(f"{'group' if is_group else 'id'} {name}", tuple(own)) for (is_group, name), own in groups.items()
        ]
        return sorted(units, key=lambda unit: (self._hash(unit.name), unit.name))

    def _hash(self, name: str) -> str:
        return hashlib.sha256(f"{self.seed}\n{name}".encode()).hexdigest()

    def _cell(self, item: Item) -> Cell:
        return _third(item.words, self.cuts["words"]), _third(item.votes, self.cuts["votes"])

    def _placed(self) -> tuple[dict[str, list[_Unit]], list[_Unit]]:
        """A group goes where any of it is already; a split that is no more counts as none."""
        placed: dict[str, list[_Unit]] = {name: [] for name in self.asked}
        free: list[_Unit] = []
        for unit in self.units:
            there = sorted({item.split for item in unit.items if item.split in placed})
            (placed[there[0]] if there else free).append(unit)
        return placed, free

    def _chosen(self, name: str, free: Sequence[_Unit], there: Sequence[_Unit]) -> list[_Unit]:
        """Units of more than one passage first, the largest first, so that single ones can make up what is left."""
        need = max(0, self.asked[name] - sum(unit.size for unit in there))
        wanted = self._wanted(name, there)
        large = sorted((unit for unit in free if unit.size > 1), key=lambda unit: -unit.size)
        single = [unit for unit in free if unit.size == 1]
        need = _nearest(need, [unit.size for unit in large], len(single))
        chosen: list[_Unit] = []
        reachable = _reachable([unit.size for unit in large[-WEIGHED:]], need)
        first = len(large) - len(reachable) + 1
        for place, unit in enumerate(large):
            after = reachable[place + 1 - first] if place >= first else None
            if self._is_taken(unit, need, wanted, after, len(single)):
                chosen.append(unit)
                need -= unit.size
                wanted.subtract(self._cells_of(unit))
        if len(chosen) * (len(large) - len(chosen)) <= MOST_SWAPS:  # of more, some are like the whole by themselves
            taken = {unit.name for unit in chosen}
            self._swap(chosen, [unit for unit in large if unit.name not in taken], wanted)
        return chosen + self._single(single, need, wanted)

    def _swap(self, chosen: list[_Unit], left: list[_Unit], wanted: Counter[Cell]) -> None:
        """Units for others as large, as long as that makes this split liker to the whole: the best exchange each time,
        of equal ones the first."""
        while True:
            best: tuple[int, int, int] | None = None
            for mine, unit in enumerate(chosen):
                for other, instead in enumerate(left):
                    if unit.size == instead.size:
                        change = self._change(unit, instead, wanted)
                        if change < 0 and (best is None or change < best[0]):
                            best = (change, mine, other)
            if best is None:
                return
            _, mine, other = best
            wanted.update(self._cells_of(chosen[mine]))
            wanted.subtract(self._cells_of(left[other]))
            chosen[mine], left[other] = left[other], chosen[mine]

    def _change(self, unit: _Unit, instead: _Unit, wanted: Mapping[Cell, int]) -> int:
        """How much further from what is wanted this exchange would lead, over all strata; below 0: nearer."""
        change = Counter(self._cells_of(unit))
        change.subtract(self._cells_of(instead))
        return sum(abs(wanted[cell] + more) - abs(wanted[cell]) for cell, more in change.items())

    def _cells_of(self, unit: _Unit) -> Counter[Cell]:
        if unit.name not in self._cells:
            self._cells[unit.name] = Counter(self._cell(item) for item in unit.items)
        return self._cells[unit.name]

    def _wanted(self, name: str, there: Sequence[_Unit]) -> Counter[Cell]:
        """By stratum how many this split would have if it were the whole in small."""
        shares = [(cell, times) for cell, times in sorted(self.cells.items())]
        ideal = scaled([(f"{cell}", times) for cell, times in shares], self.asked[name]) if self.total else {}
        wanted = Counter({cell: ideal[f"{cell}"] for cell, _ in shares})
        wanted.subtract(self._cell(item) for unit in there for item in unit.items)
        return wanted

    def _is_taken(self, unit: _Unit, need: int, wanted: Mapping[Cell, int], after: int | None, singles: int) -> bool:
        """Where the size can be met with it and without it, lengths and votes decide. `after`: the sums that the units
        behind it can give, as bits; None where there are so many that any size will be met."""
        if unit.size > need:
            return False
        gain = sum(wanted[self._cell(item)] > 0 for item in unit.items)
        likes = 2 * gain > unit.size
        if after is None:
            return likes
        with_it, without_it = _can_give(after, need - unit.size, singles), _can_give(after, need, singles)
        return with_it if with_it != without_it else likes

    def _single(self, units: Sequence[_Unit], need: int, wanted: Counter[Cell]) -> list[_Unit]:
        """Stratum by stratum what is still wanted; what is then lacking comes from where most is left."""
        chosen: list[_Unit] = []
        rest: list[_Unit] = []
        for unit in units:
            cell = self._cell(unit.items[0])
            if len(chosen) < need and wanted[cell] > 0:
                wanted[cell] -= 1
                chosen.append(unit)
            else:
                rest.append(unit)
        return chosen + rest[: need - len(chosen)]


def _reachable(sizes: Sequence[int], most: int) -> list[int]:
    """For each place the sums that the sizes from there on can give, as bits of a number; at the end only 0."""
    mask = (1 << (most + 1)) - 1
    found = [1]
    for size in reversed(sizes):
        found.append((found[-1] | found[-1] << size) & mask)
    return found[::-1]


def _can_give(sums: int, need: int, singles: int) -> bool:
    """Whether one of the sums, with some of the single ones, is what is needed."""
    if need < 0:
        return False
    lowest = max(0, need - singles)
    return bool(sums >> lowest & (1 << (need - lowest + 1)) - 1)


def _nearest(need: int, sizes: Sequence[int], singles: int) -> int:
    """The size nearest to what is needed that can be given at all; of two as near the smaller."""
    most = min(need + max(sizes, default=0), sum(sizes) + singles)
    sums = 1
    for size in sizes[-WEIGHED:] if len(sizes) <= WEIGHED else ():
        sums |= sums << size
    if len(sizes) > WEIGHED:
        return min(need, most)
    for distance in range(most + need + 1):
        for size in (need - distance, need + distance):
            if 0 <= size <= most and _can_give(sums, size, singles):
                return size
    return 0


def _share(name: str, asked: int, items: Sequence[Item], places: Mapping[str, str]) -> Share:
    own = [item for item in items if places[item.id] == name]
    return Share(
        name=name,
        asked=asked,
        got=len(own),
        groups=len({item.group for item in own if item.group}),
        new=sum(item.split != name for item in own),
        words=Fraction(sum(item.words for item in own), len(own)) if own else None,
        votes=Fraction(sum(item.votes for item in own), len(own)) if own else None,
    )


def _strata(items: Sequence[Item], places: Mapping[str, str], cuts: Mapping[str, Sequence[int]]) -> list[Stratum]:
    found = []
    for what in ("words", "votes"):
        borders = [0, *cuts[what]]
        for third, low in enumerate(borders):
            own = [item for item in items if _third(getattr(item, what), cuts[what]) == third]
            high = borders[third + 1] - 1 if third + 1 < len(borders) else None
            found.append(Stratum(what, low, high, len(own), Counter(places[item.id] for item in own)))
    return found
