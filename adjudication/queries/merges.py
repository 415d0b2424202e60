"""Merges as they are read."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q

from adjudication.domain.dictionary import Before, Entry, as_json, name_of, occurrence_of
from adjudication.domain.merge import MergeSettings, Suggestion
from adjudication.models import Change, Merge, PassageResult, Target
from adjudication.queries.standing import hidden_from
from annotator.domain.formats.reading import counted
from annotator.domain.states import AssignmentState
from annotator.models import Assignment, Passage, Project, User

PAGE = 20
CHANGES = (
    (Change.ADDED.value, "added"),
    ("gone", "gone"),
    (Change.KEPT.value, "newly kept"),
    (Change.DROPPED.value, "newly dropped"),
    (Change.MOVED.value, "with other votes"),
    (Change.RETYPED.value, "with other types"),
)
HAD_VOTES = (Change.KEPT, Change.DROPPED, Change.MOVED, Change.RETYPED)  # in the merge before
# What asks for somebody, then the filters.
FLAGS = (
    ("type_ties", "type tie"),
    ("overlaps", "overlap"),
    ("variants", "variants"),
    ("near_misses", "near miss"),
    ("discards", "discards without a majority"),
    ("near", "near the threshold"),
    ("singles", "single votes"),
    ("discarded", "discarded"),
)
_ASKING = 5  # of these


def current_merge(project: Project) -> Merge | None:
    merge = Merge.objects.of(project).current().select_related("by").first()
    if merge is not None:
        merge.project = project  # at hand: not to be read once more
    return merge


def stale(merge: Merge) -> bool:
    """Whether the rules have changed since; of answers, `changed_since` tells."""
    return bool(merge.settings != MergeSettings.of(merge.project.protocol).as_dict())


def why_nothing_merged(merge: Merge) -> str:
    """Of a merge that has left every passage out, in words that help; "" where it holds any."""
    if merge.passages:
        return ""
    least = merge.settings["min_answers"]
    reasons = []
    if merge.too_few:
        verb = "has" if merge.too_few == 1 else "have"
        reasons.append(f"{counted(merge.too_few, 'passage')} {verb} fewer than {counted(least, 'answer')}")
    if merge.discarded:
        verb = "was" if merge.discarded == 1 else "were"
        reasons.append(f"{counted(merge.discarded, 'passage')} {verb} discarded by more people than submitted")
    return (
        f"Nothing was merged: {', and '.join(reasons) or 'there is no passage'}. Merge again when more people have "
        "submitted; how many answers a passage needs is the rule min_answers of the project (manage.py protocol)."
    )


@dataclass(frozen=True)
class WhatCounts:
    """What a merge would be made of, from the counters kept on save."""

    passages: int
    answers: int
    discards: int
    annotators: int


def what_counts(project: Project) -> WhatCounts:
    rows = Assignment.objects.that_count().filter(passage__project=project)
    counts = Q(state__in=[AssignmentState.SUBMITTED, AssignmentState.STARTED], submissions_made__gt=0)
    found = rows.aggregate(
        answers=Count("pk", filter=counts),
        discards=Count("pk", filter=Q(state=AssignmentState.DISCARDED)),
        annotators=Count("membership", filter=counts, distinct=True),
    )
    return WhatCounts(passages=project.passages.work().count(), **found)


@dataclass(frozen=True)
class PassageLine:
    passage: Passage
    result: PassageResult
    entries: Sequence[Entry]


@dataclass(frozen=True)
class Gone:
    """A target of the merge before that nobody marks any more."""

    passage: Passage
    name: str
    annotators: int  # before
    has_page: bool


class MergePassages:
    """The passages of a merge with their dictionaries, as far as somebody may see them."""

    def __init__(self, merge: Merge, *, user: User, change: str = "", flag: str = "", search: str = "") -> None:
        self.merge, self.user, self.change = merge, user, change
        self.blind = hidden_from(user, merge.project)
        rows = PassageResult.objects.filter(merge=merge)
        if change == "gone":
            rows = rows.filter(passage__in=[row[0] for row in merge.changes.get("gone_targets", [])])
        elif change in Change.values:
            rows = rows.filter(Exists(Target.objects.filter(merge=merge, passage=OuterRef("passage"), change=change)))
        if flag == "discarded":
            rows = rows.filter(verdict="discarded")
        elif flag in dict(FLAGS):
            rows = rows.filter(**{f"{flag}__gt": 0}).merged()
        if search:
            rows = rows.filter(Q(passage__external_id__icontains=search) | Q(passage__text__icontains=search))
        self.rows = rows.exclude(passage__in=self.blind) if self.blind else rows

    @property
    def hidden(self) -> int:
        """Of the whole merge: counted among what a filter leaves, they would tell which of them it holds of."""
        return PassageResult.objects.filter(merge=self.merge, passage__in=self.blind).count() if self.blind else 0

    def flags(self) -> list[tuple[str, str, int, bool]]:
        """(key, label, passages, whether it asks) of each flag."""
        counted = self.rows.aggregate(
            discarded=Count("pk", filter=Q(verdict="discarded")),
            **{
                key: Count("pk", filter=Q(verdict="merged", **{f"{key}__gt": 0}))
                for key, _ in FLAGS
                if key != "discarded"
            },
        )
        return [(key, label, counted[key], number < _ASKING) for number, (key, label) in enumerate(FLAGS)]

    def page(self, after: int = 0) -> tuple[list[PassageLine], int | None]:
        """From a passage's key on: nothing is repeated or left out when others are added."""
        rows = list(self.rows.filter(passage_id__gt=after).in_order().select_related("passage")[: PAGE + 1])
        lines = self._lines(rows[:PAGE])
        return lines, rows[PAGE - 1].passage_id if len(rows) > PAGE else None

    def line(self, passage: Passage) -> PassageLine | None:
        row = self.rows.filter(passage=passage).select_related("passage").first()
        return self._lines([row])[0] if row else None

    def _lines(self, rows: Sequence[PassageResult]) -> list[PassageLine]:
        targets: dict[int, list[Target]] = defaultdict(list)
        for target in Target.objects.filter(merge=self.merge, passage__in=[row.passage_id for row in rows]).in_order():
            targets[target.passage_id].append(target)
        return [
            PassageLine(row.passage, row, [self._entry(row.passage, target) for target in targets[row.passage_id]])
            for row in rows
        ]

    def gone(self) -> list[Gone]:
        """Those that are listed by name; of a passage that is in this merge no more, there is no page."""
        rows = [row for row in self.merge.changes.get("gone_targets", []) if row[0] not in self.blind]
        keys = {row[0] for row in rows}
        passages = Passage.objects.in_bulk(keys)
        merged = PassageResult.objects.filter(merge=self.merge, passage__in=keys)
        there = set(merged.values_list("passage_id", flat=True))
        return [
            Gone(passages[pk], name_of(passages[pk].text, (start, end)), annotators, pk in there)
            for pk, start, end, _, annotators in rows
            if pk in passages
        ]

    @property
    def gone_unlisted(self) -> int:
        changes = self.merge.changes
        return int(changes.get("gone", 0)) - len(changes.get("gone_targets", []))

    @property
    def lacks_before(self) -> bool:
        """Whether more targets changed than are kept with the votes they had."""
        changes = self.merge.changes
        changed = sum(changes.get(key, 0) for key in HAD_VOTES)
        return bool(changed > len(changes.get("votes_before", [])))

    @cached_property
    def _before(self) -> dict[tuple[int, ...], Before]:
        listed = self.merge.changes.get("votes_before", [])
        return {tuple(row[:3]): Before(row[3], dict(row[4]), *row[5:]) for row in listed}  # older ones have no type

    def _entry(self, passage: Passage, target: Target) -> Entry:
        return Entry(
            span=(target.start, target.end),
            quote=target.quote,
            occurrence=occurrence_of(passage.text, target.start, target.quote),
            annotators=target.annotators,
            of=target.of,
            type=target.type,
            is_kept=target.is_kept,
            suggestions=tuple(Suggestion(item["text"], tuple(item["voters"])) for item in target.suggestions),
            remarks=tuple(_remarks(target)),
            before=self._before.get((passage.pk, target.start, target.end)) if target.change else None,
        )


def _remarks(target: Target) -> Iterator[str]:
    if target.change:
        yield dict(CHANGES)[target.change]
    if target.type_tie and target.is_kept:
        yield "type tie"
    if target.is_overlapping:
        yield "overlap"
    if target.has_variants:
        yield "variants"
    if target.is_near_miss:
        yield "near miss"


def dictionary_of(line: PassageLine) -> dict[str, Any]:
    return {"passage": line.passage.external_id, "verdict": line.result.verdict, **as_json(line.entries)}
