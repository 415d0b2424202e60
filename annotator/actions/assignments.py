"""The save path, the heart of Assay: read, permit and validate first; then one UPDATE … WHERE version and one event."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from annotator.actions.log import Overtaken, write
from annotator.actions.qualifying import OVER, _settle_qualification
from annotator.actions.tallies import _tally_discard, _tally_submission
from annotator.domain.answers import Answer, count_answer, parse_answer, submit_problems
from annotator.domain.canonical import sha256_of
from annotator.domain.errors import Conflict, Invalid, Problem, Stale, Throttled
from annotator.domain.lengths import MAX_REMARK_LENGTH
from annotator.domain.passages import PassageKind
from annotator.domain.qualification import Qualification
from annotator.domain.states import ASSIGNMENT_MOVES, DISCARD_REASONS, AssignmentState, move
from annotator.domain.text import line_problems
from annotator.models import Assignment, Event, Submission, User
from annotator.permissions import check_can_annotate, check_can_answer_anew, check_can_lead, check_can_save

MAX_SUBMISSIONS = 20  # of one passage by one person: they are kept for ever
MAX_REOPENED_AN_HOUR = 10  # of one passage
HOUR = timedelta(hours=1)
CHANGED_ELSEWHERE = "This passage was changed elsewhere since this page last saved."


@dataclass(frozen=True)
class Saved:
    """What a door tells after a write: where the assignment stands now."""

    version: int
    state: str
    number: int
    submission: int

    @classmethod
    def of(cls, assignment: Assignment) -> "Saved":
        return cls(assignment.version, assignment.state, assignment.number, assignment.submissions_made)


def save_answer(assignment: Assignment, *, by: User, version: int, save_id: UUID, active_ms: int, answer: Any) -> Saved:
    """Store the draft. The same answer as stored writes nothing; a repeated request is answered as the first was."""
    check_can_annotate(by, assignment)
    parsed = _parsed(assignment, answer)

    def step(row: Assignment) -> Step:
        return _saved(row, parsed, active_ms)

    return _carry_out("save", assignment, step, by=by, version=version, save_id=save_id, answer=parsed.as_dict())


def submit_assignment(
    assignment: Assignment, *, by: User, version: int, save_id: UUID, active_ms: int, answer: Any
) -> Saved:
    """Save and hand in, in one transaction: an immutable Submission beside the draft."""
    check_can_annotate(by, assignment)
    parsed = _parsed(assignment, answer)
    stored = parsed.as_dict()
    if problems := submit_problems(parsed, assignment.passage.project.protocol):
        raise Invalid(problems)

    def step(row: Assignment) -> Step:
        _check_may_submit_again(row)
        number, saved = row.submissions_made + 1, _saved(row, parsed, active_ms)
        at, sha256 = timezone.now(), sha256_of(stored)
        handed_in = Submission(assignment=row, number=number, answer=stored, sha256=sha256, at=at)
        changes = {**saved.changes, "submissions_made": number}
        return Step(changes, {**saved.payload, "submission": number}, handed_in)

    return _carry_out("submit", assignment, step, by=by, version=version, save_id=save_id, answer=stored)


def reopen_assignment(assignment: Assignment, *, by: User, version: int, save_id: UUID) -> Saved:
    """Take a submitted passage back into work; its votes count until the next submit or discard."""
    check_can_annotate(by, assignment)
    _check_no_test(assignment)
    _check_in_use(assignment)

    def step(row: Assignment) -> Step:
        check_can_answer_anew(row)
        _check_may_submit_again(row)
        _check_rate_of_coming_back(row)
        return Step({"draft": row.submissions.get(number=row.submissions_made).answer})

    return _carry_out("reopen", assignment, step, by=by, version=version, save_id=save_id)


def discard_assignment(
    assignment: Assignment, *, by: User, version: int, save_id: UUID, reason: str, remark: str = ""
) -> Saved:
    """Set the passage aside with a reason; the draft is kept."""
    check_can_annotate(by, assignment)
    _check_reason(reason, remark)
    if assignment.state == AssignmentState.SUBMITTED:
        _check_no_test(assignment)
    changes = {"discard_reason": reason, "discard_remark": remark}
    return _carry_out(
        "discard",
        assignment,
        lambda row: Step(changes, {"reason": reason}),
        by=by,
        version=version,
        save_id=save_id,
        is_done=lambda row: (row.discard_reason, row.discard_remark) == (reason, remark),
    )


def undo_discard(assignment: Assignment, *, by: User, version: int, save_id: UUID) -> Saved:
    check_can_annotate(by, assignment)
    _check_in_use(assignment)

    def step(row: Assignment) -> Step:
        _check_test_is_on(row)
        check_can_answer_anew(row)  # submitted, discarded, undone: that would be a reopening too
        _check_rate_of_coming_back(row)
        return Step({"discard_reason": "", "discard_remark": ""})

    return _carry_out("undo discard", assignment, step, by=by, version=version, save_id=save_id)


@transaction.atomic
def withdraw_assignment(assignment: Assignment, *, by: User | None) -> None:
    """A lead takes unfinished work away; the draft is kept, read-only."""
    check_can_lead(by, assignment.passage.project)
    _withdraw(assignment, by=by)


def _withdraw(assignment: Assignment, *, by: User | None) -> None:
    state = move(ASSIGNMENT_MOVES, AssignmentState(assignment.state), "withdraw", noun="passage")
    _write(assignment, "withdraw", state, Step(), by=by)


@dataclass(frozen=True)
class Step:
    """What one act changes on the row beside its state, tells in its event, and hands in."""

    changes: dict[str, Any] = field(default_factory=dict)
    payload: dict[str, Any] = field(default_factory=dict)
    submission: Submission | None = None


# The acts of ASSIGNMENT_MOVES, as events tell them.
EVENTS = {
    "save": "assignment.saved",
    "submit": "assignment.submitted",
    "reopen": "assignment.reopened",
    "discard": "assignment.discarded",
    "undo discard": "assignment.undiscarded",
    "withdraw": "assignment.withdrawn",
}
DISCARDS = ("discard", "undo discard")
COMING_BACK = (EVENTS["reopen"], EVENTS["undo discard"])


def _carry_out(
    act: str,
    assignment: Assignment,
    step: Callable[[Assignment], Step],
    *,
    by: User,
    version: int,
    save_id: UUID,
    answer: dict[str, Any] | None = None,
    is_done: Callable[[Assignment], bool] | None = None,
) -> Saved:
    """Answer a lost response again, refuse what the state forbids or another has overtaken, else write what `step`
    makes of the row. With an answer, the act is done where the draft is that answer.

    Where another request wins between our reading and our UPDATE, the row is read anew and judged once more; its
    version has moved by then, so the second look always ends in an answer or a refusal.
    """
    is_done = is_done or (lambda row: answer is None or bool(row.draft == answer))
    for _look in range(2):
        check_can_annotate(by, assignment)
        is_repeat = (assignment.last_save_id, assignment.last_act) == (save_id, act)
        if assignment.version != version and is_repeat and is_done(assignment):
            return Saved.of(assignment)
        check_can_save(assignment)
        try:
            state = move(ASSIGNMENT_MOVES, AssignmentState(assignment.state), act, noun="passage")
        except Conflict as error:
            stored = _stored(assignment, by, version, answer)
            raise Conflict(error.message, code=error.code, stored=stored) from None
        if assignment.version != version:
            raise Stale(CHANGED_ELSEWHERE, stored=_stored(assignment, by, version, answer))
        if assignment.last_save_id == save_id and not (is_repeat and is_done(assignment)):
            raise Invalid([Problem("save_id", "This save_id has been used for another body.", "save_id")])
        if act == "save" and is_done(assignment):
            return Saved.of(assignment)
        try:
            made = step(assignment)
            with transaction.atomic():
                _write(assignment, act, state, made, by=by, last_save_id=save_id, last_act=act)
            return Saved.of(assignment)
        except Overtaken:
            assignment.refresh_from_db()
    raise Stale(CHANGED_ELSEWHERE, stored=_stored(assignment, by, version, answer))


def _stored(assignment: Assignment, by: User, version: int, answer: dict[str, Any] | None) -> dict[str, Any]:
    """What stands there; `has_arrived`: this very answer was stored on that version, its response lost, and changed
    since."""
    next_one = Event.objects.of(assignment).filter(seq=version + 1, by=by)
    has_arrived = answer is not None and next_one.filter(payload__answer=sha256_of(answer)).exists()
    return {
        "version": assignment.version,
        "state": assignment.state,
        "answer": assignment.draft,
        "has_arrived": has_arrived,
    }


def _write(row: Assignment, act: str, state: AssignmentState, step: Step, *, by: User | None, **stated: Any) -> None:
    """The UPDATE, its event, and what follows from it (a save: nothing), in the transaction of the caller."""
    rows, before = Assignment.all_rows.filter(state=row.state), row.changed_at
    if act != "withdraw":
        rows = rows.still_open()  # it may have closed, or the person been removed or paused, since the row was read
    changes = {**step.changes, **stated, "state": state, "changed_at": timezone.now()}
    write(row, EVENTS[act], by=by, payload=step.payload, rows=rows, changes=changes)
    if step.submission is not None:
        step.submission.save(force_insert=True)
        _tally_submission(row, step.submission)
    if act in DISCARDS:
        is_undone = act == "undo discard"
        _tally_discard(row, at=before if is_undone else row.changed_at, is_undone=is_undone)
    if row.passage.kind == PassageKind.TEST and state in OVER:
        _settle_qualification(row.membership, by=by)


def _parsed(assignment: Assignment, answer: Any) -> Answer:
    passage = assignment.passage
    return parse_answer(answer, text=passage.text, protocol=passage.project.protocol)


def _saved(row: Assignment, answer: Answer, active_ms: int) -> Step:
    """What a save changes and tells. Nobody works longer than the clock runs."""
    counts, passed = count_answer(answer), timezone.now() - row.changed_at
    worked = min(active_ms, max(0, int(passed.total_seconds() * 1000)))
    stored = answer.as_dict()
    changes = {
        "draft": stored,
        "marks": counts.marks,
        "substitutes": counts.substitutes,
        "substitutes_by_type": counts.substitutes_by_type,
        "active_ms": row.active_ms + worked,
    }
    told = {"answer": sha256_of(stored), "marks": counts.marks, "substitutes": counts.substitutes}
    return Step(changes, {**told, "active_ms": worked})


def _check_may_submit_again(row: Assignment) -> None:
    if row.submissions_made >= MAX_SUBMISSIONS:
        message = f"This passage has been submitted {MAX_SUBMISSIONS} times. Ask your lead if it must be changed again."
        raise Conflict(message, code="too_many_submissions")


def _check_rate_of_coming_back(row: Assignment) -> None:
    """Rows that are never deleted must not be made in a loop."""
    since = timezone.now() - HOUR
    times = Event.objects.of(row).filter(kind__in=COMING_BACK, at__gt=since).order_by("at").values_list("at", flat=True)
    if len(times) >= MAX_REOPENED_AN_HOUR:
        message = "This passage has been taken back many times within the hour. Try again later."
        wait = (times[len(times) - MAX_REOPENED_AN_HOUR] - since).total_seconds()
        raise Throttled(message, retry_after=int(wait) + 1)


def _check_test_is_on(row: Assignment) -> None:
    if row.passage.kind == PassageKind.TEST and row.membership.qualification != Qualification.PENDING:
        raise Conflict("The test is over.", code="test_over")


def _check_no_test(assignment: Assignment) -> None:
    if assignment.passage.kind == PassageKind.TEST:
        raise Conflict("A test passage stays as it was submitted.", code="test_submitted")


def _check_in_use(assignment: Assignment) -> None:
    if not assignment.passage.is_in_use:
        raise Conflict("This passage is not in use any more: it stays as it is.", code="passage_archived")


def _check_reason(reason: str, remark: str) -> None:
    if reason not in DISCARD_REASONS:
        raise Invalid([Problem("reason", f"The reason is one of {', '.join(DISCARD_REASONS)}.", "reason")])
    if reason == "other" and not remark.strip():
        raise Invalid([Problem("remark", "Say in the remark why you discard this passage.", "remark")])
    if problems := line_problems(remark, what="The remark", path="remark", most=MAX_REMARK_LENGTH):
        raise Invalid(problems)
