"""How the same word was marked and settled in other passages."""

from collections.abc import Collection
from typing import Any

from adjudication.domain.decisions import PassageVerdict, SpanVerdict
from adjudication.domain.excerpts import excerpt_of
from adjudication.domain.flags import quote_key
from adjudication.domain.merge import Verdict
from adjudication.models import Decision, DecisionStep, Double, Merge, PassageResult, Target
from adjudication.queries.gold import Standing
from annotator.domain.tokens import Span
from annotator.models import User

SAME_WORDS = 50  # shown at once


def words_elsewhere(standing: Standing, span: Span, user: User) -> dict[str, Any]:
    """As far as somebody may see them."""
    key = quote_key(standing.passage.text[span[0] : span[1]])
    rows = Target.objects.visible_to(user).filter(merge=standing.merge, quote_key=key)
    # Where two settle a passage blind to each other, what is decided from elsewhere would be a third's.
    rows = rows.exclude(passage__in=Double.objects.being_settled().values("passage"))
    rows = rows.exclude(passage=standing.passage).select_related("passage").order_by("-annotators", "passage_id")
    found = list(rows[:SAME_WORDS])
    passages = {row.passage_id for row in found}
    there = list(Decision.objects.filter(passage__in=passages, seat=0).about_spans())
    decisions = {(row.passage_id, row.start, row.end): row for row in there}
    moved, discarded = _moved(there), _discarded(standing.merge, passages)
    results = [
        _same_word(row, decision, moved=decision is not None and decision.pk in moved, discarded=discarded)
        for row in found
        for decision in [decisions.get((row.passage_id, row.start, row.end))]
    ]
    return {"results": results, "more": max(0, rows.count() - SAME_WORDS) if len(found) == SAME_WORDS else 0}


def _moved(decisions: Collection[Decision]) -> set[int]:
    """Also where that is only proposed: nothing else is decided about them from elsewhere."""
    steps = DecisionStep.objects.proposed().filter(decision__in=[row.pk for row in decisions])
    proposed = {step.decision_id for step in steps if step.content["verdict"] == SpanVerdict.MOVED}
    return proposed | {row.pk for row in decisions if row.verdict == SpanVerdict.MOVED}


def _discarded(merge: Merge, passages: Collection[int]) -> set[int]:
    """Those out of the gold, by more people than answered or by an adjudicator."""
    verdicts = Decision.objects.counting().about_passages().filter(passage__in=passages)
    said = dict(verdicts.values_list("passage_id", "verdict"))
    by_most = PassageResult.objects.filter(merge=merge, passage__in=passages, verdict=Verdict.DISCARDED)
    by_votes = {pk for pk in by_most.values_list("passage_id", flat=True) if said.get(pk) != PassageVerdict.KEEP}
    return by_votes | {pk for pk, verdict in said.items() if verdict == PassageVerdict.DISCARD}


def _same_word(row: Target, decision: Decision | None, *, moved: bool, discarded: Collection[int]) -> dict[str, Any]:
    excerpt = excerpt_of(row.passage.text, (row.start, row.end))
    content = decision.content if decision else {}
    verdict = content.get("verdict")
    is_out = moved or row.passage_id in discarded
    return {
        "passage": row.passage.uuid,
        "id": row.passage.external_id,
        "start": row.start,
        "end": row.end,
        "before": excerpt.before,
        "quote": row.quote,
        "after": excerpt.after,
        "annotators": row.annotators,
        "of": row.of,
        "suggestions": [item["text"] for item in row.suggestions],
        "type": content.get("type") or row.type,
        "is_kept": not is_out and (row.is_kept if verdict is None else verdict == SpanVerdict.KEEP),
        "is_moved": moved,
        "is_in_discarded": row.passage_id in discarded,
        "is_decided": bool(decision and not decision.is_empty),
        "version": decision.version if decision else 0,
    }
