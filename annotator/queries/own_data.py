"""All that is kept of one person by their name, for themself: one record a line."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from annotator.domain.states import AssignmentState
from annotator.models import Assignment, Membership, Question, Submission, User

Records = Iterator[dict[str, Any]]
_ALSO: list[Callable[[User], Records]] = []
AT_ONCE = 200  # assignments in memory


def also_keeps(records: Callable[[User], Records]) -> None:
    """Another app says what it keeps of a person."""
    _ALSO.append(records)


def own_data(user: User) -> Records:
    """What is told of work is what its pages tell: nothing of others', and no passage is known for what it is. Of a
    project that somebody has left they see nothing any more; that they were in it stays theirs to know."""
    yield {
        "record": "account",
        "name": user.name,
        "email": user.email,
        "since": _instant(user.created_at),
        "can_create_projects": user.can_create_projects,
    }
    for sign_in in user.sign_ins.live().order_by("pk"):
        began, seen = _instant(sign_in.began_at), _instant(sign_in.seen_at)
        yield {"record": "session", "browser": sign_in.browser, "began": began, "seen": seen}
    for token in user.api_tokens.select_related("project").order_by("pk"):
        yield {
            "record": "token",
            "name": token.name,
            "begins_with": token.prefix,
            "scopes": token.scopes,
            "project": token.project.slug if token.project else None,
            "made": _instant(token.created_at),
            "used": _instant(token.used_at),
            "until": _instant(token.expires_at),
            "revoked": _instant(token.revoked_at),
        }
    for membership in user.memberships.select_related("project").order_by("pk"):
        yield _member(membership)
        if membership.removed_at is None:
            yield from _work_of(membership)
    for also in _ALSO:
        yield from also(user)


def _member(row: Membership) -> dict[str, Any]:
    return {
        "record": "member",
        "project": row.project.slug,
        "name": row.project.name,
        "known_as": row.pseudonym,
        "roles": row.roles,
        "since": _instant(row.joined_at),
        "until": _instant(row.removed_at),
        "paused": _instant(row.paused_at),
        "test": row.qualification,
        "test_result": row.qualification_result,
        "guidelines_read": row.guidelines_read,
    }


def _work_of(membership: Membership) -> Records:
    rows = membership.assignments.select_related("passage").in_order()
    first = 0
    while batch := list(rows.filter(number__gt=first)[:AT_ONCE]):
        submissions = Submission.objects.filter(assignment__in=batch).order_by("number")
        questions = Question.objects.filter(assignment__in=batch).order_by("pk")
        handed_in: dict[int, list[Submission]] = {}
        asked: dict[int, list[Question]] = {}
        for submission in submissions:
            handed_in.setdefault(submission.assignment_id, []).append(submission)
        for question in questions:
            asked.setdefault(question.assignment_id, []).append(question)
        for row in batch:
            yield _assignment(membership.project.slug, row, handed_in.get(row.pk, []), asked.get(row.pk, []))
        first = batch[-1].number


def _assignment(
    project: str, row: Assignment, submissions: list[Submission], questions: list[Question]
) -> dict[str, Any]:
    return {
        "record": "assignment",
        "project": project,
        "number": row.number,
        "kind": row.kind_shown,
        "text": row.passage.text,
        "state": row.state,
        "answer": row.draft,
        "active_ms": row.active_ms,
        "discard_reason": row.discard_reason,
        "discard_remark": row.discard_remark,
        # Not when it was given: controls may have come later than the rest.
        "changed": None if row.state == AssignmentState.ASSIGNED else _instant(row.changed_at),
        "submissions": [
            {"number": item.number, "at": _instant(item.at), "answer": item.answer} for item in submissions
        ],
        "questions": [
            {"text": item.text, "asked": _instant(item.asked_at), "answer": item.answer} for item in questions
        ],
    }


def _instant(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
