"""Deciding: read, permit and check first; then each decision's row, its event and its step, in one transaction."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from adjudication.actions.steps import Decided, Step, _take_back, _take_seat, _with_evidence, _write_one
from adjudication.domain.decisions import (
    CAUSES,
    EMPTY,
    EMPTY_PASSAGE,
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
from adjudication.models import Decision, DecisionStep
from adjudication.permissions import check_can_adjudicate
from adjudication.queries.gold import Standing, standing_now
from annotator.actions.log import Overtaken
from annotator.domain.errors import Conflict, Invalid, Stale
from annotator.domain.formats.reading import clip
from annotator.domain.text import is_blank, line_problems
from annotator.domain.tokens import Span
from annotator.models import Membership, Passage, User

DECIDED_ELSEWHERE = "Somebody decided this since you looked."


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
        left = _left_behind(standing, span, parsed)
        return left if parsed.span is None else [*left, *_receiving(standing, parsed.span)]

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
        return _agreed_to(standing, by=membership) if verdict is not None else []

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
    standing = standing_now(passage, membership)
    if any(step.decision.seat != standing.seat for step in steps):
        raise Conflict("Both have settled this passage by now: look at both, and unite them.", code="unite")
    try:
        with transaction.atomic():
            written = [_take_back(step, by=membership, act=act, undoes=undoes, merge=standing.merge) for step in steps]
            if None in written:
                raise Overtaken("Something was decided after it.")
            for step in steps:
                _take_seat(standing, Step(step.decision.span, step.decision.content), by=membership)
    except Overtaken:
        message = "This was decided anew since: it cannot be taken back."
        raise Stale(message, stored=_stored(standing_now(passage, membership), steps[0].decision.span)) from None
    return [done for done in written if done is not None]


def _carry_out(
    passage: Passage, own: Step, more: Callable[[Standing], list[Step]], *, by: Membership, version: int, act: UUID
) -> Decided:
    """Answer a lost response again, refuse what another has overtaken, else write the step and what `more` finds to go
    with it. Where another request wins in between, all is read anew and judged once more."""
    for _look in range(2):
        standing = standing_now(passage, by)
        row = standing.decision(own.span)
        if row and row.act == act and standing.said(row).content == own.content:
            return Decided(row.version, act)
        if done := _done_in_seat(standing, own, by=by, act=act):
            return done
        if (row.version if row else 0) != version:
            _check_seat_is_open(standing, own, by=by, version=version)
            raise Stale(DECIDED_ELSEWHERE, stored=_stored(standing, own.span, by=by, act=act))
        if DecisionStep.objects.of_act(act).exists():
            raise _used(act)
        first, *others = [_with_evidence(step, standing) for step in (own, *more(standing))]
        others = [step for step in others if not _says_the_same(standing, step, by)]
        if row and not others and _says_the_same(standing, first, by):
            return Decided(row.version, row.act)
        first = replace(first, only_proposes=own.span is None and standing.has_proposed(by.pk))
        try:
            with transaction.atomic():
                _take_seat(standing, own, by=by)
                decided, *_ = [_write_one(standing, step, by=by, act=act) for step in (first, *others)]
            return decided
        except (Overtaken, IntegrityError):
            continue
    raise Stale(DECIDED_ELSEWHERE, stored=_stored(standing_now(passage, by), own.span, by=by, act=act))


def _done_in_seat(standing: Standing, own: Step, *, by: Membership, act: UUID) -> Decided | None:
    """This very act, its response lost, where since then both have settled the passage."""
    if standing.seat or standing.double is None:
        return None
    start, end = own.span or (None, None)
    steps = DecisionStep.objects.of_act(act).filter(by=by, decision__passage=standing.passage, decision__seat__gt=0)
    step = steps.filter(decision__start=start, decision__end=end).first()
    return Decided(step.number, act) if step and step.content == own.content else None


def _check_seat_is_open(standing: Standing, own: Step, *, by: Membership, version: int) -> None:
    """Who went on deciding as one of two, while the other settled the passage as the second, is told so."""
    if standing.seat or standing.double is None:
        return
    start, end = own.span or (None, None)
    seat = standing.double.seat_of(by.pk) or 0
    theirs = Decision.objects.filter(passage=standing.passage, seat=seat, start=start, end=end, version=version)
    if seat and (version == 0 or theirs.exists()):
        raise Conflict("Both have settled this passage by now: look at both, and unite them.", code="unite")


def _agreed_to(standing: Standing, *, by: Membership) -> list[Step]:
    """Under consensus whoever settles a passage agrees to what others have proposed about its targets."""
    waiting = [(row, standing.proposal(row)) for row in standing.decisions if row.span is not None]
    return [
        Step(row.span, proposal.content, proposal.reason, proposal.cause)
        for row, proposal in waiting
        if proposal is not None and proposal.by_id != by.pk and standing.needs_consensus
    ]


def _check_fits(standing: Standing, span: Span, content: Content) -> None:
    row = standing.decision(span)
    before = Content.from_dict(standing.said(row).content) if row else Content()
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
    _check_something_is_left(standing, span, content, there)


def _check_something_is_left(standing: Standing, span: Span, content: Content, there: set[str]) -> None:
    """A kept target without a suggestion says nothing to anybody, where the protocol wants one."""
    target = standing.by_span.get(span)
    is_kept = content.verdict == SpanVerdict.KEEP or (content.verdict is None and target is not None and target.is_kept)
    is_wanted = standing.merge.project.protocol.min_substitutes > 0
    if is_kept and is_wanted and there and not content.suggestions and not there - content.named:
        message = (
            f"“{clip(standing.passage.text[span[0] : span[1]])}” would be kept without a suggestion: drop it instead."
        )
        raise Invalid.of("nothing_left", message, "content.removed")


def _left_behind(standing: Standing, span: Span, content: Content) -> list[Step]:
    """What a move had made goes with the move: a target that nobody marked, and that was only kept for it."""
    row = standing.decision(span)
    there = Content.from_dict(standing.said(row).content).span if row else None
    if there is None or there == content.span or there in standing.by_span or len(standing.moved_onto(there)) > 1:
        return []
    receiving = standing.decision(there)
    said = Content.from_dict(standing.said(receiving).content) if receiving else Content()
    return [Step(there, dict(EMPTY))] if said.verdict == SpanVerdict.KEEP and not said.suggestions else []


def _check_no_chain(standing: Standing, span: Span, content: Content) -> None:
    assert content.span is not None
    to = standing.rulings.get(content.span)
    if to and to.content.verdict == SpanVerdict.MOVED:
        message = "That target was moved itself: move onto where it went, or take that back first."
        raise Invalid.of("chain", message, "content.span")
    if standing.moved_onto(span):
        message = "Another target was moved onto this one: take that back first."
        raise Invalid.of("chain", message, "content.span")


def _receiving(standing: Standing, span: Span) -> list[Step]:
    """The decision of the target that is moved onto, in the same act: it is kept, and what it says wins. Under
    consensus there is none where that is agreed, or where something else is proposed about it."""
    row, proposal = standing.decision(span), standing.proposal(standing.decision(span))
    content = Content.from_dict(row.content) if row else Content()
    kept = (content if content.verdict is not None else replace(content, verdict=SpanVerdict.KEEP)).as_dict()
    if standing.needs_consensus:
        is_agreed = row is not None and kept == row.content
        if is_agreed or (proposal and proposal.content["verdict"] and proposal.content != kept):
            return []
    return [Step(span, kept, row.reason if row else "", row.cause if row else "")]


def _says_the_same(standing: Standing, step: Step, by: Membership) -> bool:
    """As stands there already, also what one has proposed oneself; what somebody else has is agreed to by saying it
    again."""
    row = standing.decision(step.span)
    if row is None:
        return False
    said, proposal = standing.said(row), standing.proposal(row)
    if proposal and not (standing.needs_consensus and proposal.by_id == by.pk):
        return False
    before = (said.content, said.reason, said.cause, said.evidence)
    return before == (step.content, step.reason, step.cause, step.evidence)


def _stored(
    standing: Standing, span: Span | None, *, by: Membership | None = None, act: UUID | None = None
) -> dict[str, Any]:
    """What stands there; `has_arrived`: this very act was carried out, its response lost, and overtaken since."""
    row = standing.decision(span)
    has_arrived = bool(row and act and DecisionStep.objects.filter(decision=row, act=act, by=by).exists())
    said = standing.said(row) if row else None
    return {
        "version": row.version if row else 0,
        "content": said.content if said else (EMPTY_PASSAGE if span is None else EMPTY),
        "reason": said.reason if said else "",
        "cause": said.cause if said else "",
        "by": said.by.pseudonym if said and said.by else "",
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
