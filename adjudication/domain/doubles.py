"""How far two adjudicators agree who settled the same passages blind to each other: whole numbers per passage, added,
then divided. Also which passages are drawn for it."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from adjudication.domain.agreement.types import cohens_kappa, type_agreement
from adjudication.domain.gold import Fate, GoldPassage, GoldTarget
from annotator.domain.tokens import Span


@dataclass(frozen=True)
class Twice:
    """`verdicts` {(first's, second's): targets}, of all targets that either gold has; `touched` the same of those that
    either decided about; `types` {(first's, second's): targets} and `suggestions` {(shared, united): targets} of the
    targets that both keep."""

    passages: int = 0
    same_passages: int = 0  # in the gold of both, or of neither
    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    touched: Counter[tuple[str, str]] = field(default_factory=Counter)
    types: Counter[tuple[str, str]] = field(default_factory=Counter)
    suggestions: Counter[tuple[int, int]] = field(default_factory=Counter)

    def __add__(self, other: "Twice") -> "Twice":
        return Twice(
            self.passages + other.passages,
            self.same_passages + other.same_passages,
            self.verdicts + other.verdicts,
            self.touched + other.touched,
            self.types + other.types,
            self.suggestions + other.suggestions,
        )

    @property
    def targets(self) -> int:
        return self.verdicts.total()

    @property
    def verdict(self) -> float | None:
        return type_agreement(self.verdicts)

    @property
    def verdict_kappa(self) -> float | None:
        return cohens_kappa(self.verdicts)

    @property
    def touched_targets(self) -> int:
        return self.touched.total()

    @property
    def verdict_touched(self) -> float | None:
        return type_agreement(self.touched)

    @property
    def kept_by_both(self) -> int:
        return self.types.total()

    @property
    def type(self) -> float | None:
        return type_agreement(self.types)

    @property
    def type_kappa(self) -> float | None:
        return cohens_kappa(self.types)

    @property
    def suggestion(self) -> float | None:
        """Mean of shared over united suggestions, as PA_sug."""
        total = self.suggestions.total()
        parts = (Fraction(shared, united) * times for (shared, united), times in self.suggestions.items())
        return float(sum(parts, Fraction()) / total) if total else None

    @property
    def suggestion_same(self) -> float | None:
        """Share of the targets that both keep with the very same suggestions."""
        total = self.suggestions.total()
        return (
            sum(times for (shared, united), times in self.suggestions.items() if shared == united) / total
            if total
            else None
        )


def twice(first: GoldPassage, second: GoldPassage, touched: Iterable[Span] = ()) -> Twice:
    """Of one passage: what two made of it. A target that one of them added counts as dropped by the other."""
    ones, twos = ({target.span: target for target in gold.targets} for gold in (first, second))
    chosen, found = set(touched), Twice(1, int(first.is_gold == second.is_gold))
    for span in sorted(ones.keys() | twos.keys()):
        one, two = ones.get(span), twos.get(span)
        both = (_verdict(one), _verdict(two))
        found.verdicts[both] += 1
        if span in chosen:
            found.touched[both] += 1
        if both == ("kept", "kept") and one and two:
            found.types[(one.type, two.type)] += 1
            keys = [{item.key for item in target.suggestions} for target in (one, two)]
            if united := keys[0] | keys[1]:
                found.suggestions[(len(keys[0] & keys[1]), len(united))] += 1
    return found


def _verdict(target: GoldTarget | None) -> str:
    if target is None:
        return "dropped"
    if target.fate == Fate.MOVED:
        return "moved"
    return "kept" if target.is_kept else "dropped"


def drawn(passages: Sequence[str], wanted: int, *, seed: str) -> list[str]:
    """So many of these ids, by a hash of each: who is drawn does not depend on the others, and asking for more adds."""

    def place(name: str) -> tuple[str, str]:
        return hashlib.sha256(f"{seed}\n{name}".encode()).hexdigest(), name

    return sorted(passages, key=place)[:wanted]
