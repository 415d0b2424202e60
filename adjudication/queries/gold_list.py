"""The gold as a list: what of it somebody may see, left to what they ask for."""

from typing import Any

from django.db.models import Count, Exists, OuterRef, Q

from adjudication.domain.decisions import CAUSES, PassageVerdict
from adjudication.domain.merge import Verdict
from adjudication.models import Decision, Merge, PassageResult
from adjudication.queries.gold import Standing, in_gold, standings
from adjudication.queries.standing import hidden_from
from annotator.models import Passage, Project, User

# What a list of the gold may be left to.
GOLD_FILTERS = (
    ("decided", "decided"),
    ("added", "added"),
    ("moved", "moved"),
    ("dropped", "dropped by a decision"),
    ("discarded", "passages discarded"),
)
PAGE = 20


class GoldList:
    """The gold as far as somebody may see it, passage by passage."""

    def __init__(self, merge: Merge, *, user: User, only: str = "", cause: str = "", search: str = "") -> None:
        self.merge, self.user = merge, user
        self.blind = hidden_from(user, merge.project)
        decisions = Decision.objects.counting().filter(passage=OuterRef("passage"))
        if cause:
            decisions = decisions.filter(cause=cause)
        if only == "discarded":
            rows = PassageResult.objects.filter(merge=merge).filter(
                Exists(decisions.about_passages().filter(verdict=PassageVerdict.DISCARD))
            )
        else:
            rows = in_gold(merge)
            narrowed = {
                "decided": decisions.about_spans(),
                "added": decisions.about_spans().filter(evidence="", verdict="keep"),
                "moved": decisions.about_spans().filter(verdict="moved"),
                "dropped": decisions.about_spans().filter(verdict="drop"),
            }.get(only, decisions if cause else None)
            if narrowed is not None:
                rows = rows.filter(Exists(narrowed))
        if search:
            rows = rows.filter(Q(passage__external_id__icontains=search) | Q(passage__text__icontains=search))
        self.is_all = not (only or cause or search)
        self.rows = self._seen(rows)

    def _seen(self, rows: Any) -> Any:
        return rows.exclude(passage__in=self.blind) if self.blind else rows

    def total(self) -> int:
        if not self.is_all:
            return int(self.rows.count())
        # From the few verdicts: to look for one on each of all results takes longer than all the rest of the page.
        verdicts = self._seen(Decision.objects.counting().about_passages())
        results = PassageResult.objects.filter(merge=self.merge)
        there = results.filter(passage=OuterRef("passage"))
        discarded = verdicts.filter(Exists(there.filter(verdict=Verdict.MERGED)), verdict=PassageVerdict.DISCARD)
        kept = verdicts.filter(Exists(there.filter(verdict=Verdict.DISCARDED)), verdict=PassageVerdict.KEEP)
        return int(self._seen(results.merged()).count() - discarded.count() + kept.count())

    def page(self, after: int = 0) -> tuple[list[Standing], int | None]:
        """From a passage's key on."""
        rows = self.rows.filter(passage_id__gt=after).in_order()
        ids = list(rows.values_list("passage", flat=True)[: PAGE + 1])
        return list(standings(self.merge, ids[:PAGE], light=True)), ids[PAGE - 1] if len(ids) > PAGE else None

    def one(self, passage: Passage) -> Standing | None:
        return None if passage.pk in self.blind else next(standings(self.merge, [passage.pk]), None)


def causes_of(project: Project, user: User) -> list[tuple[str, str, int]]:
    """(key, label, decisions) of each cause that was given."""
    rows = Decision.objects.visible_to(user).counting().of(project).exclude(cause="").order_by("cause")
    times = dict(rows.values_list("cause").annotate(times=Count("pk")))
    return [(key, label, times[key]) for key, label in CAUSES.items() if key in times]
