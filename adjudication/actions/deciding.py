"""Deciding: read, permit and check first; then each decision's row, its event and its step, in one transaction."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from adjudication.domain.decisions import (
    CAUSES,
    MAX_REASON_LENGTH,
    Content,
    PassageVerdict,
    SpanVerdict,
    check_against,
    check_span,
    parse_content,
    parse_passage_content,
)
from adjudication.domain.merge import Verdict
from adjudication.domain.undoing import Made, standing_after
from adjudication.models import Decision, DecisionStep, Merge
from adjudication.permissions import check_can_adjudicate
from adjudication.queries.gold import Standing, merge_now, standing_now
from annotator.actions.log import Overtaken, write
from annotator.domain.canonical import sha256_of
from annotator.domain.errors import Conflict, Invalid, Stale
from annotator.domain.formats.reading import clip
from annotator.domain.text import is_blank, line_problems
from annotator.domain.tokens import Span
from annotator.models import Membership, Passage, User

DECIDED_ELSEWHERE = "Somebody decided this since you looked."
EMPTY = Content().as_dict()
EMPTY_PASSAGE: dict[str, Any] = {"verdict": None}


@dataclass(frozen=True)
class Decided:
    """What a door tells after a decision: where it stands now."""

    version: int
    act: UUID | None


@dataclass(frozen=True)
class Step:
    """What one decision is to say from now on."""

    span: Span | None
    content: dict[str, Any]
    reason: str = ""
    cause: str = ""
    evidence: str = ""
    snapshot: Mapping[str, Any] | None = None
    undoes: UUID | None = None


def decide_span(
    passage: Passage, span: Span, *, by: User, version: int, act: UUID, content: Any, reason: str = "", cause: str = ""
) -> Decided:
    """Keep, drop, move, retype, edit, join, add: the whole decision about one span. The same as stands there on the
    same evidence writes nothing; on other evidence it confirms it."""
    membership = check_can_adjudicate(by, passage)
    protocol = passage.project.protocol
    check_span(span, text=passage.text, protocol=protocol)
    parsed = parse_content(content, span=span, text=passage.text, protocol=protocol)
    reason = _checked_words(reason, cause)

    own = Step(span, parsed.as_dict(), reason, cause)

    def more(standing: Standing) -> list[Step]:
        _check_fits(standing, span, parsed)
        return [] if parsed.span is None else [_receiving(standing, parsed.span)]

    return _carry_out(passage, own, more, by=membership, version=version, act=act)


def decide_passage(
    passage: Passage, *, by: User, version: int, act: UUID, content: Any, reason: str = "", cause: str = ""
) -> Decided:
    """Settle a passage, discard it with a reason, or keep it against discards."""
    membership = check_can_adjudicate(by, passage)
    verdict = parse_passage_content(content)
    reason = _checked_words(reason, cause)
    if verdict == PassageVerdict.DISCARD and is_blank(reason):
        raise Invalid.of("reason", "A discarded passage needs a reason.", "reason")

    own = Step(None, {"verdict": verdict and verdict.value}, reason, cause)

    def more(standing: Standing) -> list[Step]:
        if verdict == PassageVerdict.KEEP and standing.result.verdict != Verdict.DISCARDED:
            raise Invalid.of("verdict", "Only a passage that discards outnumber is kept against them.", "content")
        return []

    return _carry_out(passage, own, more, by=membership, version=version, act=act)


def undo_decisions(passage: Passage, *, by: User, act: UUID, undoes: UUID) -> list[Decided]:
    """Take back one act of one's own on this passage: a further step says again what stood there before. Undoing an
    undo does the act again."""
    membership = check_can_adjudicate(by, passage)
    if done := list(DecisionStep.objects.of_act(act).select_related("decision")):
        if any((step.undoes, step.decision.passage_id) != (undoes, passage.pk) for step in done):
            raise _used(act)
        return [Decided(step.decision.version, act) for step in done]  # sent again
    taken = DecisionStep.objects.of_act(undoes).filter(decision__passage=passage)
    steps = list(taken.select_related("decision__passage__project").order_by("decision"))
    if not steps:
        raise Conflict("There is no such act on this passage to take back.", code="nothing_to_undo")
    if any(step.by_id != membership.pk for step in steps):
        raise Conflict("Only whoever decided it takes an act back: decide anew instead.", code="not_yours")
    merge = merge_now(passage.project)
    try:
        with transaction.atomic():
            written = [_take_back(step, by=membership, act=act, undoes=undoes, merge=merge) for step in steps]
            if None in written:
                raise Overtaken("Something was decided after it.")
    except Overtaken:
        message = "This was decided anew since: it cannot be taken back."
        raise Stale(message, stored=_stored(standing_now(passage), steps[0].decision.span)) from None
    return [done for done in written if done is not None]


def _take_back(step: DecisionStep, *, by: Membership, act: UUID, undoes: UUID, merge: Merge) -> Decided | None:
    """None, and nothing written, where something was decided after it."""
    decision = step.decision
    steps = list(decision.steps.order_by("number"))
    number = standing_after([Made(row.number, row.act, row.undoes) for row in steps], undoes)
    if number is None:
        return None
    before = next((row for row in steps if row.number == number), None)
    if before is None:
        empty = EMPTY if decision.span is not None else EMPTY_PASSAGE
        again = Step(decision.span, empty, undoes=undoes)
    else:
        again = Step(
            decision.span, before.content, before.reason, before.cause, before.evidence, before.snapshot, undoes
        )
    return _write_step(decision, again, by=by, act=act, merge=merge)


def _carry_out(
    passage: Passage, own: Step, more: Callable[[Standing], list[Step]], *, by: Membership, version: int, act: UUID
) -> Decided:
    """Answer a lost response again, refuse what another has overtaken, else write the step and what `more` finds to go
    with it. Where another request wins in between, all is read anew and judged once more."""
    for _look in range(2):
        standing = standing_now(passage)
        row = standing.decision(own.span)
        if row and row.act == act and row.content == own.content:
            return Decided(row.version, act)
        if (row.version if row else 0) != version:
            raise Stale(DECIDED_ELSEWHERE, stored=_stored(standing, own.span, by=by, act=act))
        if DecisionStep.objects.of_act(act).exists():
            raise _used(act)
        steps = [_with_evidence(step, standing) for step in (own, *more(standing))]
        if row and _says_the_same(row, steps[0]):
            return Decided(row.version, row.act)
        try:
            with transaction.atomic():
                decided, *_ = [_write_one(standing, step, by=by, act=act) for step in steps]
            return decided
        except (Overtaken, IntegrityError):
            continue
    raise Stale(DECIDED_ELSEWHERE, stored=_stored(standing_now(passage), own.span, by=by, act=act))


def _check_fits(standing: Standing, span: Span, content: Content) -> None:
    row = standing.decision(span)
    before = Content.from_dict(row.content) if row else Content()
    there = standing.keys_at(span)
    elsewhere = {key for own in standing.by_span if own != span for key in standing.keys_at(own)}
    quote = standing.passage.text[span[0] : span[1]]
    folds = standing.settings.folds_substitutes
    gone = check_against(content, there=there, elsewhere=elsewhere, before=before, quote=quote, folds=folds)
    if gone:
        message = f"“{clip(min(gone))}” is not offered here any more."
        raise Stale(message, stored=_stored(standing, span))
    if content.verdict == SpanVerdict.MOVED and content.span != before.span:
        _check_no_chain(standing, span, content)


def _check_no_chain(standing: Standing, span: Span, content: Content) -> None:
    assert content.span is not None
    to = standing.rulings.get(content.span)
    if to and to.content.verdict == SpanVerdict.MOVED:
        message = "That target was moved itself: move onto where it went, or take that back first."
        raise Invalid.of("chain", message, "content.span")
    if standing.moved_onto(span):
        message = "Another target was moved onto this one: take that back first."
        raise Invalid.of("chain", message, "content.span")


def _receiving(standing: Standing, span: Span) -> Step:
    """The decision of the target that is moved onto, in the same act: it is kept, and what it says wins."""
    row = standing.decision(span)
    content = Content.from_dict(row.content) if row else Content()
    kept = content if content.verdict is not None else replace(content, verdict=SpanVerdict.KEEP)
    return Step(span, kept.as_dict(), row.reason if row else "", row.cause if row else "")


def _with_evidence(step: Step, standing: Standing) -> Step:
    return replace(step, evidence=standing.evidence_at(step.span), snapshot=standing.snapshot_at(step.span))


def _says_the_same(row: Decision, step: Step) -> bool:
    said = (row.content, row.reason, row.cause, row.evidence)
    return said == (step.content, step.reason, step.cause, step.evidence)


def _write_one(standing: Standing, step: Step, *, by: Membership, act: UUID, row: Decision | None = None) -> Decided:
    """`row`: its decision, where the standing knows only those that count."""
    row = row or standing.decision(step.span)
    if row is None:
        start, end = step.span or (None, None)
        row = Decision.objects.create(passage=standing.passage, start=start, end=end, content=step.content)
    return _write_step(row, step, by=by, act=act, merge=standing.merge)


def _write_step(row: Decision, step: Step, *, by: Membership, act: UUID, merge: Merge) -> Decided:
    """The row, its event and its step, in the transaction of the caller."""
    at = timezone.now()
    said = {
        "content": step.content,
        "reason": step.reason,
        "cause": step.cause,
        "evidence": step.evidence,
        "snapshot": dict(step.snapshot or {}),
        "by": by,
        "at": at,
        "act": act,
    }
    verdict = step.content["verdict"] or ""
    is_empty = step.content in (EMPTY, EMPTY_PASSAGE)
    changes = {**said, "verdict": verdict, "is_empty": is_empty}
    payload = {"act": str(act), "content": sha256_of(step.content)}
    kind = "decision.undone" if step.undoes else "decision.made"
    write(row, kind, by=by.user, payload=payload, changes=changes)
    DecisionStep.objects.create(decision=row, number=row.version, merge=merge.input_hash, undoes=step.undoes, **said)
    return Decided(row.version, act)


def _stored(
    standing: Standing, span: Span | None, *, by: Membership | None = None, act: UUID | None = None
) -> dict[str, Any]:
    """What stands there; `has_arrived`: this very act was carried out, its response lost, and overtaken since."""
    row = standing.decision(span)
    has_arrived = bool(row and act and DecisionStep.objects.filter(decision=row, act=act, by=by).exists())
    return {
        "version": row.version if row else 0,
        "content": row.content if row else (EMPTY_PASSAGE if span is None else EMPTY),
        "reason": row.reason if row else "",
        "cause": row.cause if row else "",
        "by": row.by.pseudonym if row and row.by else "",
        "keys": sorted(standing.keys_at(span)) if span is not None else [],
        "has_arrived": has_arrived,
    }


def _used(act: UUID) -> Invalid:
    return Invalid.of("act", "This act's id has been used for another body.", "act")


def _checked_words(reason: str, cause: str) -> str:
    reason = reason.replace("\r\n", "\n").strip()
    if problems := line_problems(reason, what="The reason", path="reason", most=MAX_REASON_LENGTH):
        raise Invalid(problems)
    if cause and cause not in CAUSES:
        raise Invalid.of("cause", f"A cause is one of {', '.join(CAUSES)}.", "cause")
    return reason
