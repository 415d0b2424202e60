"""The answer: what one annotator says about one passage, one JSON document validated whole.

`parse_answer` is what a draft must pass; `submit_problems` is what a submission must pass on top of it.
"""

import unicodedata
from collections import Counter
from dataclasses import dataclass
from typing import Any

from annotator.domain.errors import Conflict, Invalid, Problem
from annotator.domain.formats.reading import clip
from annotator.domain.lengths import MAX_NOTE_LENGTH, MAX_SUBSTITUTE_LENGTH
from annotator.domain.protocols import Protocol
from annotator.domain.shapes import check_keys, check_shape, checked_list, checked_text
from annotator.domain.text import collapse_spaces, is_blank, substitute_key
from annotator.domain.tokens import Span

MAX_ANSWER = 60_000  # bytes of its JSON; what a browser still sends with `keepalive` while a page closes
MAX_MARKS = 200
MAX_SUBSTITUTES = 50  # of one mark
VIAS = ("typed", "pasted", "copied")


@dataclass(frozen=True, slots=True)
class Substitute:
    text: str
    type: str
    via: str = "typed"

    def as_dict(self) -> dict[str, Any]:
        return {"text": self.text, "type": self.type, "via": self.via}


@dataclass(frozen=True, slots=True)
class Mark:
    """A span [start, end) in code points; `quote` is the text it covers."""

    start: int
    end: int
    quote: str
    substitutes: tuple[Substitute, ...] = ()
    note: str = ""
    unsure: bool = False

    def as_dict(self) -> dict[str, Any]:
        return {
            "start": self.start,
            "end": self.end,
            "quote": self.quote,
            "note": self.note,
            "unsure": self.unsure,
            "substitutes": [item.as_dict() for item in self.substitutes],
        }


@dataclass(frozen=True, slots=True)
class Answer:
    """`none` says there is nothing to improve: the only way to submit an empty answer."""

    marks: tuple[Mark, ...] = ()
    none: bool = False

    def as_dict(self) -> dict[str, Any]:
        return {"none": True} if self.none else {"marks": [mark.as_dict() for mark in self.marks]}


EMPTY_ANSWER = Answer().as_dict()


@dataclass(frozen=True)
class Counts:
    """The counters kept on the assignment, so that boards and quotas never read documents."""

    marks: int
    substitutes: int
    substitutes_by_type: dict[str, int]


def count_answer(answer: Answer) -> Counts:
    by_type = Counter(item.type for mark in answer.marks for item in mark.substitutes)
    return Counts(len(answer.marks), by_type.total(), dict(sorted(by_type.items())))


def united(answer: Answer, *, folds: bool) -> dict[Span, dict[str, Substitute]]:
    """Of each span the substitutes that count, by key. “Marks of one span by one annotator are united in answer order;
    of equal keys the first counts, with its type” (method.md 5.4)."""
    found: dict[Span, dict[str, Substitute]] = {}
    for mark in answer.marks:
        own = found.setdefault((mark.start, mark.end), {})
        for item in mark.substitutes:
            own.setdefault(substitute_key(item.text, folds=folds), item)
    return found


def stored_answer(data: dict[str, Any]) -> Answer:
    """An answer that was checked when it was submitted: not checked again."""
    if data.get("none"):
        return Answer(none=True)
    return Answer(
        tuple(
            Mark(
                start=mark["start"],
                end=mark["end"],
                quote=mark["quote"],
                substitutes=tuple(Substitute(**item) for item in mark["substitutes"]),
                note=mark["note"],
                unsure=mark["unsure"],
            )
            for mark in data["marks"]
        )
    )


def count_stored(data: dict[str, Any]) -> Counts:
    """`count_answer` of a `stored_answer`, without making one: there are hundreds of thousands of them."""
    marks = [] if data.get("none") else data["marks"]
    by_type: dict[str, int] = {}
    for mark in marks:
        for item in mark["substitutes"]:
            by_type[item["type"]] = by_type.get(item["type"], 0) + 1
    return Counts(len(marks), sum(by_type.values()), dict(sorted(by_type.items())))


def parse_answer(value: Any, *, text: str, protocol: Protocol, is_old: bool = False) -> Answer:
    """`value` as an Answer about `text`; TooLarge, Invalid, or, unless it is an old answer, Conflict for a type since
    removed."""
    check_keys(value, "answer", optional=("marks", "none"))
    if ("none" in value) == ("marks" in value):
        raise Invalid([Problem("shape", "An answer has either marks or none, not both.", "answer")])
    if "none" in value:
        if value["none"] is not True:
            raise Invalid([Problem("shape", "none can only be true.", "answer.none")])
        return Answer(none=True)
    marks = checked_list(value["marks"], "answer.marks", most=MAX_MARKS, noun="marks")
    return Answer(tuple(_parse_mark(item, f"marks[{n}]", text, protocol, is_old) for n, item in enumerate(marks)))


def _parse_mark(value: Any, path: str, text: str, protocol: Protocol, is_old: bool) -> Mark:
    check_keys(value, path, required=("start", "end", "quote", "substitutes"), optional=("note", "unsure"))
    start, end = value["start"], value["end"]
    check_shape(start, int, f"{path}.start")
    check_shape(end, int, f"{path}.end")
    if not 0 <= start <= end <= len(text) or (start == end and not protocol.spans_may_be_empty):
        message = f"[{start}, {end}) is not a span of the passage, which has {len(text)} characters."
        raise Invalid([Problem("span", message, path)])
    if value["quote"] != text[start:end]:
        check_shape(value["quote"], str, f"{path}.quote")
        message = f"The passage has “{clip(text[start:end])}” at [{start}, {end}), not “{clip(value['quote'])}”."
        raise Invalid([Problem("quote", message, f"{path}.quote")])
    substitutes = checked_list(value["substitutes"], f"{path}.substitutes", most=MAX_SUBSTITUTES, noun="substitutes")
    unsure = value.get("unsure", False)
    check_shape(unsure, bool, f"{path}.unsure")
    return Mark(
        start=start,
        end=end,
        quote=value["quote"],
        substitutes=tuple(
            _parse_substitute(item, f"{path}.substitutes[{n}]", protocol, is_old) for n, item in enumerate(substitutes)
        ),
        note=checked_text(value.get("note", ""), f"{path}.note", most=MAX_NOTE_LENGTH),
        unsure=unsure,
    )


def _parse_substitute(value: Any, path: str, protocol: Protocol, is_old: bool) -> Substitute:
    check_keys(value, path, required=("text", "type"), optional=("via",))
    text = checked_text(value["text"], f"{path}.text", most=MAX_SUBSTITUTE_LENGTH)
    check_shape(value["type"], str, f"{path}.type")
    kind = protocol.type_named(value["type"])
    if kind is None:
        raise Invalid([Problem("type", f"The project has no type “{clip(value['type'])}”.", f"{path}.type")])
    if kind.is_retired and not is_old:
        raise Conflict(f"The type “{kind.label}” has been removed from this project.", code="type_removed")
    via = value.get("via", "typed")
    if via not in VIAS:
        raise Invalid([Problem("via", f"via is one of {', '.join(VIAS)}.", f"{path}.via")])
    return Substitute(text=text, type=kind.key, via=via)


def submit_problems(answer: Answer, protocol: Protocol) -> list[Problem]:
    """Everything that keeps a valid draft from being submitted, all at once."""
    if answer.none:
        return []
    if not answer.marks:
        message = "Nothing is marked. Mark a word, or say that there is nothing to improve."
        return [Problem("empty", message, "answer")]
    problems = [
        problem
        for index, mark in enumerate(answer.marks)
        for problem in _mark_problems(mark, f"marks[{index}]", protocol)
    ]
    return problems if protocol.spans_may_overlap else problems + _overlaps(answer)


def _mark_problems(mark: Mark, path: str, protocol: Protocol) -> list[Problem]:
    problems = []
    given = len(mark.substitutes)
    if given < protocol.min_substitutes:
        problems.append(Problem("no_substitute", f"“{clip(mark.quote)}” is marked but has no substitute.", path))
    if protocol.max_substitutes is not None and given > protocol.max_substitutes:
        message = f"“{clip(mark.quote)}” has {given} substitutes: {protocol.max_substitutes} are the most."
        problems.append(Problem("too_many_substitutes", message, path))
    seen: set[str] = set()
    for index, item in enumerate(mark.substitutes):
        where = f"{path}.substitutes[{index}]"
        problems += substitute_problems(item.text, where, mark.quote, protocol)
        key = substitute_key(item.text, folds=protocol.folds_substitutes)
        if key in seen:
            message = f"“{clip(item.text)}” is given twice for “{clip(mark.quote)}”."
            problems.append(Problem("duplicate", message, where))
        seen.add(key)
    return problems


def substitute_problems(text: str, path: str, quote: str, protocol: Protocol) -> list[Problem]:
    """What keeps `text` from being offered for `quote`."""
    if not protocol.folds_substitutes:
        if text or protocol.substitutes_may_be_empty:
            return []
        return [Problem("blank", f"A substitute for “{clip(quote)}” is empty.", path)]
    if is_blank(text):
        return [Problem("blank", f"A substitute for “{clip(quote)}” is blank.", path)]
    if protocol.separator and protocol.separator in unicodedata.normalize("NFC", text):
        message = f"“{clip(text)}” holds “{protocol.separator}”: give each substitute by itself."
        return [Problem("separator", message, path)]
    if text != collapse_spaces(text):
        return [Problem("spaces", f"“{clip(text)}” has spaces to spare.", path)]
    return []


def _overlaps(answer: Answer) -> list[Problem]:
    problems, widest = [], None
    for mark in sorted(answer.marks, key=lambda mark: (mark.start, mark.end)):
        if widest and (mark.start < widest.end or (mark.start, mark.end) == (widest.start, widest.end)):
            message = f"“{clip(widest.quote)}” and “{clip(mark.quote)}” overlap."
            problems.append(Problem("overlap", message, "answer.marks"))
        if widest is None or mark.end >= widest.end:
            widest = mark
    return problems
