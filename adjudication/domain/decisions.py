"""What an adjudicator decides about a target or a passage: one document, checked whole.

`{"verdict", "span", "type", "suggestions": [{"text", "from"}], "removed"}`: `from` of one key edits a suggestion, of
several joins them, of none adds one. A key that is not named passes through as it was merged. An empty document decides
nothing: so an undone decision looks.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from annotator.domain.answers import MAX_SUBSTITUTES, substitute_problems
from annotator.domain.errors import Conflict, Invalid, Problem
from annotator.domain.formats.reading import clip
from annotator.domain.lengths import MAX_SUBSTITUTE_LENGTH
from annotator.domain.protocols import Protocol
from annotator.domain.shapes import check_keys, check_shape, checked_list, checked_text
from annotator.domain.text import substitute_key
from annotator.domain.tokens import Span

MAX_REASON_LENGTH = 2_000
MAX_KEY_LENGTH = 1_000  # folding may lengthen a text
MAX_REMOVED = 1_000
CAUSES = {
    "guideline": "guideline gap",
    "ambiguous": "ambiguous",
    "slip": "slip",
    "taste": "taste",
    "other": "other",
}


class SpanVerdict(StrEnum):
    KEEP = "keep"
    DROP = "drop"
    MOVED = "moved"  # its votes and suggestions go to the target at `span`


class PassageVerdict(StrEnum):
    SETTLED = "settled"
    DISCARD = "discard"  # out of the gold, with a reason
    KEEP = "keep"  # in the gold though discards outnumber answers


@dataclass(frozen=True)
class Written:
    """A suggestion as a decision has it: `sources` are the keys it takes its votes from."""

    text: str
    sources: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        return {"text": self.text, "from": list(self.sources)}


@dataclass(frozen=True)
class Content:
    """A decision about a target."""

    verdict: SpanVerdict | None = None
    span: Span | None = None
    type: str = ""
    suggestions: tuple[Written, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return self == Content()

    @property
    def named(self) -> set[str]:
        """The keys that do not pass through."""
        return {*self.removed, *(key for item in self.suggestions for key in item.sources)}

    def as_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = {"verdict": self.verdict and self.verdict.value}
        if self.span is not None:
            found["span"] = list(self.span)
        if self.type:
            found["type"] = self.type
        found |= {"suggestions": [item.as_dict() for item in self.suggestions], "removed": list(self.removed)}
        return found

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Content":
        """Of a stored document: checked when it was written."""
        return cls(
            verdict=SpanVerdict(data["verdict"]) if data["verdict"] else None,
            span=(data["span"][0], data["span"][1]) if "span" in data else None,
            type=data.get("type", ""),
            suggestions=tuple(Written(item["text"], tuple(item["from"])) for item in data["suggestions"]),
            removed=tuple(data["removed"]),
        )


def parse_content(value: Any, *, span: Span, text: str, protocol: Protocol) -> Content:
    """`value` as a decision about `span`; Invalid, or Conflict for a type since retired."""
    check_keys(value, "content", required=("verdict",), optional=("span", "type", "suggestions", "removed"))
    verdict = _verdict(value["verdict"], SpanVerdict)
    quote = text[span[0] : span[1]]
    written = checked_list(
        value.get("suggestions", []), "content.suggestions", most=MAX_SUBSTITUTES, noun="suggestions"
    )
    removed = checked_list(value.get("removed", []), "content.removed", most=MAX_REMOVED, noun="removed keys")
    content = Content(
        verdict=verdict,
        span=_target_of_move(value, verdict, span, text, protocol),
        type=_type(value["type"], protocol) if "type" in value else "",
        suggestions=tuple(
            _written(item, f"content.suggestions[{n}]", quote, protocol) for n, item in enumerate(written)
        ),
        removed=tuple(checked_text(key, f"content.removed[{n}]", most=MAX_KEY_LENGTH) for n, key in enumerate(removed)),
    )
    if problems := [*_twice(content, protocol), *_moved_with_more(content)]:
        raise Invalid(problems)
    return content


def parse_passage_content(value: Any) -> PassageVerdict | None:
    """`{"verdict": …}` about a whole passage."""
    check_keys(value, "content", required=("verdict",))
    return _verdict(value["verdict"], PassageVerdict)


EMPTY = Content().as_dict()
EMPTY_PASSAGE: dict[str, Any] = {"verdict": None}


def decides_nothing(content: Mapping[str, Any]) -> bool:
    """Of a document about a span or a passage."""
    return content in (EMPTY, EMPTY_PASSAGE)


def says_nothing(content: Mapping[str, Any], reason: str, cause: str) -> bool:
    """Why a target stands as it was merged is worth keeping; about a passage only a verdict says something."""
    return decides_nothing(content) and (content == EMPTY_PASSAGE or not (reason or cause))


def check_span(span: Span, *, text: str, protocol: Protocol, path: str = "") -> None:
    start, end = span
    if not 0 <= start <= end <= len(text) or (start == end and not protocol.spans_may_be_empty):
        message = f"[{start}, {end}) is not a span of the passage, which has {len(text)} characters."
        raise Invalid.of("span", message, path)


def check_against(
    content: Content, *, there: Collection[str], elsewhere: Collection[str], before: Content, quote: str, folds: bool
) -> set[str]:
    """Whether a decision fits what stands there: the keys of its target's suggestions. Invalid where it breaks a rule;
    gives back the keys that are gone. What the decision `before` it named may be gone: it still holds."""
    problems = []
    gone = content.named - set(there) - before.named
    if across := sorted(gone & set(elsewhere)):
        message = f"“{clip(across[0])}” was offered for another target: only suggestions of one target can be joined."
        problems.append(Problem("join_across", message, "content.suggestions"))
    if not there:
        problems += _added_problems(content, before, quote)
    passing = set(there) - content.named
    for number, item in enumerate(content.suggestions):
        if substitute_key(item.text, folds=folds) in passing:
            message = f"“{clip(item.text)}” is offered for “{clip(quote)}” already: join the two."
            problems.append(Problem("duplicate", message, f"content.suggestions[{number}]"))
    if problems:
        raise Invalid(problems)
    return gone


def _added_problems(content: Content, before: Content, quote: str) -> list[Problem]:
    """Of a target that nobody marked."""
    if content.is_empty or content == before:
        return []
    if content.verdict == SpanVerdict.MOVED:
        return [Problem("nothing_to_move", f"Nobody marked “{clip(quote)}”: there is nothing to move.", "content")]
    if content.verdict is None or (content.verdict == SpanVerdict.KEEP and not content.suggestions):
        message = f"Nobody marked “{clip(quote)}”: it becomes a target by being kept with at least one suggestion."
        return [Problem("nothing_to_keep", message, "content")]
    return []


_Verdict = TypeVar("_Verdict", SpanVerdict, PassageVerdict)


def _verdict(value: Any, kinds: type[_Verdict]) -> _Verdict | None:
    if value is None:
        return None
    if value not in list(kinds):
        names = ", ".join(kinds)
        raise Invalid.of("verdict", f"A verdict is one of {names}, or null.", "content.verdict")
    return kinds(value)


def _target_of_move(
    value: dict[str, Any], verdict: SpanVerdict | None, span: Span, text: str, protocol: Protocol
) -> Span | None:
    if ("span" in value) != (verdict == SpanVerdict.MOVED):
        raise Invalid.of("span", "A span is given where a target is moved, and only there.", "content.span")
    if "span" not in value:
        return None
    ends = checked_list(value["span"], "content.span", most=2, noun="ends")
    for end in ends:
        check_shape(end, int, "content.span")
    if len(ends) != 2:
        raise Invalid.of("shape", "content.span must be a list of two whole numbers.", "content.span")
    where = (ends[0], ends[1])
    check_span(where, text=text, protocol=protocol, path="content.span")
    if where == span:
        raise Invalid.of("move_onto_itself", "A target cannot be moved onto itself.", "content.span")
    return where


def _type(value: Any, protocol: Protocol) -> str:
    check_shape(value, str, "content.type")
    kind = protocol.type_named(value)
    if kind is None:
        raise Invalid.of("type", f"The project has no type “{clip(value)}”.", "content.type")
    if kind.is_retired:
        raise Conflict(f"The type “{kind.label}” has been removed from this project.", code="type_removed")
    return kind.key


def _written(value: Any, path: str, quote: str, protocol: Protocol) -> Written:
    check_keys(value, path, required=("text", "from"))
    text = checked_text(value["text"], f"{path}.text", most=MAX_SUBSTITUTE_LENGTH)
    if problems := substitute_problems(text, f"{path}.text", quote, protocol):
        raise Invalid(problems)
    keys = checked_list(value["from"], f"{path}.from", most=MAX_REMOVED, noun="keys")
    sources = tuple(checked_text(key, f"{path}.from[{n}]", most=MAX_KEY_LENGTH) for n, key in enumerate(keys))
    return Written(text, sources)


def _twice(content: Content, protocol: Protocol) -> list[Problem]:
    problems, keys, texts = [], set(), set()
    places = [(key, "content.removed") for key in content.removed]
    for number, item in enumerate(content.suggestions):
        path = f"content.suggestions[{number}]"
        places += [(key, f"{path}.from") for key in item.sources]
        key = substitute_key(item.text, folds=protocol.folds_substitutes)
        if key in texts:
            problems.append(Problem("duplicate", f"“{clip(item.text)}” is given twice.", path))
        texts.add(key)
    for key, path in places:
        if key in keys:
            problems.append(Problem("named_twice", f"“{clip(key)}” is named twice.", path))
        keys.add(key)
    return problems


def _moved_with_more(content: Content) -> list[Problem]:
    if content.verdict == SpanVerdict.MOVED and (content.type or content.suggestions or content.removed):
        message = "A moved target gives its suggestions as they are: change them where they come to stand."
        return [Problem("moved_with_more", message, "content")]
    return []
