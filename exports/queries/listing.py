"""What a release is made of, listed at one moment: ids of rows that never change, and what else is told about them."""

import hashlib
import sys
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import attrgetter, itemgetter
from typing import Any

import numpy as np
from django.db.models import Count, Q

from adjudication.domain.decisions import CAUSES, says_nothing
from adjudication.domain.merge import MergeSettings, Verdict
from adjudication.domain.shards import Shard
from adjudication.domain.undoing import standing_now
from adjudication.models import AgreementReport, Decision, DecisionStep, Double, Merge, PassageResult
from adjudication.queries.gold import looking_again
from adjudication.queries.standing import changed_since
from annotator.domain.formats.reading import counted
from annotator.domain.passages import PassageKind
from annotator.domain.screening import SCREENING_REASONS, Screening
from annotator.models import Event, Project, Question
from annotator.queries.screening import unseen_count
from exports.domain.rows import SplitCounts
from exports.models import Card
from exports.queries.gold import GoldInput

MOST_IN_FLIGHT = 5_000  # newest events of the house: what is not among them is committed, or never will be
TOLD = ("project", "card", "decision", "double")  # whose versions a moment tells
OWN_CHAINS = ("job", "release")  # they go on while a release is made, and tell nothing of the data


@dataclass(frozen=True)
class Moment:
    """A point in the log: everything up to `event`, without the `gaps` below it, [first, last]. Where several write at
    once ids are not given in the order of commits: an event with a smaller id may come later, and is not of it."""

    event: int
    gaps: list[list[int]]
    seal: str
    versions: Mapping[tuple[str, int], int]  # of the project, its card, its decisions and doubles

    def has(self, subject: str, pk: int, version: int) -> bool:
        return version <= self.versions.get((subject, pk), 0)


def moment_now(project: Project) -> Moment:
    """Everything that is committed, seen in one statement; what comes while the rest of it is read is not of it."""
    newest = list(Event.objects.order_by("-pk").values_list("pk", flat=True)[:MOST_IN_FLIGHT])
    gaps = [[lower + 1, higher - 1] for higher, lower in pairwise(newest) if higher - lower > 1]
    event, versions = max(newest, default=0), dict[tuple[str, int], int]()
    [seal] = seals_of(project, [(event, gaps)], versions)
    return Moment(event, gaps, seal, versions)


def steps_at(project: Project, moment: Moment, passages: Iterable[int]) -> tuple[bytes, int]:
    """Ids of the steps of decisions that the moment has on these passages, and how many it has besides: on others, and
    by two who are still blind to each other."""
    rows = DecisionStep.objects.filter(decision__passage__project=project).order_by("pk")
    names = ("pk", "number", "decision_id", "decision__steps_imported", "decision__passage_id", "decision__seat")
    name, wanted, blind = Decision.subject_name(), set(passages), _settled_blind(project, moment)
    found, outside = [], 0
    for pk, number, decision, imported, passage, seat in rows.values_list(*names).iterator():
        if number <= imported or moment.has(name, decision, number):
            if passage in wanted and not (seat and passage in blind):
                found.append(pk)
            else:
                outside += 1
    return np.array(found, dtype="<i8").tobytes(), outside


def _settled_blind(project: Project, moment: Moment) -> set[int]:
    """Passages that two were settling at that moment. One that was touched since counts among them: what it was then
    is not looked for."""
    name = Double.subject_name()
    rows = Double.objects.of(project)
    return {row.passage_id for row in rows if not (row.is_done and moment.has(name, row.pk, row.version))}


def steps_of(listed: bytes) -> Any:
    return DecisionStep.objects.filter(pk__in=np.frombuffer(bytes(listed), dtype="<i8").tolist())


def listed_answers(merge: Merge) -> Shard:
    return Shard.from_bytes(bytes(merge.input.listed))


def gold_input(merge: Merge, steps: Any) -> GoldInput:
    """The gold as those steps leave it, whatever was decided since."""
    decided: dict[int, list[Decision]] = {}
    rows = steps.filter(decision__seat=0).select_related("decision", "by")
    for decision, own in groupby(rows.order_by("decision_id", "number"), key=attrgetter("decision")):
        made = list(own)
        stands = standing_now([step.made for step in made]).decided
        step = next((step for step in made if step.number == stands), None)
        if step is not None and not says_nothing(step.content, step.reason, step.cause):
            decided.setdefault(decision.passage_id, []).append(_as_decided(decision, step))
    for own_rows in decided.values():
        own_rows.sort(key=lambda row: row.span or (-1, -1))
    return GoldInput(merge, decided)


def _as_decided(decision: Decision, step: DecisionStep) -> Decision:
    names = ("content", "reason", "cause", "evidence", "snapshot", "by", "at", "act")
    return Decision(
        passage_id=decision.passage_id,
        start=decision.start,
        end=decision.end,
        verdict=step.content["verdict"] or "",
        is_empty=False,
        version=step.number,
        **{name: getattr(step, name) for name in names},
    )


def seals_of(
    project: Project,
    moments: Sequence[tuple[int, Sequence[Sequence[int]]]],
    versions: dict[tuple[str, int], int] | None = None,
) -> list[str]:
    """Of each moment (event, gaps) one hash over the heads of all chains of the project, as they stood then. `versions`
    are told, if they are asked for, of all moments together."""
    sealed = [_Seal(event, sorted((first, last) for first, last in gaps)) for event, gaps in moments]
    newest = max((seal.event for seal in sealed), default=0)
    rows = Event.objects.in_project(project).filter(pk__lte=newest).exclude(subject__in=OWN_CHAINS)
    # Small letters only, which every alphabet has in the same order.
    in_order = rows.order_by("subject", "subject_id", "seq")
    found = in_order.values_list("subject", "subject_id", "pk", "seq", "hash").iterator()
    for (subject, pk), chain in groupby(found, key=itemgetter(0, 1)):
        for _, _, event, seq, own in chain:
            for seal in sealed:
                if seal.has(event):
                    seal.head = own
                    if versions is not None and subject in TOLD:
                        versions[(subject, pk)] = seq
        for seal in sealed:
            seal.add(subject, pk)
    return [seal.digest.hexdigest() for seal in sealed]


class _Seal:
    """One moment's, while chains go by; `head` is that of the chain in hand."""

    def __init__(self, event: int, gaps: Sequence[tuple[int, int]]) -> None:
        self.event, self.gaps, self.head = event, gaps, ""
        self.sure = gaps[0][0] if gaps else event + 1  # below it nothing is missing
        self.digest = hashlib.sha256()

    def has(self, event: int) -> bool:
        return event < self.sure or (event <= self.event and not self._is_in_a_gap(event))

    def _is_in_a_gap(self, event: int) -> bool:
        place = bisect_right(self.gaps, (event, sys.maxsize)) - 1
        return place >= 0 and event <= self.gaps[place][1]

    def add(self, subject: str, pk: int) -> None:
        if self.head:
            self.digest.update(f"{subject} {pk} {self.head}\n".encode())
        self.head = ""


def stated_now(project: Project) -> dict[str, str]:
    card = Card.objects.filter(project=project).first()
    return dict(card.values) if card else {}


def screened_now(project: Project) -> dict[str, Any]:
    """What came of looking at the passages before anybody was given one: how many were accepted, not screened, refused
    by reason; `unseen` of the accepted came with all the rest at once. Those that were replaced do not count beside
    those that stand for them."""
    rows = project.passages.filter(kind=PassageKind.WORK, archived_at=None)
    found = rows.order_by().values_list("screening", "screening_reason").annotate(times=Count("pk"))
    times = {(str(how), why): count for how, why, count in found}
    unseen = unseen_count(project)
    return {
        **({"unseen": unseen} if unseen else {}),
        "accepted": times.get((Screening.ACCEPTED, ""), 0),
        "unscreened": times.get((Screening.NONE, ""), 0),
        "refused": {
            why: times[Screening.REFUSED, why] for why in SCREENING_REASONS if (Screening.REFUSED, why) in times
        },
    }


def left_out_of(given: GoldInput) -> dict[str, int]:
    """Passages that were merged and are not in the gold, by why."""
    verdicts = PassageResult.objects.filter(merge=given.merge).values_list("verdict").annotate(times=Count("pk"))
    by_votes = dict(verdicts)
    inside = len(given.passages)
    decided = by_votes.get(Verdict.MERGED, 0) - inside
    found = {
        "discarded by most": by_votes.get(Verdict.DISCARDED, 0),
        "with too few answers": by_votes.get(Verdict.TOO_FEW, 0),
        "discarded by an adjudicator": max(decided, 0),
    }
    return {why: times for why, times in found.items() if times}


def agreement_now(project: Project) -> dict[str, Any] | None:
    """The newest report over everybody and everything, as far as the card tells it."""
    reports = AgreementReport.objects.of(project).done().order_by("-pk")
    report = next((row for row in reports if not row.settings["people"] and not row.settings["groups"]), None)
    if report is None:
        return None
    found = report.result
    human = found["human_performance"]
    return {
        "pa_det": found["pa_det"],
        "pa_sug": found["pa_sug"],
        "pa_det_interval": found["intervals"].get("pa_det"),
        "pa_sug_interval": found["intervals"].get("pa_sug"),
        "pairs": len(found["pairs"]),
        "human": _averages(human["with_filter"]),
        "human_without_filter": _averages(human["without_filter"]),
        "signature": found["signature"],
    }


def _averages(figures: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in figures.items() if name != "annotators"}


def decisions_told(given: GoldInput) -> tuple[dict[str, int], dict[str, int]]:
    """By kind and by cause, in words."""
    kinds: dict[str, int] = {}
    causes: dict[str, int] = {}
    for row in (row for rows in given.decided.values() for row in rows):
        for kind in _kinds(row):
            kinds[kind] = kinds.get(kind, 0) + 1
        if row.cause:
            causes[CAUSES[row.cause]] = causes.get(CAUSES[row.cause], 0) + 1
    return dict(sorted(kinds.items())), dict(sorted(causes.items()))


def _kinds(row: Decision) -> Iterable[str]:
    if row.span is None:
        yield {"settled": "passages settled", "discard": "passages discarded", "keep": "passages kept"}[row.verdict]
        return
    content: Mapping[str, Any] = row.content
    if content["verdict"]:
        yield {"keep": "targets kept", "drop": "targets dropped", "moved": "targets moved"}[content["verdict"]]
    if content.get("type"):
        yield "types settled"
    if any(len(item["from"]) > 1 for item in content["suggestions"]):
        yield "variants joined"
    if any(len(item["from"]) == 1 for item in content["suggestions"]):
        yield "suggestions edited"
    if any(not item["from"] for item in content["suggestions"]):
        yield "suggestions added"
    if content["removed"]:
        yield "suggestions removed"


def unsettled_of(given: GoldInput) -> int:
    settled = [passage for passage, rows in given.decided.items() if any(row.span is None for row in rows)]
    return int(PassageResult.objects.filter(merge=given.merge, asks=True).exclude(passage__in=settled).count())


def warnings_of(
    given: GoldInput, counts: Sequence[SplitCounts], unsettled: int, *, is_measured: bool
) -> list[dict[str, Any]]:
    """What somebody should know before it is frozen: each is ticked, or mended. `is_measured`: the card tells how far
    people agree."""
    merge, project = given.merge, given.merge.project
    again = Decision.objects.counting().of(project).filter(looking_again(merge)).values("passage").distinct().count()
    stale = MergeSettings.of(project.protocol).as_dict() != merge.settings
    changed = changed_since(project, merge.listed_at_event)
    open_doubles = Double.objects.of(project).being_settled().exclude(Q(seat_1=None) & Q(seat_2=None)).count()
    proposals = Decision.objects.of(project).filter(proposed__isnull=False).count()
    off_tokens = sum(len(found.off_tokens) for found in counts)
    questions = Question.objects.filter(assignment__passage__project=project, answered_at=None).count()
    found = [
        ("questions", questions, f"{counted(questions, 'question')} {_is(questions)} open"),
        ("unsettled", unsettled, f"{counted(unsettled, 'passage')} {_is(unsettled)} not settled: the votes stand"),
        ("again", again, f"{counted(again, 'passage')} {_is(again)} to be looked at again"),
        ("stale", changed, f"{counted(changed, 'answer')} {_has(changed)} changed since the merge"),
        ("rules", int(stale), "the rules have changed since the merge"),
        ("twice", open_doubles, f"{counted(open_doubles, 'passage')} {_is(open_doubles)} being settled by two"),
        ("proposals", proposals, f"{counted(proposals, 'proposal')} {_is(proposals)} not agreed to"),
        ("tokens", off_tokens, f"{counted(off_tokens, 'target')} {_is(off_tokens)} no span of tokens: not in SWS JSON"),
        ("agreement", int(not is_measured), "agreement was not measured: the card cannot tell it"),
    ]
    return [{"code": code, "count": times, "text": text} for code, times, text in found if times]


def _is(times: int) -> str:
    return "is" if times == 1 else "are"


def _has(times: int) -> str:
    return "has" if times == 1 else "have"
