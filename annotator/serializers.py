"""The shape of what the API takes and gives; nothing here saves."""

import re
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from annotator.domain.answers import MAX_MARKS, MAX_SUBSTITUTES
from annotator.domain.errors import Invalid, Problem, VersionMissing
from annotator.domain.language import direction
from annotator.domain.lengths import (
    MAX_NOTE_LENGTH,
    MAX_QUESTION_LENGTH,
    MAX_REMARK_LENGTH,
    MAX_SUBSTITUTE_LENGTH,
)
from annotator.domain.people import type_order
from annotator.domain.protocols import page_rules
from annotator.models import Assignment, Question

KIND_NOTES = {
    "practice": "Practice: this passage counts for nothing.",
    "test": "Test passage: your work opens when you have passed.",
}
DAY_MS = 24 * 3600 * 1000
# What the page lets somebody type; of marks and substitutes their number. Questions and their answers have one limit.
LENGTHS = {
    "substitute": MAX_SUBSTITUTE_LENGTH,
    "note": MAX_NOTE_LENGTH,
    "remark": MAX_REMARK_LENGTH,
    "question": MAX_QUESTION_LENGTH,
    "marks": MAX_MARKS,
    "substitutes": MAX_SUBSTITUTES,
}


@dataclass(frozen=True)
class SaveRequest:
    save_id: UUID
    active_ms: int
    answer: Any


@dataclass(frozen=True)
class DiscardRequest:
    save_id: UUID
    reason: str
    remark: str


def save_request(data: Any) -> SaveRequest:
    _check_keys(data, required=("save_id", "answer"), optional=("active_ms",))
    active_ms = data.get("active_ms", 0)
    if not isinstance(active_ms, int) or isinstance(active_ms, bool) or not 0 <= active_ms <= DAY_MS:
        raise Invalid([Problem("active_ms", f"active_ms is a whole number from 0 to {DAY_MS}.", "active_ms")])
    return SaveRequest(_uuid(data["save_id"]), active_ms, data["answer"])


def act_request(data: Any) -> UUID:
    """The body of reopen and undo-discard holds a save id and nothing else."""
    _check_keys(data, required=("save_id",))
    return _uuid(data["save_id"])


def discard_request(data: Any) -> DiscardRequest:
    _check_keys(data, required=("save_id", "reason"), optional=("remark",))
    for key in ("reason", "remark"):
        if not isinstance(data.get(key, ""), str):
            raise Invalid([Problem("shape", f"{key} must be a string.", key)])
    return DiscardRequest(_uuid(data["save_id"]), data["reason"], data.get("remark", ""))


def credentials(data: Any) -> tuple[str, str]:
    _check_keys(data, required=("email", "password"))
    if not isinstance(data["email"], str) or not isinstance(data["password"], str):
        raise Invalid([Problem("shape", "email and password must be strings.", "email")])
    return data["email"], data["password"]


def if_match(header: str | None) -> int:
    """The version in `If-Match: "7"`."""
    if header is None:
        raise VersionMissing('Say which version you have seen: If-Match: "7".')
    found = re.fullmatch(r'"(\d{1,9})"', header.strip(), flags=re.ASCII)
    if not found:
        raise Invalid([Problem("if_match", 'If-Match must be one version in quotes, as "7".', "If-Match")])
    return int(found.group(1))


def assignment_line(assignment: Assignment) -> dict[str, Any]:
    return {
        "uuid": str(assignment.uuid),
        "project": assignment.passage.project.slug,
        "number": assignment.number,
        "state": assignment.state,
        "version": assignment.version,
        "marks": assignment.marks,
        "substitutes": assignment.substitutes,
    }


def assignment_page(assignment: Assignment) -> dict[str, Any]:
    """Everything the work page needs to know of one's own assignment."""
    passage, project = assignment.passage, assignment.passage.project
    lang = passage.lang or project.language
    return {
        **assignment_line(assignment),
        "project_state": project.state,
        "kind": passage.kind,
        "kind_note": KIND_NOTES.get(passage.kind, ""),
        "answer": assignment.draft,
        "discard": {"reason": assignment.discard_reason, "remark": assignment.discard_remark},
        "passage": {
            "text": passage.text,
            "context_before": passage.context_before,
            "context_after": passage.context_after,
            "lang": lang,
            "dir": direction(lang, passage.text),
            "tokens": passage.tokens,
        },
        "rules": page_rules(project.protocol, types=_types(assignment), lengths=LENGTHS),
        "guidelines": {
            "version": project.guidelines_version,
            "read": assignment.membership.guidelines_read if project.has_guidelines else project.guidelines_version,
        },
    }


def _types(assignment: Assignment) -> list[dict[str, Any]]:
    """In this person's own order, unless the project fixes it; `line` is how the type is drawn, the same for all."""
    project = assignment.passage.project
    protocol = project.protocol
    lines = {item.key: index for index, item in enumerate(protocol.types)}
    keys = [item.key for item in protocol.open_types]
    if not protocol.fixes_type_order:
        keys = type_order(project.seed, assignment.membership.pseudonym, keys)
    by_key = {item.key: item for item in protocol.open_types}
    return [{"key": k, "label": by_key[k].label, "hint": by_key[k].hint, "line": lines[k]} for k in keys]


def answer_request(data: Any) -> Any:
    """The body of a call for findings holds the answer and nothing else."""
    _check_keys(data, required=("answer",))
    return data["answer"]


def text_request(data: Any) -> str:
    _check_keys(data, required=("text",))
    if not isinstance(data["text"], str):
        raise Invalid([Problem("shape", "text must be a string.", "text")])
    return data["text"]


def version_request(data: Any) -> int:
    _check_keys(data, required=("version",))
    version = data["version"]
    if not isinstance(version, int) or isinstance(version, bool) or not 0 <= version < 2**31:
        raise Invalid([Problem("shape", "version must be a whole number.", "version")])
    return version


def question_line(question: Question) -> dict[str, Any]:
    return {
        "uuid": str(question.uuid),
        "text": question.text,
        "asked_at": question.asked_at.isoformat(),
        "answer": question.answer,
        "answered_at": question.answered_at.isoformat() if question.answered_at else None,
    }


def _check_keys(data: Any, *, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> None:
    if not isinstance(data, dict):
        raise Invalid([Problem("shape", "The body must be a JSON object.")])
    if unknown := sorted(set(data) - {*required, *optional}):
        raise Invalid([Problem("unknown_key", f"The body has an unknown key {unknown[0]!r}.", unknown[0])])
    if missing := [key for key in required if key not in data]:
        raise Invalid([Problem("missing_key", f"The body lacks {missing[0]!r}.", missing[0])])


def _uuid(value: Any) -> UUID:
    # Written out: UUID() also takes braces and urn: prefixes, and "" must not pass for one.
    if isinstance(value, str) and re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", value.lower()):
        return UUID(value)
    raise Invalid([Problem("save_id", "save_id must be a UUID.", "save_id")])
