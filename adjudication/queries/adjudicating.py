"""One passage as adjudicators see it: what everybody said, what was merged of it, what was decided."""

from collections import Counter
from typing import Any

from adjudication.domain.decisions import Content, check_span
from adjudication.domain.evidence import changed
from adjudication.domain.flags import variants_among
from adjudication.domain.gold import GoldTarget
from adjudication.domain.merge import leader, types_given
from adjudication.domain.undoing import times_turned
from adjudication.models import Comment, Decision, DecisionStep
from adjudication.permissions import check_all_have_submitted
from adjudication.queries.doubles import sides_of
from adjudication.queries.gold import Standing, standing_now
from adjudication.queries.work import answers_by_id
from annotator.domain.answers import Answer, Mark, Substitute, united
from annotator.domain.findings import find
from annotator.domain.language import direction
from annotator.domain.tokens import Span
from annotator.models import Assignment, Membership, Passage, Submission, User


def adjudication_document(passage: Passage, membership: Membership) -> dict[str, Any]:
    """All that the page shows to whoever decides."""
    user = membership.user
    assert user is not None
    check_all_have_submitted(passage)
    standing, lang = standing_now(passage, membership), passage.lang or passage.project.language
    return {
        "text": passage.text,
        "lang": lang,
        "dir": direction(lang, passage.text),
        "context_before": passage.context_before,
        "context_after": passage.context_after,
        "standing": standing_document(standing),
        **voices(standing),
        "history": history_of(standing, user),
        "comments": comments_on(standing, user),
    }


def standing_document(standing: Standing) -> dict[str, Any]:
    """What is merged and decided: the part that every act changes."""
    passage, result = standing.passage, standing.result
    gold = standing.gold
    return {
        "uuid": passage.uuid,
        "id": passage.external_id,
        "of": result.of,
        "discards": result.discards,
        "verdict": result.verdict,
        "merged_at": standing.merge.finished_at,
        "pa_det": result.pa_det,
        "dispute": result.dispute,
        "is_gold": gold.is_gold,
        "keep_at": standing.settings.keep_at,
        "folds": standing.settings.folds_substitutes,
        "needs_consensus": standing.needs_consensus,
        "double": _double(standing),
        "decision": _decision(standing, standing.decision(None)),
        "changes": _changes(standing),
        "targets": [_target(standing, target) for target in gold.targets],
    }


def _changes(standing: Standing) -> dict[str, Any] | None:
    """What people said of the passage when it was settled, and what they say now, where that differs."""
    then = standing.said_then
    if then is None:
        return None
    now = standing.said_now
    return {
        "of": [then.of, now.of],
        "discards": [then.discards, now.discards],
        "targets": [
            {
                "quote": standing.passage.text[slice(*row.span)],
                "then": row.then and row.then.as_dict(),
                "now": row.now and row.now.as_dict(),
            }
            for row in changed(then, now)
        ],
    }


def _double(standing: Standing) -> dict[str, Any] | None:
    """Nothing tells whoever has still to settle it that somebody else does, too."""
    double = standing.double
    if double is None or not (double.is_done or double.is_done_by(standing.seat)):
        return None
    return {"is_done": double.is_done, "sides": sides_of(standing)}


def _target(standing: Standing, target: GoldTarget) -> dict[str, Any]:
    row = standing.by_span.get(target.span)
    decision = standing.decision(target.span)
    content = Content.from_dict(standing.said(decision).content) if decision else Content()
    variants = variants_among(sorted(standing.keys_at(target.span) - content.named))
    merged = next((item for item in standing.merged.targets if (item.start, item.end) == target.span), None)
    return {
        "start": target.start,
        "end": target.end,
        "quote": target.quote,
        "annotators": target.annotators,
        "of": target.of,
        "voters": list(target.voters),
        "type": target.type,
        "type_tie": target.type_tie,
        "is_kept": target.is_kept,
        "fate": target.fate.value,
        "moved_to": list(target.moved_to) if target.moved_to else None,
        "moved_from": [list(span) for span in target.moved_from],
        "suggestions": [
            {"text": item.text, "key": item.key, "voters": list(item.voters), "origin": item.origin.value}
            for item in target.suggestions
        ],
        "offered": [
            {"text": item.text, "key": item.key, "voters": list(item.voters)}
            for item in standing.offers.get(target.span, ())
        ],
        "merged": {"is_kept": merged.is_kept, "type": merged.type} if merged else None,
        "variants": variants,
        "flags": _flags(row, content, has_variants=bool(variants)) if row else [],
        "decision": _decision(standing, decision),
    }


def _flags(row: Any, content: Content, *, has_variants: bool) -> list[str]:
    """What still asks for somebody."""
    found = []
    if row.type_tie and row.is_kept and not content.type:
        found.append("type tie")
    if row.is_overlapping:
        found.append("overlap")
    if has_variants:
        found.append("variants")
    if row.is_near_miss:
        found.append("near miss")
    return found


def _decision(standing: Standing, row: Decision | None) -> dict[str, Any] | None:
    if row is None:
        return None
    said = standing.said(row)
    return {
        "version": row.version,
        "content": said.content,
        "reason": said.reason,
        "cause": said.cause,
        "by": said.by.pseudonym if said.by else "",
        "at": said.at,
        "act": row.act,
        "is_proposal": said is not row,
        "looks_again": standing.asks_to_look_again(row),
        "snapshot": said.snapshot,
    }


def voices(standing: Standing) -> dict[str, Any]:
    """Everybody's marks, by pseudonym, as they count now; who discarded it, and why; the votes for each type."""
    passage = standing.passage
    given = Assignment.objects.filter(passage=passage, is_repeat=False).select_related("membership")
    counting = dict(
        Submission.objects.counting().filter(assignment__passage=passage).values_list("assignment_id", "pk")
    )
    answers = answers_by_id(list(counting.values()))
    lanes, discards = [], []
    for row in given.order_by("membership__pseudonym"):
        name = row.membership.pseudonym
        if row.state == "discarded":
            discards.append({"name": name, "reason": row.discard_reason_label, "remark": row.discard_remark})
        elif row.pk in counting:
            lanes.append(_lane(name, answers[counting[row.pk]], row.active_ms, standing.settings.folds_substitutes))
    return {"lanes": lanes, "discards": discards, "type_votes": _type_votes(standing, answers.values())}


def _lane(name: str, answer: Answer, active_ms: int, folds: bool) -> dict[str, Any]:
    """`type` of a mark: the person's, as the merge counts it; "" where they gave several alike."""
    types = {span: leader(types_given(own)) for span, own in united(answer, folds=folds).items()}
    marks = [
        {
            "start": mark.start,
            "end": mark.end,
            "type": types[(mark.start, mark.end)] or "",
            "note": mark.note,
            "unsure": mark.unsure,
            "substitutes": [{"text": item.text, "type": item.type} for item in mark.substitutes],
        }
        for mark in sorted(answer.marks, key=lambda mark: (mark.start, mark.end))
    ]
    return {"name": name, "seconds": round(active_ms / 1000), "none": answer.none, "marks": marks}


def _type_votes(standing: Standing, answers: Any) -> list[dict[str, Any]]:
    """Of each target how many people say each type; "" are those who gave several alike."""
    found: dict[Span, Counter[str]] = {}
    for answer in answers:
        for span, own in united(answer, folds=standing.settings.folds_substitutes).items():
            found.setdefault(span, Counter())[leader(types_given(own)) or ""] += 1
    return [
        {"start": span[0], "end": span[1], "types": dict(sorted(times.items()))}
        for span, times in sorted(found.items())
    ]


def history_of(standing: Standing, user: User) -> list[dict[str, Any]]:
    """Every step on this passage that somebody may see, the newest first."""
    if not standing.decisions and standing.double is None:
        return []  # mostly nobody has decided anything yet
    own = list(Decision.objects.visible_to(user).filter(passage=standing.passage))
    rows = DecisionStep.objects.filter(decision__in=own)
    steps = list(rows.select_related("decision", "by").order_by("-pk"))
    undoes = {step.act: step.undoes for step in steps}
    turned = {act: times_turned(undoes, act) for act in undoes}
    return [
        {
            "start": step.decision.start,
            "end": step.decision.end,
            "number": step.number,
            "content": step.content,
            "reason": step.reason,
            "cause": step.cause,
            "by": step.by.pseudonym,
            "at": step.at,
            "act": step.act,
            "is_undo": turned[step.act] % 2 == 1,
            "is_redo": turned[step.act] % 2 == 0 and turned[step.act] > 0,
            "is_proposal": step.is_proposal,
            "is_of_two": step.decision.seat > 0,
        }
        for step in steps
    ]


def findings_on(passage: Passage, span: Span, text: str) -> list[dict[str, Any]]:
    """What a careful colleague would point out about a suggestion for these words, as an annotator is told."""
    project = passage.project
    protocol = project.protocol
    check_span(span, text=passage.text, protocol=protocol, path="start")
    type_ = next((item.key for item in protocol.types if not item.is_retired), "")
    mark = Mark(span[0], span[1], passage.text[span[0] : span[1]], (Substitute(text, type_),))
    found = find(Answer((mark,)), text=passage.text, lang=passage.lang or project.language, protocol=protocol)
    return [item.as_dict() for item in found if item.path.startswith("marks[0].substitutes")]


def comments_on(standing: Standing, user: User) -> list[Comment]:
    rows = Comment.objects.visible_to(user).filter(passage=standing.passage)
    return list(rows.select_related("by", "resolved_by").in_order())
