"""Is everything stored as it should be? Of one project, or of all: reads all of it, changes nothing."""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, NamedTuple

from django.db.models import Count, Max, QuerySet, TextField
from django.db.models.functions import Cast

from adjudication.domain.decisions import EMPTY, EMPTY_PASSAGE, decides_nothing
from adjudication.domain.merge import Verdict
from adjudication.domain.undoing import standing_now
from adjudication.models import Comment, Decision, Double, Merge, PassageResult, Target
from adjudication.queries.gold import Standing, standings
from annotator.domain.answers import Answer, count_answer, parse_answer, stored_answer
from annotator.domain.errors import Refused
from annotator.domain.events import event_hash
from annotator.domain.formats.assay_jsonl import canonical_maker
from annotator.domain.tokens import TOKEN_BYTES, pack_tokens, spans_of, unpack_tokens
from annotator.models import (
    Arrival,
    Assignment,
    Event,
    Job,
    Membership,
    Passage,
    PassageTokens,
    Project,
    Question,
    Subject,
    Submission,
    User,
)
from exports.models import Card, Release, SystemRun

CHUNK = 1000
# By kind of row, the way to its project; people have none.
WAYS: dict[type[Subject], str] = {
    User: "",
    Project: "pk",
    Membership: "project",
    Arrival: "project",
    Passage: "project",
    Assignment: "passage__project",
    Question: "assignment__passage__project",
    Job: "project",
    Decision: "passage__project",
    Double: "passage__project",
    Comment: "passage__project",
    Card: "project",
    Release: "project",
    SystemRun: "release__project",
}


@dataclass
class Examined:
    """What one check looked at, and what it found wrong. `project`: only what is in it; None: everything."""

    check: str
    project: Project | None = None
    looked_at: int = 0
    problems: list[str] = field(default_factory=list)

    def rows(self, rows: QuerySet[Any], way: str) -> QuerySet[Any]:
        return rows if self.project is None else rows.filter(**{way: self.project.pk})


Check = Callable[[Examined], Iterator[str]]
Progress = Callable[[int, int], None]


def examined_by(
    checks: dict[str, Check], *, project: Project | None = None, progress: Progress = lambda done, total: None
) -> list[Examined]:
    examined = []
    for number, (name, check) in enumerate(checks.items()):
        progress(number, len(checks))
        found = Examined(name, project)
        found.problems += check(found)
        examined.append(found)
    progress(len(checks), len(checks))
    return examined


def _chains(found: Examined) -> Iterator[str]:
    """Every event seals the one before it, and the row knows the last."""
    heads: dict[tuple[str, int], tuple[int, str]] = {}
    imported = Decision.objects.filter(steps_imported__gt=0).values_list("pk", "steps_imported")
    begins = {(Decision.subject_name(), pk): steps for pk, steps in imported}
    names = ("subject", "subject_id", "seq", "kind", "by_id", "at", "payload", "previous_hash", "hash")
    events = found.rows(Event.objects.order_by("subject", "subject_id", "seq"), "project")
    for subject, pk, seq, kind, by, at, payload, before, own in events.values_list(*names).iterator(chunk_size=CHUNK):
        found.looked_at += 1
        key = (subject, pk)
        last, previous = heads.get(key) or (begins.get(key, 0), "")
        if found.project is not None and key not in heads and seq > last + 1:
            last, previous = seq - 1, before  # it began before it had a project
        sealed = event_hash(
            previous=previous,
            subject=subject,
            subject_id=pk,
            seq=last + 1,
            kind=kind,
            by_id=by,
            at=at.isoformat(),
            payload=payload,
        )
        if (seq, before, own) != (last + 1, previous, sealed):
            yield f"the chain of {subject} {pk} is broken at event {seq}"
        heads[key] = (seq, own)
    for model, way in WAYS.items():
        if found.project is not None and not way:
            continue
        name = model.subject_name()
        rows = found.rows(model._default_manager.all(), way).values_list("pk", "version", "chain_head")
        for pk, version, head in rows.iterator(chunk_size=CHUNK):
            said = heads.get((name, pk)) or (begins.get((name, pk), 0), "")
            if said != (version, head) and not _is_sound_now(model, pk, begins.get((name, pk), 0)):
                yield f"{name} {pk} is at version {version}, which is not what its last event says"


def _is_sound_now(model: type[Subject], pk: int, begins: int) -> bool:
    """Somebody may have saved between the look at the events and that at the row."""
    newest = Event.objects.filter(subject=model.subject_name(), subject_id=pk).order_by("-seq")
    said = newest.values_list("seq", "hash").first() or (begins, "")
    return bool(model._default_manager.filter(pk=pk, version=said[0], chain_head=said[1]).exists())


def _answers(found: Examined) -> Iterator[str]:
    """Spans inside the text, quotes equal, hashes true; drafts and submissions alike. What is as its hash says was
    checked whole when it was submitted: then only the quotes are looked at."""
    canonical = canonical_maker()
    newest: dict[int, str] = {}  # by assignment, the hash of its last submission
    rows = found.rows(Submission.objects.arrived(), "assignment__passage__project").annotate(
        answer_text=Cast("answer", TextField())
    )
    names = ("number", "assignment_id", "sha256", "answer_text", "assignment__passage__text")
    for number, pk, said, text, passage in rows.order_by("pk").values_list(*names).iterator(chunk_size=CHUNK):
        found.looked_at += 1
        newest[pk] = said
        is_true = said == _sha256(canonical(text))
        if not is_true:
            yield f"submission {number} of assignment {pk} is not what its hash says"
        if not (is_true and _fits(json.loads(text), passage)):
            yield from _wrong(f"submission {number} of assignment {pk}", pk, json.loads(text))
    yield from _drafts(found, canonical, newest)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _fits(answer: dict[str, Any], text: str) -> bool:
    """Every quote is what the text says."""
    try:
        return all(text[mark["start"] : mark["end"]] == mark["quote"] for mark in answer.get("marks", ()))
    except (KeyError, TypeError, AttributeError):
        return False


def _wrong(name: str, assignment: int, answer: Any) -> Iterator[str]:
    try:
        _parsed(assignment, answer)
    except Refused as refusal:
        yield f"{name}: {refusal.message}"


def _parsed(assignment: int, answer: Any) -> Answer:
    row = Assignment.all_rows.select_related("passage__project").get(pk=assignment)
    return parse_answer(answer, text=row.passage.text, protocol=row.passage.project.protocol, is_old=True)


def _drafts(found: Examined, canonical: Callable[[str], str], newest: dict[int, str]) -> Iterator[str]:
    rows = found.rows(Assignment.objects.all(), "passage__project").annotate(draft_text=Cast("draft", TextField()))
    names = ("pk", "draft_text", "passage__text", "marks", "substitutes", "substitutes_by_type")
    for pk, text, passage, *counted in rows.order_by("pk").values_list(*names).iterator(chunk_size=CHUNK):
        found.looked_at += 1
        answer = json.loads(text)
        is_submitted = newest.get(pk) == _sha256(canonical(text)) and _fits(answer, passage)
        try:
            counts = count_answer(stored_answer(answer) if is_submitted else _parsed(pk, answer))
        except Refused as refusal:
            yield f"the draft of assignment {pk}: {refusal.message}"
            continue
        if counted != [counts.marks, counts.substitutes, counts.substitutes_by_type]:
            yield f"assignment {pk} counts its draft wrong"


def _submissions(found: Examined) -> Iterator[str]:
    """Numbered without a gap, and as many as the assignment says."""
    rows = found.rows(Assignment.objects.all(), "passage__project").annotate(
        made=Count("submissions"), last=Max("submissions__number")
    )
    for pk, said, made, last in rows.values_list("pk", "submissions_made", "made", "last").iterator(chunk_size=CHUNK):
        found.looked_at += 1
        if not said == made == (last or 0):
            yield f"assignment {pk} says {said} submissions, and there are {made}"


def _passages(found: Examined) -> Iterator[str]:
    """Tokens inside the text; no group divided between splits."""
    splits: dict[tuple[int, str], str] = {}
    for passage in found.rows(Passage.objects.order_by("pk"), "project").iterator(chunk_size=CHUNK):
        found.looked_at += 1
        spans = spans_of(passage.tokens or ())
        if any(not 0 <= start < end <= len(passage.text) for start, end in spans):
            yield f"passage {passage.external_id}: a token lies outside the text"
        if passage.group and passage.split:
            first = splits.setdefault((passage.project_id, passage.group), passage.split)
            if first != passage.split:
                yield f"the group “{passage.group}” is in the splits {first} and {passage.split}"
    yield from _kept_tokens(found)


def _kept_tokens(found: Examined) -> Iterator[str]:
    """Packed from the passage's own where it came with tokens, else from spans inside its text."""
    rows = found.rows(PassageTokens.objects.select_related("passage"), "passage__project").order_by("pk")
    for row in rows.iterator(chunk_size=CHUNK):
        passage, kept = row.passage, (bytes(row.spans), row.rewritten)
        tokens = unpack_tokens(*kept) if len(kept[0]) % TOKEN_BYTES == 0 else ()
        is_inside = all(0 <= start < end <= len(passage.text) for start, end in spans_of(tokens))
        given = tokens if passage.tokens is None else passage.tokens
        if not is_inside or pack_tokens(passage.text, given) != kept:
            yield f"passage {passage.external_id}: its kept tokens are not those of its text"


def _merges(found: Examined) -> Iterator[str]:
    """The gold is from a finished merge, whole, and votes ≤ annotators ≤ of."""
    for merge in found.rows(Merge.objects.current().select_related("project"), "project"):
        if merge.finished_at is None:
            yield f"{merge.project.slug}: the current merge was never finished"
        kept = rows = 0
        discarded = set(
            PassageResult.objects.filter(merge=merge, verdict=Verdict.DISCARDED).values_list("passage", flat=True)
        )
        names = ("passage__external_id", "passage__text", *_Target._fields[2:])
        targets_of = Target.objects.filter(merge=merge).order_by("pk").values_list(*names)
        for target in map(_Target._make, targets_of.iterator(chunk_size=CHUNK)):
            found.looked_at += 1
            rows += 1
            kept += target.is_kept
            yield from (f"{merge.project.slug}: {problem}" for problem in _target_problems(target, merge, discarded))
        targets = merge.targets + merge.discarded_targets
        if (rows, kept) != (targets, merge.kept):
            said = f"{targets} targets, {merge.kept} kept"
            yield f"{merge.project.slug}: the merge says {said}; there are {rows} and {kept}"


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


def _decisions(found: Examined) -> Iterator[str]:
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


OF_PROJECTS: dict[str, Check] = {
    "event chains": _chains,
    "answers": _answers,
    "submissions": _submissions,
    "passages": _passages,
    "merges": _merges,
    "decisions": _decisions,
}


def examine_project(project: Project, progress: Progress = lambda done, total: None) -> list[Examined]:
    return examined_by(OF_PROJECTS, project=project, progress=progress)
