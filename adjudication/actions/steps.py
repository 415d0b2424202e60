"""Writing decisions: each one's row, its event and its step, in the transaction of the caller."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.utils import timezone

from adjudication.domain.decisions import EMPTY, EMPTY_PASSAGE, decides_nothing
from adjudication.domain.undoing import standing_after, standing_now
from adjudication.models import Decision, DecisionStep, Double, Merge
from adjudication.queries.gold import Standing
from annotator.actions.log import Overtaken, write
from annotator.domain.canonical import sha256_of
from annotator.domain.tokens import Span
from annotator.models import Membership


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
    only_proposes: bool = False  # though somebody else has proposed the same

    @property
    def words(self) -> dict[str, Any]:
        """As both tables name them."""
        return {
            "content": self.content,
            "reason": self.reason,
            "cause": self.cause,
            "evidence": self.evidence,
            "snapshot": dict(self.snapshot or {}),
        }


def _with_evidence(step: Step, standing: Standing) -> Step:
    return replace(step, evidence=standing.evidence_at(step.span), snapshot=standing.snapshot_at(step.span))


def _take_seat(standing: Standing, own: Step, *, by: Membership) -> None:
    """Where two settle a passage blind to each other: the seat is theirs from the first act on, and done with what
    settles the passage. Overtaken where the other one acted on it in between."""
    if standing.seat == 0 or standing.double is None:
        return
    double = Double.objects.select_for_update(of=("self",)).select_related("passage").get(pk=standing.double.pk)
    if double.version != standing.double.version:
        raise Overtaken("The other one has acted in between.")
    changes: dict[str, Any] = {}
    if double.holder(standing.seat) is None:
        changes[f"seat_{standing.seat}"] = by
    is_done = own.content["verdict"] is not None if own.span is None else double.is_done_by(standing.seat)
    if is_done != double.is_done_by(standing.seat):
        changes[f"done_{standing.seat}"] = timezone.now() if is_done else None
    if changes:
        payload = {"seat": standing.seat, "is_done": is_done}
        write(double, "double.settled" if is_done else "double.decided", by=by.user, payload=payload, changes=changes)


def _write_one(standing: Standing, step: Step, *, by: Membership, act: UUID, row: Decision | None = None) -> Decided:
    """`row`: its decision, where the standing knows only those that count. Under consensus what says something else
    than stands there is a proposal, until somebody else says the same."""
    row = row or standing.decision(step.span)
    if row is None:
        start, end = step.span or (None, None)
        empty = EMPTY_PASSAGE if step.span is None else EMPTY
        row = Decision.objects.create(
            passage=standing.passage, start=start, end=end, seat=standing.seat, content=dict(empty)
        )
    proposal = _proposal_for(row) if standing.needs_consensus else None
    agrees = proposal is not None and proposal.content == step.content and proposal.by_id != by.pk
    agrees = agrees and not step.only_proposes
    if agrees and proposal is not None:
        step = replace(step, reason=step.reason or proposal.reason, cause=step.cause or proposal.cause)
    is_proposal = standing.needs_consensus and step.content != row.content and not agrees
    changes = {"proposed": row.version + 1} if is_proposal else _decided_by(step.words, by)
    return _write_step(row, step, changes, by=by, act=act, merge=standing.merge, is_proposal=is_proposal)


def _proposal_for(row: Decision) -> DecisionStep | None:
    return None if row.proposed is None else row.steps.get(number=row.proposed)


def _decided_by(words: Mapping[str, Any], by: Membership) -> dict[str, Any]:
    """What a row says once this is decided."""
    content = words["content"]
    about = {"verdict": content["verdict"] or "", "is_empty": decides_nothing(content)}
    return {**words, **about, "by": by, "at": timezone.now(), "proposed": None}


def _write_step(
    row: Decision,
    step: Step,
    changes: Mapping[str, Any],
    *,
    by: Membership,
    act: UUID,
    merge: Merge,
    is_proposal: bool = False,
) -> Decided:
    payload = {"act": str(act), "content": sha256_of(step.content)}
    kind = "decision.undone" if step.undoes else "decision.proposed" if is_proposal else "decision.made"
    write(row, kind, by=by.user, payload=payload, changes={**changes, "act": act})
    DecisionStep.objects.create(
        decision=row,
        number=row.version,
        merge=merge.input_hash,
        undoes=step.undoes,
        by=by,
        act=act,
        is_proposal=is_proposal,
        **step.words,
    )
    return Decided(row.version, act)


def _take_back(step: DecisionStep, *, by: Membership, act: UUID, undoes: UUID, merge: Merge) -> Decided | None:
    """None, and nothing written, where something was decided after it."""
    decision = step.decision
    steps = {row.number: row for row in decision.steps.order_by("number")}
    made = [row.made for row in steps.values()]
    after = standing_after(made, undoes)
    if after is None:
        return None
    proposed = steps[after.proposed] if after.proposed is not None else None
    decided = _said_before(decision, steps.get(after.decided), undoes)
    # Where only what was proposed changes, whoever agreed on the rest stays the one who did.
    changes = {} if after.decided == standing_now(made).decided else _decided_by(decided.words, by)
    again = _said_before(decision, proposed, undoes) if proposed else decided
    return _write_step(
        decision,
        again,
        {**changes, "proposed": after.proposed},
        by=by,
        act=act,
        merge=merge,
        is_proposal=proposed is not None,
    )


def _said_before(decision: Decision, step: DecisionStep | None, undoes: UUID) -> Step:
    if step is None:
        return Step(decision.span, dict(EMPTY if decision.span is not None else EMPTY_PASSAGE), undoes=undoes)
    return Step(decision.span, step.content, step.reason, step.cause, step.evidence, step.snapshot, undoes)
