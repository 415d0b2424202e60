"""The lines of the queue: of each passage the words that it asks about, and why, in words."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q

from adjudication.domain.excerpts import Excerpt, excerpt_of
from adjudication.domain.flags import variants_among
from adjudication.models import Merge, PassageResult, Target
from annotator.domain.formats.reading import counted
from annotator.domain.text import substitute_key
from annotator.models import Passage

# The targets that a passage asks by, and what a line is made from; a page of everything takes several times longer.
ASKING_TARGETS = Q(type_tie=True, is_kept=True) | Q(is_overlapping=True) | Q(has_variants=True) | Q(is_near_miss=True)
TOLD_BY = (
    *("passage_id", "start", "end", "quote", "dispute", "suggestions"),
    *("type_tie", "is_kept", "is_overlapping", "has_variants", "is_near_miss"),
)


@dataclass(frozen=True)
class QueueLine:
    passage: Passage
    result: PassageResult
    excerpt: Excerpt
    reasons: Sequence[str]


@dataclass(frozen=True)
class Besides:
    """Why passages ask besides what was merged; by passage how often, or whether."""

    again: Mapping[int, int]  # decisions to be looked at again
    proposed: Mapping[int, int]
    commented: Mapping[int, int]
    twice: Collection[int]  # settled by two, to be united


def lines_of(merge: Merge, rows: Sequence[PassageResult], besides: Besides) -> list[QueueLine]:
    targets = _targets(merge, [row.passage_id for row in rows], ASKING_TARGETS)
    quiet = _targets(merge, [passage for passage, own in targets.items() if not own], Q())
    folds = merge.settings["folds_substitutes"]
    return [_line(row, targets[row.passage_id] or quiet[row.passage_id], besides, folds) for row in rows]


def _targets(merge: Merge, passages: Sequence[int], which: Q) -> dict[int, list[Target]]:
    targets: dict[int, list[Target]] = {passage: [] for passage in passages}
    found = Target.objects.filter(which, merge=merge, passage__in=passages).in_order()
    for target in found.only(*TOLD_BY):
        targets[target.passage_id].append(target)
    return targets


def _line(row: PassageResult, targets: Sequence[Target], besides: Besides, folds: bool) -> QueueLine:
    """`targets`: those that ask, or else all."""
    worst = max(targets, key=lambda target: (target.dispute, -target.start), default=None)
    span = (worst.start, worst.end) if worst else (0, 0)
    reasons = [*reasons_of(row, targets, folds=folds)]
    if times := besides.again.get(row.passage_id):
        reasons.insert(0, "look again" if times == 1 else f"look again at {times}")
    if times := besides.proposed.get(row.passage_id):
        reasons.insert(0, counted(times, "proposal"))
    if row.passage_id in besides.twice:
        reasons.insert(0, "settled twice")
    if times := besides.commented.get(row.passage_id):
        reasons.append(counted(times, "comment"))
    return QueueLine(row.passage, row, excerpt_of(row.passage.text, span), reasons)


def reasons_of(row: PassageResult, targets: Sequence[Target], *, folds: bool) -> list[str]:
    """Why a passage asks for somebody, in words."""
    found = []
    if ties := [target.quote for target in targets if target.type_tie and target.is_kept]:
        found.append(f"type tie {_quoted(ties)}")
    if overlapping := [target.quote for target in targets if target.is_overlapping]:
        found.append(f"overlap {_quoted(overlapping)}")
    if variants := [name for target in targets if target.has_variants for name in _variants(target, folds)]:
        found.append(f"variants: {', '.join(variants[:4])}")
    if misses := [target.quote for target in targets if target.is_near_miss]:
        found.append(f"near miss {_quoted(misses)}")
    if row.discards:
        found.append(counted(row.discards, "discard"))
    return found


def _quoted(names: Sequence[str]) -> str:
    more = f" and {len(names) - 2} more" if len(names) > 2 else ""
    return " / ".join(f"“{name}”" for name in names[:2]) + more


def _variants(target: Target, folds: bool) -> list[str]:
    texts: Mapping[str, str] = {substitute_key(item["text"], folds=folds): item["text"] for item in target.suggestions}
    return [texts[key] for group in variants_among(list(texts)) for key in group]
