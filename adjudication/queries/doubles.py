"""Passages that two settle blind to each other: whose they are to settle, and how far both agree."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from adjudication.domain.doubles import Twice, twice
from adjudication.models import Decision, Double, Merge
from adjudication.queries.gold import Standing, standings
from annotator.models import Membership, Passage, Project, User


@dataclass(frozen=True)
class OwnDoubles:
    """The keys of passages that one person may see. `closed`: being settled by others, or by them already."""

    open: frozenset[int] = frozenset()
    closed: frozenset[int] = frozenset()
    settled: frozenset[int] = frozenset()  # by them; the other one may still be at it
    to_unite: frozenset[int] = frozenset()  # once nobody has settled it for all

    @classmethod
    def of(cls, project: Project, user: User) -> "OwnDoubles":
        rows = list(Double.objects.of(project).visible_to(user))
        if not rows:
            return cls()
        membership = Membership.objects.of(user).filter(project=project).values_list("pk", flat=True).first() or 0
        is_open: set[int] = set()
        closed: set[int] = set()
        settled: set[int] = set()
        for row in rows:
            seat = row.seat_of(membership)
            has_done = seat is not None and row.is_done_by(seat)
            if has_done:
                settled.add(row.passage_id)
            if not row.is_done:
                (closed if has_done or seat is None else is_open).add(row.passage_id)
        united = frozenset(row.passage_id for row in rows if row.is_done)
        return cls(frozenset(is_open), frozenset(closed), frozenset(settled), united)


@dataclass(frozen=True)
class DoubleLine:
    """A passage that both have settled."""

    passage: Passage
    double: Double
    twice: Twice
    is_united: bool

    @property
    def is_same(self) -> bool:
        counts = self.twice
        same = all(one == two for one, two in counts.verdicts) and all(one == two for one, two in counts.types)
        return same and all(one == two for one, two in counts.suggestions) and counts.same_passages == counts.passages


@dataclass(frozen=True)
class DoubleReport:
    """Of what somebody may see; but to a lead, who says how many are drawn, `drawn` is in all."""

    drawn: int
    untouched: int
    begun: int
    lines: Sequence[DoubleLine]

    @property
    def twice(self) -> Twice:
        return sum((line.twice for line in self.lines), Twice())


def double_report(merge: Merge, user: User) -> DoubleReport:
    """Of what both have settled, as far as somebody may see it."""
    rows = Double.objects.of(merge.project).visible_to(user)
    both = rows.settled_by_both().select_related("passage", "seat_1", "seat_2").order_by("passage_id")
    doubles = {row.passage_id: row for row in both}
    ids = list(doubles)
    united = set(
        Decision.objects.counting().about_passages().filter(passage__in=ids).values_list("passage_id", flat=True)
    )
    sides = zip(standings(merge, ids, seat=1), standings(merge, ids, seat=2), strict=True)
    lines = [_line(doubles[one.passage.pk], one, two, one.passage.pk in united) for one, two in sides]
    seen, untouched = rows.count(), rows.untouched().count()
    is_lead = Membership.objects.of(user).leading().filter(project=merge.project).exists()
    drawn = Double.objects.of(merge.project).count() if is_lead else seen
    return DoubleReport(drawn, untouched, seen - untouched - len(lines), lines)


def _line(double: Double, one: Standing, two: Standing, is_united: bool) -> DoubleLine:
    touched = {row.span for side in (one, two) for row in side.decisions if row.span is not None}
    return DoubleLine(one.passage, double, twice(one.gold, two.gold, touched), is_united)


def sides_of(standing: Standing) -> list[dict[str, Any]]:
    """What each of the two decided, once both have settled the passage."""
    double = standing.double
    if double is None or not double.is_done:
        return []
    rows = list(Decision.objects.filter(passage=standing.passage, seat__gt=0).saying_something().in_order())
    return [_side(double.holder(seat), [row for row in rows if row.seat == seat]) for seat in (1, 2)]


def _side(holder: Membership | None, rows: Sequence[Decision]) -> dict[str, Any]:
    about_all = next((row for row in rows if row.span is None), None)
    return {
        "by": holder.pseudonym if holder else "",
        "verdict": about_all.content["verdict"] if about_all else None,
        "reason": about_all.reason if about_all else "",
        "decisions": [
            {
                "start": row.start,
                "end": row.end,
                "content": row.content,
                "reason": row.reason,
                "cause": row.cause,
            }
            for row in rows
            if row.span is not None
        ],
    }
