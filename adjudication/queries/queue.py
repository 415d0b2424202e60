"""The adjudicators' queue: passages that ask for somebody, most disputed first, as far as somebody may see them."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count, Exists, F, OuterRef, Q
from django.db.models.functions import Mod

from adjudication.domain.merge import Verdict
from adjudication.models import Comment, Decision, DecisionStep, Merge, PassageResult, Target
from adjudication.queries.doubles import OwnDoubles
from adjudication.queries.gold import looking_again
from adjudication.queries.queue_lines import Besides, QueueLine, lines_of
from adjudication.queries.standing import hidden_from
from annotator.models import Assignment, Passage, User

PAGE = 50
MOST_SHARES = 50
# What asks for somebody, by the column that counts it; then what a lead may add.
ASKING = {
    "type_ties": "type tie",
    "overlaps": "overlap",
    "variants": "variants",
    "near_misses": "near miss",
    "discards": "discards",
}
MORE = {"near": "near the threshold", "singles": "single votes"}
OTHER = {"look": "look again", "commented": "commented", "proposed": "proposed by another", "unite": "settled twice"}


@dataclass(frozen=True)
class QueueFilter:
    """What is asked for in the address; empty means everything that asks."""

    flag: str = ""  # of ASKING, MORE or OTHER
    also: tuple[str, ...] = ()  # of MORE: they join what asks
    type: str = ""
    group: str = ""
    person: str = ""
    index: int | None = None  # a target with this voting index
    settled: str = ""  # "me": what I have settled; "all": what anybody has
    search: str = ""
    share: tuple[int, int] | None = None  # mine, of so many

    def as_query(self) -> str:
        given = {
            "flag": self.flag,
            "also": self.also,
            "type": self.type,
            "group": self.group,
            "person": self.person,
            "index": "" if self.index is None else self.index,
            "settled": self.settled,
            "search": self.search,
            "share": f"{self.share[0]}of{self.share[1]}" if self.share else "",
        }
        return urlencode({name: value for name, value in given.items() if value not in ("", ())}, doseq=True)


class Queue:
    """`merge` is the project's current one."""

    def __init__(self, merge: Merge, *, user: User, wanted: QueueFilter | None = None) -> None:
        self.merge, self.user, self.wanted = merge, user, wanted or QueueFilter()
        self.project = merge.project

    @cached_property
    def blind(self) -> set[int]:
        return hidden_from(self.user, self.project)

    @cached_property
    def again(self) -> dict[int, int]:
        """By passage, how many of its decisions are to be looked at again."""
        rows = Decision.objects.counting().of(self.project).filter(looking_again(self.merge))
        return dict(rows.values_list("passage_id").annotate(times=Count("pk")))

    @cached_property
    def commented(self) -> dict[int, int]:
        rows = Comment.objects.visible_to(self.user).unresolved().filter(passage__project=self.project)
        return dict(rows.values_list("passage_id").annotate(times=Count("pk")))

    @cached_property
    def doubles(self) -> OwnDoubles:
        """Whose turn it is where two settle a passage blind to each other."""
        return OwnDoubles.of(self.project, self.user)

    @cached_property
    def proposed(self) -> dict[int, int]:
        """Under consensus, by passage how much others have proposed that waits for somebody to agree."""
        return self._proposals(~Q(by__user=self.user))

    @cached_property
    def _left_to_others(self) -> set[int]:
        """What this person has settled, as far as it is theirs: somebody else has to agree, or to settle it too."""
        return {*self._proposals(Q(by__user=self.user), decision__start=None)} - {*self.proposed} | self.doubles.closed

    def _proposals(self, whose: Q, **about: Any) -> dict[int, int]:
        if not self.project.protocol.needs_consensus:
            return {}
        rows = DecisionStep.objects.proposed().filter(whose, decision__passage__project=self.project, **about)
        return dict(rows.values_list("decision__passage_id").annotate(times=Count("pk")))

    @cached_property
    def results(self) -> Any:
        """All passages of the merge that this person may see, and may settle now."""
        rows, others = self._visible, self._left_to_others
        if self.project.protocol.needs_consensus:
            rows = rows.exclude(passage__in=self._awaited)
        return rows.exclude(passage__in=others) if others else rows

    @property
    def _awaited(self) -> Any:
        return Assignment.objects.awaited().values("passage")

    @property
    def awaited(self) -> int:
        """Under consensus: of how many passages not all who annotate them have said alone what they think."""
        is_asked = self.project.protocol.needs_consensus
        return int(self._visible.filter(passage__in=self._awaited).count()) if is_asked else 0

    @cached_property
    def _hidden(self) -> set[int]:
        """Left out by their keys, which are few: joined to its passage, every statement reads all of them."""
        archived = Passage.objects.filter(project=self.project, archived_at__isnull=False)
        return {*archived.values_list("pk", flat=True), *self.blind}

    @property
    def _visible(self) -> Any:
        rows = PassageResult.objects.filter(merge=self.merge)
        return rows.exclude(passage__in=self._hidden) if self._hidden else rows

    @property
    def _settled(self) -> Any:
        return Decision.objects.counting().about_passages().filter(passage=OuterRef("passage"))

    @property
    def _asking(self) -> Q:
        asks = Q(asks=True) | Q(passage__in=[*self.commented, *self.doubles.open, *self.doubles.to_unite])
        for name in self.wanted.also:
            asks |= Q(**{f"{name}__gt": 0}, verdict=Verdict.MERGED)
        return asks

    @cached_property
    def waiting(self) -> Any:
        """Not settled, and something asks for somebody; or what was settled is to be looked at again, or proposed to be
        another."""
        return self.results.filter((self._asking & ~Exists(self._settled)) | Q(passage__in=list(self._called)))

    @cached_property
    def _called(self) -> set[int]:
        """What waits though it is settled, or though nothing asks."""
        return {*self.again, *self.proposed}

    @property
    def _called_besides(self) -> Any:
        """Those of them that are not counted among what asks and is not settled."""
        if not self._called:
            return PassageResult.objects.none()
        return self.results.filter(Exists(self._settled) | ~self._asking, passage__in=list(self._called))

    @cached_property
    def rows(self) -> Any:
        """What the filter leaves."""
        wanted = self.wanted
        if wanted.settled:
            by_me = Exists(self._settled.filter(by__user=self.user)) | Q(passage__in=list(self.doubles.settled))
            rows = self._visible.filter(by_me if wanted.settled == "me" else Exists(self._settled))
        else:
            rows = self._seed_flag().waiting if wanted.flag in MORE else self.waiting
        if wanted.flag in OTHER:
            rows = rows.filter(passage__in=list(self._of_other[wanted.flag]))
        elif wanted.flag:
            rows = rows.filter(**{f"{wanted.flag}__gt": 0})
        targets = Target.objects.filter(merge=self.merge, passage=OuterRef("passage"))
        if wanted.type:
            rows = rows.filter(Exists(targets.filter(type=wanted.type)))
        if wanted.index is not None:
            rows = rows.filter(Exists(targets.filter(annotators=wanted.index)))
        if wanted.group:
            rows = rows.filter(passage__group=wanted.group)
        if wanted.person:
            own = Assignment.objects.filter(passage=OuterRef("passage"), is_repeat=False)
            own = own.filter(membership__pseudonym=wanted.person)
            rows = rows.filter(Exists(own.filter(Q(submissions_made__gt=0) | Q(state="discarded"))))
        if wanted.search:
            found = Q(passage__external_id__icontains=wanted.search) | Q(passage__text__icontains=wanted.search)
            rows = rows.filter(found)
        if wanted.share:
            mine, shares = wanted.share
            rows = rows.annotate(share=Mod(F("passage_id"), shares)).filter(share=mine - 1)
        return rows

    def _seed_flag(self) -> "Queue":
        """Asked for what only filters, not asks: then that asks, too."""
        also = tuple({*self.wanted.also, self.wanted.flag})
        return Queue(self.merge, user=self.user, wanted=replace(self.wanted, also=also))

    @property
    def is_whole(self) -> bool:
        """Whether all that waits is asked for."""
        return self.wanted == QueueFilter(also=self.wanted.also)

    @cached_property
    def left(self) -> int:
        return self._waiting() if self.is_whole else int(self.rows.count())

    def _waiting(self) -> int:
        """As `counts` has it, without what else it counts."""
        asking = self.results.filter(self._asking)
        return int(asking.count() - asking.filter(Exists(self._settled)).count() + self._called_besides.count())

    @cached_property
    def counts(self) -> dict[str, int]:
        """Beside each filter how many of those waiting it leaves; `done`: settled; `waiting`: left in all."""
        settled = self._told(self.results.filter(Exists(self._settled)))
        found = self._told(self.results)
        found = {name: times - settled[name] for name, times in found.items()}
        if self._called:
            told = self._called_besides.aggregate(waiting=Count("pk"), **{name: _counting(name) for name in ASKING})
            found |= {name: found[name] + times for name, times in told.items()}
        for name, passages in self._of_other.items():
            found[name] = int(self.waiting.filter(passage__in=list(passages)).count()) if passages else 0
        found["done"] = settled["all"]
        return found

    @cached_property
    def _of_other(self) -> dict[str, Collection[int]]:
        united = self.doubles.to_unite
        if united:
            settled = Decision.objects.counting().about_passages().filter(passage__in=united)
            united -= {*settled.values_list("passage_id", flat=True)}
        return {"look": self.again, "commented": self.commented, "proposed": self.proposed, "unite": united}

    def _told(self, rows: Any) -> dict[str, int]:
        """Of these, how many ask for somebody and why. What is settled is asked for by itself and taken off: to look
        for a decision on each of all results takes far longer."""
        asking, merged = self._asking, Q(verdict=Verdict.MERGED)
        told: dict[str, int] = rows.aggregate(
            all=Count("pk"),
            waiting=Count("pk", filter=asking),
            **{name: _counting(name, asking) for name in ASKING},
            **{name: _counting(name, merged) for name in MORE},
        )
        return told

    def page(self, after: tuple[int, int] | None = None) -> tuple[list[QueueLine], tuple[int, int] | None]:
        """From a place in the order on: (dispute, passage)."""
        rows = list(self._from(after).select_related("passage")[: PAGE + 1])
        following = (rows[PAGE - 1].dispute, rows[PAGE - 1].passage_id) if len(rows) > PAGE else None
        return lines_of(self.merge, rows[:PAGE], self._besides), following

    def next_of(self, result: PassageResult | None) -> Passage | None:
        """The one after this in the order, or the first."""
        after = (result.dispute, result.passage_id) if result else None
        row = self._from(after).select_related("passage").first()
        if row is None and result is not None:
            row = self._from(None).exclude(passage=result.passage_id).select_related("passage").first()
        return row.passage if row else None

    def before(self, result: PassageResult) -> Passage | None:
        earlier = Q(dispute__gt=result.dispute) | Q(dispute=result.dispute, passage_id__lt=result.passage_id)
        row = self.rows.filter(earlier).order_by("dispute", "-passage_id").select_related("passage").first()
        return row.passage if row else None

    def _from(self, after: tuple[int, int] | None) -> Any:
        rows = self.rows.order_by("-dispute", "passage_id")
        if after is not None:
            dispute, passage = after
            rows = rows.filter(Q(dispute__lt=dispute) | Q(dispute=dispute, passage_id__gt=passage))
        return rows

    @property
    def _besides(self) -> Besides:
        return Besides(self.again, self.proposed, self.commented, self._of_other["unite"])


def _counting(name: str, among: Q | None = None) -> Count:
    """Results with this flag."""
    return Count("pk", filter=(among or Q()) & Q(**{f"{name}__gt": 0}))


def quiet_passages(merge: Merge, *, user: User, dispute: int) -> Any:
    """Results that nothing asks about, disputed no more than so much, that nobody has settled, and about which nobody
    proposes anything else."""
    queue = Queue(merge, user=user)
    busy = queue.again.keys() | queue.commented.keys() | queue.doubles.open | queue.doubles.to_unite
    rows = queue.results.filter(verdict=Verdict.MERGED, asks=False, dispute__lte=dispute)
    if merge.project.protocol.needs_consensus:
        steps = DecisionStep.objects.proposed().filter(decision__passage__project=merge.project)
        busy |= set(steps.other_than_settled().values_list("decision__passage_id", flat=True))
    return rows.filter(~Exists(queue._settled)).exclude(passage__in=list(busy)).order_by("passage_id")
