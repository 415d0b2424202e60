"""Decisions as lines of Assay JSONL: each with all its steps, by pseudonym."""

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
from annotator.domain.formats.assay_jsonl import ReadProject
from annotator.domain.protocols import Protocol
from annotator.domain.tokens import Span

KEYS = {"passage", "start", "end", "seat", "steps"}
STEP_KEYS = {
    *("act", "at", "by", "cause", "content", "evidence", "is_proposal", "merge", "reason", "snapshot", "undoes"),
}
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
    passage = project.passages.get(value["passage"]) if isinstance(value["passage"], str) else None
    if passage is None:
        raise _wrong(f"There is no passage “{value['passage']}” before this line.")
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
    if value["by"] not in project.annotators and value["by"] not in project.adjudicators:
        raise _wrong(f"There is no “{value['by']}” before this line.")
    if span is None:
        parse_passage_content(value["content"])
    else:
        # Types may have been retired since: what was decided holds.
        types = tuple(replace(item, is_retired=False) for item in project.protocol.types)
        parse_content(value["content"], span=span, text=text, protocol=replace(project.protocol, types=types))
    return {
        **value,
        "at": _at(value["at"], project),
        "act": _uuid(value["act"]),
        "undoes": None if value["undoes"] is None else _uuid(value["undoes"]),
    }


def _uuid(value: Any) -> UUID:
    try:
        return UUID(value)
    except (TypeError, ValueError, AttributeError):
        raise _wrong(f"“{value}” is not the id of an act.") from None


def _at(value: Any, project: ReadProject) -> Any:
    try:
        return project.instant(value)
    except (TypeError, ValueError, OverflowError):
        raise _wrong(f"“{value}” is no instant such as 2026-01-31T12:00:00+00:00.") from None
