"""The gold as a list: what of it somebody may see, left to what they ask for; and what was decided for one cause."""

from typing import Any

from django.db.models import Count, Exists, OuterRef, Q

from adjudication.domain.decisions import CAUSES, PassageVerdict
from adjudication.domain.merge import Verdict
from adjudication.models import Decision, Merge, PassageResult, Target
from adjudication.queries.gold import Standing, in_gold, standings
from adjudication.queries.standing import hidden_from
from annotator.models import Passage, User

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

    def __init__(self, merge: Merge, *, user: User, only: str = "", search: str = "") -> None:
        self.merge, self.user = merge, user
        self.blind = hidden_from(user, merge.project)
        decisions = Decision.objects.counting().filter(passage=OuterRef("passage"))
        if only == "discarded":
            verdicts = decisions.about_passages()
            by_most = Q(verdict=Verdict.DISCARDED) & ~Exists(verdicts.filter(verdict=PassageVerdict.KEEP))
            rows = PassageResult.objects.filter(merge=merge).filter(
                Exists(verdicts.filter(verdict=PassageVerdict.DISCARD)) | by_most
            )
        else:
            rows = in_gold(merge)
            narrowed = {
                "decided": decisions.about_spans(),
                "added": decisions.filter(pk__in=_adding(merge)),
                "moved": decisions.about_spans().filter(verdict="moved"),
                "dropped": decisions.about_spans().filter(verdict="drop"),
            }.get(only)
            if narrowed is not None:
                rows = rows.filter(Exists(narrowed))
        if search:
            rows = rows.filter(_speaking_of(search))
        self.is_all = not (only or search)
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


def _speaking_of(search: str) -> Q:
    return Q(passage__external_id__icontains=search) | Q(passage__text__icontains=search)


def _adding(merge: Merge) -> list[int]:
    """The decisions that keep what nobody marks, or nobody does any more; not what a move brings there. Read, not
    asked for: where a target was moved to stands in a document."""
    marked = Target.objects.filter(
        merge=merge, passage=OuterRef("passage"), start=OuterRef("start"), end=OuterRef("end")
    )
    decisions = Decision.objects.counting().of(merge.project).about_spans()
    moved = decisions.filter(Exists(marked), verdict="moved").values_list("passage", "content")
    onto = {(passage, *content["span"]) for passage, content in moved}
    kept = decisions.filter(~Exists(marked), verdict="keep").values_list("pk", "passage", "start", "end")
    return [pk for pk, *place in kept if tuple(place) not in onto]


class CauseList:
    """What was decided about targets and passages for a stated cause, one by one, as far as somebody may see it. Also
    in passages that are not in the gold: why they are not may be the very gap."""

    def __init__(self, merge: Merge, *, user: User, cause: str = "", search: str = "") -> None:
        there = PassageResult.objects.filter(merge=merge, passage=OuterRef("passage"))
        rows = Decision.objects.visible_to(user).counting().of(merge.project)
        self.all = rows.filter(Exists(there), passage__archived_at=None).exclude(cause="")
        self.rows = self.all.filter(cause=cause)
        if search:
            self.rows = self.rows.filter(_speaking_of(search) | Q(reason__icontains=search))

    def counts(self) -> list[tuple[str, str, int]]:
        """(key, label, decisions) of each cause that was given."""
        times = dict(self.all.order_by("cause").values_list("cause").annotate(times=Count("pk")))
        return [(key, label, times[key]) for key, label in CAUSES.items() if key in times]

    def total(self) -> int:
        return int(self.rows.count())

    def page(self, after: int = 0) -> tuple[list[Decision], int | None]:
        """From a decision's key on, the oldest first."""
        rows = self.rows.filter(pk__gt=after).select_related("passage", "by").order_by("pk")
        found = list(rows[: PAGE + 1])
        return found[:PAGE], found[PAGE - 1].pk if len(found) > PAGE else None
