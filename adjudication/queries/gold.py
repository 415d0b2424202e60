"""Passages with what was merged and what was decided, as the gold is laid from them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, TextField
from django.db.models.functions import Cast

from adjudication.domain.decisions import Content, PassageVerdict, decides_nothing, says_nothing
from adjudication.domain.dictionary import Entry, occurrence_of
from adjudication.domain.evidence import PassageSnapshot
from adjudication.domain.gold import (
    GoldPassage,
    GoldSuggestion,
    Ruling,
    Snapshot,
    gold_passage,
    merged_suggestion,
    offers,
)
from adjudication.domain.merge import MergedPassage, MergeSettings, Suggestion, Verdict
from adjudication.domain.merge import Target as MergedTarget
from adjudication.models import Decision, DecisionStep, Double, Merge, PassageResult, Target
from annotator.domain.errors import Conflict
from annotator.domain.tokens import Span
from annotator.models import Membership, Passage, Project

CHUNK = 500  # passages in memory at once


@dataclass(frozen=True)
class Standing:
    """One passage, and all that its gold is made of. Where only the gold is asked for, `targets` are LightTargets."""

    passage: Passage
    merge: Merge
    result: PassageResult
    targets: Sequence[Target]
    decisions: Sequence[Decision]
    seat: int = 0  # whose decisions these are: 0 counts, 1 and 2 are of two who decide blind to each other
    double: Double | None = None  # while they do, and where what both decided is to be united
    with_proposals: bool = False  # what waits for somebody else to agree is laid over, too: so a desk shows it

    @cached_property
    def settings(self) -> MergeSettings:
        return MergeSettings.from_dict(self.merge.settings)

    @cached_property
    def merged(self) -> MergedPassage:
        rows = tuple(_merged_target(row, self.settings) for row in self.targets)
        return MergedPassage(Verdict(self.result.verdict), self.result.of, rows, self.result.pa_det)

    @cached_property
    def by_span(self) -> dict[Span, Target]:
        return {(row.start, row.end): row for row in self.targets}

    @cached_property
    def rulings(self) -> dict[Span, Ruling]:
        said = {row.span: self.said(row) for row in self.decisions if row.span is not None}
        return {span: ruling_of(row) for span, row in said.items() if not decides_nothing(row.content)}

    @property
    def verdict(self) -> PassageVerdict | None:
        row = self.decision(None)
        verdict = self.said(row).content["verdict"] if row else None
        return PassageVerdict(verdict) if verdict else None

    @property
    def needs_consensus(self) -> bool:
        return self.seat == 0 and self.merge.project.protocol.needs_consensus

    @cached_property
    def gold(self) -> GoldPassage:
        return gold_passage(self.merged, self.rulings, self.verdict, text=self.passage.text, settings=self.settings)

    def decision(self, span: Span | None) -> Decision | None:
        return next((row for row in self.decisions if row.span == span), None)

    @cached_property
    def _proposals(self) -> dict[int, DecisionStep]:
        waiting = [row.pk for row in self.decisions if self.with_proposals and row.proposed is not None]
        if not waiting:
            return {}
        steps = DecisionStep.objects.proposed().filter(decision__in=waiting).select_related("by")
        return {step.decision_id: step for step in steps}

    def proposal(self, row: Decision | None) -> DecisionStep | None:
        """What waits there for somebody else to agree."""
        return self._proposals.get(row.pk) if row else None

    def has_proposed(self, membership: int) -> bool:
        """Whether something of theirs about a target waits for somebody else to agree."""
        about_spans = {row.pk for row in self.decisions if row.span is not None}
        return any(step.by_id == membership and pk in about_spans for pk, step in self._proposals.items())

    def said(self, row: Decision) -> Decision | DecisionStep:
        """What is proposed there, or else decided."""
        return self._proposals.get(row.pk, row)

    @cached_property
    def offers(self) -> dict[Span, tuple[GoldSuggestion, ...]]:
        return offers(self.merged, self.rulings)

    def keys_at(self, span: Span) -> set[str]:
        """What a decision about this span may name."""
        return {item.key for item in self.offers.get(span, ())}

    def evidence_at(self, span: Span | None) -> str:
        """What was merged there, as a hash; "" for nothing."""
        if span is None:
            return self.result.evidence
        row = self.by_span.get(span)
        return row.evidence if row else ""

    def snapshot_at(self, span: Span | None) -> dict[str, Any]:
        if span is None:
            return self.said_now.as_dict()
        return Snapshot.of(next((row for row in self.merged.targets if (row.start, row.end) == span), None)).as_dict()

    @cached_property
    def said_now(self) -> PassageSnapshot:
        return PassageSnapshot.made(self.merged, discards=self.result.discards)

    @property
    def said_then(self) -> PassageSnapshot | None:
        """Where the passage was decided about on other evidence: what was said then, if that was kept."""
        row = self.decision(None)
        asks = row is not None and self.asks_to_look_again(row)
        return PassageSnapshot.from_dict(self.said(row).snapshot) if row and asks else None

    def asks_to_look_again(self, row: Decision) -> bool:
        """What stands there is not what it was decided on. The decision holds all the same."""
        said = self.said(row)
        is_said = not says_nothing(said.content, said.reason, said.cause)
        return is_said and said.evidence != self.evidence_at(row.span)

    def moved_onto(self, span: Span) -> list[Span]:
        """The spans whose votes were given to this one."""
        return [own for own, ruling in self.rulings.items() if ruling.content.span == span]


def ruling_of(row: Decision | DecisionStep) -> Ruling:
    return Ruling(Content.from_dict(row.content), Snapshot.from_dict(row.snapshot))


def _merged_target(row: Target, settings: MergeSettings) -> MergedTarget:
    return MergedTarget(
        start=row.start,
        end=row.end,
        quote=row.quote,
        voters=tuple(row.voters),
        of=row.of,
        suggestions=tuple(merged_suggestion(item["text"], item["voters"], settings) for item in row.suggestions),
        type=row.type,
        type_tie=row.type_tie,
        is_kept=row.is_kept,
    )


def standing_of(
    passage: Passage, merge: Merge, *, seat: int = 0, double: Double | None = None, with_proposals: bool = False
) -> Standing | None:
    """None where the passage was not there yet when the merge was made."""
    result = PassageResult.objects.filter(merge=merge, passage=passage).first()
    if result is None:
        return None
    targets = list(Target.objects.filter(merge=merge, passage=passage).in_order())
    decisions = list(Decision.objects.filter(passage=passage, seat=seat).in_order().select_related("by"))
    return Standing(passage, merge, result, targets, decisions, seat, double, with_proposals)


def merge_now(project: Project) -> Merge:
    merge = Merge.objects.of(project).current().select_related("project").first()
    if merge is None:
        raise Conflict("There is no merge yet: merge first.", code="no_merge")
    return merge


def standing_now(passage: Passage, by: Membership | None = None) -> Standing:
    """By the current merge. `by`: as they see it who decide, with what is proposed; with their own decisions where two
    settle the passage blind to each other."""
    drawn = Double.objects.filter(passage=passage).select_related("seat_1", "seat_2", "passage")
    double = drawn.first() if by else None
    seat = 0 if by is None or double is None or double.is_done else double.seat_of(by.pk)
    if seat is None:
        raise Conflict(
            "Two others settle this passage, blind to each other: it comes back to be united.", code="others_settle"
        )
    merge = merge_now(passage.project)
    standing = standing_of(passage, merge, seat=seat, double=double, with_proposals=by is not None)
    if standing is None:
        raise Conflict("This passage came after the last merge: merge first.", code="not_merged")
    return standing


Decided = Mapping[int, Sequence[Decision]]  # by passage


def standings(
    merge: Merge,
    passages: Sequence[int],
    *,
    decided: Decided | None = None,
    light: bool = False,
    only_gold: bool = False,
    seat: int = 0,
) -> Iterator[Standing]:
    """Of these passages in order, a chunk at a time in a few statements; what was not merged is left out. `decided`:
    with these decisions, listed before. `light`: with LightTargets. `only_gold`: light, and of passages that nobody has
    decided about without the dropped targets, which are most. `seat`: with what one of two decided, not with what
    counts."""
    for start in range(0, len(passages), CHUNK):
        chunk = passages[start : start + CHUNK]
        results = {row.passage_id: row for row in PassageResult.objects.filter(merge=merge, passage__in=chunk)}
        if decided is None:
            rows = Decision.objects.deciding(seat).filter(passage__in=chunk).in_order().select_related("by")
            decisions = _by_passage(rows)
        else:
            decisions = _by_passage(row for passage in chunk for row in decided.get(passage, ()))
        found_targets = Target.objects.filter(merge=merge, passage__in=chunk).in_order()
        if only_gold:
            found_targets = found_targets.filter(Q(is_kept=True) | Q(passage__in=list(decisions)))
        targets = _by_passage(_light(found_targets) if light or only_gold else found_targets)
        found = Passage.objects.in_bulk(chunk)
        for pk in chunk:
            if pk in results and pk in found:
                yield Standing(found[pk], merge, results[pk], targets[pk], decisions[pk], seat)


class LightTarget(NamedTuple):
    """What of a target's row the gold is made of: whole rows of many passages take several times longer to read."""

    passage_id: int
    start: int
    end: int
    quote: str
    of: int
    type: str
    type_tie: bool
    is_kept: bool
    evidence: str
    voters: list[str]
    suggestions: list[dict[str, Any]]


def _light(rows: Any) -> Iterator[LightTarget]:
    import msgspec  # most commands do without

    names = LightTarget._fields[:-2]
    texts = {"voters_text": Cast("voters", TextField()), "suggestions_text": Cast("suggestions", TextField())}
    for *plain, voters, suggestions in rows.annotate(**texts).values_list(*names, *texts):
        yield LightTarget._make((*plain, msgspec.json.decode(voters), msgspec.json.decode(suggestions)))


def _by_passage(rows: Iterable[Any]) -> dict[int, list[Any]]:
    found: dict[int, list[Any]] = defaultdict(list)
    for row in rows:
        found[row.passage_id].append(row)
    return found


def looking_again(merge: Merge) -> Any:
    """Of decisions: what was merged at their span, or of their passage, is not what they were decided on."""
    same_target = Target.objects.filter(
        merge=merge,
        passage=OuterRef("passage"),
        start=OuterRef("start"),
        end=OuterRef("end"),
        evidence=OuterRef("evidence"),
    )
    any_target = Target.objects.filter(
        merge=merge, passage=OuterRef("passage"), start=OuterRef("start"), end=OuterRef("end")
    )
    same_result = PassageResult.objects.filter(merge=merge, passage=OuterRef("passage"), evidence=OuterRef("evidence"))
    about_span = Q(start__isnull=False) & (
        (~Q(evidence="") & ~Exists(same_target)) | (Q(evidence="") & Exists(any_target))
    )
    return about_span | (Q(start__isnull=True) & ~Exists(same_result))


def in_gold(merge: Merge) -> Any:
    """The results whose passages are in the gold, decisions laid over."""
    verdicts = Decision.objects.counting().about_passages().filter(passage=OuterRef("passage"))
    discarded = Exists(verdicts.filter(verdict=PassageVerdict.DISCARD))
    kept = Q(verdict=Verdict.DISCARDED) & Exists(verdicts.filter(verdict=PassageVerdict.KEEP))
    return PassageResult.objects.filter(merge=merge).filter(Q(verdict=Verdict.MERGED) | kept).filter(~discarded)


def gold_entries(standing: Standing) -> list[Entry]:
    """As the paper prints them, dropped ones too."""
    text = standing.passage.text
    return [
        Entry(
            span=target.span,
            quote=target.quote,
            occurrence=occurrence_of(text, target.start, target.quote),
            annotators=target.annotators,
            of=target.of,
            type=target.type,
            is_kept=target.is_kept and standing.gold.is_gold,
            suggestions=tuple(Suggestion(item.text, item.voters) for item in target.suggestions),
        )
        for target in standing.gold.targets
    ]
