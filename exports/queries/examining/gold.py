"""Of merges and decisions."""

from collections.abc import Iterator
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec
from django.db.models import TextField
from django.db.models.functions import Cast

from adjudication.domain.decisions import EMPTY, EMPTY_PASSAGE, decides_nothing
from adjudication.domain.merge import Verdict
from adjudication.domain.undoing import standing_now
from adjudication.models import Decision, Double, Merge, PassageResult, Target
from adjudication.queries.gold import Standing, standings
from exports.queries.examining.examined import CHUNK, Examined


def examine_merges(found: Examined) -> Iterator[str]:
    """The gold is from a finished merge, whole, and votes ≤ annotators ≤ of."""
    for merge in found.rows(Merge.objects.current().select_related("project"), "project"):
        if merge.finished_at is None:
            yield f"{merge.project.slug}: the current merge was never finished"
        kept = rows = 0
        discarded = set(
            PassageResult.objects.filter(merge=merge, verdict=Verdict.DISCARDED).values_list("passage", flat=True)
        )
        for target in _targets_of(merge):
            found.looked_at += 1
            rows += 1
            kept += target.is_kept
            yield from (f"{merge.project.slug}: {problem}" for problem in _target_problems(target, merge, discarded))
        targets = merge.targets + merge.discarded_targets
        if (rows, kept) != (targets, merge.kept):
            said = f"{targets} targets, {merge.kept} kept"
            yield f"{merge.project.slug}: the merge says {said}; there are {rows} and {kept}"


def _targets_of(merge: Merge) -> Iterator["_Target"]:
    rows = Target.objects.filter(merge=merge).order_by("pk")
    names = ("passage__external_id", "passage__text", *_Target._fields[2:-2])
    texts = {"voters_text": Cast("voters", TextField()), "suggestions_text": Cast("suggestions", TextField())}
    found = rows.annotate(**texts).values_list(*names, *texts).iterator(chunk_size=CHUNK)
    for *plain, voters, suggestions in found:
        yield _Target._make((*plain, msgspec.json.decode(voters), msgspec.json.decode(suggestions)))


class _Target(NamedTuple):
    """What of a target's row is looked at: whole rows of a large merge take several times longer."""

    passage: str
    text: str
    passage_id: int
    start: int
    end: int
    quote: str
    annotators: int
    of: int
    votes: int
    is_kept: bool
    voters: list[str]
    suggestions: list[dict[str, Any]]


def _target_problems(target: _Target, merge: Merge, discarded: set[int]) -> Iterator[str]:
    name = f"target “{target.quote}” of {target.passage}"
    if target.text[target.start : target.end] != target.quote:
        yield f"{name} is not what the text says"
    voters = set(target.voters)
    suggestions = target.suggestions
    is_counted = len(voters) == target.annotators <= target.of and target.votes == sum(s["votes"] for s in suggestions)
    if not is_counted or any(s["votes"] != len(s["voters"]) or not set(s["voters"]) <= voters for s in suggestions):
        yield f"{name} counts its votes wrong"
    is_high = target.annotators >= merge.settings["keep_at"] and target.passage_id not in discarded
    if target.is_kept != is_high:
        yield f"{name} is kept or dropped against the setting"


def examine_decisions(found: Examined) -> Iterator[str]:
    """A decision is what its steps say, numbered without a gap, its span lies in the text; who has settled a passage
    as one of two has decided so; a gold target has no more votes than annotators, and those no more than answered."""
    rows = found.rows(Decision.objects.select_related("passage"), "passage__project")
    rows = rows.prefetch_related("steps").order_by("pk")
    for row in rows.iterator(chunk_size=CHUNK):
        found.looked_at += 1
        name = f"decision {row.pk} on {row.passage.external_id}"
        if not _is_what_its_steps_say(row):
            yield f"{name} is not what its last step says"
        if row.span and not 0 <= row.span[0] <= row.span[1] <= len(row.passage.text):
            yield f"{name} lies outside the text"
    yield from _doubles(found)
    for merge in found.rows(Merge.objects.current().select_related("project"), "project"):
        decided = Decision.objects.counting().of(merge.project).order_by("passage").values_list("passage", flat=True)
        for standing in standings(merge, list(decided.distinct())):
            yield from _gold_problems(standing)


def _is_what_its_steps_say(row: Decision) -> bool:
    steps = sorted(row.steps.all(), key=attrgetter("number"))
    if not steps or [step.number for step in steps] != list(range(1, row.version + 1)) or steps[-1].act != row.act:
        return False
    stands = standing_now([step.made for step in steps])
    empty = EMPTY if row.span is not None else EMPTY_PASSAGE
    content = steps[stands.decided - 1].content if stands.decided else empty
    return (row.content, row.proposed, row.is_empty) == (content, stands.proposed, decides_nothing(content))


def _doubles(found: Examined) -> Iterator[str]:
    settled = found.rows(Decision.objects.about_passages().exclude(verdict=""), "passage__project")
    doubles = found.rows(Double.objects.all(), "passage__project")
    for seat in (1, 2):
        by_seat = set(settled.filter(seat=seat).values_list("passage_id", flat=True))
        done = set(doubles.filter(**{f"done_{seat}__isnull": False}).values_list("passage_id", flat=True))
        for passage in sorted(by_seat ^ done):
            yield f"passage {passage} is settled by seat {seat} of two, or is not, against what was decided there"


def _gold_problems(standing: Standing) -> Iterator[str]:
    try:
        gold = standing.gold
    except (KeyError, TypeError, ValueError) as error:
        yield f"a decision on {standing.passage.external_id} cannot be read ({type(error).__name__})"
        return
    for target in gold.targets:
        is_counted = all(item.votes <= target.annotators for item in target.suggestions)
        if not is_counted or target.annotators > target.of:
            yield f"gold “{target.quote}” of {standing.passage.external_id} counts its votes wrong"
