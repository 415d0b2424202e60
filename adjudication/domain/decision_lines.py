"""Decisions and comments as lines of Assay JSONL, by pseudonym; a decision with all its steps."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from adjudication.domain.decisions import (
    CAUSES,
    EMPTY,
    EMPTY_PASSAGE,
    MAX_REASON_LENGTH,
    check_span,
    parse_content,
    parse_passage_content,
)
from adjudication.domain.undoing import Made, Stands, standing_now
from annotator.domain.errors import Invalid
from annotator.domain.formats.assay_jsonl import ReadProject, instant_in
from annotator.domain.lengths import MAX_COMMENT_LENGTH
from annotator.domain.protocols import Protocol
from annotator.domain.text import is_blank, line_problems
from annotator.domain.tokens import Span

KEYS = {"passage", "start", "end", "seat", "steps"}
STEP_KEYS = {
    *("act", "at", "by", "cause", "content", "evidence", "is_proposal", "merge", "reason", "snapshot", "undoes"),
}
COMMENT_KEYS = {"passage", "start", "end", "text", "by", "at", "resolved_by", "resolved_at"}
SEATS = (0, 1, 2)


@dataclass(frozen=True)
class ReadDecision:
    """`steps` as they are stored; `stands` is what they come to."""

    passage: str
    span: Span | None
    seat: int
    steps: tuple[Mapping[str, Any], ...]
    stands: Stands

    @property
    def content(self) -> Mapping[str, Any]:
        if self.stands.decided:
            found: Mapping[str, Any] = self.steps[self.stands.decided - 1]["content"]
            return found
        return EMPTY if self.span is not None else EMPTY_PASSAGE


def read_decision(project: ReadProject, value: Any) -> ReadDecision:
    """Checked whole; Refused where it is no decision of this project."""
    if not isinstance(value, dict) or set(value) != KEYS:
        raise _wrong(f"A decision has just the keys {', '.join(sorted(KEYS))}.")
    passage = _passage(value["passage"], project)
    if value["seat"] not in SEATS or not isinstance(value["steps"], list) or not value["steps"]:
        raise _wrong("A decision has a seat of 0, 1 or 2, and at least one step.")
    span = _span(value, passage["text"], project.protocol)
    steps = tuple(_step(step, span, passage["text"], project) for step in value["steps"])
    made = [Made(n, step["act"], step["undoes"], step["is_proposal"]) for n, step in enumerate(steps, start=1)]
    key = ("decision", value["passage"], span, value["seat"])
    if key in project.seen:
        raise _wrong("There is such a decision in the file already.")
    project.seen.add(key)
    return ReadDecision(value["passage"], span, value["seat"], steps, standing_now(made))


@dataclass(frozen=True)
class ReadComment:
    """`values` as they are stored, but for people, who are named."""

    passage: str
    by: str
    resolved_by: str | None
    values: Mapping[str, Any]


def read_comment(project: ReadProject, value: Any) -> ReadComment:
    """Likewise."""
    if not isinstance(value, dict) or set(value) != COMMENT_KEYS:
        raise _wrong(f"A comment has just the keys {', '.join(sorted(COMMENT_KEYS))}.")
    passage = _passage(value["passage"], project)
    span = _span(value, passage["text"], project.protocol)
    text = value["text"]
    if not isinstance(text, str) or is_blank(text):
        raise _wrong("A comment has a text.")
    if problems := line_problems(text, what="The comment", path="text", most=MAX_COMMENT_LENGTH):
        raise _wrong(problems[0].message)
    _check_person(value["by"], project)
    resolved = value["resolved_at"]
    if (resolved is None) != (value["resolved_by"] is None):
        raise _wrong("A comment is resolved by somebody at an instant, or not at all.")
    if resolved is not None:
        _check_person(value["resolved_by"], project)
        resolved = instant_in(resolved, project)
    start, end = span or (None, None)
    at = instant_in(value["at"], project)
    values = {"start": start, "end": end, "text": text, "at": at, "resolved_at": resolved}
    return ReadComment(value["passage"], value["by"], value["resolved_by"], values)


def _passage(name: Any, project: ReadProject) -> Mapping[str, Any]:
    found = project.passages.get(name) if isinstance(name, str) else None
    if found is None:
        raise _wrong(f"There is no passage “{name}” before this line.")
    return found


def _check_person(name: Any, project: ReadProject) -> None:
    is_known = isinstance(name, str) and (name in project.annotators or name in project.adjudicators)
    if not is_known:
        raise _wrong(f"There is no “{name}” before this line.")


def _wrong(message: str) -> Invalid:
    return Invalid.of("assay_jsonl", message)


def _span(value: Mapping[str, Any], text: str, protocol: Protocol) -> Span | None:
    start, end = value["start"], value["end"]
    if start is None and end is None:
        return None
    if not all(isinstance(place, int) and not isinstance(place, bool) for place in (start, end)):
        raise _wrong("start and end of a decision are whole numbers, or both null.")
    check_span((start, end), text=text, protocol=protocol)
    return start, end


def _step(value: Any, span: Span | None, text: str, project: ReadProject) -> Mapping[str, Any]:
    if not isinstance(value, dict) or set(value) != STEP_KEYS:
        raise _wrong(f"A step has just the keys {', '.join(sorted(STEP_KEYS))}.")
    texts = ("by", "cause", "evidence", "merge", "reason")
    is_sound = all(isinstance(value[name], str) for name in texts) and isinstance(value["is_proposal"], bool)
    is_sound = is_sound and isinstance(value["snapshot"], dict) and value["cause"] in ("", *CAUSES)
    if not is_sound or len(value["reason"]) > MAX_REASON_LENGTH or max(len(value["evidence"]), 0) > 32:
        raise _wrong("A step of a decision has texts, a cause of ours, a snapshot, and true or false for is_proposal.")
    _check_person(value["by"], project)
    if span is None:
        parse_passage_content(value["content"])
    else:
        # Types may have been retired since: what was decided holds.
        types = tuple(replace(item, is_retired=False) for item in project.protocol.types)
        parse_content(value["content"], span=span, text=text, protocol=replace(project.protocol, types=types))
    return {
        **value,
        "at": instant_in(value["at"], project),
        "act": _uuid(value["act"]),
        "undoes": None if value["undoes"] is None else _uuid(value["undoes"]),
    }


def _uuid(value: Any) -> UUID:
    try:
        return UUID(value)
    except (TypeError, ValueError, AttributeError):
        raise _wrong(f"“{value}” is not the id of an act.") from None
