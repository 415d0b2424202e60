"""The save path, the heart of Assay: read, permit and validate first; then one UPDATE … WHERE version and one event."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from annotator.actions.log import Overtaken, write
from annotator.actions.qualifying import settle_qualification
from annotator.domain.answers import Answer, count_answer, parse_answer, submit_problems
from annotator.domain.canonical import sha256_of
from annotator.domain.errors import Conflict, Invalid, Problem, Stale
from annotator.domain.people import DISCARD_REASONS
from annotator.domain.states import ASSIGNMENT_MOVES, AssignmentState, move
from annotator.domain.text import line_problems
from annotator.models import Assignment, Event, Passage, Submission, User
from annotator.permissions import check_can_annotate, check_can_lead, check_takes_work

MAX_REMARK_LENGTH = 2_000
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
    parsed = _parsed(assignment, answer)
    stored = parsed.as_dict()

    def is_done(row: Assignment) -> bool:
        return bool(row.draft == stored)

    def store(row: Assignment, state: AssignmentState) -> None:
        if is_done(row):
            return
        with transaction.atomic():
            changes = {
                **_draft_changes(row, parsed, active_ms),
                "state": state,
                "last_save_id": save_id,
                "last_act": "save",
            }
            _write(row, "assignment.saved", by=by, payload=_answer_payload(parsed), changes=changes)

    return _carry_out(
        by, "save", assignment, version=version, save_id=save_id, is_done=is_done, store=store, answer=stored
    )


def submit_assignment(
    assignment: Assignment, *, by: User, version: int, save_id: UUID, active_ms: int, answer: Any
) -> Saved:
    """Save and hand in, in one transaction: an immutable Submission beside the draft."""
    parsed = _parsed(assignment, answer)
    stored = parsed.as_dict()
    if problems := submit_problems(parsed, assignment.passage.project.protocol):
        raise Invalid(problems)

    def store(row: Assignment, state: AssignmentState) -> None:
        number = row.submissions_made + 1
        changes = {
            **_draft_changes(row, parsed, active_ms),
            "state": state,
            "last_save_id": save_id,
            "last_act": "submit",
            "submissions_made": number,
        }
        with transaction.atomic():
            payload = {**_answer_payload(parsed), "submission": number}
            _write(row, "assignment.submitted", by=by, payload=payload, changes=changes)
            Submission.objects.create(assignment=row, number=number, answer=stored, sha256=sha256_of(stored))
            if row.passage.kind == Passage.Kind.TEST:
                settle_qualification(row.membership, by=by)

    def is_done(row: Assignment) -> bool:
        return bool(row.draft == stored)

    return _carry_out(
        by, "submit", assignment, version=version, save_id=save_id, is_done=is_done, store=store, answer=stored
    )


def reopen_assignment(assignment: Assignment, *, by: User, version: int, save_id: UUID) -> Saved:
    """Take a submitted passage back into work; its votes count until the next submit or discard."""

    _check_no_test(assignment)

    def store(row: Assignment, state: AssignmentState) -> None:
        newest = row.submissions.get(number=row.submissions_made)
        with transaction.atomic():
            changes = {"state": state, "last_save_id": save_id, "last_act": "reopen", "draft": newest.answer}
            _write(row, "assignment.reopened", by=by, changes=changes)

    return _carry_out(by, "reopen", assignment, version=version, save_id=save_id, store=store)


def discard_assignment(
    assignment: Assignment, *, by: User, version: int, save_id: UUID, reason: str, remark: str = ""
) -> Saved:
    """Set the passage aside with a reason; the draft is kept."""
    _check_reason(reason, remark)
    if assignment.state == AssignmentState.SUBMITTED:
        _check_no_test(assignment)

    def is_done(row: Assignment) -> bool:
        return (row.discard_reason, row.discard_remark) == (reason, remark)

    def store(row: Assignment, state: AssignmentState) -> None:
        changes = {
            "state": state,
            "last_save_id": save_id,
            "last_act": "discard",
            "discard_reason": reason,
            "discard_remark": remark,
        }
        with transaction.atomic():
            _write(row, "assignment.discarded", by=by, payload={"reason": reason}, changes=changes)

    return _carry_out(by, "discard", assignment, version=version, save_id=save_id, is_done=is_done, store=store)


def undo_discard(assignment: Assignment, *, by: User, version: int, save_id: UUID) -> Saved:

    def store(row: Assignment, state: AssignmentState) -> None:
        changes = {
            "state": state,
            "last_save_id": save_id,
            "last_act": "undo discard",
            "discard_reason": "",
            "discard_remark": "",
        }
        with transaction.atomic():
            _write(row, "assignment.undiscarded", by=by, changes=changes)

    return _carry_out(by, "undo discard", assignment, version=version, save_id=save_id, store=store)


def withdraw_assignment(assignment: Assignment, *, by: User | None) -> None:
    """A lead takes unfinished work away; the draft is kept, read-only."""
    check_can_lead(by, assignment.passage.project)
    state = move(ASSIGNMENT_MOVES, AssignmentState(assignment.state), "withdraw", noun="passage")
    with transaction.atomic():
        _write(assignment, "assignment.withdrawn", by=by, changes={"state": state})


def _carry_out(
    by: User,
    act: str,
    assignment: Assignment,
    *,
    version: int,
    save_id: UUID,
    store: Callable[[Assignment, AssignmentState], None],
    is_done: Callable[[Assignment], bool] = lambda row: True,
    answer: dict[str, Any] | None = None,
) -> Saved:
    """Answer a lost response again, refuse what the state forbids or another has overtaken, else store.

    Where another request wins between our reading and our UPDATE, the row is read anew and judged once more; its
    version has moved by then, so the second look always ends in an answer or a refusal.
    """
    for _look in range(2):
        check_can_annotate(by, assignment)
        is_repeat = (assignment.last_save_id, assignment.last_act) == (save_id, act)
        if assignment.version != version and is_repeat and is_done(assignment):
            return Saved.of(assignment)
        check_takes_work(assignment.passage.project)
        try:
            state = move(ASSIGNMENT_MOVES, AssignmentState(assignment.state), act, noun="passage")
        except Conflict as error:
            stored = _stored(assignment, by, version, answer)
            raise Conflict(error.message, code=error.code, stored=stored) from None
        if assignment.version != version:
            raise Stale(CHANGED_ELSEWHERE, stored=_stored(assignment, by, version, answer))
        if assignment.last_save_id == save_id and not (is_repeat and is_done(assignment)):
            raise Invalid([Problem("save_id", "This save_id has been used for another body.", "save_id")])
        try:
            store(assignment, state)
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


def _write(
    row: Assignment,
    kind: str,
    *,
    by: User | None,
    payload: dict[str, Any] | None = None,
    changes: dict[str, Any],
) -> None:
    changes = {**changes, "changed_at": timezone.now()}
    rows = Assignment.objects.filter(state=row.state)
    if kind != "assignment.withdrawn":
        rows = rows.still_open()  # it may have closed, or the person been removed, since the row was read
    write(row, kind, by=by, payload=payload, rows=rows, changes=changes)


def _parsed(assignment: Assignment, answer: Any) -> Answer:
    passage = assignment.passage
    return parse_answer(answer, text=passage.text, protocol=passage.project.protocol)


def _draft_changes(row: Assignment, answer: Answer, active_ms: int) -> dict[str, Any]:
    counts = count_answer(answer)
    passed = timezone.now() - row.changed_at
    # Nobody works longer than the clock runs.
    worked = min(active_ms, max(0, int(passed.total_seconds() * 1000)))
    return {
        "draft": answer.as_dict(),
        "marks": counts.marks,
        "substitutes": counts.substitutes,
        "substitutes_by_type": counts.substitutes_by_type,
        "active_ms": row.active_ms + worked,
    }


def _answer_payload(answer: Answer) -> dict[str, Any]:
    counts = count_answer(answer)
    return {"answer": sha256_of(answer.as_dict()), "marks": counts.marks, "substitutes": counts.substitutes}


def _check_no_test(assignment: Assignment) -> None:
    if assignment.passage.kind == Passage.Kind.TEST:
        raise Conflict("A test passage stays as it was submitted.", code="test_submitted")


def _check_reason(reason: str, remark: str) -> None:
    if reason not in DISCARD_REASONS:
        raise Invalid([Problem("reason", f"The reason is one of {', '.join(DISCARD_REASONS)}.", "reason")])
    if reason == "other" and not remark.strip():
        raise Invalid([Problem("remark", "Say in the remark why you discard this passage.", "remark")])
    if problems := line_problems(remark, what="The remark", path="remark", most=MAX_REMARK_LENGTH):
        raise Invalid(problems)
