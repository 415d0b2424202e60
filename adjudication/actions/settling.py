"""Many decisions in one act: settling the quiet passages, and deciding the same word in other passages alike."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from adjudication.actions.deciding import _checked_words, _used
from adjudication.actions.steps import Step, _take_back, _with_evidence, _write_one
from adjudication.domain.decisions import EMPTY, Content, PassageVerdict, parse_content
from adjudication.models import Decision, DecisionStep, Double, Merge
from adjudication.permissions import check_can_adjudicate, check_can_adjudicate_in
from adjudication.queries.gold import merge_now, standing_of, standings
from adjudication.queries.queue import quiet_passages
from annotator.actions.jobs import _enqueue
from annotator.actions.log import Overtaken
from annotator.actions.running import Result, Run, work_here
from annotator.domain.errors import Conflict, Invalid
from annotator.domain.formats.reading import counted
from annotator.domain.jobs import JobKind, JobState
from annotator.domain.tokens import Span
from annotator.models import Job, Membership, Passage, Project, User

AT_ONCE = 500  # passages decided while one waits; more are left to a worker
ATTEMPTS = 5
BATCH = 160  # passages in one transaction: each is a decision, its event and its step
MOST_ELSEWHERE = 200
MOST_DISPUTE = 1000
SETTLED: dict[str, Any] = {"verdict": PassageVerdict.SETTLED.value}


def settle_quiet(project: Project, *, by: User, act: UUID, dispute: int) -> Job:
    """Settle every passage that nothing asks about and that is disputed no more than so much: one act, which one undo
    takes back. A few are done at once, many by a worker."""
    check_can_adjudicate_in(by, project)
    if not 0 <= dispute <= MOST_DISPUTE:
        raise Invalid.of("dispute", f"Dispute is between 0 and {MOST_DISPUTE:,}.", "dispute")
    merge = merge_now(project)
    is_large = quiet_passages(merge, user=by, dispute=dispute).count() > AT_ONCE
    return _done_or_asked(SETTLE_QUIET, project, by=by, params={"act": str(act), "dispute": dispute}, is_large=is_large)


def undo_act(project: Project, *, by: User, act: UUID, undoes: UUID) -> Job:
    """Take an act of one's own back wherever it was; what was decided anew since stays as it is."""
    membership = check_can_adjudicate_in(by, project)
    steps = DecisionStep.objects.of_act(undoes).filter(by=membership, decision__passage__project=project)
    times = steps.count()
    if not times:
        raise Conflict("There is no such act of yours to take back.", code="nothing_to_undo")
    if DecisionStep.objects.of_act(act).exclude(undoes=undoes).exists():
        raise _used(act)
    params = {"act": str(act), "undoes": str(undoes)}
    return _done_or_asked(UNDO_ACT, project, by=by, params=params, is_large=times > AT_ONCE)


def _done_or_asked(kind: JobKind, project: Project, *, by: User, params: dict[str, Any], is_large: bool) -> Job:
    job = _enqueue(kind.name, by=by, project=project, params=params, is_rung=is_large)
    if not is_large:
        work_here(job.pk, kind.work)
        job.refresh_from_db()
    return job


def _settle(run: Run) -> Result:
    """The job. Begun again after a crash, it finds what is left: what is settled is no longer quiet."""
    project, by = run.job.project, run.job.asked_by
    assert project is not None
    assert by is not None
    membership = check_can_adjudicate_in(by, project)
    merge = merge_now(project)
    act = UUID(run.job.params["act"])
    rows = quiet_passages(merge, user=by, dispute=run.job.params["dispute"])
    left = list(rows.values_list("passage_id", flat=True))
    done, total = run.job.done, run.job.done + len(left)
    for start in range(0, len(left), BATCH):
        batch = left[start : start + BATCH]
        done += len(batch)
        _in_step(run, done, total, partial(_settle_batch, merge, batch, by=membership, act=act))
    steps = DecisionStep.objects.of_act(act)
    return {"passages": steps.count(), "proposed": steps.filter(is_proposal=True).count(), "act": str(act)}


def _settle_batch(merge: Merge, passages: Sequence[int], *, by: Membership, act: UUID) -> None:
    """What somebody has decided or proposed in the meantime stays as it is."""
    steps = DecisionStep.objects.proposed().other_than_settled().filter(decision__passage__in=passages)
    proposed = set(steps.values_list("decision__passage_id", flat=True))
    there = Decision.objects.about_passages().filter(passage__in=passages, seat=0)
    own = {row.passage_id: row for row in there}
    for standing in standings(merge, passages):
        row = own.get(standing.passage.pk)
        if (row is None or row.is_empty) and standing.passage.pk not in proposed:
            step = _with_evidence(Step(None, SETTLED), standing)
            _write_one(standing, step, by=by, act=act, row=row)


def _undo(run: Run) -> Result:
    project, by = run.job.project, run.job.asked_by
    assert project is not None
    assert by is not None
    membership = check_can_adjudicate_in(by, project)
    merge = merge_now(project)
    act, undoes = UUID(run.job.params["act"]), UUID(run.job.params["undoes"])
    steps = DecisionStep.objects.of_act(undoes).filter(by=membership, decision__passage__project=project)
    ids = list(steps.order_by("pk").values_list("pk", flat=True))
    for start in range(run.job.done, len(ids), BATCH):
        batch = ids[start : start + BATCH]
        take_back = partial(_take_back_batch, batch, by=membership, act=act, undoes=undoes, merge=merge)
        _in_step(run, start + len(batch), len(ids), take_back)
    return {"passages": DecisionStep.objects.of_act(act).count(), "of": len(ids), "act": str(act)}


def _take_back_batch(batch: Sequence[int], *, by: Membership, act: UUID, undoes: UUID, merge: Merge) -> None:
    rows = DecisionStep.objects.filter(pk__in=batch).select_related("decision__passage__project").order_by("pk")
    for step in rows:
        _take_back(step, by=by, act=act, undoes=undoes, merge=merge)


def _in_step(run: Run, done: int, total: int, work: Callable[[], None]) -> None:
    """Tried anew where somebody decided one of them in the same moment: the batch is looked at again."""
    for attempt in range(ATTEMPTS):
        try:
            with run.step(done=done, total=total):
                work()
            return
        except (Overtaken, IntegrityError):
            if attempt == ATTEMPTS - 1:
                raise


def _says(state: JobState, result: Mapping[str, Any]) -> str:
    if state != JobState.DONE:
        return ""
    proposed = result.get("proposed", 0)
    settled = result.get("passages", 0) - proposed
    if not proposed:
        return f"{counted(settled, 'passage')} settled."
    waits = f"{counted(proposed, 'passage')} proposed to be settled, until somebody else agrees."
    return f"{counted(settled, 'passage')} settled, {waits}" if settled else waits


def _says_undone(state: JobState, result: Mapping[str, Any]) -> str:
    if state != JobState.DONE:
        return ""
    times = result.get("passages", 0)
    stays = result.get("of", 0) - times
    more = f" {stays:,} had been decided anew since, or taken back already, and stay as they are." if stays else ""
    return f"{counted(times, 'decision')} taken back.{more}" if times else f"Nothing was taken back.{more}"


SETTLE_QUIET = JobKind("settle_quiet", "Settle the quiet ones", _settle, _says)
UNDO_ACT = JobKind("undo_act", "Take decisions back", _undo, _says_undone)


@dataclass(frozen=True)
class Elsewhere:
    """A target in another passage, and the version of its decision that was seen."""

    passage: Passage
    span: Span
    version: int


def decide_elsewhere(
    project: Project, *, by: User, act: UUID, targets: Sequence[Elsewhere], content: Any, reason: str = ""
) -> int:
    """Keep, drop or a type for the same word in other passages: all of them or none, in one act; how many."""
    if not 1 <= len(targets) <= MOST_ELSEWHERE:
        raise Invalid.of("targets", f"Choose between 1 and {MOST_ELSEWHERE} targets.", "targets")
    membership = check_can_adjudicate_in(by, project)
    merge = merge_now(project)
    reason = _checked_words(reason, "")
    wanted = parse_content(content, span=(0, 0), text="", protocol=project.protocol)
    if wanted.suggestions or wanted.removed or wanted.span or (wanted.verdict is None and not wanted.type):
        raise Invalid.of("content", "Elsewhere one keeps, drops or gives a type.", "content")
    if _was_done(act, targets, wanted, reason, by=membership):
        return len(targets)  # sent again
    try:
        with transaction.atomic():
            for target in targets:
                _decide_there(target, merge, wanted.as_dict(), reason, by=membership, user=by, act=act)
    except Overtaken:
        raise Conflict("One of these was decided in the meantime: look again.", code="overtaken") from None
    return len(targets)


def _was_done(act: UUID, targets: Sequence[Elsewhere], wanted: Content, reason: str, *, by: Membership) -> bool:
    """Whether this act was carried out, its response lost. Invalid where its id stands for another body."""
    steps = list(DecisionStep.objects.of_act(act).select_related("decision"))
    if not steps:
        return False
    places = {(step.decision.passage_id, step.decision.span) for step in steps}
    is_same = places == {(target.passage.pk, target.span) for target in targets}
    for step in steps:
        said = Content.from_dict(step.content)
        is_same &= step.by_id == by.pk and step.reason == reason
        is_same &= wanted.verdict in (None, said.verdict) and wanted.type in ("", said.type)
    if not is_same:
        raise _used(act)
    return True


def _decide_there(
    target: Elsewhere, merge: Merge, wanted: dict[str, Any], reason: str, *, by: Membership, user: User, act: UUID
) -> None:
    """Only what was asked for changes; edits that were made there stay."""
    check_can_adjudicate(user, target.passage)
    if Double.objects.being_settled().filter(passage=target.passage).exists():
        raise Conflict("Two people settle one of these blind to each other: leave it to them.", code="twice")
    standing = standing_of(target.passage, merge, with_proposals=True)
    if standing is None or target.span not in standing.by_span:
        raise Conflict("One of these targets is gone: look again.", code="overtaken")
    row = standing.decision(target.span)
    if (row.version if row else 0) != target.version:
        raise Overtaken("decided since")
    before = standing.said(row).content if row else EMPTY
    if before["verdict"] == "moved":
        raise Conflict(f"“{standing.by_span[target.span].quote}” was moved there: look again.", code="moved")
    content = {**before, **({"verdict": wanted["verdict"]} if wanted["verdict"] else {})}
    if "type" in wanted:
        content["type"] = wanted["type"]
    step = _with_evidence(Step(target.span, content, reason), standing)
    _write_one(standing, step, by=by, act=act, row=row)
